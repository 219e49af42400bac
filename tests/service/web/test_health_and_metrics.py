"""/readyz and /metrics: what they say, and to whom."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.web import build
from adapters.web.metrics_access import MetricsAccess
from adapters.web.server import WebServer
from referee.ports import Fate, Receipt
from referee.service.deadlines import hold
from referee.service.runtime import machine
from referee.store import Game, Heartbeat, Inbox, StoreFull
from tests.service.playing import FLAT, asked, legal, table
from tests.service.web.site import Standing

TOKEN = "s3cret-of-the-house"
Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
async def watched(site: Standing) -> AsyncIterator[Standing]:
    """The house behind a door that knows the watch, for this machine and a token."""
    house = site.house
    door = build("127.0.0.1:0", house.referee.pages, house.clock, watch=house.referee.monitor, token=TOKEN)
    await door.start()
    async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as session:
        yield Standing(house, door, session)
    await door.stop()


async def figures(site: Standing, **other: Any) -> Figures:
    status, text, headers = await site.get("/metrics", **other)
    assert status == 200
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


async def test_orders_letters_and_pages_are_counted(watched: Standing) -> None:
    house = watched.house
    people = ["telegram:ana", "matrix:bea"]
    game = await table(house, people, hours=FLAT)
    await house.say(people[asked(house, game)], legal(house, game)[0])
    await house.say(people[asked(house, game)], "nonsense")
    await watched.page(f"/t/{game}")
    found = await figures(watched)
    assert found["citadels_orders_total", ()] == 2  # also what was refused
    assert found["citadels_messages_total", (("wish", "ready"),)] == 2
    assert found["citadels_games", (("status", "running"),)] == 1
    assert found["citadels_letters_total", (("channel", "telegram"), ("fate", "sent"))] == len(
        house.wires["telegram"].sent
    )
    assert found["citadels_outbox", (("state", "queued"),)] == 0
    assert found["citadels_deadlines_late", ()] == 0
    assert found["citadels_page_seconds_count", (("page", "/t/{game}{key}"),)] == 1
    assert found["citadels_page_seconds_bucket", (("le", "+Inf"), ("page", "/t/{game}{key}"))] == 1


async def test_what_waits_and_what_is_late(watched: Standing) -> None:
    house = watched.house
    house.wires["telegram"].wait_ms = 3_600_000
    await table(house, ["matrix:ana", "matrix:bea"], hours=FLAT)
    house.wires["matrix"].fate = lambda letter: Receipt(Fate.LATER, retry_ms=1000)
    await house.say("matrix:ana", "games")
    house.clock.pass_(seconds=31)
    found = await figures(watched)
    assert found["citadels_outbox", (("state", "queued"),)] == 1
    assert found["citadels_outbox_oldest_seconds", ()] == 31
    assert found["citadels_letters_total", (("channel", "matrix"), ("fate", "later"))] == 1
    house.clock.pass_(hours=25)
    found = await figures(watched)
    assert found["citadels_deadlines_late", ()] >= 1
    assert found["citadels_deadlines_late_seconds", ()] > 3000


@pytest.mark.parametrize(
    ("headers", "proxied", "status"),
    [
        ({}, False, 200),
        ({"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": "9.9.9.9"}, True, 200),
        ({"Authorization": f"bearer {TOKEN}", "X-Forwarded-For": "9.9.9.9"}, False, 200),
        ({"Authorization": "Bearer wrong", "X-Forwarded-For": "9.9.9.9"}, True, 403),
        ({"Authorization": "Bearer ", "X-Forwarded-For": "9.9.9.9"}, True, 403),
        ({"Authorization": f"Basic {TOKEN}", "X-Forwarded-For": "9.9.9.9"}, True, 403),
        ({"X-Forwarded-For": "9.9.9.9"}, True, 403),
        ({"X-Forwarded-For": "9.9.9.9, 127.0.0.1"}, True, 200),  # the web server itself asks
        ({"X-Forwarded-For": "127.0.0.1, 9.9.9.9"}, True, 403),
        (
            {"X-Forwarded-For": "127.0.0.1"},
            False,
            403,
        ),  # a web server of which we were not told makes all look near
        ({"Via": "1.1 proxy"}, False, 403),
        ({"X-Forwarded-For": "nobody"}, True, 403),
        ({"X-Forwarded-For": "::ffff:127.0.0.1"}, True, 200),
        ({"Host": "localhost:8080"}, False, 200),
        ({"Host": "[::1]:8080"}, False, 200),
        ({"Host": "house"}, False, 200),
        # a stranger's page in a browser of this machine, whose name has come to mean 127.0.0.1
        ({"Host": "rebound.example:8080"}, False, 403),
        ({"Host": "rebound.example:8080", "Authorization": f"Bearer {TOKEN}"}, False, 200),
        ({"Host": "play.example", "X-Forwarded-For": "127.0.0.1"}, True, 200),
    ],
)
async def test_figures_are_for_insiders(
    site: Standing, headers: dict[str, str], proxied: bool, status: int
) -> None:
    house = site.house
    door = build(
        "127.0.0.1:0",
        house.referee.pages,
        house.clock,
        proxied=proxied,
        watch=house.referee.monitor,
        token=TOKEN,
    )
    await door.start()
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as session:
            here = Standing(house, door, session)
            found, page, _ = await here.get("/metrics", headers=headers)
            assert found == status
            assert ("citadels_orders" in page) == (status == 200)
            assert TOKEN not in page
            house.wires["mail"].healthy = lambda: False
            code, said, _ = await here.get("/readyz", headers=headers)
            assert (code, "channel mail" in said) == (503, status == 200)
    finally:
        await door.stop()


async def test_without_a_token_no_token_opens(site: Standing) -> None:
    house = site.house
    door = build(
        "127.0.0.1:0", house.referee.pages, house.clock, watch=house.referee.monitor, insiders=("10.0.0.0/8",)
    )
    await door.start()
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as session:
            for said in ("Bearer ", "Bearer", "Bearer x", ""):
                async with session.get("/metrics", headers={"Authorization": said}) as answer:
                    assert answer.status == 403
    finally:
        await door.stop()


def test_a_token_that_is_no_text_is_a_wrong_one() -> None:
    said = {"Authorization": b"Bearer \xff\xfe".decode("utf-8", "surrogateescape")}
    request = SimpleNamespace(headers=said, remote="9.9.9.9")
    assert not MetricsAccess((), TOKEN).let(request)  # type: ignore[arg-type]  # no client makes such a header


async def test_ready_means_that_nothing_stands_still(watched: Standing) -> None:
    house = watched.house
    assert (await watched.get("/readyz"))[:2] == (200, "ready\n")
    game = await table(house, ["telegram:ana", "matrix:bea"], hours=FLAT)
    house.store.write_now(lambda tx: tx.set(Game, game, status="frozen"))
    assert (await watched.get("/readyz"))[:2] == (503, "not ready\nfrozen\n")
    house.store.write_now(lambda tx: tx.set(Game, game, status="running"))
    house.referee.outbox_worker._alarm.disk_full(StoreFull("no room"))
    assert (await watched.get("/readyz"))[1] == "not ready\ndisk\n"
    house.clock.pass_(seconds=61)
    assert (await watched.get("/readyz"))[:2] == (200, "ready\n")
    house.referee.broken.set()
    assert (await watched.get("/readyz"))[1] == "not ready\nloops\n"
    assert (await figures(watched))["citadels_loops_running", ()] == 0
    assert (await figures(watched))["citadels_disk_full_total", ()] == 1


async def test_a_store_that_does_not_answer_is_said(
    watched: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(job: Any, **_: bool) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr("referee.service.runtime.health._PATIENCE", 0.05)
    monkeypatch.setattr(watched.house.store, "read", never)
    assert (await watched.get("/readyz"))[:2] == (503, "not ready\nstore\n")
    assert (await watched.get("/metrics"))[0] == 503


async def test_a_door_without_a_watch_has_no_figures(door_only: WebServer) -> None:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{door_only.port}") as session:
        for path in ("/metrics", "/readyz"):
            async with session.get(path) as answer:
                assert answer.status == 404


@pytest.fixture
def door_only(site: Standing) -> WebServer:
    return site.door


async def test_addresses_are_counted_by_their_pattern_and_secrets_by_none(watched: Standing) -> None:
    secret = "s" * 32
    for path in (f"/u/{secret}", f"/calendar/{secret}.ics", f"/t/17-{'a' * 16}", f"/{secret}", "/t/17"):
        assert (await watched.get(path))[0] == 404
    text = await watched.page("/metrics")
    assert secret not in text
    assert "a" * 16 not in text
    assert 'page="none"' in text
    assert 'page="/u/{token}"' in text


async def test_who_hears_of_changes_is_counted(watched: Standing) -> None:
    game = await table(watched.house, ["telegram:ana", "matrix:bea"], hours=FLAT)
    assert (await figures(watched))["citadels_listeners", ()] == 0
    stream = await watched.house.referee.live.table({"game": str(game), "key": ""})
    assert stream is not None
    assert (await figures(watched))["citadels_listeners", ()] == 1
    stream.close()
    assert (await figures(watched))["citadels_listeners", ()] == 0


async def test_the_house_and_the_machine_it_stands_on(watched: Standing) -> None:
    house = watched.house
    began = await figures(watched)
    assert (
        began["citadels_started_seconds", ()] <= began["citadels_clock_seconds", ()] == house.clock() / 1000
    )
    assert began["citadels_clocks_held", ()] == began["citadels_inbox_oldest_seconds", ()] == 0
    assert ("citadels_backup_seconds", ()) not in began, "none was made"
    assert sum(value for (name, _), value in began.items() if name == "citadels_build_info") == 1
    assert (
        began["citadels_channel_open", (("channel", "mail"),)]
        == began["citadels_channel_healthy", (("channel", "mail"),)]
        == 1
    )
    assert (("citadels_disk_free_bytes", ()) in began) is (house.store.path is not None)
    house.store.write_now(
        lambda tx: [
            tx.put(Heartbeat, name="backup", at_ms=1_760_000_000_000),
            hold.hold(house.referee.context.uow(tx), house.clock(), "clock-jumped", seconds=9),
            tx.add(Inbox, channel="telegram", key="left", body=b"{}", at_ms=house.clock() - 30_000),
        ]
    )
    found = await figures(watched)
    assert found["citadels_backup_seconds", ()] == 1_760_000_000
    assert found["citadels_clocks_held", ()] == 1
    assert found["citadels_inbox_oldest_seconds", ()] == 30


def test_room_that_can_not_be_seen(tmp_path: Path) -> None:
    assert machine.free_bytes(None) is None
    assert machine.free_bytes(tmp_path / "gone" / "referee.db") is None
    assert machine.free_bytes(tmp_path / "referee.db") == pytest.approx(
        shutil.disk_usage(tmp_path).free, rel=0.2
    )
