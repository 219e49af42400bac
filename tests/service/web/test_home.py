"""The first page: what this is, tables to join first, and a game of bots where nobody plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from referee.service.web import demo
from referee.service.web.demo import Demo
from referee.store import Game
from tests.service.playing import FLAT, table
from tests.service.web.browser import overflow, surfing
from tests.service.web.running_site import ANA, PEOPLE, Inn, lodging
from tests.service.web.site import text_of
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


class Watch:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_move_is_played_for_whoever_looks_and_none_for_nobody() -> None:
    watch = Watch()
    game = Demo(watch)
    first = await game.position()
    assert first.view["round"] >= 3, "there are cities to look at"
    assert any(one["city"] for one in first.view["players"])
    assert (await asyncio.gather(*(game.position() for _ in range(20)))) == [first] * 20
    watch.now += 3600
    later = await game.position()
    moves = int(later.mark.partition("m")[2]) - int(first.mark.partition("m")[2])
    assert 0 < moves <= 8, "an hour is one move, or a selection"
    assert await game.position() is later
    assert game.seen is later


async def test_after_the_end_the_score_stands_and_then_another_game_begins() -> None:
    watch = Watch()
    game = Demo(watch)
    seen, rounds = set[int](), 0
    while (now := await game.position()).number < 3:
        assert now.view["phase"] != "draft" or "result" in now.view
        if "result" in now.view:
            seen.add(now.number)
            watch.now += demo.PACE_S
            assert (await game.position()).mark == now.mark, "the score stands"
            watch.now += demo.PACE_S * demo.END
        watch.now += demo.PACE_S
        rounds += 1
        assert rounds < 2000
    assert seen == {1, 2}
    again = Demo(watch)
    assert (await again.position()).mark == (await Demo(watch).position()).mark, "seeded: always the same"


async def test_a_fresh_house_says_what_it_is_and_shows_bots_that_play(inn: Inn) -> None:
    guest = inn.guest()
    page = await guest.page("/")
    text = text_of(page)
    assert "Citadels is a card game" in text
    assert "Flora" in text
    assert 'href="/me/new"' in page
    assert "Bots are playing" in text
    assert inn.house.store.read_now(lambda tx: tx.count(Game)) == 0, "kept nowhere"
    assert "The cards" in text_of(await guest.page("/demo"))
    assert "Thief" in text_of(await guest.page("/demo/cards"))
    status, _, headers = await guest.get("/?show=over")
    assert (status, headers["Location"]) == (301, "/tables?show=over")
    assert (await guest.get("/?show=nothing"))[0] == 404
    portuguese = await guest.get("/", **{"Accept-Language": "pt-BR"})
    assert "Citadels é um jogo de cartas" in portuguese[1]


async def test_tables_to_join_come_first_and_only_those_with_a_free_seat(inn: Inn) -> None:
    house = inn.house
    await house.say(ANA, f"new classic 3 seats {FLAT}")
    await house.say(ANA, f"new classic 3 seats invite {FLAT}")
    await house.say(ANA, f"new classic 2 seats with 1 bot {FLAT}")
    page = await inn.guest().page("/")
    assert 'href="/me/1"' in page
    assert 'href="/me/2"' not in page
    assert 'href="/me/3"' not in page, "all seats are taken"
    assert page.index("Open to join") < page.index("Bots are playing")
    game = await table(house, PEOPLE)
    house.clock.pass_(seconds=3)
    page = await inn.guest().page("/")
    assert f"Table #{game}" in text_of(page)
    assert "Bots are playing" not in page, "people do"
    assert 'href="/demo"' in page


async def test_only_so_many_pages_hear_of_the_moves(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.web.demo.LISTENERS", 2)
    live = inn.house.referee.live
    streams = [await live.demo(), await live.demo()]
    assert None not in streams
    assert (await inn.guest().get("/demo/events"))[0] == 404
    for one in streams:
        assert one is not None
        one.close()
    again = await live.demo()
    assert again is not None
    again.close()
    assert inn.house.referee.pages.demo.listeners == 0


@pytest.mark.parametrize(("size", "dark"), [((390, 844), False), ((1280, 900), True)])
async def test_the_bots_move_by_themselves_and_wait_for_somebody_who_reads(
    inn: Inn, browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    inn.house.referee.pages.demo.pace_s = 0.4
    await inn.house.say(ANA, f"new deluxe 4 seats {FLAT}")
    async with surfing(browser, size, dark=dark) as surf:
        page = surf.page
        await page.goto(f"{inn.url}/")
        demo_part = page.locator("#demo")
        news = demo_part.locator(".news")
        before = str(await news.text_content())
        await expect(news).not_to_have_text(before)
        await demo_part.locator(".track summary").first.click()
        told = demo_part.locator(".told").first
        await expect(told).to_be_visible()
        before = str(await demo_part.text_content())
        await asyncio.sleep(1)  # two moves' time
        await expect(told).to_be_visible()
        assert await demo_part.text_content() == before
        await demo_part.locator(".track summary").first.click()
        await page.get_by_role("heading", level=1).click()
        before = str(await news.text_content())
        await expect(news).not_to_have_text(before)
        assert await overflow(page) <= 0
        assert await faults(page) == []
        assert (surf.complaints, surf.strangers) == ([], [])
