"""A letter put into its envelope: headers, text, HTML, and the addresses an answer returns to.

Everything here follows from the letter, the settings and the clock, so a letter sent again
is the same mail with the same Message-ID.
"""

from __future__ import annotations

import email.policy
import html
import re
from dataclasses import dataclass
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate
from typing import TYPE_CHECKING
from urllib.parse import quote

from referee.ports import Letter, Picture

from .addresses import PLAIN_ADDRESS, Addresses

if TYPE_CHECKING:
    from .settings import Settings

#: who wrote a mail, so that our own, sent round in a circle, is known again
LOOP_HEADER = "X-Citadels-Referee"
REPLY_TO = "{reply_to}"
#: in the setting `unsubscribe`: the address to which a mail of any words ends such letters
STOP = "{stop}"
_SUBJECT_MAX = 200
_REFERENCES_MAX = 10
#: how wide a picture stands in programs that heed no style, in pixels
_PHONE = 360
# bodies in 7 bit: nothing on the way may re-encode them and break a DKIM signature
_BODY = email.policy.SMTP.clone(cte_type="7bit")
#: an encoded word has no more signs (RFC 2047 2), a blank before it
_ENCODED = 76
_WIRE_ID = re.compile(r"<[^<>\s]{1,250}>")


class _WirePolicy(email.policy.EmailPolicy):
    """Headers unfolded but for a subject that must be encoded: the stdlib turns a Message-ID too long for its
    line into an encoded word, and a long subject into one that is longer than programs need read; where it
    folds one it loses blanks.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        if name != "Subject" or value.isascii():
            return super().fold_binary(name, value)
        encoded = Header(str(value), "utf-8", _ENCODED, name).encode(linesep=self.linesep)
        return f"{name}: {encoded}{self.linesep}".encode("ascii")


_WIRE = _WirePolicy(linesep="\r\n", cte_type="7bit", max_line_length=900)


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """One mail ready for the wire."""

    sender: str
    recipient: str
    message_id: str
    data: bytes


def recipient_of(letter: Letter) -> str | None:
    """The address for the envelope, its domain in ASCII; None if it can't stand on one."""
    local, at, domain = (letter.address or "").strip().rpartition("@")
    try:
        domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    whole = local + at + domain
    # what looks like an encoded word would be decoded in To, and name another
    return whole if PLAIN_ADDRESS.fullmatch(whole) and "=?" not in local else None


def compose(letter: Letter, recipient: str, settings: Settings, now_ms: int) -> OutgoingMail:
    """The mail that carries `letter` to `recipient` (from `recipient_of`)."""
    addresses = Addresses(settings.address)
    reply_to = addresses.reply(letter.token)
    message_id = addresses.message_id(letter)
    mail = EmailMessage(policy=_BODY)
    mail["From"] = Address(_one_line(settings.display_name), addr_spec=settings.address)
    local, _, domain = recipient.rpartition("@")
    # in two parts: as one it must follow the grammar, and old addresses of phones have dots where none may be
    mail["To"] = Address(username=local, domain=domain)
    mail["Reply-To"] = Address(_one_line(settings.display_name), addr_spec=reply_to)
    mail["Subject"] = _one_line(letter.subject)[:_SUBJECT_MAX]
    mail["Date"] = formatdate(now_ms / 1000)
    mail["Message-ID"] = message_id
    _thread(mail, letter, message_id)
    _machine_made(mail, letter)
    mail[LOOP_HEADER] = settings.address
    if letter.ref:
        mail["List-Id"] = addresses.list_id(letter.ref)
    stop = settings.unsubscribe.replace(REPLY_TO, _in_url(reply_to)).replace(
        STOP, _in_url(addresses.stop(letter.token))
    )
    _ways_out(mail, letter, stop)
    mail.set_content(_text(letter.text, reply_to))
    _illustrate(mail, letter, _page(letter, reply_to), f"picture.{message_id.strip('<>')}")
    _attach(mail, letter)
    return OutgoingMail(addresses.bounce(letter), recipient, message_id, mail.as_bytes(policy=_WIRE))


def _thread(mail: EmailMessage, letter: Letter, message_id: str) -> None:
    """The headers that put it behind the earlier mails of its conversation."""
    thread = [
        one
        for one in (*letter.thread, letter.edits, letter.answers)
        if _WIRE_ID.fullmatch(one) and one != message_id
    ]
    if thread:
        mail["In-Reply-To"] = thread[-1]
        # the root and the latest are what threading needs: RFC 5322 3.6.4 lets the middle be dropped
        known = list(dict.fromkeys(thread))
        mail["References"] = " ".join(
            known if len(known) <= _REFERENCES_MAX else [known[0], *known[-_REFERENCES_MAX + 1 :]]
        )


def _machine_made(mail: EmailMessage, letter: Letter) -> None:
    """The headers that keep other machines from answering."""
    # RFC 3834; the second is what Exchange understands, the third what programs look for that are older than
    # both
    mail["Auto-Submitted"] = "auto-replied" if letter.facts.get("stranger") else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    if letter.facts.get("stranger"):
        mail["Precedence"] = "bulk"


def _ways_out(mail: EmailMessage, letter: Letter, stop: str) -> None:
    """The headers that say how to end such mails; `stop`: the way of the settings, "" for none."""
    link = str(letter.facts.get("unsubscribe", ""))
    if link or stop:
        mail["List-Unsubscribe"] = ", ".join(f"<{one}>" for one in (link, stop) if one)
    if link.startswith("https://"):  # RFC 8058: one press, nothing else to do
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def _illustrate(mail: EmailMessage, letter: Letter, page: str, name: str) -> None:
    """The HTML beside the text, with the letter's picture in it under that name; nothing for no page."""
    if page and letter.picture is not None:
        # beside the page that shows it (RFC 2387): programs that show no HTML don't list it among the files
        mail.add_alternative(_shown(page, letter.picture, name), subtype="html")
        shown = list(mail.iter_parts())[-1]
        assert isinstance(shown, EmailMessage)
        maintype, _, subtype = letter.picture.media_type.partition("/")
        shown.add_related(
            letter.picture.data,
            maintype=maintype,
            subtype=subtype,
            cid=f"<{name}>",
            filename=letter.picture.name,
            disposition="inline",
        )
    elif page:
        mail.add_alternative(page, subtype="html")


def _attach(mail: EmailMessage, letter: Letter) -> None:
    """The files that go with it."""
    for one in letter.attachments:
        kind = email.policy.default.header_factory("Content-Type", one.media_type)
        mail.add_attachment(
            one.data,
            maintype=kind.maintype,
            subtype=kind.subtype,
            filename=one.name,
            params=dict(kind.params),
        )


def _one_line(words: str) -> str:
    """Header text: control characters, lines and lone surrogates can't pass."""
    kept = "".join(" " if c.isspace() or not c.isprintable() else c for c in words)
    return " ".join(kept.split())


def _in_url(address: str) -> str:
    """A plus is a space to some mail programs: it goes as %2B."""
    return quote(address, safe="@")


def _text(words: str, reply_to: str) -> str:
    return words.replace("mailto:" + REPLY_TO, "mailto:" + _in_url(reply_to)).replace(REPLY_TO, reply_to)


def _page(letter: Letter, reply_to: str) -> str:
    """The HTML part; "" if there is nothing that the text does not say."""
    inner = letter.markup
    if not inner and letter.buttons:
        inner = f'<div style="white-space:pre-wrap">{html.escape(letter.text)}</div>' + _links(letter)
    if not inner:
        return ""
    inner = inner.replace("mailto:" + REPLY_TO, "mailto:" + _in_url(reply_to)).replace(
        REPLY_TO, html.escape(reply_to)
    )
    if "<html" in inner[:500].lower():
        return inner
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{inner}</body></html>'


def _shown(page: str, picture: Picture, name: str) -> str:
    """The page with the picture at the end of its column; its words are in it all the same."""
    image = (
        f'<p style="margin:14px 0"><img src="cid:{html.escape(name)}" alt="{html.escape(picture.alt)}" '
        f'width="{_PHONE}" '
        'style="display:block;width:100%;max-width:480px;height:auto;border:0;border-radius:10px"></p>'
    )
    at = page.rfind("</div></body>")
    at = at if at >= 0 else page.rfind("</body>")
    return page[:at] + image + page[at:] if at >= 0 else page + image


def _links(letter: Letter) -> str:
    """Buttons of a letter that came without markup: each a mail that is already written."""
    subject = quote("Re: " + _one_line(letter.subject)[:_SUBJECT_MAX], safe="")
    rows = []
    for row in letter.buttons:
        cells = []
        for one in row:
            target = (
                one.link.replace("{bot}", _in_url(REPLY_TO))
                if one.link
                else (f"mailto:{REPLY_TO}?subject={subject}&body={quote(one.order, safe='')}")
            )
            if one.order or one.link:
                cells.append(f'<a href="{html.escape(target)}">{html.escape(one.label)}</a>')
        rows.append("<p>" + " &#160; ".join(cells) + "</p>")
    return "".join(rows)
