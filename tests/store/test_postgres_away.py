"""The database server goes and comes back, and answers are lost on the way: nothing lost, nothing doubled,
and the admin told.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.store import Alert, Game, Person, Store, StoreFull, Tx, shown

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

import psycopg  # noqa: E402 - only where it is installed

from referee.store.postgres import server_connection, writer  # noqa: E402 - as above
from referee.store.postgres.commit_numbers import CommitNumbers  # noqa: E402 - as above
from referee.store.postgres.errors import ConnectionLost  # noqa: E402 - as above
from referee.store.postgres.transaction import PostgresTx, Words  # noqa: E402 - as above
from tests import books  # noqa: E402 - as above


def cutting(monkeypatch: pytest.MonkeyPatch, *, arrives: bool) -> list[str]:
    """The next COMMIT's answer is lost: the line goes down behind it (`arrives`), or before it."""
    cut: list[str] = []
    commit = PostgresTx.commit

    def unlucky(self: PostgresTx, words: Sequence[Words]) -> str:
        if cut:
            return commit(self, words)
        cut.append("COMMIT")
        if arrives:
            commit(self, words)
        self.conn.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(PostgresTx, "commit", unlucky)
    return cut


@pytest.mark.parametrize("arrives", [True, False])
def test_a_commit_whose_answer_was_lost_is_made_once(
    shared: Store, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    cut = cutting(monkeypatch, arrives=arrives)
    runs = 0

    def job(tx: Tx) -> int:
        nonlocal runs
        runs += 1
        return tx.add(Person, name="Bo")

    number = shared.write_now(job)
    assert cut
    assert runs == (1 if arrives else 2)  # it was found out which
    assert [(p.id, p.name) for p in shared.read_now(lambda tx: tx.all(Person, name="Bo"))] == [(number, "Bo")]


@pytest.mark.parametrize("arrives", [True, False])
@pytest.mark.parametrize("swept", [True, False])
def test_a_commit_after_a_week_without_one_is_made_once_too(
    shared: Store, monkeypatch: pytest.MonkeyPatch, arrives: bool, swept: bool
) -> None:
    """The row by which a writer knows its commits has been thrown away by another (`swept`), or would be."""
    server, base = books.server(), shared.url.rpartition("/")[2]
    server.ask("UPDATE store_ticket SET at = now() - interval '8 days' WHERE writer <> 'house'", base)
    if swept:
        other = Store.open(shared.url, guest=True)
        other.write_now(lambda tx: tx.add(Person, name="Cy"))
        other.close_now()
    assert (
        bool(server.ask("SELECT 1 FROM store_ticket WHERE at < now() - interval '7 days'", base)) is not swept
    )
    cut = cutting(monkeypatch, arrives=arrives)
    shared.write_now(lambda tx: tx.add(Person, name="Bo"))
    assert cut
    assert shared.read_now(lambda tx: tx.count(Person, name="Bo")) == 1


def test_a_commit_of_which_nothing_can_be_found_out_is_not_made_again(
    shared: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    cutting(monkeypatch, arrives=True)
    monkeypatch.setattr(writer, "VERDICT_S", 0.0)
    committed, asked, runs = CommitNumbers.committed, [], []

    def away_once(self: CommitNumbers, conn: psycopg.Connection) -> bool:
        if asked:
            return committed(self, conn)
        asked.append(1)
        conn.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    def job(tx: Tx) -> None:
        runs.append(1)
        tx.add(Person, name="Bo")

    monkeypatch.setattr(CommitNumbers, "committed", away_once)
    with pytest.raises(StoreFull):
        shared.write_now(job)
    assert asked
    assert len(runs) == shared.read_now(lambda tx: tx.count(Person, name="Bo")) == 1


def test_a_commit_that_is_still_under_way_when_we_look_is_not_made_afterwards(
    shared: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server has not heard that we are gone: what we sent lies in a buffer, and arrives after we asked
    what became of it.
    """
    monkeypatch.setattr(
        server_connection.ServerConnection, "_end_the_last", lambda self, conn: None
    )  # it can't be ended, either
    late: list[tuple[PostgresTx, Sequence[Words]]] = []
    refused: list[str] = []
    commit, committed = PostgresTx.commit, CommitNumbers.committed

    def slow(self: PostgresTx, words: Sequence[Words]) -> str:
        if late:
            return commit(self, words)
        late.append((self, words))
        monkeypatch.setattr(
            server_connection.ServerConnection, "drop", forgetful
        )  # the old connection lives on
        raise psycopg.OperationalError("timed out")

    def looked(self: CommitNumbers, conn: psycopg.Connection) -> bool:
        found = committed(self, conn)
        with pytest.raises(psycopg.Error) as no:
            commit(*late[0])
        refused.append(str(no.value.sqlstate))
        return found

    drop = server_connection.ServerConnection.drop

    def forgetful(self: server_connection.ServerConnection) -> None:
        self._tx = None
        monkeypatch.setattr(server_connection.ServerConnection, "drop", drop)

    monkeypatch.setattr(PostgresTx, "commit", slow)
    monkeypatch.setattr(CommitNumbers, "committed", looked)
    try:
        shared.write_now(lambda tx: tx.add(Alert, code="outage", at_ms=1))
        assert refused == ["40001"]
        assert shared.read_now(lambda tx: tx.count(Alert)) == 1
    finally:
        for tx, _ in late:
            tx.conn.close()


def test_what_a_lost_connection_still_holds_does_not_stand_in_our_way(
    shared: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line went down in mid-job and the server does not know: it has the game's lock, and the number of a
    new person.
    """
    kept: list[psycopg.Connection] = []
    drop = server_connection.ServerConnection.drop

    def forgetful(self: server_connection.ServerConnection) -> None:
        if self._tx is not None and not kept:
            kept.append(self._tx.conn)
            self._tx = None
        else:
            drop(self)

    monkeypatch.setattr(server_connection.ServerConnection, "drop", forgetful)

    def job(tx: Tx) -> int:
        game = tx.get(Game, 1)
        assert game is not None
        tx.set(Game, 1, move_no=game.move_no + 1)
        number = tx.add(Person, name="Bo")
        if not kept:
            raise ConnectionLost(StoreFull(0, "timed out"))
        return number

    begun = time.monotonic()
    try:
        assert shared.write_now(job) == 2
        assert time.monotonic() - begun < 5
        assert shared.read_now(lambda tx: (tx.count(Person), tx.column(Game, "move_no"))) == (2, [1])
    finally:
        for conn in kept:
            conn.close()


async def test_a_server_that_goes_and_comes_back(tmp_path: Path) -> None:
    """A crash in the middle of the work: who looks meanwhile hears at once that it is away, and what was
    answered is what is there.
    """
    server = servers.Postgres()
    try:
        store = Store.open(server.url(server.book()))
        kept: list[int] = []
        refused: list[StoreFull] = []
        stop = asyncio.Event()

        async def work() -> None:
            while not stop.is_set():
                try:
                    kept.append(await store.write(lambda tx: tx.add(Person, name="x")))
                except StoreFull as away:
                    refused.append(away)
                    await asyncio.sleep(0.02)

        tasks = [asyncio.create_task(work()) for _ in range(4)]
        await until(lambda: len(kept) > 50)
        await asyncio.to_thread(server.stop, signal.SIGQUIT)
        for _ in range(3):
            with pytest.raises(StoreFull) as told:
                await store.read(lambda tx: tx.count(Person))
            assert told.value.reason == "away"
        before = len(kept)
        await asyncio.to_thread(server.start)
        await until(lambda: len(kept) > before + 50)
        stop.set()
        await asyncio.gather(*tasks)
        there = await store.read(lambda tx: tx.column(Person, "id"))
        assert sorted(kept) == sorted(there)  # none lost, none twice, none that nobody was told of
        assert {error.reason for error in refused} <= {"away"}
        await store.close()
    finally:
        await asyncio.to_thread(server.end)


async def until(what: object) -> None:
    async with asyncio.timeout(20):
        while not what():  # type: ignore[operator]  # a question
            await asyncio.sleep(0.01)


def test_a_restart_between_two_jobs_is_not_noticed(url: str) -> None:
    server = servers.Postgres()
    try:
        store = Store.open(server.url(server.book()))
        store.write_now(lambda tx: tx.add(Person, name="Ann"))
        assert store.read_now(lambda tx: tx.count(Person)) == 1
        server.stop()
        server.start()
        assert store.read_now(lambda tx: tx.count(Person)) == 1
        store.write_now(lambda tx: tx.add(Person, name="Bo"))
        assert store.read_now(lambda tx: tx.count(Person)) == 2
        store.close_now()
    finally:
        server.end()


def test_closing_does_not_wait_for_a_server_that_is_away(url: str) -> None:
    server = servers.Postgres()
    try:
        store = Store.open(server.url(server.book()))
        store.write_now(lambda tx: tx.add(Person, name="Ann"))
        server.stop()
        begun = time.monotonic()
        store.close_now()
        assert time.monotonic() - begun < 2
    finally:
        server.end()


def test_what_a_full_server_says_is_understood() -> None:
    from referee.store.postgres.errors import understood

    for state, reason in (
        ("53100", "full"),
        ("57P01", "away"),
        ("25006", "read-only"),
        ("XX001", "broken"),
        ("53300", "busy"),
        ("58030", "io"),
    ):
        told = understood(
            psycopg.errors.lookup(state)("said\nDETAIL: (secret)"), "postgresql+psycopg://ann:***@there/book"
        )
        assert isinstance(told, StoreFull)
        assert (told.reason, "secret" in str(told), told.filename) == (
            reason,
            False,
            "postgresql+psycopg://ann:***@there/book",
        )
    assert type(understood(psycopg.errors.SyntaxError("ours"), "x")) is psycopg.errors.SyntaxError


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql+psycopg://ann:hunter2@there:5432/book", "postgresql+psycopg://ann:***@there:5432/book"),
        (
            "postgresql+psycopg://ann:hun:t@er2@there/book?sslmode=require",
            "postgresql+psycopg://ann:***@there/book?sslmode=require",
        ),
        (
            "postgresql+psycopg://ann@there/book?password=hunter2&sslmode=require",
            "postgresql+psycopg://ann@there/book?password=***&sslmode=require",
        ),
        ("postgresql+psycopg://ann@there:5432/book", "postgresql+psycopg://ann@there:5432/book"),
        ("sqlite:////home/ann/a:b@c.db", "sqlite:////home/ann/a:b@c.db"),
    ],
)
def test_an_address_is_told_without_its_password(url: str, told: str) -> None:
    assert shown(url) == told


def test_a_password_is_never_told(url: str) -> None:
    secret = url.replace("referee@", "referee:hunter2@")
    store = Store.open(secret)
    assert "hunter2" not in store.name
    store.close_now()
    with pytest.raises(StoreFull) as told:
        Store.open("postgresql+psycopg://referee:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(told.value)
