"""The seat at a screen: a person at a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.terminal.attachment import harmless
from adapters.terminal.markup import drawn
from adapters.terminal.screen import panel


class Person:
    """Types, and reads what stands on the screen."""

    def __init__(self, *words: object) -> None:
        # as in a shell's background job: the command would ignore it, too
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self.keyboard, screen = pty.openpty()
        environ = {**os.environ, "TERM": "xterm", "COLUMNS": "90", "LINES": "40"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", *map(str, words)],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            env=environ,
            start_new_session=True,
        )
        os.close(screen)
        self.seen = ""

    def sees(self, words: str, seconds: float = 30.0) -> str:
        """Waits until the screen showed that; returns all since the last such wait."""
        end = time.monotonic() + seconds
        while words not in self.plain():
            assert time.monotonic() < end, self.plain()[-2000:]
            if select.select([self.keyboard], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.keyboard, 65536).decode("utf-8", "replace")
                except OSError:  # the other end is closed
                    assert words in self.plain(), self.plain()[-2000:]
        got, self.seen = self.plain(), ""
        return got

    def leaves(self, seconds: float = 20.0) -> int:
        """Waits for the end, reading on as a terminal does; returns the exit code."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, self.plain()[-2000:]
            if select.select([self.keyboard], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.keyboard, 65536).decode("utf-8", "replace")
                except OSError:  # the other end is closed
                    return self.process.wait(max(0.1, end - time.monotonic()))
        return self.process.returncode

    def plain(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x1b]*\x1b\\", "", self.seen)

    def types(self, text: str) -> None:
        os.write(self.keyboard, text.encode())


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ref") as name:
        yield Path(name)


def test_a_person_plays_at_a_screen_and_leaves(folder: Path) -> None:
    ana = Person("play", "--bots", 1, "--name", "Ana", "--store", folder / "p.db")
    try:
        first = ana.sees("pick a character")
        assert "Ctrl-D" in first
        assert "╭" in first
        ana.types("xyzzy\r")
        ana.sees("Not done: xyzzy")
        ana.types("help\r")
        ana.sees("status")
        ana.types("\x04")
        assert ana.leaves() == 0
    finally:
        ana.process.kill()
        ana.process.wait()
        os.close(ana.keyboard)


def test_a_referee_that_is_restarted_is_told_and_loses_nothing(folder: Path) -> None:
    config = folder / "r.toml"
    config.write_text(f"[store]\nurl = 'sqlite:///{folder}/r.db'\n[terminal]\nsocket = '{folder}/t.sock'\n")

    def serving() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "referee", "serve", "-c", config], stderr=subprocess.DEVNULL
        )

    one = serving()
    end = time.monotonic() + 60
    while not (folder / "t.sock").is_socket():
        assert time.monotonic() < end
        time.sleep(0.05)
    ana = Person("seat", "-c", config, "--name", "Ana")
    try:
        ana.types("new classic 2 with 1 bot\r")
        ana.sees("answer ready")
        one.kill()
        one.wait()
        ana.sees("has stopped")
        ana.types("ready\r")
        one = serving()
        assert "is back" in ana.sees("pick a character")
    finally:
        for process in (one, ana.process):
            process.kill()
            process.wait()
        os.close(ana.keyboard)


def test_control_c_leaves_quietly(folder: Path) -> None:
    ana = Person("play", "--bots", 1, "--name", "Ana", "--store", folder / "p.db")
    try:
        ana.sees("pick a character")
        os.kill(ana.process.pid, signal.SIGINT)
        assert ana.leaves() == 0
        assert "Traceback" not in ana.plain()
        assert "has stopped" not in ana.plain(), "it is Ana who left"
    finally:
        ana.process.kill()
        ana.process.wait()
        os.close(ana.keyboard)


@pytest.mark.parametrize(
    ("markup", "plain"),
    [
        ("<h>Your turn</h>\n<b>Ana &lt;3</b>", "Your turn\nAna <3"),
        ("[red]Bea[/red] <x>?</x> </b> a < b & c", "[red]Bea[/red] ?  a < b & c"),
        ("<a href='https://x.example'>here</a>", "here"),
        ("", ""),
    ],
)
def test_markup_is_looks_only(markup: str, plain: str) -> None:
    assert drawn(markup).plain == plain


def test_looks() -> None:
    text = drawn("<n>1</n> <o>take <b>gold</b></o>")
    assert [(text.plain[span.start : span.end], str(span.style)) for span in text.spans if span.style] == [
        ("1", "bold green"),
        ("take ", "default"),
        ("gold", "default bold"),
    ]


def test_a_letter_without_markup_is_shown_as_it_is() -> None:
    assert panel({"text": "[bold]gold[/bold]", "subject": "[#1]"}).renderable.plain == "[bold]gold[/bold]"


def test_a_letter_cannot_move_the_cursor() -> None:
    assert harmless("a\x1b[2Jb\x07\x9bc\n\td é🏰") == "a[2Jbc\n\td é🏰"
