"""`referee admin …`, `referee game …`, `referee stats`, `referee block …`: the words of a chat, said on the
command line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from referee.store import (
    Address,
    Blocked,
    Game,
    GameEvent,
    Inbox,
    OfficeLog,
    Outbox,
    Person,
    Proposal,
    Seat,
    Store,
    Tx,
)
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book with one game of Ana and a bot, which nobody changes."""
    folder = tmp_path_factory.mktemp("admin")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "referee",
            "play",
            "--pipe",
            "--bots",
            "2",
            "--name",
            "Ana",
            "--store",
            str(folder / "a.db"),
        ],
        input="1\n",
        text=True,
        capture_output=True,
        timeout=120,
        check=True,
        cwd=folder,
    )
    return folder / "a.db"


@pytest.fixture
def say(run: Run, book: Path, tmp_path: Path) -> Run:
    """Runs a command line on a copy of it."""
    store = Store.open(f"sqlite:///{book}")
    store.backup_now(tmp_path / "r.db")
    store.close_now()
    (tmp_path / "r.toml").write_text(
        f"[store]\nurl = 'sqlite:///{tmp_path}/r.db'\n[referee]\nadmins = ['telegram:1']\n"
    )

    def command(*words: object, input: str | None = None) -> Result:
        return run(*words, "-c", tmp_path / "r.toml", input=input)

    return command


@pytest.fixture
def store(tmp_path: Path, say: Run) -> Iterator[Store]:
    one = Store.open(f"sqlite:///{tmp_path}/r.db", guest=True)
    yield one
    one.close_now()


def names(store: Store) -> list[str]:
    return [one.name for one in store.read_now(lambda tx: tx.all(GameEvent, order="no"))]


def test_the_acts_of_a_table(say: Run, store: Store) -> None:
    for words, event in (
        (("pause", 1), "paused"),
        (("resume", 1), "unpaused"),
        (("extend", 1, "24h"), "extended"),
        (("replace", 1, "Ana"), "seat_offered"),
    ):
        done = say("game", *words)
        assert done.exit_code == 0, done.output
        assert "everybody at game #1 can see it" in done.output
        assert names(store)[-1] == event
    told = say("game", "process", 1).output
    window = told[told.index("q") + 1 :].split()[0].rstrip(":.,”")
    assert say("game", "process", 1, f"q{window}").exit_code == 0
    assert "processed" in names(store)
    assert say("game", "kick", 1, "Ana").exit_code == 0
    assert names(store).count("kicked") == 1
    assert store.read_now(lambda tx: tx.count(Outbox, channel="console")) == 0
    assert [one.by for one in store.read_now(lambda tx: tx.all(OfficeLog))] == ["console"] * 6


def test_the_console_is_one_key(say: Run, store: Store) -> None:
    store.write_now(lambda tx: tx.set(Game, 1, round=2))
    assert "Vote 1 is open" in say("game", "rewind", 1, 1).output
    twice = say("game", "second", 1)
    assert twice.exit_code == 1
    assert "must be somebody else's" in twice.output
    assert "rewound" not in names(store)

    def another(tx: Tx) -> None:
        person = tx.add(Person, name="Root", admin=1)
        tx.add(Address, person_id=person, channel="telegram", address="1")
        tx.set(Proposal, 1, person_id=person, held=json.dumps([person]))

    store.write_now(another)
    assert say("game", "second", 1).exit_code == 0
    assert "rewound" in names(store)


def test_looking(say: Run, store: Store) -> None:
    seen = say("game", "look", 1)
    assert "terminal:Ana" in seen.output or "terminal:ana" in seen.output.casefold()
    asked = say("game", "look", 1, "--hidden")
    assert "because" in asked.output
    assert "looked" not in names(store)
    shown = say("game", "look", 1, "--hidden", "--player", "Ana", "--because", "a complaint")
    assert shown.exit_code == 0
    assert "hidden cards" in shown.output
    assert names(store)[-1] == "looked"
    assert "a complaint" in say("admin", "log").output


def test_lists_and_figures_for_people_and_programs(say: Run, store: Store) -> None:
    assert "1 running" in say("stats").output
    assert json.loads(say("stats", "--json").output)["games"]["running"] == 1
    assert "#1 classic" in say("admin", "games", "running").output
    assert json.loads(say("admin", "games", "--json").output)["games"][0]["tag"] == "#1"
    store.write_now(lambda tx: tx.set(Game, 1, status="abandoned"))
    assert say("game", "archive", 1).exit_code == 0
    assert "#1" not in say("games").output
    assert "#1 classic" in say("admin", "games", "archived").output
    assert say("game", "unarchive", 1).exit_code == 0
    assert "#1" in say("games").output
    assert "look after the house" in say("admin").output


def test_blocking(say: Run, store: Store) -> None:
    assert (
        say("block", "mail:*@spam.example", "--because", "<b>spam</b>'; DROP TABLE person; --").exit_code == 0
    )
    assert "DROP TABLE" in say("blocked").output
    assert json.loads(say("blocked", "--json").output)["blocked"][0]["address"] == "mail:*@spam.example"
    assert "shut out" in say("block", "telegram:1").output
    assert say("unblock", "mail:*@spam.example").exit_code == 0
    assert store.read_now(lambda tx: tx.count(Blocked)) == 0


def test_what_is_done_by_the_older_commands_is_in_the_logbook_too(say: Run, store: Store) -> None:
    number = store.write_now(
        lambda tx: tx.add(Inbox, channel="mail", key="k", body=b"{}", at_ms=1, state="shunted")
    )
    assert say("inbox", "drop", number).exit_code == 0
    assert say("inbox", "drop", number).exit_code == 1
    letter = store.write_now(
        lambda tx: tx.add(Outbox, channel="mail", address="a@x.test", kind="plan", state="failed")
    )
    assert "plan" not in say("outbox", "list", "--state", "failed").output
    assert say("outbox", "retry", letter).exit_code == 0
    assert say("policy", "add", "club", "24h").exit_code == 0
    assert say("policy", "remove", "club").exit_code == 0
    assert [one.act for one in store.read_now(lambda tx: tx.all(OfficeLog, order="no"))] == [
        "drop-message",
        "retry-letter",
        "policy-add",
        "policy-remove",
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("game", "pause", 99), 1, "no game #99"),
        (("game", "resume", 1), 1, "not paused"),
        (("game", "kick", 1, "Zed"), 1, "Nobody at this table"),
        (("game", "extend", 1, "forever"), 2, "forever"),
        (("game", "rewind", 1, 9), 1, "no round 9"),
        (("game", "second", 7), 1, "no vote 7"),
        (("game", "move", 1, "Nowhere"), 1, "no room of that name"),
        (("game", "archive", 1), 1, "not over"),
        (("game", "thaw", 1), 1, "stand still"),
        (("game", "look", 9), 1, "no game #9"),
        (("block", "ana"), 2, "admin block telegram:123456"),
        (("block", "pigeon:1"), 2, "pigeon"),
        (("block", "mail:a@b@c"), 1, "nobody's address"),
        (("unblock", "telegram:5"), 1, "not blocked"),
        (("admin", "frobnicate"), 2, "frobnicate"),
        (("admin", "look"), 1, "Which table"),
        (("admin", "pause", "#1", "--json"), 2, "JSON"),
        (("game", "pause", 0), 2, "greater than"),
        (("admin", "move", "#1", "here"), 1, "name the room"),
    ],
)
def test_bad_words_end_with_a_sentence_and_change_nothing(
    say: Run, store: Store, words: tuple[object, ...], code: int, said: str
) -> None:
    before = names(store)
    done = say(*words)
    assert done.exit_code == code, done.output
    assert said in done.output
    assert names(store) == before
    assert store.read_now(lambda tx: tx.count(OfficeLog)) == 0
    assert store.read_now(lambda tx: tx.count(Seat)) == 3
