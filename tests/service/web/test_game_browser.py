"""Two people play a deluxe game on phones, by tapping alone: one in English with scripts, one in Portuguese
without. Nothing moves under the thumb, nothing is complained of, no request fails. In `make soak` they tap in
every round, and in other pairings, too; at a push in the first round and the last ones, else they type.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Request, Response, expect

from referee.service.web import live
from tests.seeds import ALL
from tests.service.playing import asked, greedy, running, state, table
from tests.service.web.browser import Surf, surfing
from tests.service.web.running_site import ANA, BEA, Inn, lodging
from tests.service.web.test_board_browser import PHONE, let_in

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
PEOPLE = [ANA, BEA]
#: a game ends long before
MOST_TAPS = 900
#: played by tapping at a push, before the last ones
FIRST_ROUNDS = 1
#: sum of what moved on one page without having been asked to, as Chromium counts it; a tenth is called good
MOST_SHIFT = 0.02
#: what may be answered now: each order, whether it hurts, and how many cards are in the hand
OFFERED = """() => ({
  orders: [...document.querySelectorAll('button[name=order][form=act]:not(.harm)')].map((one) => one.value),
  menus: document.querySelectorAll('a.button[href*="way="]').length,
  hand: document.querySelectorAll('.hand > li').length,
  asked: !!document.querySelector('.ask.mine'), over: !!document.querySelector('table.score'),
  shift: window.moved || 0, shifted: window.movers || []})"""
#: what moved, and which elements those were
MOVED = """window.moved = 0; window.movers = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) {
    window.moved += one.value;
    window.movers.push(...one.sources.map((s) => String(s.node && (s.node.className || s.node.nodeName))));
  }
}).observe({ type: 'layout-shift', buffered: true });"""


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Inn]:
    monkeypatch.setattr(live, "_GATHER", 0.02)
    async with lodging(tmp_path) as one:
        yield one


class Player(NamedTuple):
    """Somebody at a phone: what it speaks, whether it runs scripts, and what failed there."""

    surf: Surf
    language: str
    script: bool
    failed: list[str]

    @property
    def page(self) -> Page:
        return self.surf.page


def listened(surf: Surf, language: str, script: bool) -> Player:
    """A player of whose requests those that fail are kept; one that its own page gave up, as it was left, has
    not.
    """
    found = Player(surf, language, script, [])

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":
            found.failed.append(f"{request.url} {request.failure}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            found.failed.append(f"{response.url} {response.status}")

    surf.page.on("requestfailed", failed)
    surf.page.on("response", answered)
    return found


def chosen(offered: dict[str, Any], dice: random.Random) -> str:
    """By plain rules: build, else take gold or cards, now and then use an ability, else end; "" for none."""
    orders = [one for one in offered["orders"] if one != "undo"]
    first = [one for one in orders if one.startswith("build ")]
    if not first:
        wish = "cards" if offered["hand"] < 2 else "gold"
        first = [one for one in orders if one == wish] or [one for one in orders if one in ("cards", "gold")]
    if not first and dice.random() < 0.6:
        first = [one for one in orders if one != "end"]
    return dice.choice(first or [one for one in orders if one == "end"] or orders or [""])


async def typed_on(inn: Inn, game: int) -> None:
    """They type instead, in a chat, until somebody has nearly completed a city."""
    number = 0
    while max(len(one.city) for one in state(inn.house, game).players) < state(inn.house, game).goal - 2:
        await inn.house.say(PEOPLE[asked(inn.house, game)], f"#{game} {greedy(inn.house, game, number)}")
        number += 1
    assert running(inn.house, game).round > FIRST_ROUNDS + 1


async def offered_on(page: Page) -> dict[str, Any]:
    """What may be answered, once all of the page is there: a tap is over when the next begins to arrive."""
    await page.wait_for_load_state("domcontentloaded")
    found: dict[str, Any] = await page.evaluate(OFFERED)
    return found


async def tapped(page: Page, order: str) -> None:
    """Tap an answer; what it lies in is opened by tapping, too."""
    button = page.locator(f'button[name=order][form=act][value="{order}"]:not(.harm)').first
    folds = button.locator("xpath=ancestor::details[not(@open)]")
    while await folds.count():
        await folds.first.locator("summary").first.click()
    await button.click()


@pytest.mark.whole_games
@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("en", True), ("pt-br", False)),
        pytest.param(("pt-br", True), ("en", False), marks=pytest.mark.soak),
        pytest.param(("en", True), ("en", True), marks=pytest.mark.soak),
        pytest.param(("pt-br", False), ("pt-br", False), marks=pytest.mark.soak),
    ],
    ids=lambda way: f"{way[0]}{'' if way[1] else ' no script'}",
)
async def test_two_people_play_a_whole_game_by_tapping(
    inn: Inn, browser: Browser, one: tuple[str, bool], two: tuple[str, bool]
) -> None:
    game = await table(inn.house, PEOPLE, command="new deluxe")
    dice, taps, most = random.Random(2), 0, 0.0
    async with (
        surfing(browser, PHONE, java_script_enabled=one[1]) as light,
        surfing(browser, PHONE, dark=True, java_script_enabled=two[1]) as dark,
    ):
        players = [listened(light, *one), listened(dark, *two)]
        for who, player in zip(PEOPLE, players, strict=True):
            await inn.house.say(who, f"language {player.language}")
            await let_in(inn, player.surf, who)
            if player.script:
                await player.page.add_init_script(MOVED)
            await player.page.goto(f"{inn.url}/me/{game}")
        while running(inn.house, game).status == "running":
            if not ALL and running(inn.house, game).round == FIRST_ROUNDS + 1:
                for player in players:  # nobody looks meanwhile
                    await player.page.goto("about:blank")
                await typed_on(inn, game)
                for player in players:
                    await player.page.goto(f"{inn.url}/me/{game}")
            player = players[asked(inn.house, game)]
            if player.script:  # it hears by itself that it is asked
                await player.page.wait_for_selector(".ask.mine")
            else:
                await player.page.locator(f'a[href$="/me/{game}"]').first.click()
            offered = await offered_on(player.page)
            while offered["asked"]:
                most = max(most, offered["shift"])
                assert most <= MOST_SHIFT, offered["shifted"]
                order, taps = chosen(offered, dice), taps + 1
                inn.house.clock.pass_(seconds=5)  # faster than that nobody taps
                assert taps < MOST_TAPS
                if order:
                    await tapped(player.page, order)
                else:
                    await player.page.locator('a.button[href*="way="]').first.click()
                offered = await offered_on(player.page)
        for player in players:
            if not player.script:
                await player.page.locator(f'a[href$="/me/{game}"]').first.click()
            await expect(player.page.locator("table.score")).to_be_visible()
            assert (await offered_on(player.page))["shift"] <= MOST_SHIFT
            said = await player.page.locator("html").get_attribute("lang")
            assert said == {"en": "en", "pt-br": "pt-BR"}[player.language]
            assert (player.surf.complaints, player.surf.strangers, player.failed) == ([], [], [])
