"""The seat at a screen: a person at a real pseudo-terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from adapters.terminal import screen as at_screen
from adapters.terminal.attachment import harmless
from adapters.terminal.markup import drawn
from adapters.terminal.screen import Screen, panel

PAGES = Path(__file__).parents[1] / "text" / "pages"


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
        ana.sees("help tables")
        ana.types("\x04")
        assert ana.leaves() == 0
    finally:
        ana.process.kill()
        ana.process.wait()
        os.close(ana.keyboard)


def test_a_terminal_of_other_letters_shows_like_ones_and_an_odd_byte_ends_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    ana = Person("play", "--bots", 1, "--name", "Ana", "--language", "pt-BR", "--store", folder / "p.db")
    try:
        seen = ana.sees("Planejar minha rodada")
        assert "Voce e Ana" in seen
        assert "+- [#1]" in seen
        os.write(ana.keyboard, b"m\xffo\r")
        ana.sees("Nao deu")
        ana.types("mao\r")
        ana.sees('Responda com um numero ("1")')
    finally:
        ana.process.kill()
        ana.process.wait()
        os.close(ana.keyboard)


def test_what_goes_to_a_program_is_utf_8_letter_for_letter() -> None:
    environ = {**os.environ, "PYTHONIOENCODING": "iso-8859-1", "LC_ALL": "pt_BR.UTF-8"}
    told = subprocess.run(
        [sys.executable, "-m", "referee", "games", "--help"], env=environ, capture_output=True, check=True
    )
    assert "Opções" in told.stdout.decode()


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
        ana.sees("answer “ready”")
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
    shown = panel({"text": "[bold]gold[/bold]", "subject": "[#1]"}, Console(width=80))
    assert shown.renderable.plain == "[bold]gold[/bold]"


def test_a_panel_s_head_says_nothing_twice_and_a_long_one_is_cut_with_a_sign() -> None:
    console = Console(width=30, color_system=None)
    twice = {"text": "There is no card “crown” here.\n", "subject": "There is no card “cr…"}
    assert panel(twice, console).title is None
    with console.capture() as drawing:
        console.print(panel({"text": "Your hand", "subject": "[#1] Round 1: pick a character"}, console))
    assert drawing.get().splitlines()[0] == "╭─ [#1] Round 1: pick a cha…─╮"


def test_options_stand_below_each_other_and_a_number_apart_from_a_label_that_begins_with_one() -> None:
    turn = (PAGES / "prompt-turn.screen.xml").read_text().replace("Kill the King", "1 extra gold")
    pick = (PAGES / "prompt-pick.screen.xml").read_text()
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, height=24, color_system=None)
    for page in (turn, pick):
        console.print(panel({"markup": page, "subject": ""}, console))
    lines = [line[2:-1].rstrip() for line in out.getvalue().splitlines()]
    assert "    1. 1 extra gold" in lines
    assert "    9. Build Watchtower (1) – military" in lines
    assert "   10. Build Castle (4) – noble" in lines
    assert "   11. End turn – nothing more this turn" in lines
    long = next(n for n, line in enumerate(lines) if line.startswith("    2. Bishop"))
    assert lines[long : long + 2] == [
        "    2. Bishop – rank 5: safe from the Warlord; 1 gold for each religious",
        "       district",
    ]
    assert max(map(len, out.getvalue().splitlines())) == 80


def test_a_letter_cannot_move_the_cursor() -> None:
    assert harmless("a\x1b[2Jb\x07\x9bc\n\td é🏰") == "a[2Jbc\n\td é🏰"


def letter(number: int, lines: int, *, asks: bool = False) -> dict[str, object]:
    """A letter of that many lines."""
    text = "\n".join(f"{number}: line {n}" for n in range(lines))
    return {
        "id": str(number),
        "subject": "",
        "text": text,
        "markup": "",
        "orders": ["gold"] if asks else [],
        "numbered": asks,
    }


def screen(*, terminal: bool = True) -> tuple[Screen, io.StringIO]:
    """A screen of 80 by 24, and what is written on it."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=80, height=24, color_system=None)
    return Screen(console, lambda count: f"{count} more"), out


def test_what_is_longer_than_the_screen_waits_for_enter() -> None:
    one, out = screen()
    one.letter(letter(7, 50))
    assert "7: line 20" in out.getvalue()
    assert "7: line 22" not in out.getvalue()
    assert "30 more" in out.getvalue()
    one.on()
    assert "7: line 42" in out.getvalue()
    one.on()
    assert "7: line 49" in out.getvalue()
    before = out.getvalue().count("line")
    one.on()
    assert out.getvalue().count("line") == before, "nothing is left"


def test_a_question_is_shown_whole_and_an_order_leaves_what_waited() -> None:
    one, out = screen()
    one.letter(letter(1, 50, asks=True))
    assert "1: line 49" in out.getvalue()
    one.letter(letter(2, 50))
    assert one.answered() == "1"
    one.on()
    assert "2: line 49" not in out.getvalue()


def test_the_end_of_a_game_is_longer_than_the_screen_and_waits_though_a_button_stands_below() -> None:
    one, out = screen()
    one.letter({**letter(1, 50), "orders": ["rematch #1"]})
    assert "1: line 22" not in out.getvalue()
    assert one.answered() == "1", "its one entry can be chosen all the same"


def test_nothing_waits_where_the_output_is_no_terminal() -> None:
    one, out = screen(terminal=False)
    one.letter(letter(1, 500))
    assert "1: line 499" in out.getvalue()
    assert "more" not in out.getvalue()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_letters_fit_a_window_that_becomes_smaller_whatever_the_terminal_can_do(
    term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    other, window = pty.openpty()
    try:
        with open(window, "w", encoding="utf-8", closefd=False) as out:
            one = Screen(Console(file=out, color_system=None), lambda count: f"{count} more")
            for wide, high in ((70, 30), (40, 12)):
                termios.tcsetwinsize(window, (high, wide))
                one.letter(letter(wide, 40))
                shown = b""
                while b" more" not in shown:  # what was written comes in pieces
                    assert select.select([other], [], [], 10)[0]
                    shown += os.read(other, 65536)
                lines = [line for line in shown.decode().splitlines() if "line" in line]
                assert {len(line) for line in lines} == {wide}
                assert len(lines) < high < 40
    finally:
        os.close(window)
        os.close(other)


def test_words_of_the_program_itself_are_broken_between_words_in_a_terminal_that_can_do_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    other, window = pty.openpty()
    try:
        with open(window, "w", encoding="utf-8", closefd=False) as out:
            one = Screen(Console(file=out, color_system=None), lambda count: f"{count} more")
            termios.tcsetwinsize(window, (20, 40))
            one.note("word " * 30)
            shown = b""
            while shown.count(b"word") < 30:
                assert select.select([other], [], [], 10)[0]
                shown += os.read(other, 65536)
            assert max(map(len, shown.decode().splitlines())) <= 40
            assert b"\x1b" not in shown, "which such a terminal shows as signs"
    finally:
        os.close(window)
        os.close(other)


def test_a_number_means_what_stood_there_when_it_was_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = screen()
    one.letter(letter(1, 3, asks=True))
    monkeypatch.setattr(at_screen, "typed_so_far", lambda: "3")
    one.letter(letter(2, 3, asks=True))
    one.letter(letter(3, 3, asks=True))
    monkeypatch.setattr(at_screen, "typed_so_far", lambda: "")
    assert one.answered() == "1"
    assert one.answered() == "3", "the next line is about what stands there now"


def test_at_a_screen_of_80_by_24_only_what_changed_is_shown(folder: Path) -> None:
    ana = Person("play", "--bots", 2, "--name", "Ana", "--language", "pt-BR", "--store", folder / "p.db")
    try:
        seen = ana.sees("Planejar minha rodada")  # the last option: a letter comes in pieces
        assert "Ana (você" in seen
        assert "escolha um personagem" in seen
        assert "(robô" not in seen, "the others' cities are shown when they are asked for"
        ana.types("mesa\r")
        assert "2 de ouro" in ana.sees("(robô firme")
        ana.types("ajuda tudo\r")
        ana.sees("Enter mostra as outras")
        ana.types("plano\r")
        ana.sees("Fechar")
        ana.types("1\r")
        ana.sees("mais quer")
        ana.types("voltar\r")
        ana.sees("Fechar")
        ana.types("voltar\r")
        ana.sees("plano")
        ana.types("\x04")
        assert ana.leaves() == 0
    finally:
        ana.process.kill()
        ana.process.wait()
        os.close(ana.keyboard)
