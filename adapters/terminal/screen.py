"""A seat at a screen: letters in panels, the line being typed below them."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from adapters.terminal.attachment import SeatConnection
from adapters.terminal.markup import drawn
from adapters.terminal.piped import each

PROMPT = "> "
#: lines wider than this are hard to read, whatever the screen
WIDEST = 100


async def at_a_screen(
    path: Path,
    name: str,
    *,
    greeting: str,
    away: str,
    back: str,
    first: tuple[str, ...] = (),
    language: str = "",
) -> None:
    """Draw letters and say what is typed, until the input ends (Ctrl-D).  `away` and `back` are shown when
    the referee stops and is there again.  Raises `Turned`."""
    screen = Screen(Console(width=min(Console().width, WIDEST)))
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
            seat.say(line)


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
    """What is drawn above the line being typed, which is drawn anew below."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def note(self, text: str) -> None:
        """A few words of the program itself."""
        self._above(lambda: self.console.print(Text(text, style="dim")))

    def letter(self, letter: dict[str, Any]) -> None:
        """One letter in a panel."""
        self._above(lambda: self.console.print(panel(letter)))

    def _above(self, draw: Callable[[], None]) -> None:
        live = self.console.is_terminal
        if live:
            self.console.file.write("\r\x1b[2K")
        draw()
        if live:
            self.console.file.write(PROMPT + typed_so_far())
            self.console.file.flush()


def panel(letter: dict[str, Any]) -> Panel:
    """A letter as it is drawn: its markup if it has one, else its plain text."""
    body = drawn(letter["markup"].rstrip()) if letter.get("markup") else Text(letter["text"].rstrip())
    return Panel(
        body,
        title=Text(letter["subject"]) if letter.get("subject") else None,
        title_align="left",
        box=box.ROUNDED,
    )


def typed_so_far() -> str:
    """The line under the cursor, not yet sent."""
    line_editor = sys.modules.get("readline")
    return str(line_editor.get_line_buffer()) if line_editor is not None else ""
