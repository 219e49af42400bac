"""`referee league …`: the words of the chat at the command line, in quotes or not, and what only a console
can do.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest

from referee.store import Address, League, OfficeLog, Person, Season, Store
from tests.cli.conftest import Run


@pytest.fixture
def book(run: Run, tmp_path: Path) -> Path:
    """A configuration with a store in which Ana is known."""
    path = tmp_path / "mine.toml"
    path.write_text(f'[store]\nurl = "sqlite:///{tmp_path / "r.db"}"\n')
    store = Store.open(f"sqlite:///{tmp_path / 'r.db'}")
    person = store.write_now(lambda tx: tx.add(Person, name="Ana"))
    store.write_now(
        lambda tx: tx.add(Address, person_id=person, channel="telegram", address="123", state="green")
    )
    store.close_now()
    return path


def opened(book: Path) -> Store:
    return Store.open(f"sqlite:///{book.parent / 'r.db'}", read_only=True)


def test_a_league_is_worked_from_the_command_line(run: Run, book: Path) -> None:
    def say(*words: str) -> str:
        told = run("league", *words, "--config", book)
        assert told.exit_code == 0, told.output
        return str(told.output)

    assert "There is no league here yet" in say()
    assert "Winter Cup is founded" in say("new", "Winter Cup", "--by", "zoe")
    assert "Ana is owner of Winter Cup" in say("role", "telegram:123", "owner")
    opened_ = say("Winter Cup", "open", "rounds", "7", "until", "in", "10", "days", "--zone", "Europe/Lisbon")
    assert "open for sign-up until" in opened_
    assert "7 rounds" in opened_
    assert "Ana is in season 1" in say("Winter", "Cup", "admit", "Ana")
    assert "Signed up (1): Ana" in say("winter cup", "people")
    assert "1 person in" in say("Winter Cup")
    assert "Ana loses 2 points" in say("penalty", "Ana", "2", "because", "late")
    assert "Ana gets 1 point back" in say("penalty", "Ana", "-1")
    assert "rounds 7" in say("settings")
    assert "Told: 1 letter." in say("announce", "Round one is near")
    assert "takes two keys" in say("bonus", "Ana", "3", "because", "of the report")
    assert "takes two keys" in say("void season")
    assert "letting season 1 count for nothing" in say("proposals", "--by", "zoe")
    audit = say("audit")
    assert "zoe (console): founding the league “Winter Cup”" in audit
    assert "announcing “Round one is near”" in audit
    rows = list(csv.DictReader(io.StringIO(say("export", "csv"))))
    assert rows == []
    assert json.loads(say("export", "json"))["league"]["name"] == "Winter Cup"
    assert "league help season" in say("help")
    store = opened(book)
    assert store.read_now(lambda tx: tx.all(Season))[0].state == "signup"
    store.close_now()


BAD: list[tuple[tuple[str, ...], str]] = [
    (("standigs",), "Did you mean “league standings”"),
    (("Wintr Cup", "join"), "Did you mean Winter Cup?"),
    (("join",), "can't take part itself"),
    (("second", "7"), "There is no proposal 7"),
    (("room", "here"), "said in the room"),
    (("set", "points", "6/4"), "says nothing of place 3"),
    (("new", "Winter-CUP"), "already"),
    (("new", "x" * 300), "60 are the most"),
    (("penalty", "Zorro", "2"), "I know nobody called"),
    (("open", "until", "2020-01-01"), "lies in the past"),
    (("draw",), "too few"),
    (("new", "<script>alert(1)</script>" * 3), "60 are the most"),
]


def test_what_can_not_be_is_answered_on_standard_error_and_changes_nothing(run: Run, book: Path) -> None:
    assert run("league", "new", "Winter Cup", "--config", book).exit_code == 0
    assert run("league", "open", "--config", book).exit_code == 0
    for words, answer in BAD:
        told = run("league", *words, "--config", book)
        assert told.exit_code == 1
        assert answer in told.stderr
        assert not told.stdout
    store = opened(book)
    assert [one.name for one in store.read_now(lambda tx: tx.all(League))] == ["Winter Cup"]
    assert store.read_now(lambda tx: tx.count(OfficeLog)) == 2
    store.close_now()


def test_a_zone_that_there_is_not(run: Run, book: Path) -> None:
    told = run("league", "list", "--zone", "Mars/Olympus", "--config", book)
    assert told.exit_code == 2
    assert "Mars/Olympus" in told.stderr


def test_the_logs_are_looked_through(run: Run, book: Path) -> None:
    assert run("league", "audit", "--verify", "--config", book).exit_code == 0
    run("league", "new", "Winter Cup", "--config", book)
    run("league", "open", "--config", book)
    told = run("league", "audit", "--verify", "--config", book)
    assert told.exit_code == 0
    assert "ok   Winter Cup: 2 lines" in told.output
    with sqlite3.connect(book.parent / "r.db") as other:
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            other.execute("UPDATE office_log SET by = 'nobody'")
        other.execute("DROP TRIGGER office_log_no_update")
        other.execute("UPDATE office_log SET by = 'nobody' WHERE no = 2")
    other.close()
    told = run("league", "audit", "--verify", "--config", book)
    assert told.exit_code == 1
    assert "line 2 of 2 does not follow" in told.output
    assert run("league", "open", "--verify", "--config", book).exit_code == 2


def test_help_needs_neither_configuration_nor_database(run: Run, tmp_path: Path) -> None:
    nowhere = tmp_path / "none.toml"
    for words, said in (
        (("help",), "“league join”: take part in the season that is open"),
        (("help", "season"), "“league open"),
        (("help", "pause"), "“league pause until 7 Jan”: all tables and rounds stand still"),
        (("help", "new"), "That is for those who look after this house."),
    ):
        told = run("league", *words, "--config", nowhere)
        assert told.exit_code == 0, told.output
        assert said in told.output
    assert run("league", "help", "dance", "--config", nowhere).exit_code != 0


def test_points_that_the_log_does_not_know_are_found(run: Run, book: Path) -> None:
    for line in ("new Winter Cup", "open", "admit Ana", "penalty Ana 2 because late"):
        assert run("league", line, "--config", book).exit_code == 0
    assert run("league", "audit", "--verify", "--config", book).exit_code == 0
    with sqlite3.connect(book.parent / "r.db") as other:
        other.execute("UPDATE entry SET penalty = -500")
    other.close()
    told = run("league", "audit", "--verify", "--config", book)
    assert told.exit_code == 1
    assert "season 1: the corrections of Ana's points come to 5, but to -2 by the log" in told.output


def test_help_names_what_can_be_said(run: Run) -> None:
    told = run("league", "--help")
    assert told.exit_code == 0
    assert "referee league help" in told.output
    assert "--by" in run("league", "say", "--help").output
