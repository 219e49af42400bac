"""The one writer: nothing lost, nothing torn, nobody's failure anybody else's."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from referee.store import Bookmark, Heartbeat, Person, Store, StoreClosed, StoreConflict, Tx
from tests.store.postgres_children import increment


def named(name: str) -> Callable[[Tx], int]:
    """The job that adds a person."""
    return lambda tx: tx.add(Person, name=name)


def hold(begun: threading.Event, held: threading.Event, tx: Tx) -> bool:
    """A job that keeps the writer until `held` is set."""
    begun.set()
    return held.wait(10)


async def test_no_update_is_lost(store: Store) -> None:
    answers = await asyncio.gather(*(store.write(increment) for _ in range(800)))
    assert sorted(answers) == list(range(1, 801))
    row = await store.read(lambda tx: tx.get(Heartbeat, "counter"))
    assert row is not None
    assert row.at_ms == 800


def test_no_update_is_lost_between_threads(store: Store) -> None:
    threads = [
        threading.Thread(target=lambda: [store.write_now(increment) for _ in range(50)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    row = store.read_now(lambda tx: tx.get(Heartbeat, "counter"))
    assert row is not None
    assert row.at_ms == 400


async def test_one_failing_job_takes_only_its_own_changes_with_it(store: Store) -> None:
    """All in one group: the writer is held up while they queue."""
    begun, held = threading.Event(), threading.Event()
    first = asyncio.create_task(store.write(partial(hold, begun, held)))
    await asyncio.to_thread(begun.wait, 10)

    def job(n: int, tx: Tx) -> int:
        tx.add(Person, name=f"p{n}")
        if n % 3 == 0:
            raise KeyError(n)
        return n

    tasks = [asyncio.create_task(store.write(partial(job, n))) for n in range(30)]
    await asyncio.sleep(0)
    held.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert await first is True
    assert [r if isinstance(r, int) else r.args for r in results] == [
        (n,) if n % 3 == 0 else n for n in range(30)
    ]
    names = await store.read(lambda tx: tx.column(Person, "name", order="id"))
    assert names == [f"p{n}" for n in range(30) if n % 3]


@pytest.mark.parametrize("company", [0, 3])
async def test_a_job_may_forget_what_it_did_and_begin_anew(store: Store, company: int) -> None:
    """Alone, where the transaction is its own, and in a group, where it is not."""
    begun, held = threading.Event(), threading.Event()
    first = asyncio.create_task(store.write(partial(hold, begun, held)))
    await asyncio.to_thread(begun.wait, 10)

    def second_thoughts(tx: Tx) -> int:
        tx.add(Person, name="mistake")
        tx.forget()
        tx.add(Person, name="meant")
        tx.forget()
        tx.forget()
        return tx.add(Person, name="said")

    others = [asyncio.create_task(store.write(named(f"before {n}"))) for n in range(company)]
    changed = asyncio.create_task(store.write(second_thoughts))
    others += [asyncio.create_task(store.write(named(f"after {n}"))) for n in range(company)]
    await asyncio.sleep(0)
    held.set()
    await asyncio.gather(first, changed, *others)
    names = await store.read(lambda tx: tx.column(Person, "name", order="id"))
    assert names == [
        *(f"before {n}" for n in range(company)),
        "said",
        *(f"after {n}" for n in range(company)),
    ]


async def test_a_reader_has_nothing_to_forget(store: Store) -> None:
    with pytest.raises(TypeError, match="changed nothing"):
        await store.read(lambda tx: tx.forget())


@pytest.mark.sqlite
async def test_jobs_that_wait_together_are_committed_together(store: Store) -> None:
    """Seen from outside: while one job runs, ten queue; the WAL grows by one page for the ten."""
    await store.write(lambda tx: tx.add(Person, name="zero"))
    begun, held = threading.Event(), threading.Event()
    first = asyncio.create_task(store.write(partial(hold, begun, held)))
    await asyncio.to_thread(begun.wait, 10)
    before = store.path.with_name(store.path.name + "-wal").stat().st_size
    tasks = [asyncio.create_task(store.write(named(f"p{n}"))) for n in range(10)]
    await asyncio.sleep(0)
    held.set()
    await asyncio.gather(first, *tasks)
    frame = 4096 + 24
    grown = store.path.with_name(store.path.name + "-wal").stat().st_size - before
    assert grown == frame  # ten commits would have written the page ten times


async def test_a_slow_group_is_committed_in_parts(store: Store) -> None:
    """Four jobs queue; the second takes long, so the first two are on disk, and seen by a reader, before the
    third begins.
    """
    begun, held = threading.Event(), threading.Event()
    first = asyncio.create_task(store.write(partial(hold, begun, held)))
    await asyncio.to_thread(begun.wait, 10)

    def slow(tx: Tx) -> None:
        tx.add(Person, name="slow")
        until = time.monotonic() + 0.02
        while time.monotonic() < until:
            pass

    def look(tx: Tx) -> list[str]:
        return store.read_now(lambda tx: tx.column(Person, "name", order="id"))

    tasks = [asyncio.create_task(store.write(job)) for job in (named("quick"), slow, look, named("last"))]
    await asyncio.sleep(0)
    held.set()
    results = await asyncio.gather(first, *tasks)
    assert results[3] == ["quick", "slow"]


async def test_jobs_run_in_the_order_in_which_they_came(store: Store) -> None:
    seen: list[int] = []

    def note(n: int, tx: Tx) -> None:
        seen.append(n)

    await asyncio.gather(*(store.write(partial(note, n)) for n in range(200)))
    assert seen == list(range(200))


async def test_a_cancelled_caller_does_not_tear_the_job(store: Store) -> None:
    """The task is cut while its job is half done; the job ends, commits whole, and the next one finds nothing
    locked.
    """
    half, go = threading.Event(), threading.Event()

    def job(tx: Tx) -> None:
        tx.put(Bookmark, channel="mail", name="uid", value="7")
        half.set()
        assert go.wait(10)
        tx.put(Heartbeat, name="mail", at_ms=7)

    task = asyncio.create_task(store.write(job))
    await asyncio.to_thread(half.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    both = await store.write(lambda tx: (tx.get(Heartbeat, "mail"), tx.one(Bookmark, channel="mail")))
    assert None not in both


async def test_two_hundred_cancelled_callers_leave_the_store_well(store: Store) -> None:
    async def one(n: int) -> None:
        await store.write(lambda tx: (tx.add(Person, name=f"a{n}"), tx.add(Person, name=f"b{n}")))

    for n in range(200):
        task = asyncio.create_task(one(n))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    names = set(await store.write(lambda tx: tx.column(Person, "name")))
    assert names == {f"{letter}{n}" for n in range(200) for letter in "ab"}


async def test_a_failure_that_nobody_waits_for_is_logged(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    held = threading.Event()

    def job(tx: Tx) -> None:
        held.wait(10)
        raise LookupError("lost")

    task = asyncio.create_task(store.write(job))
    await asyncio.sleep(0)
    task.cancel()
    held.set()
    await store.write(lambda tx: None)
    assert "lost" in caplog.text


@pytest.mark.parametrize("error", [KeyError("x"), StopIteration(), SystemExit(3), asyncio.CancelledError()])
def test_whatever_a_job_raises_the_writer_goes_on(store: Store, error: BaseException) -> None:
    def job(tx: Tx) -> None:
        tx.add(Person, name="ghost")
        raise error

    with pytest.raises((type(error), RuntimeError)):
        store.write_now(job)
    assert store.write_now(lambda tx: tx.count(Person)) == 0


def test_a_swallowed_conflict_does_not_stop_the_job(store: Store) -> None:
    def job(tx: Tx) -> int:
        tx.add(Bookmark, channel="a", name="b", value="1")
        with pytest.raises(StoreConflict):
            tx.add(Bookmark, channel="a", name="b", value="2")
        return tx.count(Bookmark)

    assert store.write_now(job) == 1


def test_a_job_that_would_wait_for_itself_is_told_so(store: Store) -> None:
    with pytest.raises(RuntimeError, match="must not wait"):
        store.write_now(lambda tx: store.write_now(lambda tx: None))
    assert store.write_now(lambda tx: tx.count(Person)) == 0


def test_a_tx_that_was_kept_is_of_no_use_elsewhere(store: Store) -> None:
    import sqlite3

    kept = store.write_now(lambda tx: tx)
    with pytest.raises((sqlite3.ProgrammingError, RuntimeError)):
        kept.count(Person)


async def test_closing_finishes_what_was_asked(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/b.db")
    tasks = [asyncio.create_task(store.write(named(str(n)))) for n in range(100)]
    await asyncio.sleep(0)
    await store.close()
    assert len({await t for t in tasks}) == 100
    with pytest.raises(StoreClosed):
        await store.write(lambda tx: None)
    with pytest.raises(StoreClosed):
        store.read_now(lambda tx: None)
    await store.close()


def test_a_loop_that_is_gone_does_not_stop_the_writer(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    held = threading.Event()

    async def leave() -> None:
        asyncio.get_running_loop().call_soon(asyncio.get_running_loop().stop)
        await store.write(lambda tx: (held.wait(10), tx.add(Person, name="Ann")))

    loop = asyncio.new_event_loop()
    task = loop.create_task(leave())
    loop.run_forever()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(task)
    loop.close()
    held.set()
    assert store.write_now(lambda tx: tx.count(Person)) == 1
    store.write_now(
        lambda tx: None
    )  # both answers may have been given out in one round, this one first: the next round is behind it
    assert "nobody waits" in caplog.text


async def test_reading_sees_only_what_is_committed_and_one_instant(store: Store) -> None:
    """A reader between two halves of a job sees neither half; one that began before a commit does not
    see it.
    """
    half, go = threading.Event(), threading.Event()

    def job(tx: Tx) -> None:
        tx.add(Person, name="first")
        half.set()
        assert go.wait(10)
        tx.add(Person, name="second")

    writing = asyncio.create_task(store.write(job))
    await asyncio.to_thread(half.wait, 10)
    assert await store.read(lambda tx: tx.count(Person)) == 0

    def look(tx: Tx) -> tuple[int, int]:
        before = tx.count(Person)
        go.set()
        store.write_now(lambda tx: None)  # the job is committed when this comes back
        return before, tx.count(Person)

    assert await store.read(look) == (0, 0)
    await writing
    assert await store.read(lambda tx: tx.count(Person)) == 2


def test_a_read_job_can_t_change_anything(store: Store) -> None:
    with pytest.raises(TypeError, match="read"):
        store.read_now(lambda tx: tx.add(Person, name="x"))
    assert store.read_now(lambda tx: tx.count(Person)) == 0


def test_errors_of_a_read_come_back(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        store.read_now(lambda tx: 1 // 0)
    assert store.read_now(lambda tx: tx.count(Person)) == 0
