"""The database goes away under several referees, and comes back; or it is a newer version's all at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Inbox, Outbox
from tests.e2e.playing import reads, until
from tests.e2e.telegram_player import TelegramPlayer
from tests.servers.botapi import BotApi

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

from tests.e2e.several import Several, pid  # noqa: E402 - only where psycopg is installed
from tests.servers.postgres import Postgres  # noqa: E402 - as above


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    one = Postgres()
    yield one
    one.end()


async def test_a_server_that_is_away_for_a_while_costs_nothing(
    postgres: Postgres, home: Path, telegram: BotApi
) -> None:
    boss, ana = TelegramPlayer(telegram, "Boss"), TelegramPlayer(telegram, "Ana")
    two = Several(
        home, postgres.url(postgres.book()), serve=2, telegram=telegram, admins=[f"telegram:{boss.user.id}"]
    )
    try:
        two.warm()
        await two.start()
        await two.held("telegram", "terminal")
        for one in (boss, ana):
            await one.start()
            await reads(one, r"\S")
        await ana.say("new classic 3 players 2 bots")
        await reads(ana, r"Table #1")
        before = [pid(one) for one in two.workers]
        postgres.stop(signal.SIGQUIT)  # a crash
        await ana.say("ready #1")
        await reads(boss, r"The database server does not answer")
        await asyncio.sleep(6)  # longer than a lease lasts
        postgres.start()
        await until(
            lambda: two.look(lambda tx: tx.column(Inbox, "state", channel="telegram")) == ["done"] * 4,
            "what was written meanwhile was heard",
            seconds=60,
        )
        await reads(ana, r"(?s)(Game|Table) #1.*(pick|Pick|choose|begin)", seconds=30)
        await two.held("telegram", "terminal")
        await until(
            lambda: not two.look(lambda tx: tx.count(Outbox, state=("queued", "sending"))),
            "all letters are out",
        )
        assert [pid(one) for one in two.workers] == before  # nobody was started anew
        assert two.look(lambda tx: tx.column(Inbox, "state", channel="telegram")) == ["done"] * 4
        assert not two.look(lambda tx: tx.count(Outbox, state=("failed", "unknown")))
        told = [one for one in await boss.screen() if "database server" in one.text]
        assert len(told) == 1
        assert not [one for one in await boss.screen() if "disk" in one.text]
        assert two.stop() == 0
    finally:
        two.close()


async def test_who_is_overtaken_by_a_newer_version_stops(postgres: Postgres, home: Path) -> None:
    base = postgres.book()
    one = Several(home, postgres.url(base), serve=1)
    try:
        await one.start()
        await one.held("terminal")
        postgres.ask("UPDATE alembic_version SET version_num = '9999'", base)
        postgres.ask(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{base}' AND "
            f"pid <> pg_backend_pid()"
        )
        (only,) = one.workers
        process = only.process
        assert process is not None
        assert await asyncio.to_thread(process.wait, 20) == 1
        only.process = None
        assert [
            line
            for line in one.told()
            if line.get("level") == "critical" and line.get("what", "").startswith("stopping:")
        ]
        assert not [line for line in one.told() if "Traceback" in line.get("raw", "")]
    finally:
        one.close()
