"""A table from nothing to its first question by tapping alone, on a phone, with and without a script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from referee.store import Game
from tests.service.playing import running
from tests.service.web.browser import Surf, overflow, surfing
from tests.service.web.running_site import ANA, BEA, Inn, lodging
from tests.service.web.test_board_browser import let_in
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
PHONE = (390, 844)
#: letters twice as large
LARGE = "document.documentElement.style.fontSize = '200%'"


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        for who in (ANA, BEA):
            await one.house.say(who, "hello")
        yield one


async def sound(surf: Surf) -> None:
    """What is shown is as wide as the window, is said to everybody, and asked nobody else."""
    assert await overflow(surf.page) <= 0
    assert await faults(surf.page) == []
    assert (surf.complaints, surf.strangers) == ([], [])


async def tap(page: Page, name: str) -> None:
    """The button of that name, where there is one."""
    await page.get_by_role("button", name=name, exact=True).click()


def newest(inn: Inn) -> int:
    """The number of the last table."""
    return int(inn.house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0].id)


@pytest.mark.parametrize("script", [True, False])
async def test_a_table_is_opened_filled_and_begun_by_tapping(
    inn: Inn, browser: Browser, script: bool
) -> None:
    async with surfing(browser, PHONE, java_script_enabled=script) as surf:
        page = surf.page
        await let_in(inn, surf, ANA)
        await page.goto(f"{inn.url}/")
        await page.get_by_role("link", name="New table").click()
        await page.get_by_label("Players, bots among them").select_option("3 players")
        if script:
            await sound(surf)
        await tap(page, "Open the table")
        game = newest(inn)
        await expect(page.get_by_role("heading", name=f"Table #{game}")).to_be_visible()
        await expect(page.get_by_role("list", name="Seats").get_by_role("listitem")).to_have_count(3)
        await tap(page, "I am ready")
        await tap(page, "Add a steady bot")
        await expect(page.get_by_text("Everybody here is ready")).to_be_visible()
        if script:
            await sound(surf)
        assert running(inn.house, game).status == "lobby"
        await tap(page, "Start the game")
        assert running(inn.house, game).status == "running"
        await expect(page.get_by_role("region", name="Your cards")).to_be_visible()


@pytest.mark.parametrize(("size", "dark"), [(PHONE, True), ((1280, 900), False)])
async def test_an_invitation_is_followed_by_one_tap_in_portuguese(
    inn: Inn, browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    await inn.house.say(ANA, "new deluxe vicious nobles 5 seats invite")
    await inn.house.say(BEA, "language pt-br")
    async with surfing(browser, size, dark=dark) as surf:
        page = surf.page
        await let_in(inn, surf, ANA)
        await page.goto(f"{inn.url}/me/1")
        link = await page.get_by_label("Anyone with this address").input_value()
        await page.get_by_text("Settings").click()
        await sound(surf)
        # the address and its button, and that which signs out, had lain outside
        for path in ("/me/1", "/me"):
            await page.goto(inn.url + path)
            await page.evaluate(LARGE)
            assert await overflow(page) <= 0, path
    async with surfing(browser, size, dark=dark, locale="pt-BR") as surf:
        page = surf.page
        await let_in(inn, surf, BEA)
        await page.goto(link)
        await sound(surf)
        await page.get_by_role("link", name="Entrar").click()
        await tap(page, "Entrar")
        await expect(page.get_by_role("list", name="Lugares").get_by_text("Bea")).to_be_visible()
        await sound(surf)
