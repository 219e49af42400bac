"""Several processes at one book on PostgreSQL: nothing lost, nothing doubled, no matter who is killed and
whatever goes down.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from referee.store import Blocked, Deadline, Game, Heartbeat, Inbox, Person, Seat, Store, StoreConflict, Tx
from tests.store.postgres_children import increment

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

ROOT = Path(__file__).parents[2]


def child(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("postgres_children.py")), *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_three_processes_lose_nothing_to_each_other(shared: Store) -> None:
    others = [child("count", shared.url, "100") for _ in range(2)]
    mine = 0
    while any(one.poll() is None for one in others):
        shared.write_now(increment)
        mine += 1
        time.sleep(0.002)  # three that never pause leave the slowest of them no turn on a busy machine
    assert [one.communicate()[0] for one in others] == ["open\ndone\n"] * 2
    row = shared.read_now(lambda tx: tx.get(Heartbeat, "counter"))
    assert row is not None
    assert row.at_ms == mine + 200


def test_who_comes_at_the_same_moment_gets_the_next_number(shared: Store) -> None:
    """A number that somebody else has taken just then is no rule broken: four at once, and each time
    again.
    """
    stores = [Store.open(shared.url, guest=True) for _ in range(4)]
    faults: list[BaseException] = []

    def come(store: Store) -> None:
        try:
            for n in range(40):
                store.write_now(lambda tx, n=n: tx.add(Person, name=f"{n}"))  # type: ignore[misc]  # bound
        except BaseException as error:  # any of them is told below
            faults.append(error)

    threads = [threading.Thread(target=come, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        store.close_now()
    assert not faults
    assert shared.read_now(lambda tx: tx.column(Person, "id", order="id")) == list(
        range(1, 162)
    )  # one was there


def test_workers_killed_in_mid_work_lose_and_double_nothing(shared: Store) -> None:
    """Three at one game, one killed again and again: all that was said to be on disk is there, whole, each
    move after the other.
    """
    dice, heard = random.Random(6), list[str]()

    def listen(one: subprocess.Popen[str]) -> None:
        assert one.stdout is not None
        with one:
            for said in one.stdout:
                if said.endswith("\n") and said != "open\n":
                    heard.append(said.strip())

    running, ears = list[subprocess.Popen[str]](), list[threading.Thread]()
    for life in range(5):
        while len(running) < 3:
            running.append(child("pairs", shared.url, f"{life}-{len(running)}"))
            ears.append(threading.Thread(target=listen, args=(running[-1],)))
            ears[-1].start()
        before = len(heard)
        until = time.monotonic() + 20
        while len(heard) < before + 30 and time.monotonic() < until:
            time.sleep(0.01)
        assert len(heard) >= before + 30
        time.sleep(dice.uniform(0, 0.01))
        running.pop(dice.randrange(3)).send_signal(signal.SIGKILL)
    for one in running:
        one.send_signal(signal.SIGKILL)
    for ear in ears:
        ear.join(10)
    # the server may still be at what the dead have sent it; who asks for the same rows waits for that
    shared.write_now(lambda tx: tx.set(Game, 1, round=1))

    def look(tx: Tx) -> tuple[list[tuple[str, int]], list[tuple[str, int]], int]:
        left, right = (
            ([(row.key, row.at_ms) for row in tx.all(Inbox, channel=side, order="id")])
            for side in ("left", "right")
        )
        game = tx.get(Game, 1)
        assert game is not None
        return left, right, game.move_no

    left, right, moves = shared.read_now(look)
    assert set(heard) <= {key for key, _ in left}
    assert sorted(left) == sorted(right)
    assert sorted(number for _, number in left) == list(range(1, moves + 1))
    assert len(left) - len(heard) <= 5 + 3  # at most the one that each was at when it was killed


def test_a_game_is_never_worked_on_by_two_at_once(shared: Store, url: str) -> None:
    inside, most, lock = 0, 0, threading.Lock()
    other = Store.open(url, guest=True)

    def work(tx: Tx) -> None:
        nonlocal inside, most
        game = tx.get(Game, 1)
        assert game is not None
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.005)
        tx.set(Game, 1, move_no=game.move_no + 1)
        with lock:
            inside -= 1

    threads = [
        threading.Thread(target=lambda book=book: [book.write_now(work) for _ in range(15)])
        for book in (shared, other)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    other.close_now()
    assert most == 1
    found = shared.read_now(lambda tx: tx.get(Game, 1))
    assert found is not None
    assert found.move_no == 30


def test_two_games_locked_in_opposite_order_are_no_circle(shared: Store, url: str) -> None:
    second = shared.write_now(lambda tx: tx.add(Game, creator_id=1))
    other = Store.open(url, guest=True)
    meet = threading.Barrier(2, timeout=10)
    runs = {1: 0, second: 0}

    def work(tx: Tx, first: int, then: int) -> None:
        runs[first] += 1
        for number in (first, then):
            game = tx.get(Game, number)
            assert game is not None
            tx.set(Game, number, move_no=game.move_no + 1)
            if number == first and runs[first] == 1:
                meet.wait()

    threads = [
        threading.Thread(target=book.write_now, args=(partial(work, first=a, then=b),))
        for book, a, b in ((shared, 1, second), (other, second, 1))
    ]
    begun = time.monotonic()
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)
    assert time.monotonic() - begun < 0.9  # before PostgreSQL would have looked for a deadlock
    other.close_now()
    assert shared.read_now(lambda tx: tx.column(Game, "move_no", order="id")) == [2, 2]


def test_who_began_before_a_change_at_the_game_does_not_miss_it(shared: Store, url: str) -> None:
    """The change is beside the game's own row, and comes between the other's first look and its look at the
    game.
    """
    other = Store.open(url, guest=True)
    seen: list[int] = []
    runs = 0

    def change(tx: Tx) -> None:
        assert tx.get(Game, 1) is not None
        tx.add(Seat, game_id=1, no=0, name="Ann")

    def work(tx: Tx) -> None:
        nonlocal runs
        runs += 1
        assert tx.count(Person) == 1  # from here on it sees this instant
        if runs == 1:
            other.write_now(change)
        assert tx.get(Game, 1) is not None
        seen.append(tx.count(Seat, game_id=1))
        tx.add(Seat, game_id=1, no=seen[-1], name="Bo")

    shared.write_now(work)
    other.close_now()
    assert (seen, runs) == ([1], 2)


def test_a_game_that_came_with_a_seat_is_held_like_any_other(shared: Store, url: str) -> None:
    """As an order finds it.

    The other's change is beside the game's own row, and comes between our look at the seats and our hold.
    """
    shared.write_now(lambda tx: tx.add(Seat, game_id=1, no=0, person_id=1, name="Ann"))
    other = Store.open(url, guest=True)
    seen: list[int] = []
    runs = 0

    def change(tx: Tx) -> None:
        ((_, game),) = tx.seats_of(1, ("running",))
        tx.hold(game)
        tx.add(Deadline, game_id=1, seat=0, question=1, kind="answer", due_ms=1)

    def work(tx: Tx) -> None:
        nonlocal runs
        runs += 1
        ((_, game),) = tx.seats_of(1, ("running",))
        if runs == 1:
            other.write_now(change)
        tx.hold(game)
        tx.hold(game)
        seen.append(tx.count(Deadline, game_id=1))

    shared.write_now(work)
    assert (seen, runs) == ([1], 2)
    shared.read_now(lambda tx: tx.hold(tx.seats_of(1, ("running",))[0][1]))  # who only looks holds nothing
    hold, go_on = threading.Event(), threading.Event()

    def long(tx: Tx) -> None:
        ((_, game),) = tx.seats_of(1, ("running",))
        tx.hold(game)
        hold.set()
        assert go_on.wait(10)

    slow = threading.Thread(target=other.write_now, args=(long,))
    slow.start()
    assert hold.wait(10)
    threading.Timer(0.1, go_on.set).start()
    runs = 1
    begun = time.monotonic()
    shared.write_now(work)
    assert time.monotonic() - begun >= 0.09  # it waited for the other
    slow.join(10)
    other.close_now()


def test_what_concerns_the_whole_house_is_changed_by_one_at_a_time(shared: Store, url: str) -> None:
    """Both count, and neither row is the other's: at least one of them must have seen the other."""
    other = Store.open(url, guest=True)
    meet = threading.Barrier(2, timeout=10)
    runs = 0

    def work(tx: Tx) -> None:
        nonlocal runs
        runs += 1
        number = tx.count(Blocked)
        if runs <= 2:
            meet.wait()  # both have looked, and found nothing
        tx.add(Blocked, channel="mail", address=str(number))

    threads = [threading.Thread(target=book.write_now, args=(work,)) for book in (shared, other)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)
    other.close_now()
    assert shared.read_now(lambda tx: tx.column(Blocked, "address", order="id")) == ["0", "1"]


def test_a_key_that_somebody_else_has_just_taken_is_seen_at_the_second_look(shared: Store, url: str) -> None:
    other = Store.open(url, guest=True)
    runs = 0

    def next_one(tx: Tx, *, late: bool = False) -> int:
        nonlocal runs
        runs += late
        number = tx.count(Seat, game_id=1)
        if late and runs == 1:
            other.write_now(next_one)
        tx.add(Seat, game_id=1, no=number, name="x")
        return number

    assert shared.write_now(partial(next_one, late=True)) == 1
    other.close_now()
    assert runs == 2


def test_what_a_job_swallowed_does_not_poison_what_follows(shared: Store) -> None:
    """The second run has savepoints; a third conflict in it is told as the first."""

    def job(tx: Tx) -> list[str]:
        for name in ("a", "a", "b", "b"):
            with contextlib.suppress(StoreConflict):
                tx.add(Heartbeat, name=name, at_ms=1)
            with contextlib.suppress(StoreConflict):
                tx.add_all(Heartbeat, [{"name": "c", "at_ms": 1}, {"name": "c", "at_ms": 2}])
        return [row.name for row in tx.all(Heartbeat, order="name")]

    assert shared.write_now(job) == ["a", "b"]


def test_a_job_that_ends_on_a_swallowed_conflict_keeps_what_it_did_before(shared: Store) -> None:
    def job(tx: Tx) -> None:
        tx.add(Heartbeat, name="a", at_ms=1)
        with contextlib.suppress(StoreConflict):
            tx.add(Heartbeat, name="a", at_ms=2)

    shared.write_now(job)
    assert shared.read_now(lambda tx: tx.column(Heartbeat, "at_ms")) == [1]
