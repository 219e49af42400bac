"""Pages of leagues in a real browser, on a phone and on a desktop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.service.league import ledger
from tests.service.web.browser import DESKTOP, PHONE, overflow, surfing
from tests.service.web.site import Standing, standing

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
NAMES = (*ledger.NAMES[:8], *ledger.ODD, "Wolfeschlegelsteinhausenbergerdorff the Magnificent Elder of Dun")
PATHS = (
    "/l",
    "/l/1",
    "/l/1/schedule",
    "/l/1/schedule?round=1",
    "/l/1/strength",
    "/l/1/hall",
    "/p/9",
    "/l/1?division=2",
)


@pytest_asyncio.fixture(loop_scope="session")
async def site(tmp_path: Path) -> AsyncIterator[Standing]:
    async with standing(tmp_path) as one:
        yield one


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_league_pages_fit_and_their_pictures_are_there(
    site: Standing, browser: Browser, size: tuple[int, int]
) -> None:
    await site.house.store.write(
        lambda tx: ledger.write(tx, names=NAMES, divisions=2, rounds=4, played=3, games=True)
    )
    async with surfing(browser, size, dark=size == PHONE) as surf:
        pictures = 0
        for path in PATHS:
            await surf.page.goto(site.url + path)
            await surf.page.evaluate(
                "Promise.all([...document.images].map(one => { one.loading = 'eager'; "
                "return one.decode(); }))"
            )
            assert await overflow(surf.page) == 0, path
            assert await surf.page.evaluate(
                "[...document.images].every(one => one.naturalWidth == 360 && one.alt.length > 20)"
            ), path
            assert await surf.page.evaluate(
                "[...document.querySelectorAll('table')].every(one => one.caption && "
                "one.querySelectorAll('th:not([scope])').length == 0)"
            ), path
            assert await surf.page.locator("h1").count() == 1
            pictures += await surf.page.locator("img").count()
        assert pictures == 6
        assert surf.complaints == []
        assert surf.strangers == []


async def test_a_league_is_reached_with_the_keyboard(site: Standing, browser: Browser) -> None:
    await site.house.store.write(lambda tx: ledger.write(tx))
    async with surfing(browser) as surf:
        await surf.page.goto(site.url + "/")
        await surf.page.get_by_role("link", name="Leagues").focus()
        await surf.page.keyboard.press("Enter")
        await surf.page.get_by_role("link", name="Winter Cup").focus()
        await surf.page.keyboard.press("Enter")
        await surf.page.get_by_role("link", name="Schedule").focus()
        await surf.page.keyboard.press("Enter")
        await surf.page.wait_for_url("**/l/1/schedule")
        assert await surf.page.get_by_role("link", name="Leagues").get_attribute("aria-current") == "page"
