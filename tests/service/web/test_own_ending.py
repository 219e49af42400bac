"""What stands on the pages of a table after the end: to play again with the same people, and to show it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.service.playing import running, table, to_the_end
from tests.service.web.browser import overflow, surfing
from tests.service.web.running_site import ANA, BEA, PEOPLE, Inn, lodging
from tests.service.web.site import text_of
from tests.service.web.test_board_browser import let_in
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


async def test_the_same_people_play_again_by_one_tap_and_the_game_is_shown_to_others(
    inn: Inn, browser: Browser
) -> None:
    game = await table(inn.house, PEOPLE)
    await to_the_end(inn.house, game, PEOPLE)
    bea = await inn.signed_in(BEA)
    page = await bea.page(f"/me/{game}")
    assert f'value="{inn.url}/t/{game}"' in page
    assert f'value="{inn.url}/t/{game}"' in await inn.guest().page(f"/t/{game}")
    async with surfing(browser, (390, 844)) as surf:
        await surf.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await let_in(inn, surf, ANA)
        await surf.page.goto(f"{inn.url}/me/{game}")
        assert await overflow(surf.page) <= 0
        assert await faults(surf.page) == []
        await surf.page.get_by_role("button", name="Copy").click()
        await expect(surf.page.get_by_role("button", name="Copied")).to_be_visible()
        copied = await surf.page.evaluate("navigator.clipboard.readText()")
        assert copied == f"{inn.url}/t/{game}"
        await surf.page.get_by_role("button", name="Play again").click()
        await expect(surf.page.get_by_role("heading", name=f"Table #{game + 1}")).to_be_visible()
        assert (surf.complaints, surf.strangers) == ([], [])
    assert running(inn.house, game + 1).status == "mustering"
    page = await bea.page(f"/me/{game}")
    assert f"To the rematch: table #{game + 1}" in text_of(page)
    assert "Play again" not in page
    await bea.send(f"/me/{game + 1}", await bea.form(f"/me/{game + 1}"), order=f"ready #{game + 1}")
    assert running(inn.house, game + 1).status == "running"
