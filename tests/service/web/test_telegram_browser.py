"""Telegram's page in a real browser: in Telegram's own apps, in the frame of its web client, and in a browser
that somebody was sent to.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from referee.store import WebSession
from tests.servers.botapi.mini_app import opened
from tests.service.playing import table
from tests.service.web.browser import PHONE, overflow, surfing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.test_public_browser import faults
from tests.service.web.test_telegram_app import PEOPLE, said, with_bot

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
expect.set_options(timeout=30_000)  # a machine that is busy with other tests
#: what Telegram's apps for phones and desks bring with them
PROXY = "window.TelegramWebviewProxy = {postEvent: (...event) => (window.told ||= []).push(event.join(' '))}"


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield with_bot(one)


def address(inn: Inn, game: int) -> str:
    return opened(f"{inn.url}/me/app?game={game}", said(inn))


async def secrets(page: Page) -> bool:
    """Whether what Telegram said still stands in the address."""
    return "tgWebAppData" in page.url


async def looked_at(page: Page) -> tuple[list[str], int]:
    """What is wrong with what is seen, and by how much it is too wide."""
    await page.evaluate("for (const one of document.querySelectorAll('main [hidden]')) one.remove()")
    return await faults(page), await overflow(page)


async def test_in_telegrams_own_apps_it_goes_on_at_once(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE)
    async with surfing(browser, PHONE) as surf:
        await surf.page.add_init_script(PROXY)
        await surf.page.goto(address(inn, game))
        await expect(surf.page).to_have_url(f"{inn.url}/me/{game}")
        await expect(surf.page.locator("h1")).to_contain_text(f"#{game}")
        await surf.page.reload()
        await expect(surf.page.locator("h1")).to_contain_text(f"#{game}")
        assert (surf.complaints, surf.strangers) == ([], [])
        await surf.page.goto(f"{inn.url}/me")
        assert "Telegram" in await surf.page.locator("#signed-in").inner_text()


async def test_in_another_browser_it_asks_first_as_whom(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE)
    async with surfing(browser, PHONE) as surf:
        await surf.page.goto(address(inn, game))
        await expect(surf.page.locator("#who")).to_contain_text("signed in as Ana.")
        assert not await secrets(surf.page)
        assert inn.house.store.read_now(lambda tx: tx.count(WebSession)) == 0
        await surf.page.get_by_role("button", name="Open the board").click()
        await expect(surf.page).to_have_url(f"{inn.url}/me/{game}")
        assert (surf.complaints, surf.strangers) == ([], [])
        await surf.page.goto(address(inn, game))
        assert await looked_at(surf.page) == ([], 0)


async def test_in_the_frame_of_telegrams_web_client_it_opens_a_tab(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE)
    async with surfing(browser, permissions=["local-network-access"]) as surf:
        frame = f'<iframe src="{address(inn, game)}" width="380" height="600"></iframe>'
        await surf.context.route(
            "https://web.telegram.org/**",
            lambda route: route.fulfill(body=frame, content_type="text/html"),
        )
        await surf.page.goto("https://web.telegram.org/a/")
        inside = surf.page.frame_locator("iframe")
        async with surf.context.expect_page() as tab:
            await inside.get_by_role("button", name="Open the board").click()
        page = await tab.value
        await expect(page).to_have_url(f"{inn.url}/me/{game}")
        await expect(page.locator("h1")).to_contain_text(f"#{game}")
        assert await page.evaluate("window.opener") is None


async def test_no_other_site_may_frame_it(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE)
    async with surfing(browser, permissions=["local-network-access"]) as surf:
        frame = f'<iframe src="{address(inn, game)}"></iframe>'
        await surf.context.route(
            "https://evil.example/**", lambda route: route.fulfill(body=frame, content_type="text/html")
        )
        await surf.page.goto("https://evil.example/")
        await surf.page.wait_for_timeout(300)
        assert await surf.page.frame_locator("iframe").locator("#enter").count() == 0
        assert any("frame-ancestors" in one for one in surf.complaints), surf.complaints


@pytest.mark.parametrize(
    "user", ['{"first_name":"<img src=x onerror=alert(1)>"}', "[", "null", '{"first_name":7}']
)
async def test_what_stands_in_the_address_is_text(inn: Inn, browser: Browser, user: str) -> None:
    async with surfing(browser, PHONE) as surf:
        await surf.page.goto(f"{inn.url}/me/app#tgWebAppData={quote('user=' + quote(user))}")
        button = surf.page.get_by_role("button", name="Open the board")
        await expect(button).to_be_visible()
        assert await surf.page.locator("main img").count() == 0
        await button.click()
        await expect(surf.page.locator("main")).to_contain_text("does not come from Telegram")
        assert surf.strangers == []


@pytest.mark.parametrize("script", [True, False])
async def test_opened_by_hand_it_says_what_to_do(inn: Inn, browser: Browser, script: bool) -> None:
    async with surfing(browser, PHONE, java_script_enabled=script) as surf:
        await surf.page.goto(f"{inn.url}/me/app?game=17")
        await expect(surf.page.locator("main")).to_contain_text("This page is opened by Telegram")
        await expect(surf.page.get_by_role("button", name="Open the board")).to_be_hidden()
        if script:
            assert await looked_at(surf.page) == ([], 0)
