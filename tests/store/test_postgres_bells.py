"""Bells between processes, and the schema that nobody changes under those who are at work."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.store import NewerDatabase, Person, Store, StoreBusy
from referee.store.migrate import revisions
from tests import books
from tests.store.test_migrations import breaking, with_steps_of

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

import psycopg  # noqa: E402 - only where it is installed

from referee.store.postgres import notifier, schema  # noqa: E402 - as above

CUT = f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = {0x0C19}"


class Ear:
    """What a store has heard."""

    def __init__(self, store: Store) -> None:
        self.rings: list[frozenset[str]] = []
        store.listen(self.rings.append)

    @property
    def words(self) -> set[str]:
        return set().union(*self.rings)


async def until(holds: Callable[[], object], seconds: float = 10) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)


def base(url: str) -> str:
    return url.rpartition("/")[2]


async def test_words_are_heard_by_the_others_and_not_by_oneself(shared: Store, url: str) -> None:
    other, third = Store.open(url), Store.open(url, guest=True)
    mine, theirs, visitor = Ear(shared), Ear(other), Ear(third)
    shared.ring(["post", "game 12"])
    await until(lambda: theirs.words == {"post", "game 12"} == visitor.words)
    other.ring(["Zoë"])
    await until(lambda: mine.words == {"Zoë"})
    await until(lambda: "Zoë" in visitor.words)
    assert theirs.words == {"post", "game 12"}
    other.close_now()
    third.close_now()


async def test_a_burst_is_one_ring(shared: Store, url: str) -> None:
    other = Store.open(url)
    ear = Ear(other)
    for n in range(200):
        shared.ring([f"game {n % 7}"])
    await until(lambda: ear.words == {f"game {n}" for n in range(7)})
    assert len(ear.rings) <= 3
    other.close_now()


@pytest.mark.parametrize("words", [[f"game {n}" for n in range(3000)], ["x" * 9000]])
async def test_more_than_fits_is_everything(shared: Store, url: str, words: list[str]) -> None:
    other = Store.open(url)
    ear = Ear(other)
    shared.ring(words)
    await until(lambda: ear.words == {"*"})
    other.close_now()


async def test_the_last_words_of_who_closes_are_heard(shared: Store, url: str) -> None:
    other = Store.open(url)
    ear = Ear(shared)
    other.ring(["goodbye"])
    other.close_now()
    await until(lambda: ear.words == {"goodbye"})
    other.ring(["too late"])
    shared.ring([])
    await asyncio.sleep(0.05)
    assert ear.words == {"goodbye"}


@pytest.mark.parametrize("wrong", ["", "two\nlines", "nul\x00"])
def test_a_word_that_is_none(shared: Store, tmp_path: Path, wrong: str) -> None:
    alone = Store.open(f"sqlite:///{tmp_path}/file.db")
    for store in (shared, alone):
        with pytest.raises(ValueError, match="no word"):
            store.ring(["post", wrong])
    alone.close_now()


async def test_after_a_lost_line_everything_may_have_changed_and_what_was_rung_meanwhile_is_heard(
    shared: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Store.open(url)
    mine, theirs = Ear(shared), Ear(other)
    monkeypatch.setattr(notifier, "_PAUSE_S", (0.3, 0.3))
    assert len(books.server().ask(CUT, base(url))) == 2
    line = shared._bell
    assert isinstance(line, notifier.PostgresNotifier)
    await until(lambda: not line.intact)
    shared.ring(["post"])
    await until(lambda: mine.words == {"*"} and line.intact)
    await until(lambda: "*" in theirs.words)
    await until(lambda: theirs.words <= {"*", "post"} and line.intact)
    shared.ring(["again"])
    await until(lambda: "again" in theirs.words)
    other.close_now()


async def test_who_listens_on_a_loop_that_is_closed_is_forgotten(shared: Store, url: str) -> None:
    def listening() -> None:
        async def listen() -> None:
            Ear(shared)

        asyncio.run(listen())

    gone = threading.Thread(target=listening)
    gone.start()
    gone.join()
    ear, other = Ear(shared), Store.open(url)
    other.ring(["post"])
    await until(lambda: ear.words == {"post"})
    line = shared._bell
    assert isinstance(line, notifier.PostgresNotifier)
    assert len(line._ears) == 1
    other.close_now()


async def test_a_file_has_nobody_to_hear(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/book.db")
    ear = Ear(store)
    store.ring(["post"])
    told = asyncio.create_task(store.overtaken())
    await asyncio.sleep(0.05)
    assert (store.shared, ear.rings, told.done()) == (False, [], False)
    told.cancel()
    store.close_now()


def newer(folder: Path, monkeypatch: pytest.MonkeyPatch, end: str = "pass") -> str:
    """Let this process know one more step; its number."""
    number = breaking(folder, end)
    with_steps_of(folder, number, monkeypatch)
    monkeypatch.setattr(schema, "revisions", lambda: [*revisions(), number])
    return number


@pytest.mark.parametrize("how", [{"who": "serve"}, {"who": "serve", "guest": True}])
def test_a_newer_version_waits_for_who_is_at_work_and_says_who_it_is(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, bool]
) -> None:
    Store.open(url).close_now()
    old = Store.open(url, **how)  # type: ignore[arg-type]  # as a caller has it
    monkeypatch.setattr(schema, "PATIENCE_S", 0.2)
    with monkeypatch.context() as patched:
        newer(tmp_path / "steps", patched)
        with pytest.raises(
            StoreBusy,
            match=(
                r"at work at this database with an older version "
                r"\(referee serve \S+:\d+\): stop them first"
            ),
        ):
            Store.open(url)
    assert old.write_now(lambda tx: tx.add(Person, name="Ann")) == 1
    old.close_now()
    number = newer(tmp_path / "more", monkeypatch)
    Store.open(url).close_now()
    assert books.server().ask("SELECT version_num FROM alembic_version", base(url)) == [(number,)]


def test_a_newer_version_begins_as_soon_as_the_old_one_has_stopped(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Store.open(url)
    reader = Store.open(url, read_only=True)  # who only looks is in nobody's way
    newer(tmp_path / "steps", monkeypatch)
    threading.Timer(0.2, old.close_now).start()
    begun = time.monotonic()
    Store.open(url).close_now()
    assert time.monotonic() - begun < schema.PATIENCE_S
    reader.close_now()


def test_who_opens_while_another_migrates_waits_for_it(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer(tmp_path / "steps", monkeypatch, "op.execute('SELECT pg_sleep(0.5)')")
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(Store.open(url))) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)
    assert [store.write_now(lambda tx: tx.add(Person, name="Ann")) for store in opened] == [1, 2, 3]
    for store in opened:
        store.close_now()


async def test_an_old_version_that_was_overtaken_writes_nothing_and_says_so(shared: Store, url: str) -> None:
    """The line was down for a moment, in which a newer one brought the book up."""
    told = asyncio.create_task(shared.overtaken())
    await asyncio.sleep(0)
    books.server().ask("UPDATE alembic_version SET version_num = '9999'", base(url))
    assert (
        shared.write_now(
            lambda tx: tx.add(Person, name="as long as the line is there nobody can have done that")
        )
        == 2
    )
    books.server().ask(CUT, base(url))
    async with asyncio.timeout(10):
        assert "9999" in await told
    for _ in range(2):
        with pytest.raises(NewerDatabase, match="upgrade the referee"):
            await shared.write(lambda tx: tx.add(Person, name="Bo"))
    assert await shared.read(lambda tx: tx.count(Person)) == 2


async def test_without_its_line_the_writer_looks_at_the_schema_itself(
    shared: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "_PAUSE_S", (60.0, 60.0))
    line = shared._bell
    assert isinstance(line, notifier.PostgresNotifier)
    monkeypatch.setattr(line, "_connected", gone)  # the server lets it in no more
    books.server().ask(CUT, base(url))
    await until(lambda: not line.intact)
    assert await shared.write(lambda tx: tx.add(Person, name="Bo")) == 2
    books.server().ask("UPDATE alembic_version SET version_num = '9999'", base(url))
    with pytest.raises(NewerDatabase):
        await shared.write(lambda tx: tx.add(Person, name="Cy"))
    async with asyncio.timeout(5):
        assert "9999" in await shared.overtaken()
    assert await shared.read(lambda tx: tx.count(Person)) == 2


def gone(*_: object) -> None:
    raise psycopg.OperationalError("away")
