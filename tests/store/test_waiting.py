"""Changes that nobody waits for: done in their order, told when they fail, and of a failed job nothing
stays.
"""

from __future__ import annotations

import contextlib
import threading
import time

import pytest

from referee.store import Game, GameEvent, Heartbeat, Outbox, Person, Store, StoreConflict, Tx
from referee.store.statements import Prepared
from tests import books


def names(store: Store) -> list[str]:
    return store.read_now(lambda tx: tx.column(Heartbeat, "name", order="name"))


def test_what_was_noted_is_seen_by_what_follows(store: Store) -> None:
    def job(tx: Tx) -> list[int]:
        tx.note(Heartbeat, name="a", at_ms=1)
        seen = [tx.count(Heartbeat)]
        tx.note(Heartbeat, name="b", at_ms=1)
        tx.change(Heartbeat, {"name": "b"}, at_ms=2)
        row = tx.get(Heartbeat, "a")
        assert row is not None
        tx.renew(Heartbeat, tx.renew(Heartbeat, row, at_ms=3), at_ms=4)
        return [*seen, *tx.column(Heartbeat, "at_ms", order="name")]

    assert store.write_now(job) == [1, 4, 2]
    assert names(store) == ["a", "b"]


def test_what_is_noted_last_is_kept(store: Store) -> None:
    store.write_now(lambda tx: tx.note(Heartbeat, name="a", at_ms=1))
    assert names(store) == ["a"]


@pytest.mark.parametrize("rows", [1, 2, 99, 1201])
def test_many_rows_at_once(store: Store, game: int, rows: int) -> None:
    store.write_now(
        lambda tx: tx.add_all(
            GameEvent,
            [{"game_id": game, "no": no, "name": "x", "facts": "{}", "at_ms": no} for no in range(rows)],
        )
    )
    assert store.read_now(lambda tx: tx.column(GameEvent, "no", order="no")) == list(range(rows))
    assert (
        store.write_now(lambda tx: tx.set_all(GameEvent, {no: {"at_ms": 7} for no in range(1, rows + 3)}))
        == rows
    )


@pytest.mark.parametrize("then", ["look", "end"])
def test_a_key_twice_is_told_and_the_job_undone(store: Store, then: str) -> None:
    def job(tx: Tx) -> None:
        tx.add(Person, name="Ann")
        tx.note(Heartbeat, name="a", at_ms=1)
        tx.note(Heartbeat, name="a", at_ms=2)
        if then == "look":
            tx.count(Heartbeat)

    with pytest.raises(StoreConflict):
        store.write_now(job)
    assert (names(store), store.read_now(lambda tx: tx.count(Person))) == ([], 0)


def test_who_swallows_a_conflict_goes_on(store: Store) -> None:
    def job(tx: Tx) -> None:
        for name in ("a", "a", "b"):
            with contextlib.suppress(StoreConflict):
                tx.note(Heartbeat, name=name, at_ms=1)

    store.write_now(job)
    assert names(store) == ["a", "b"]


@pytest.mark.parametrize("then", ["look", "end"])
def test_a_row_that_is_gone_is_not_renewed_and_the_job_undone(store: Store, game: int, then: str) -> None:
    def job(tx: Tx) -> None:
        row = tx.get(Game, game)
        assert row is not None
        letter = tx.get(Outbox, tx.add(Outbox, channel="mail", kind="prompt"))
        assert letter is not None
        tx.drop(Outbox, id=letter.id)
        tx.renew(Game, row, round=5)
        tx.renew(Outbox, letter, state="sent")
        if then == "look":
            tx.count(Outbox)

    with pytest.raises(LookupError, match="outbox"):
        store.write_now(job)
    assert store.read_now(lambda tx: tx.column(Game, "round")) == [0]
    assert store.write_now(lambda tx: tx.count(Outbox)) == 0


def test_what_is_no_value_is_told_at_once(store: Store) -> None:
    said: list[str] = []

    def job(tx: Tx) -> None:
        for wrong in ({"name": 5, "at_ms": 1}, {"name": "a"}, {"name": "a", "at_ms": 1, "x": 1}):
            with pytest.raises(TypeError):
                tx.note(Heartbeat, **wrong)
        with pytest.raises(OverflowError):
            tx.add(Heartbeat, name="a", at_ms=1 << 63)
        said.append("all")

    store.write_now(job)
    assert (said[-1], names(store)) == ("all", [])
    with pytest.raises(TypeError, match="read"):
        store.read_now(lambda tx: tx.note(Heartbeat, name="a", at_ms=1))


def test_after_forgetting_nothing_of_it_waits(store: Store) -> None:
    def job(tx: Tx) -> None:
        tx.note(Heartbeat, name="a", at_ms=1)
        tx.forget()
        tx.note(Heartbeat, name="b", at_ms=1)

    store.write_now(job)
    assert names(store) == ["b"]


@pytest.mark.parametrize("text", ["100 %", "%s", "%%s", "$1", "a\x00b", "\U0010ffff0", "Zoë ♜"])
def test_words_come_back_as_they_were(store: Store, text: str) -> None:
    store.write_now(lambda tx: tx.note(Person, name=text))
    assert store.read_now(lambda tx: [row.name for row in tx.all(Person, name=text)]) == [text]


def test_a_row_that_somebody_else_has_changed_is_renewed_at_the_second_look(shared: Store, url: str) -> None:
    other = Store.open(url, guest=True)
    runs = 0

    def job(tx: Tx) -> None:
        nonlocal runs
        runs += 1
        ann = tx.get(Person, 1)
        assert ann is not None
        if runs == 1:
            other.write_now(lambda tx: tx.set(Person, 1, zone="Europe/Lisbon"))
        tx.renew(Person, ann, name=f"{ann.name} of {ann.zone}")

    shared.write_now(job)
    other.close_now()
    assert runs == 2
    assert shared.read_now(lambda tx: tx.column(Person, "name")) == ["Ann of Europe/Lisbon"]


def test_a_job_that_says_nothing_hears_of_a_server_that_is_away(shared: Store) -> None:
    assert shared.write_now(lambda tx: 5) == 5
    base = shared.url.rpartition("/")[2]
    books.server().ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{base}'")
    assert shared.write_now(lambda tx: 6) == 6  # run again on a new line


def test_other_threads_go_on_while_the_database_is_waited_for(shared: Store) -> None:
    """Also where something goes with the statement that is waited for."""
    slow = Prepared("SELECT 1 FROM pg_sleep(0.5)", ())

    def job(tx: Tx) -> None:
        tx.note(Heartbeat, name="a", at_ms=1)
        assert tx._ask(slow, ()) == [(1,)]

    work, looks = threading.Thread(target=shared.write_now, args=(job,)), 0
    work.start()
    while work.is_alive():
        time.sleep(0.01)
        looks += 1
    assert looks > 3


def test_more_than_the_line_holds(shared: Store) -> None:
    large = [{"name": f"{n}", "zone": "x" * 3_000_000} for n in range(8)]
    shared.write_now(lambda tx: tx.add_all(Person, large))
    assert shared.read_now(
        lambda tx: sum(len(zone) for zone in tx.column(Person, "zone"))
    ) == 24_000_000 + len("UTC")
