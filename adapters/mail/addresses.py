"""The referee's addresses and what is hidden in them.

    referee+TOKEN@domain              Reply-To: an answer brings the token back
    referee+stop.TOKEN@domain         whatever is mailed there means: no more such letters
    referee+bounce.LETTER.TOKEN@…     envelope sender: what comes back names the letter (the token where there
      is room)
    <LETTER.TOKEN@domain>             Message-ID: the same letter always has the same one

Tokens are base32 and survive mail programs that change the case of an address: they
are written and read in small letters.  Nothing here is a proof; the service verifies.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

import idna

from referee.ports import Letter

#: an address that may stand on an envelope: one @, nothing that needs quoting
PLAIN_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?"
)
_LETTER = re.compile(r"[A-Za-z0-9_-]{1,40}")
_TOKEN = re.compile(r"[a-z0-9]{4,64}")
_BOUNCE = "bounce."
_STOP = "stop."
_LOCAL_MAX, _DOMAIN_MAX = 64, 255  # octets, RFC 5321 4.5.3.1


def in_ascii(address: str) -> str:
    """The same address as envelopes have it, an accented domain in ASCII; as it is where it has none.

    By the rules of today (RFC 5891): by those of the standard library "straße" is the domain "strasse".
    """
    local, at, domain = address.rpartition("@")
    if address.isascii() or len(domain) > _DOMAIN_MAX:
        return address
    try:
        return local + at + idna.encode(domain, uts46=True).decode("ascii")
    except UnicodeError:  # `idna.IDNAError` is one
        return address


@dataclass(frozen=True, slots=True)
class AddressTag:
    """What one of our addresses or Message-IDs carried; empty where it carried nothing."""

    token: str = ""
    letter: str = ""
    bounce: bool = False
    stop: bool = False


@dataclass(frozen=True, slots=True)
class Addresses:
    """All addresses of one mailbox, made from the plain one."""

    mailbox: str

    @property
    def local(self) -> str:
        return self.mailbox.rpartition("@")[0]

    @property
    def domain(self) -> str:
        return self.mailbox.rpartition("@")[2]

    def reply(self, token: str) -> str:
        """Where an answer to a letter with that token goes."""
        return f"{self.local}+{token.lower()}@{self.domain}" if token else self.mailbox

    def stop(self, token: str) -> str:
        """Where a mail program's unsubscribe button writes to; what it writes there does not matter."""
        tag = f"{_STOP}{token.lower()}"
        fits = token and len(self.local) + 1 + len(tag) <= _LOCAL_MAX
        return f"{self.local}+{tag}@{self.domain}" if fits else self.reply(token)

    def bounce(self, letter: Letter) -> str:
        """The envelope sender of a letter."""
        tag = _BOUNCE + _letter_id(letter)
        whole = f"{tag}.{letter.token.lower()}" if letter.token else tag
        if len(self.local) + 1 + len(whole) > _LOCAL_MAX:
            whole = tag
        return f"{self.local}+{whole}@{self.domain}"

    def message_id(self, letter: Letter) -> str:
        """Deterministic.  A letter without a token gets a digest of its words instead (after "-", which
        no token has): its number alone could come again in another database."""
        words = "\0".join((letter.address or "", letter.subject, letter.text, letter.markup))
        mark = letter.token.lower() or "-" + hashlib.sha256(words.encode()).hexdigest()[:16]
        return f"<{_letter_id(letter)}.{mark}@{self.domain}>"

    def list_id(self, ref: str) -> str:
        """The List-Id of one conversation."""
        label = re.sub(r"[^a-z0-9-]+", "-", ref.lower()).strip("-") or "mail"
        return f"<{label}.{re.sub(r'[^a-z0-9-]+', '-', self.local.lower())}.{self.domain}>"

    def is_ours(self, address: str) -> bool:
        """Whether mail to (or from) that address is to (or from) this mailbox."""
        local, _, domain = address.strip().strip("<>").lower().rpartition("@")
        return domain == self.domain.lower() and local.partition("+")[0] == self.local.lower()

    def tag_of(self, address: str) -> AddressTag | None:
        """What stands behind the plus, or None if the address is not ours or has nothing there."""
        if not self.is_ours(address):
            return None
        tag = address.strip().strip("<>").lower().rpartition("@")[0].partition("+")[2]
        if tag.startswith(_BOUNCE):
            letter, _, token = tag.removeprefix(_BOUNCE).partition(".")
            return AddressTag(
                token if _TOKEN.fullmatch(token) else "",
                letter if _LETTER.fullmatch(letter) else "",
                bounce=True,
            )
        token = tag.removeprefix(_STOP)
        return AddressTag(token, stop=token != tag) if _TOKEN.fullmatch(token) else None

    def tag_of_message_id(self, wire_id: str) -> AddressTag | None:
        """What a Message-ID of ours carried, or None if it is none of ours."""
        local, _, domain = wire_id.strip().strip("<>").rpartition("@")
        letter, _, mark = local.rpartition(".")
        if domain.lower() != self.domain.lower() or not _LETTER.fullmatch(letter):
            return None
        if mark.startswith("-"):
            return AddressTag("", letter)
        return AddressTag(mark.lower(), letter) if _TOKEN.fullmatch(mark.lower()) else None


def _letter_id(letter: Letter) -> str:
    if _LETTER.fullmatch(letter.id):
        return letter.id
    return "x" + hashlib.sha256(letter.id.encode()).hexdigest()[:16]
