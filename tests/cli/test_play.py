"""A person against bots through `referee play`, over a pipe, to the end; and a seat at a referee that
serves.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import log, main
from referee.cli.playing import settled
from referee.config import load
from referee.rules import EDITIONS
from referee.store import Store
from tests.cli.conftest import Run

Played = Callable[..., subprocess.CompletedProcess[str]]
#: enough first options for any two-player game to end
ONES = "1\n" * 250


@pytest.fixture
def short() -> Path:
    """A directory whose path leaves room for a socket's name."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ref") as folder:
        yield Path(folder)


def referee(
    *words: object, said: str = "", home: Path, shell: str = "C.UTF-8"
) -> subprocess.CompletedProcess[str]:
    """The real command in a process of its own."""
    environ = {**os.environ, "PYTHONWARNINGS": "error", "LC_ALL": shell}
    return subprocess.run(
        [sys.executable, "-m", "referee", *map(str, words)],
        input=said,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env=environ,
        cwd=home,
    )


@pytest.fixture
def here(run: Run, monkeypatch: pytest.MonkeyPatch) -> Played:
    """The same in this process, where nothing is about the process: a start of Python costs more than the
    game.
    """

    def command(
        *words: object, said: str = "", home: Path, shell: str = "C.UTF-8"
    ) -> subprocess.CompletedProcess[str]:
        monkeypatch.setenv("LC_ALL", shell)
        monkeypatch.chdir(home)
        done = run(*words, input=said)
        return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)

    return command


def test_a_whole_game_over_a_pipe_and_its_record_verifies(run: Run, short: Path) -> None:
    book = short / "p.db"
    done = referee(
        "play",
        "--pipe",
        "--bots",
        1,
        "--bot",
        "random",
        "--name",
        "Ana",
        "--store",
        book,
        said=ONES,
        home=short,
    )
    assert done.returncode == 0, done.stderr
    letters = done.stdout.split("\n--\n")
    assert letters.pop() == ""
    assert len(letters) > 30
    assert any("pick a character" in one for one in letters)
    (short / "r.toml").write_text(f"[store]\nurl = 'sqlite:///{book}'\n")
    assert run("games", "-c", short / "r.toml").output.startswith("#1 over classic")
    assert run("record", "write", 1, "--out", short / "record.txt", "-c", short / "r.toml").exit_code == 0
    assert run("record", "verify", short / "record.txt").exit_code == 0
    assert (book.with_suffix(".log")).read_text() == ""


@pytest.mark.parametrize(
    ("shell", "lesson", "after"), [("C.UTF-8", "Lesson:", "What now?"), ("pt_BR.UTF-8", "Lição:", "E agora?")]
)
def test_a_first_game_that_explains_itself_and_goes_on_next_time(
    here: Played, short: Path, shell: str, lesson: str, after: str
) -> None:
    # in processes of their own where the shell's language counts
    played = here if shell == "C.UTF-8" else referee
    book = short / "p.db"
    first = played(
        "play", "--learn", "--pipe", "--name", "Ana", "--store", book, said="1\n", home=short, shell=shell
    )
    assert first.returncode == 0, first.stderr
    assert first.stdout.count(lesson) > 2
    again = played(
        "play",
        "--learn",
        "--pipe",
        "--name",
        "Ana",
        "--store",
        book,
        said="1\n" * 150,
        home=short,
        shell=shell,
    )
    assert again.returncode == 0, again.stderr
    assert again.stdout.count(after) == 1
    assert "#2" not in again.stdout
    assert "Plan my round" not in again.stdout


def test_a_game_in_the_language_of_the_shell(here: Played, short: Path) -> None:
    """Typed in Portuguese at first, then by numbers; nothing of it is said in English."""
    said = "ajuda mesas\nmesa\nescolher o mago\nmão\nregras Rei\n" + "1\n" * 60
    done = referee(
        "play",
        "--pipe",
        "--bots",
        1,
        "--bot",
        "random",
        "--name",
        "Ana",
        "--store",
        short / "p.db",
        said=said,
        home=short,
        shell="pt_BR.UTF-8",
    )
    assert done.returncode == 0, done.stderr
    for word in (
        "Responda “pronto”",
        "fase de escolha",
        "Sua mão:",
        "nova mesa [edição]",
        "1 de ouro por distrito nobre",
        "pontos",
        "encerrou o turno",
    ):
        assert word in done.stdout, word
    # an echo quotes an order, which is one notation everywhere
    told = re.sub(r"^(Feito:|>).*$", "", done.stdout, flags=re.MULTILINE)
    assert (
        re.findall(
            r"\b(?:the|your|you|cards?|gold|build|draw|district|game|round|answer|turn|hours?|until|wins?)\b",
            told,
        )
        == []
    )
    other = here(
        *("play", "--pipe", "--bots", 1, "--name", "Bea", "--store", short / "q.db"),
        home=short,
        shell="de_DE.UTF-8",
    )
    assert "Please answer “ready”" in other.stdout  # there is no German


def test_the_language_is_chosen_and_changed(run: Run, here: Played, short: Path) -> None:
    words = ("play", "--pipe", "--bots", 1, "--name", "Ana", "--store", short / "p.db")
    first = here(*words, "--language", "pt-BR", said="mão\n", home=short)
    assert first.returncode == 0, first.stderr
    assert "Sua mão:" in first.stdout
    again = here(*words, "--language", "en", said="hand\n", home=short, shell="pt_BR.UTF-8")
    assert "Your hand:" in again.stdout
    told = run("play", "--pipe", "--language", "tlh", "--store", short / "q.db", input="")
    assert told.exit_code == 2
    assert "tlh" in told.stderr
    assert "pt_BR" in told.stderr


def test_the_edition_and_the_cast_are_chosen(run: Run, here: Played, short: Path) -> None:
    done = here(
        "play",
        "--pipe",
        "--bots",
        4,
        "--name",
        "Ana",
        "--edition",
        "deluxe",
        "--cast",
        "cunning agents nine",
        "--store",
        short / "p.db",
        said="1\n" * 3,
        home=short,
    )
    assert done.returncode == 0, done.stderr
    assert "Deluxe game of 5 players." in done.stdout
    for wrong, said in (
        ("cunning agnts", "agnts"),
        ("with Gandalf", "gandalf"),
        ("with University", "no University"),
        ("9 characters cast King, Emperor", "both of rank 4"),
    ):
        told = run("play", "--edition", "deluxe", "--cast", wrong, "--store", short / "q.db", input="")
        assert told.exit_code == 2
        assert said in told.stderr
    told = run("play", "--bots", 7, "--store", short / "q.db", input="")
    assert told.exit_code == 2
    assert "2 to 7 can play" in told.stderr
    assert run("play", "--edition", "chess", "--store", short / "q.db", input="").exit_code == 2


def test_an_unfinished_game_goes_on(here: Played, short: Path) -> None:
    book = short / "p.db"
    first = referee("play", "--pipe", "--name", "Ana", "--store", book, said="", home=short)
    assert "Please answer “ready”" in first.stdout
    again = referee("play", "--pipe", "--name", "Ana", "--store", book, said="hand\n", home=short)
    assert again.returncode == 0, again.stderr
    hands = set(re.findall("Your hand: (.*)", first.stdout + again.stdout))
    assert len(hands) == 1, "the same game, and the same cards"
    other = here("play", "--pipe", "--name", "Bea", "--store", book, home=short)
    assert "Table #2" in other.stdout


def test_play_says_what_is_wrong(run: Run, short: Path) -> None:
    told = run("play", "--bot", "clever", "--store", short / "p.db")
    assert told.exit_code == 2
    assert "greedy" in told.stderr
    told = run("play", "--pipe", "--name", "x" * 41, "--store", short / "p.db", input="")
    assert told.exit_code == 1
    assert "--name" in told.stderr
    assert run("seat", "--attach", short / "none.sock", input="").exit_code == 1
    for url in ("postgresql://x/y", "sqlite:/p.db", "sqlite://p.db"):
        told = run("play", "--pipe", "--store", url, input="")
        assert told.exit_code == 2
        assert url in told.stderr
        assert not Path(url.partition("/")[0]).exists()


def test_two_referees_never_share_a_book(run: Run, short: Path) -> None:
    store = Store.open(f"sqlite:///{short}/p.db")
    told = run("play", "--pipe", "--store", f"sqlite:///{short}/p.db", input="")
    store.close_now()
    assert told.exit_code == 1
    assert "in use by another referee" in told.stderr


def test_serve_stops_cleanly_and_a_seat_attaches(short: Path) -> None:
    (short / "r.toml").write_text(
        f"[store]\nurl = 'sqlite:///{short}/r.db'\n[referee]\nlog = 'json'\n[terminal]\nsocket = "
        f"'{short}/t.sock'\n"
    )
    serving = subprocess.Popen(
        [sys.executable, "-m", "referee", "serve", "-c", short / "r.toml"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=short,
    )
    try:
        end = time.monotonic() + 30
        while not (short / "t.sock").is_socket():
            assert serving.poll() is None, serving.stderr and serving.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.05)
        seat = referee(
            "seat",
            "-c",
            short / "r.toml",
            "--name",
            "Ana",
            "--wait",
            0.5,
            said="help\nnew classic 2 with 1 bot\n",
            home=short,
        )
        assert seat.returncode == 0, seat.stderr
        assert "Please answer “ready”" in seat.stdout
    finally:
        serving.terminate()
    _, told = serving.communicate(timeout=20)
    assert serving.returncode == 0, told
    lines = [line for line in told.splitlines() if line.startswith("{")]
    assert '"what": "serving"' in lines[0]
    assert '"what": "stopped"' in lines[-1]
    assert not (short / "t.sock").exists()


async def test_the_log_of_a_whole_game_tells_no_card_and_no_secret(
    short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adapters.terminal.piped import over_a_pipe

    token = "123456789:AAabcdefghijklmnopqrstuvwxyz012345"
    path = short / "r.toml"
    path.write_text(
        f"[terminal]\nsocket = '{short}/t.sock'\n[telegram]\nenabled = false\ntoken = '{token}'\n"
    )
    config = load(path, {})
    diary, said = io.StringIO(), io.StringIO()
    before = log.logging.getLogger().handlers[:], log.logging.getLogger().level
    log.begin("json", "debug", {*config.secrets(), token}, stream=diary)
    store = Store.open(f"sqlite:///{short}/r.db")
    try:
        whole = main.referee(store, main.adapters(config), config)
        await whole.start()
        await asyncio.wait_for(
            over_a_pipe(
                short / "t.sock",
                "Ana",
                lines=io.StringIO(ONES),
                out=said,
                wait=1.0,
                first=("new classic 2 with 1 random bots", "ready"),
                settled=lambda: store.read(settled),
            ),
            60,
        )
        await whole.stop()
        log.logging.getLogger("tests").info("token %s", token)
    finally:
        store.close_now()
        root = log.logging.getLogger()
        root.handlers[:], root.level = before
    told = diary.getvalue()
    cards = {card.name for card in EDITIONS["classic"].characters} | {
        card.name for card, _ in EDITIONS["classic"].districts
    }
    assert sum(card in said.getvalue() for card in cards) > 15, "the game was played"
    assert told.count("\n") > 20
    assert not [line for line in told.splitlines() for card in cards if re.search(rf"\b{card}\b", line)]
    assert token not in told
    assert '"token ***"' in told


async def test_a_byte_that_is_no_letter_ends_no_pipe(short: Path) -> None:
    from adapters.terminal.piped import over_a_pipe
    from adapters.terminal.protocol import packed, unpacked

    said: list[str] = []

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (message := await unpacked(reader)) is not None:
            said.extend([message["say"]] if "say" in message else [])
            word = "heard" if "say" in message else "welcome"
            writer.write(packed({word: message["key"]}))
        writer.close()

    server = await asyncio.start_unix_server(meet, str(short / "s"))
    lines = io.TextIOWrapper(io.BytesIO("gold\nsay não\nend\n".encode("latin-1")), "utf-8")
    async with asyncio.timeout(10):
        await over_a_pipe(short / "s", "ana", lines=lines, out=io.StringIO(), wait=0.05)
    server.close()
    assert said == ["gold", "say n\ufffdo", "end"]
