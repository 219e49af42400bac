"""A seat at a screen: letters in panels, the line being typed below them.

What has no numbered options below it and is longer than the screen is shown a screenful at a time: Enter
shows the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions
from rich.panel import Panel
from rich.text import Text

from .attachment import SeatConnection
from .markup import drawn
from .piped import each

PROMPT = "> "
#: lines wider than this are hard to read, whatever the screen
WIDEST = 100
#: what a panel's frame takes of a line
_FRAME = 4
#: what stands before a line's first word: an indent, an option's number, a point
_BEGINS = re.compile(r" *(?:\d{1,3}\. +|• )?")


async def at_a_screen(
    path: Path,
    name: str,
    *,
    greeting: str,
    away: str,
    back: str,
    more: Callable[..., str],
    first: tuple[str, ...] = (),
    language: str = "",
) -> None:
    """Draw letters and say what is typed, until the input ends (Ctrl-D).  `away` and `back` are shown when
    the referee stops and is there again, `more(count=…)` where that many lines wait for Enter.
    Raises `SeatRefused`."""
    screen = Screen(Console(width=min(Console().width, WIDEST)), more)
    met = False

    def moved(here: bool) -> None:
        nonlocal met
        if met:
            screen.note(back if here else away)
        met = True

    seat = SeatConnection(path, name, screen.letter, moved, language)
    running = asyncio.create_task(seat.run())
    typing = asyncio.create_task(_type(seat, screen, greeting, first))
    try:
        await asyncio.wait((running, typing), return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        else:
            typing.result()
    finally:
        met = False  # we leave; the referee has not stopped
        for task in (running, typing):
            task.cancel()
        await asyncio.gather(running, typing, return_exceptions=True)


async def _type(seat: SeatConnection, screen: Screen, greeting: str, first: tuple[str, ...]) -> None:
    screen.note(greeting)
    await seat.attached.wait()
    for line in first:
        seat.say(line)
        await seat.quiet(0.0)
    async for line in each(KeyboardInput()):
        if line.strip():
            seat.say(line, screen.answered())
        else:
            screen.on()


class KeyboardInput:
    """Lines from the keyboard; with the line editor and its history where this Python has it."""

    def __iter__(self) -> Iterator[str]:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # its import is what teaches input() to edit lines
        while True:
            try:
                yield input(PROMPT)
            except EOFError:
                return


class Screen:
    """What is drawn above the line being typed, which is drawn anew below.

    A number that is typed means an entry of the letter that stood there when the typing began: one that
    comes meanwhile does not change what it means.
    """

    def __init__(self, console: Console, more: Callable[..., str]) -> None:
        self.console = console
        self.more = more
        self.rest: list[str] = []  # lines that wait for Enter
        self.offering = ""  # the last letter with entries
        self.begun_on: str | None = None  # which one that was when the line now typed was begun

    def note(self, text: str) -> None:
        """A few words of the program itself."""
        self._measure()
        self._above(lambda: self.console.print(Text(text, style="dim")))

    def letter(self, letter: dict[str, Any]) -> None:
        """One letter in a panel."""
        self._measure()
        asks = bool(letter.get("orders"))
        if asks:
            if self.begun_on is None and typed_so_far():
                self.begun_on = self.offering
            self.offering = letter["id"]
        with self.console.capture() as drawing:
            self.console.print(panel(letter, self.console))
        lines = drawing.get().splitlines()
        if letter.get("numbered") or not self.console.is_terminal or len(lines) <= self._room():
            self._above(lambda: self._write(lines))
        else:
            self.rest = lines
            self.on()

    def answered(self) -> str:
        """The letter that the line just typed is about, as far as a number goes; what waited for Enter is
        left.
        """
        about = self.offering if self.begun_on is None else self.begun_on
        self.begun_on, self.rest = None, []
        return about

    def on(self) -> None:
        """The next screenful of what waits for Enter."""
        self._measure()
        room = self._room()
        shown, self.rest = self.rest[:room], self.rest[room:]
        if shown:
            self._above(lambda: self._write(shown))
        if self.rest:
            self.note(self.more(count=len(self.rest)))
        elif not shown:
            self._above(lambda: None)  # the prompt again

    def _measure(self) -> None:
        """The screen as it is now: its window may have been made smaller since the last letter.  rich takes
        80 by 25 for a terminal that can do little (`TERM=dumb`), whatever its size.
        """
        with contextlib.suppress(OSError, ValueError):  # where there is no terminal it stays as it is
            wide, high = os.get_terminal_size(self.console.file.fileno())
            if wide and high:  # a terminal that knows nothing of itself says 0
                self.console.size = ConsoleDimensions(min(wide, WIDEST), high)

    def _room(self) -> int:
        """Lines of a screenful: below it stand the line that says there is more, and the one being typed."""
        return max(4, self.console.height - 2)

    def _write(self, lines: list[str]) -> None:
        self.console.file.write("".join(f"{line}\n" for line in lines))
        self.console.file.flush()

    def _above(self, draw: Callable[[], None]) -> None:
        live = self.console.is_terminal
        if live:
            # the line being typed goes, where a terminal can do that
            self.console.file.write("\n" if self.console.is_dumb_terminal else "\r\x1b[2K")
        draw()
        if live:
            self.console.file.write(PROMPT + typed_so_far())
            self.console.file.flush()


def panel(letter: dict[str, Any], console: Console) -> Panel:
    """A letter as it is drawn: its markup if it has one, else its plain text."""
    body = drawn(letter["markup"].rstrip()) if letter.get("markup") else Text(letter["text"].rstrip())
    subject = Text(letter["subject"], overflow="ellipsis") if letter.get("subject") else None
    if subject is not None and body.plain.startswith(subject.plain.rstrip("…")):
        subject = None  # the letter's first words once more
    return Panel(
        Text("\n").join(hanging(line, console) for line in body.split("\n", allow_blank=True)),
        title=subject,
        title_align="left",
        box=box.ROUNDED,
    )


def hanging(line: Text, console: Console) -> Text:
    """A line that is too long for a panel goes on below its words, not below its number, point or indent."""
    room, begins = console.width - _FRAME, _BEGINS.match(line.plain)
    inside = 0 if begins is None else begins.end()
    if not inside or cell_len(line.plain) <= room:
        return line
    first = line.wrap(console, room)[0]
    rest = line[len(first) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    below = rest.wrap(console, room - inside)
    for one in below:
        one.pad_left(inside)
    first.rstrip()
    return Text("\n").join([first, *below])


def typed_so_far() -> str:
    """The line under the cursor, not yet sent."""
    line_editor = sys.modules.get("readline")
    return str(line_editor.get_line_buffer()) if line_editor is not None else ""
