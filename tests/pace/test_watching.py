"""The simulator's watch: each thing that may never happen is found when it does."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.pace import LawBroken, watch
from referee.policy import DAILY, bound_ms
from referee.store import Deadline, Game, Person, Store

HOUR = 3_600_000
NOW = 1_800_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    one = Store.open(f"sqlite:///{tmp_path}/watch.db", durable=False)
    one.write_now(
        lambda tx: tx.add(
            Game,
            creator_id=tx.add(Person, name="Ana"),
            status="running",
            asked="1",
            question=5,
            round=2,
            started_ms=NOW - HOUR,
        )
    )
    yield one
    one.close_now()


def due(store: Store, at_ms: int, *, done_ms: int = 0, kind: str = "answer", question: int = 5) -> int:
    return store.write_now(
        lambda tx: tx.add(
            Deadline, game_id=1, seat=1, question=question, kind=kind, due_ms=at_ms, done_ms=done_ms
        )
    )


def rung(store: Store, keeps: watch.DeadlineWatch, now_ms: int) -> None:
    store.read_now(lambda tx: keeps.before(tx, now_ms))


def game(store: Store, **changes: int | str) -> Game:
    store.write_now(lambda tx: tx.set(Game, 1, **changes) if changes else True)
    found = store.read_now(lambda tx: tx.get(Game, 1))
    assert found is not None
    return found


def test_a_deadline_that_rings_twice(store: Store) -> None:
    number, keeps = due(store, NOW), watch.DeadlineWatch()
    rung(store, keeps, NOW - 1)
    rung(store, keeps, NOW)
    store.write_now(lambda tx: tx.set(Deadline, number, done_ms=NOW))
    rung(store, keeps, NOW)
    store.write_now(lambda tx: tx.set(Deadline, number, done_ms=0))
    with pytest.raises(LawBroken, match="twice"):
        rung(store, keeps, NOW)


def test_a_deadline_that_rings_late(store: Store) -> None:
    due(store, NOW)
    with pytest.raises(LawBroken, match="late"):
        rung(store, watch.DeadlineWatch(), NOW + 61_000)


def test_a_deadline_that_is_forgotten(store: Store) -> None:
    due(store, NOW)
    store.read_now(lambda tx: watch.DeadlineWatch().after(tx, NOW - 1))
    with pytest.raises(LawBroken, match="forgotten"):
        store.read_now(lambda tx: watch.DeadlineWatch().after(tx, NOW))


def test_a_question_without_a_deadline(store: Store) -> None:
    here = game(store)
    with pytest.raises(LawBroken, match="no-deadline"):
        store.read_now(lambda tx: watch.running(tx, here, DAILY, 5, NOW))
    due(store, NOW + HOUR)
    store.read_now(lambda tx: watch.running(tx, here, DAILY, 5, NOW))


def test_a_game_beyond_its_bound(store: Store) -> None:
    most = bound_ms(DAILY, 5, 2)
    due(store, NOW + 2 * most)
    long = game(store, started_ms=NOW - most - 1)
    with pytest.raises(LawBroken, match="too-long"):
        store.read_now(lambda tx: watch.running(tx, long, DAILY, 5, NOW))
    store.write_now(lambda tx: tx.change(Deadline, {"game_id": 1}, done_ms=NOW))
    over = game(store, status="over", ended_ms=NOW)
    with pytest.raises(LawBroken, match="too-long"):
        store.read_now(lambda tx: watch.over(tx, over, DAILY, 5))
    just = game(store, started_ms=NOW - most)
    assert store.read_now(lambda tx: watch.over(tx, just, DAILY, 5)) == most


def test_what_rings_after_the_end(store: Store) -> None:
    due(store, NOW)
    done = game(store, status="over", ended_ms=NOW)
    with pytest.raises(LawBroken, match="left-over"):
        store.read_now(lambda tx: watch.over(tx, done, DAILY, 5))


def test_a_question_that_is_missed_twice(store: Store) -> None:
    due(store, NOW, done_ms=NOW, kind="missed")
    due(store, NOW, done_ms=NOW, kind="missed", question=6)
    done = game(store, status="over", ended_ms=NOW)
    store.read_now(lambda tx: watch.over(tx, done, DAILY, 5))
    due(store, NOW + 1, done_ms=NOW, kind="stood")
    with pytest.raises(LawBroken, match="twice"):
        store.read_now(lambda tx: watch.over(tx, done, DAILY, 5))


def test_what_broke_in_another_process_is_heard_of_here() -> None:
    came = pickle.loads(pickle.dumps(LawBroken("late", game=3, by_ms=70_000)))
    assert isinstance(came, LawBroken)
    assert (came.code, came.facts) == ("late", {"game": 3, "by_ms": 70_000})
