"""`referee policy`: names that the house gives to policies, and tables that are opened with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.store import PolicyRow, Store
from tests.cli.conftest import Run


@pytest.fixture
def book(run: Run, tmp_path: Path) -> Path:
    """A configuration with a store that there is already."""
    path = tmp_path / "mine.toml"
    path.write_text(f'[store]\nurl = "sqlite:///{tmp_path / "r.db"}"\n')
    Store.open(f"sqlite:///{tmp_path / 'r.db'}").close_now()
    return path


def names(book: Path) -> list[str]:
    store = Store.open(f"sqlite:///{book.parent / 'r.db'}", read_only=True)
    try:
        return [row.name for row in store.read_now(lambda tx: tx.all(PolicyRow, order="name"))]
    finally:
        store.close_now()


def test_a_policy_is_given_a_name_shown_and_forgotten(run: Run, book: Path) -> None:
    told = run(
        "policy", "add", "Club", "24h days Mo-Fr snap 19:00 Europe/Lisbon standin bot", "--config", book
    )
    assert told.exit_code == 0, told.output
    assert "new classic 5 club" in told.output
    assert "snap 19:00 Europe/Lisbon" in run("policy", "list", "--config", book).output
    assert "gentle" in run("policy", "list", "--config", book).output
    assert "Deadlines wait for the next 19:00" in run("policy", "show", "club", "--config", book).output
    assert "a bot that may do everything" in run("policy", "show", "club", "--config", book).output
    assert names(book) == ["club"]
    assert run("policy", "add", "fast-club", "club 12h", "--config", book).exit_code == 0
    assert run("policy", "remove", "club", "--config", book).exit_code == 0
    assert names(book) == ["fast-club"]
    assert run("policy", "show", "club", "--config", book).exit_code == 1


@pytest.mark.parametrize(
    ("name", "words", "answer"),
    [
        ("daily", "24h", "means something else"),
        ("deluxe", "24h", "means something else"),
        ("greedy", "24h", "means something else"),
        ("two words", "24h", "can't be a name"),
        ("7", "24h", "can't be a name"),
        ("b", "24h", "can't be a name"),
        ("open", "24h", "means something else"),
        ("weekdays", "24h", "means something else"),
        ("club", "24h banana", "banana"),
        ("club", "standin nobody", "caretaker"),
        ("club", "quiet 0-0", "24"),
        ("club", "zone Atlantis/Deep", "Atlantis"),
        ("club", "bank 5h free 90h", "at most"),
    ],
)
def test_what_can_not_be_is_answered_and_nothing_is_kept(
    run: Run, book: Path, name: str, words: str, answer: str
) -> None:
    told = run("policy", "add", name, words, "--config", book)
    assert told.exit_code == 2
    assert answer in told.output
    assert names(book) == []


def test_no_name_is_given_twice_and_no_preset_removed(run: Run, book: Path) -> None:
    assert run("policy", "add", "club", "24h", "--config", book).exit_code == 0
    told = run("policy", "add", "club", "12h", "--config", book)
    assert told.exit_code == 2
    assert "already" in told.output
    assert "always there" in run("policy", "remove", "live", "--config", book).output
    assert run("policy", "remove", "chess", "--config", book).exit_code == 1
