"""Imitations of mail programs: each answers a letter of ours in its language and its way.

Provenance of what they write: see the tables beside this file.
"""

from __future__ import annotations

import html
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .letter import ADDRESS, TOKEN, WHO, Sent, as_page, rewrapped, sent, wrapped

ONE, BUILD, THREE = ("gold",), ("build Tavern",), ("gold", "build Tavern", "end")


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))


LANGUAGES, OTHERS, SIGNATURES = _table("languages"), _table("others"), _table("signatures")


@dataclass(frozen=True)
class Imitation:
    """A mail, and what a person typed in it."""

    name: str
    typed: tuple[str, ...]
    raw: bytes


@dataclass(frozen=True)
class Person:
    """Who answers a letter, with every program; `typed` says what, None: one order, or three."""

    letter: Sent
    typed: tuple[str, ...] | None = None

    def every(self) -> Iterator[Imitation]:
        """All imitations, in the same order each time."""
        for made in (self.gmail, self.apple, self.outlook, self.thunderbird, self.named, self.signed):
            yield from made()

    def gmail(self) -> Iterator[Imitation]:
        """In a browser and on a phone: the line over the quotation whole, broken after "<", wrapped at 78."""
        for language, row in LANGUAGES["gmail"].items():
            line = row.format(who=WHO, addr=ADDRESS)
            quoted = wrapped(self.letter.flat, 78, "> ")
            broken = line.replace("<" + ADDRESS, "<\n" + ADDRESS)
            ways = {
                "whole": line,
                "broken": broken,
                "wrapped": wrapped(line, min(78, max(40, len(line) - 6))),
            }
            for way, above in ways.items():
                for typed in self._say(ONE, THREE):
                    yield self._mail(
                        f"gmail/{way}/{language}", typed, f"{_rows(typed)}\n\n{above}\n\n{quoted}"
                    )
            [typed] = self._say(BUILD)
            yield self._mail(
                f"gmail/page/{language}",
                typed,
                page=f'<div dir="ltr">{as_page(_rows(typed))}</div><br><div class="gmail_quote '
                f'gmail_quote_container"><div dir="ltr" class="gmail_attr">{html.escape(line)}<br></div>'
                f'<blockquote class="gmail_quote" style="margin:0 0 0 0.8ex">{self.letter.inner}'
                "</blockquote></div>",
            )
            yield self._mail(f"gmail/bottom/{language}", typed, f"{broken}\n\n{quoted}\n\n{_rows(typed)}\n")

    def apple(self) -> Iterator[Imitation]:
        """On a Mac and on a phone: quoted, and as it arrives where the marks and the page were taken away."""
        for n, (language, row) in enumerate(LANGUAGES["apple"].items()):
            line = row.format(who=WHO, addr=ADDRESS)
            quoted = wrapped(self.letter.flat, 100, "> ")
            bare = wrapped(line + "\n\n" + self.letter.flat, 70)
            ways = {"quoted": f"> {line}\n> \n{quoted}", "line": f"{line}\n\n{quoted}", "unquoted": bare}
            for way, below in ways.items():
                for typed in self._say(ONE, THREE):
                    yield self._mail(f"apple/{way}/{language}", typed, f"{_rows(typed)}\n\n{below}")
            typed = self._turn(n)
            yield self._mail(
                f"apple/page/{language}",
                typed,
                page=f'<html><body dir="auto">{as_page(_rows(typed))}<br id='
                f'"lineBreakAtBeginningOfSignature">'
                f'<div dir="ltr"></div><div dir="ltr"><br><blockquote type="cite">{html.escape(line)}<br><br>'
                f'</blockquote></div><blockquote type="cite"><div dir="ltr">{self.letter.inner}</div>'
                "</blockquote></body></html>",
            )

    def outlook(self) -> Iterator[Imitation]:
        """Desktop, browser and phone."""
        for n, (language, row) in enumerate(LANGUAGES["outlook"].items()):
            origin, when, to, about = self._block(row)
            block = f"{origin}\n{when}\n{to}\n{about}"
            ways = {
                "bare": block,
                "line": f"{'_' * 32}\n{block}",
                "original": f"-----{row[4]}-----\n{block}",
                "dated": f"{when}\n{origin}\n{to}\n{about}",
                "indented": f"   {origin}\n   {when}\n   {to}\n   {about}",
                "starred": "\n".join(f"*{one.replace(': ', ':* ', 1)}" for one in block.split("\n")),
            }
            for way, head in ways.items():
                for typed in self._say(ONE, THREE) if way == "bare" else (self._turn(n),):
                    yield self._mail(
                        f"outlook/{way}/{language}", typed, f"{_rows(typed)}\n\n{head}\n\n{self.letter.flat}"
                    )
            yield from self._outlook_pages(n, language, block)

    def _outlook_pages(self, n: int, language: str, block: str) -> Iterator[Imitation]:
        typed = self._turn(n + 1)
        pairs = [one.split(": ", 1) for one in block.split("\n")]
        bold = "<br>".join(f"<b>{html.escape(name)}:</b> {html.escape(said)}" for name, said in pairs)
        words = "".join(f'<p class="MsoNormal">{html.escape(one)}<o:p></o:p></p>' for one in typed)
        pages = {
            "desktop": f'<div class="WordSection1">{words}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div>'
            "<div style="
            f'"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">'
            f"{bold}"
            f"<o:p></o:p></p></div></div>{self.letter.inner}</div>",
            "web": f'<div class="elementToProof">{as_page(_rows(typed))}</div><hr tabindex="-1" style='
            f'"display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><font>{bold}</font><div>'
            f"&nbsp;</div></div>{self.letter.inner}",
            "plainer": f"{as_page(_rows(typed))}<br><div>{bold}</div><br>{self.letter.inner}",
        }
        for way, page in pages.items():
            yield self._mail(f"outlook/{way}/{language}", typed, page=f"<html><body>{page}</body></html>")

    def thunderbird(self) -> Iterator[Imitation]:
        """Above, below, greeted and below, between the marker lines; as a page."""
        quoted = wrapped(self.letter.text, 72, "> ")
        for n, (language, row) in enumerate(LANGUAGES["thunderbird"].items()):
            line, typed = row.format(who=WHO, addr=ADDRESS), self._turn(n)
            words = _rows(typed)
            ways = {
                "top": f"{words}\n\n{line}\n{quoted}",
                "bottom": f"{line}\n{quoted}\n\n{words}\n",
                "greeted": f"Hi,\n\n{line}\n{quoted}\n\n{words}\n",
            }
            head, found, tail = quoted.rpartition("> =====[ ")
            if found:
                ways["between"] = f"{line}\n{head}\n{words}\n\n{found}{tail}"
            for way, plain in ways.items():
                yield self._mail(f"thunderbird/{way}/{language}", typed, plain)
            yield self._mail(
                f"thunderbird/page/{language}",
                typed,
                page=f'<html><body><p>{"<br>".join(typed)}</p><div class="moz-cite-prefix">{line}<br></div>'
                f'<blockquote type="cite" cite="mid:x">{self.letter.inner}</blockquote></body></html>',
            )

    def named(self) -> Iterator[Imitation]:
        """All others: above, below, and quoted first and wrapped then."""
        for n, (name, (row, mark)) in enumerate(OTHERS["heads"].items()):
            head = row.format(who=WHO, addr=ADDRESS, subject=self.letter.subject, id=self.letter.wire_id)
            quoted = wrapped(self.letter.text, 76, mark)
            for typed in self._say(ONE, THREE):
                yield self._mail(f"named/top/{name}", typed, f"{_rows(typed)}\n\n{head}\n{quoted}")
            if mark.strip() == ">":
                typed = self._turn(n)
                words = _rows(typed)
                yield self._mail(f"named/below/{name}", typed, f"{head}\n{quoted}\n\n{words}\n")
                yield self._mail(
                    f"named/rewrapped/{name}", typed, f"{words}\n\n{head}\n{rewrapped(self.letter.flat, 78)}"
                )

    def signed(self) -> Iterator[Imitation]:
        """What programs put below an answer."""
        line = LANGUAGES["gmail"]["en"].format(who=WHO, addr=ADDRESS)
        for n, row in enumerate(SIGNATURES["defaults"]):
            typed = self._turn(n)
            quoted = wrapped(self.letter.flat, 76, "> ")
            yield self._mail(
                f"signed/{n}/{row[:24]}", typed, f"{_rows(typed)}\n\n{row}\n\n{line}\n\n{quoted}"
            )

    def _say(self, *each: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
        return each if self.typed is None else (self.typed,)

    def _turn(self, n: int) -> tuple[str, ...]:
        return (ONE, BUILD, THREE)[n % 3] if self.typed is None else self.typed

    def _block(self, row: Sequence[str]) -> tuple[str, str, str, str]:
        origin, when, to, about, _, date = row
        return (
            f"{origin}: {WHO} <{ADDRESS}>",
            f"{when}: {date}",
            f"{to}: Ann Example <ann@players.example>",
            f"{about}: {self.letter.subject}",
        )

    def _mail(self, name: str, typed: tuple[str, ...], plain: str = "", page: str = "") -> Imitation:
        kind, body = ("html", page) if page else ("plain", plain)
        raw = (
            f"From: Ann Example <ann@players.example>\nTo: {WHO} <referee+{TOKEN}@game.test>\n"
            f"Subject: Re: {self.letter.subject}\nDate: Fri, 20 Nov 2026 19:52:10 +0100\n"
            f"Message-ID: <{name.encode().hex()[:60]}@mail.players.example>\n"
            f"In-Reply-To: {self.letter.wire_id}\n"
            f'MIME-Version: 1.0\nContent-Type: text/{kind}; charset="utf-8"\n'
            "Content-Transfer-Encoding: 8bit\n"
            f"\n{body}\n"
        )
        return Imitation(f"{name}/{len(typed)}", typed, raw.encode())


def _rows(typed: Sequence[str]) -> str:
    return "\n".join(typed)


def every(
    sample: str = "prompt-turn", typed: tuple[str, ...] | None = None, *, marked: bool = True
) -> list[Imitation]:
    """All imitations that answer a sample letter; `marked`: as letters are today, marked at the top."""
    letter = sent(sample=sample)
    return list(Person(letter if marked else letter.unmarked(), typed).every())
