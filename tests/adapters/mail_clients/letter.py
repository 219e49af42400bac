"""The letter that is answered: composed by our own composer from a real game, as it stands on the wire."""

from __future__ import annotations

import email.policy
import html
import re
import textwrap
from dataclasses import dataclass, replace
from email import message_from_bytes
from functools import cache
from html.parser import HTMLParser

from adapters.mail.composing import compose
from adapters.mail.settings import Settings
from referee.ports import Letter
from referee.text import Words
from tests.text.letters import contexts

TOP = "=====[["
WHO, ADDRESS, TOKEN = "Citadels referee", "referee@game.test", "abcdefgh2345"
SETTINGS = Settings(address=ADDRESS, smtp_host="127.0.0.1", imap_host="127.0.0.1", display_name=WHO)


@dataclass(frozen=True)
class Sent:
    """A letter as its reader's program has it."""

    subject: str
    wire_id: str
    text: str
    page: str

    @property
    def inner(self) -> str:
        """What stands inside the page's body."""
        found = re.search(r"<body[^>]*>(.*)</body>", self.page, re.DOTALL)
        assert found
        return found[1]

    @property
    def flat(self) -> str:
        """The page in plain words, as programs make it that answer in plain words."""
        return flat(self.page)

    def unmarked(self) -> Sent:
        """As letters were when they had no marker line at the top; such stand in people's mailboxes."""
        text = self.text.partition("\n\n")[2]
        page = re.sub(r"<div[^>]*>=====\[\[[^<]*</div>", "", self.page)
        assert TOP not in text + page
        return replace(self, text=text, page=page)


@cache
def sent(language: str = "en", sample: str = "prompt-turn") -> Sent:
    """A letter with a question in it, in one of our languages."""
    words = Words(strict=True)
    kind, facts = contexts(words, language)[sample]
    made = words.letter(kind, language, "mail", facts)
    letter = Letter(
        id="k7m",
        channel="mail",
        address="ann@players.example",
        subject=made.subject,
        text=made.text,
        markup=made.markup,
        token=TOKEN,
    )
    parcel = compose(letter, "ann@players.example", SETTINGS, 1_800_000_000_000)
    mail = message_from_bytes(parcel.data, policy=email.policy.default)
    text, page = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert page is not None
    return Sent(made.subject, parcel.message_id, text.get_content().replace("\r\n", "\n"), page.get_content())


class _Flat(HTMLParser):
    """Words and links, a line for each block."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = [""]
        self._link = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("p", "div", "h2", "li", "ul", "br", "hr", "a"):
            self.lines.append("- " if tag == "li" else "")
        if tag == "a":
            self._link = dict(attrs).get("href") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self.lines[-1] += f" <{self._link}>"
        if tag in ("p", "h2", "div"):
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        self.lines[-1] += data


def flat(page: str) -> str:
    """An HTML mail in plain words."""
    made = _Flat()
    made.feed(re.sub(r"<head>.*?</head>", "", page, flags=re.DOTALL))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.strip() for line in made.lines)).strip("\n")


def wrapped(text: str, width: int, mark: str = "") -> str:
    """Each line in lines of `width`, each with `mark` before it."""
    return "\n".join(
        (mark + one).rstrip()
        for line in text.split("\n")
        for one in (
            textwrap.wrap(line, width - len(mark), break_long_words=False, break_on_hyphens=False) or [""]
        )
    )


def rewrapped(text: str, width: int, mark: str = "> ") -> str:
    """Marked first and wrapped then, as bad programs do: what goes over is left without a mark."""
    return "\n".join(
        one
        for line in text.split("\n")
        for one in (
            textwrap.wrap(mark + line, width, break_long_words=False, break_on_hyphens=False)
            or [mark.strip()]
        )
    )


def as_page(text: str) -> str:
    """Lines as an HTML program writes what is typed."""
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))
