"""The words of a mail: its text part, or its HTML read as text, in whatever charset it claims."""

from __future__ import annotations

import re
from email.message import Message
from itertools import pairwise

from .charsets import decoded
from .html_lines import page_to_text, strikes

#: this many signs of what a mail says are looked at: a mail may be larger only for what is quoted or comes
#: along with it
LONGEST = 250_000
#: what our own pictures are called; programs that answer in plain words send them back as files
_OURS = re.compile(r"citadels-[0-9]+\.png")


def body_text(mail: Message) -> str:
    """The first text part that says anything, else the first HTML part; "" if there is neither. Where words
    are struck out only the HTML tells which.
    """
    plain: list[Message] = []
    pages: list[Message] = []
    for part in _parts(mail):
        if part.get_content_type() == "text/plain":
            plain.append(part)
        elif part.get_content_type() == "text/html":
            pages.append(part)
    struck = any(strikes(_decoded(part)) for part in pages[:1])
    for part in () if struck else plain:
        text = _unflowed(_decoded(part), part)
        if text.strip():
            return "\n".join([text, *(_unflowed(_decoded(one), one) for one in _behind_files(mail, part))])
    for part in pages:
        text = page_to_text(_decoded(part))
        if text.strip():
            return text
    return ""


def attachments(mail: Message) -> int:
    """How many files came along; signatures and the pictures of a signature are none."""
    return sum(1 for part in mail.walk() if _is_file(part) and not _is_ornament(part))


def _behind_files(mail: Message, first: Message) -> list[Message]:
    """The texts behind files that stand amid the words: Apple's programs cut the words there. What gateways
    and lists add stands behind no file, or says how it is to be shown.
    """
    for mixture in mail.walk():
        parts = mixture.get_payload() if mixture.get_content_type() == "multipart/mixed" else None
        if isinstance(parts, list) and first in parts:
            return [
                part
                for before, part in pairwise(parts[parts.index(first) :])
                if _is_file(before)
                and part.get_content_type() == "text/plain"
                and part.get_content_disposition() is None
                and not part.get_filename()
            ]
    return []


def _parts(mail: Message) -> list[Message]:
    """Parts that may hold the person's words: no files, and nothing inside a forwarded mail."""
    if mail.get_content_type() == "message/rfc822" or _is_file(mail):
        return []
    if mail.is_multipart():
        return [leaf for part in mail.get_payload() if isinstance(part, Message) for leaf in _parts(part)]
    return [mail]


def _is_file(part: Message) -> bool:
    if part.is_multipart():
        return part.get_content_type() == "message/rfc822"
    kind = part.get_content_disposition()
    return kind == "attachment" or part.get_content_maintype() in ("image", "audio", "video", "application")


def _is_ornament(part: Message) -> bool:
    """Put there by the mail program: an electronic signature, a logo that the HTML shows, or the picture of
    the letter that it answers.
    """
    shown = part.get_content_disposition() != "attachment" and part.get("Content-ID") is not None
    return (
        shown
        or bool(_OURS.fullmatch(part.get_filename() or ""))
        or part.get_content_subtype() in ("pgp-signature", "pkcs7-signature", "x-pkcs7-signature", "pgp-keys")
    )


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    return decoded(payload[: 4 * LONGEST], part.get_content_charset())[:LONGEST]


def _unflowed(text: str, part: Message) -> str:
    """RFC 3676: a line that ends in a space goes on in the next, unless it is the signature's."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    joined: list[list[str]] = []
    soft = False
    drop = str(part.get_param("delsp", "")).lower() == "yes"
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith(" ") and not soft:
            line = line[1:]  # space-stuffing
        quoted = line.startswith(">")
        if soft and not quoted and line != "-- ":
            joined[-1].append(line)
        else:
            joined.append([line])
        soft = line.endswith(" ") and line != "-- " and not quoted
        if soft and drop:
            joined[-1][-1] = line[:-1]
    return "\n".join("".join(pieces) for pieces in joined)
