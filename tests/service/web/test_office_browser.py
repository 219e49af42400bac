"""An organiser runs a whole season of twenty-four people on a phone, by tapping and filling in forms: no
command is typed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from referee.store import Season, TableResult
from tests.service.league import seasons
from tests.service.web.browser import Surf, overflow, surfing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.site import text_of
from tests.service.web.test_board_browser import PHONE, let_in

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
BOSS, DORA, EDU = "telegram:boss", "telegram:dora", "telegram:edu"
PLAYERS = [f"telegram:player{number}" for number in range(24)]


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path, admins=(("telegram", "boss"),)) as one:
        for who in (BOSS, DORA, EDU, *PLAYERS):
            await one.house.say(who, "hello")
        await one.house.say(BOSS, "league new Winter Cup")
        for who in ("dora", "edu"):
            await one.house.say(BOSS, f"league role {who} director")
        yield one


async def act(page: Page, label: str, **fields: str) -> str:
    """Do an act of the office: open its form, fill it in, look at what comes of it, do it. What was shown
    first.

    fields: by the name of a field's kind, what is chosen or written.
    """
    await page.goto(page.url.split("?")[0].removesuffix("/preview"))
    folded = page.locator("details.act", has=page.locator("summary", has_text=label)).first
    if await folded.count():
        for fold in await page.locator("details.later").all():
            if await fold.locator("summary", has_text=label).count():
                await fold.locator("summary").first.click()
        await folded.locator("summary").click()
        form = folded.locator("form")
        for name, value in fields.items():
            field = form.get_by_label(name, exact=False).first
            if await field.evaluate("(one) => one.tagName") == "SELECT":
                option = field.locator("option", has_text=value).first
                await field.select_option(await option.get_attribute("value"))
            else:
                await field.fill(value)
        await form.locator("button").click()
    else:
        await page.locator("form.act button", has_text=label).first.click()
    await page.wait_for_url("**/preview")
    assert await overflow(page) == 0
    shown = text_of(await page.content())
    assert "This would happen" in shown, shown
    await page.get_by_role("button", name="Do it").or_(page.get_by_role("button", name="Propose it")).click()
    await page.wait_for_url("**/office?since=*")
    return shown


async def rung(inn: Inn, hours: float = 0.1) -> None:
    """Time passes, and the office does what is due."""
    inn.house.clock.pass_(hours=hours)
    await inn.house.referee.scheduler.ring()
    await inn.house.settle()


async def at_the_office(inn: Inn, surf: Surf, who: str) -> Page:
    """From their own tables to the office, by tapping."""
    await let_in(inn, surf, who)
    await surf.page.goto(f"{inn.url}/me")
    await surf.page.get_by_role("main").get_by_role("link", name="Leagues").click()
    await surf.page.get_by_role("link", name="Run it").click()
    return surf.page


async def test_a_season_of_twenty_four_from_a_phone(inn: Inn, browser: Browser) -> None:
    async with surfing(browser, PHONE) as surf, surfing(browser, PHONE) as other:
        page = await at_the_office(inn, surf, DORA)
        second = await at_the_office(inn, other, EDU)
        for setting, value in (("early", "yes"), ("sizes", "4-6 wanted 6")):
            await act(page, "Change a setting", Setting=setting, New=value)
        assert "open for sign-up" in await act(page, "Open sign-up", Rounds="2")
        for who in PLAYERS:
            await inn.house.say(who, "league join")
        assert "24" in await act(page, "Draw")
        await rung(inn)
        await act(page, "Begin now")
        await rung(inn)
        await page.reload()
        assert "Tables under way" in text_of(await page.content())
        assert await page.locator("section[aria-labelledby=tables] li.card").count() == 4
        shown = await act(page, "Tell everybody", Words="Have a good first round!")
        assert "people are told at once" in shown
        await act(page, "Take points", Whom="Player3", Points="1", Why="late three times")
        seasons.play_round(inn.house)
        await rung(inn)
        await rung(inn)
        tables = seasons.tables(inn.house, "gathering")
        assert len(tables) == 4
        for table in tables:
            seasons.ready(inn.house, table)
        await rung(inn)
        for table in tables[1:]:
            seasons.play(inn.house, table)
        # a table that people have points from counts for nothing, if another official says so, too
        assert "takes two keys" in await act(
            page, "Let a table not count", Table="1:", Why="two of them helped each other"
        )
        await second.reload()
        await second.get_by_role("button", name="Agree: do it").click()
        await second.wait_for_url("**/office?since=*")
        # the last one is ended by its scores as they stand
        assert "is ruled" in await act(page, "Rule a table by its scores", Table=f"{tables[0].no}:")
        await seasons.ended(inn.house)
        await page.reload()
        assert "Season 1 is over" in text_of(await page.content())
        assert inn.house.store.read_now(lambda tx: tx.one(Season, id=1)).state == "over"
        assert inn.house.store.read_now(lambda tx: tx.count(TableResult)) == 42
        assert [*surf.complaints, *other.complaints, *surf.strangers] == []
