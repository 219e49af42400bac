"""Reading header fields as they really come: folded, encoded twice, in raw bytes, or broken.

The stdlib's modern header classes raise on some of what arrives; these functions never do.
"""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses

from .charsets import decoded

_ID = re.compile(r"<[^<>\s]{1,500}>")
_QUOTED = re.compile(r'^"([^"\\\s@]{1,64})"@')


def field(mail: Message, name: str) -> str:
    """The first field of that name as it stands, unfolded; "" if there is none."""
    every = fields(mail, name)
    return every[0] if every else ""


def fields(mail: Message, name: str) -> list[str]:
    """All fields of that name, topmost first."""
    return [_unfold(str(value)) for key, value in mail.raw_items() if key.lower() == name.lower()]


def wanted_languages(mail: Message, most: int = 80) -> str:
    """The languages that a mail's headers tell, the likeliest first, commas between: "pt-BR, en". What the
    words are in goes before what their writer can read, and that by its weights (RFC 3282); what is no name
    of a language is left out, and what has weight 0.
    """
    written = [(0.0, one.strip()) for one in field(mail, "Content-Language")[:400].split(",")]
    told = [
        *written,
        *sorted(
            (_weighed(one) for one in field(mail, "Accept-Language")[:400].split(",")), key=lambda one: one[0]
        ),
    ]
    return ", ".join(
        dict.fromkeys(
            one
            for weight, one in told
            if weight < 1 and one and one.replace("-", "").isalnum() and one.isascii()
        )
    )[:most].rstrip(", ")


def _weighed(told: str) -> tuple[float, str]:
    """How far back a language stands, 0 for the most wanted and 1 for none at all, and its name; a weight
    that can't be read stands last.
    """
    name, _, weight = told.replace(" ", "").partition(";q=")
    return 1 - float(weight) if re.fullmatch(
        r"[01](?:\.[0-9]{0,3})?", weight
    ) else 0.999 if weight else 0.0, name.partition(";")[0]


def words(value: str, most: int = 200) -> str:
    """Encoded words decoded, one printable line, at most `most` characters."""
    try:
        pieces = decode_header(value)
    except (HeaderParseError, ValueError):
        pieces = [(value, None)]
    plain = "".join(piece if isinstance(piece, str) else decoded(piece, charset) for piece, charset in pieces)
    return " ".join("".join(c if c.isprintable() else " " for c in plain).split())[:most]


def people(mail: Message, name: str) -> list[tuple[str, str]]:
    """(display name, address in small letters) of every mailbox in those fields.

    Quotes around the part before the @ are not part of the name (RFC 5321 4.1.2): programs write them where
    dots stand side by side.
    """
    pairs = getaddresses(fields(mail, name))
    return [
        (words(who, 80), _QUOTED.sub(r"\1@", address.strip()).lower())
        for who, address in pairs
        if "@" in address
    ]


def wire_ids(value: str) -> list[str]:
    """The Message-IDs in a field, with their angle brackets."""
    return _ID.findall(value)


def _unfold(value: str) -> str:
    # raw 8-bit bytes stand in the string as surrogates
    return re.sub(r"\r?\n[ \t]*", " ", decoded(value.encode("utf-8", "surrogateescape"), None)).strip()
