"""A game step by step in a real browser: by keys, swipes, the slider, and without JavaScript by links alone;
on a phone and on a desktop, light and dark.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.service.playing import table, to_the_end
from tests.service.web.browser import overflow, surfing
from tests.service.web.site import Standing, standing
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.whole_games]
PEOPLE = ["telegram:ana", "matrix:bea", "telegram:cy"]
PHONE, DESK = (390, 844), (1280, 900)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Standing]:
    """A house in which a game of three was played to its end."""
    folder: Path = tmp_path_factory.mktemp("replay")
    # one house for all tests of the file: the seeds that each test is given come too late for it
    async with standing(folder, seeds=lambda size: b"\1" * size) as one:
        game = await table(one.house, PEOPLE, command="new deluxe")
        await to_the_end(one.house, game, PEOPLE)
        yield one


async def step_of(page: Page) -> int:
    """The step that the page's title names."""
    return int((await page.title()).split(" step ")[1].split(" ")[0])


async def swipe(page: Page, by: int, down: int = 0, at: str = "#told") -> None:
    """One finger goes that far to the right and down, as a phone reports it."""
    box = await page.locator(at).first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    cdp = await page.context.new_cdp_session(page)
    await cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    await cdp.send(
        "Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by, "y": y + down}]}
    )
    await cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await cdp.detach()


async def test_arrow_keys_go_by_steps_and_by_rounds(site: Standing, browser: Browser) -> None:
    async with surfing(browser, DESK) as surf:
        page = surf.page
        await page.goto(f"{site.url}/t/1/step/5")
        for key, url in (
            ("ArrowRight", "**/step/6"),
            ("ArrowRight", "**/step/7"),
            ("ArrowLeft", "**/step/6"),
        ):
            await page.keyboard.press(key)
            await page.wait_for_url(url)
        await page.keyboard.press("Shift+ArrowRight")
        await page.wait_for_url(lambda url: not url.endswith("/step/6"))
        assert await page.get_by_role("heading", name="Round 2, step by step").is_visible()
        await page.keyboard.press("Shift+ArrowLeft")
        await page.wait_for_url("**/step/1")
        await page.keyboard.press("ArrowLeft")  # there is nothing before
        await page.keyboard.press("Control+ArrowRight")  # somebody else's
        await page.keyboard.press("ArrowRight")
        await page.wait_for_url("**/step/2")
        await page.go_back()
        assert await step_of(page) == 1
        assert surf.complaints == []


async def test_a_swipe_goes_by_a_step_and_scrolling_does_not(site: Standing, browser: Browser) -> None:
    async with surfing(browser, PHONE, has_touch=True, is_mobile=True) as surf:
        page = surf.page
        await page.goto(f"{site.url}/t/1/step/5")
        # straight: a finger that goes down scrolls, too, and the page behind the link rolls on
        await swipe(page, -90)
        await page.wait_for_url("**/step/6")
        await page.evaluate("scrollTo({ top: 120, behavior: 'instant' })")
        # a finger may take the page a little along: what counts is where it let go
        await page.evaluate("addEventListener('touchend', () => sessionStorage.setItem('left', scrollY))")
        await swipe(page, 90, at=".board .player")
        await page.wait_for_url("**/step/5")
        left, now = await page.evaluate("[Number(sessionStorage.getItem('left')), scrollY]")
        assert 0 < left == now  # the board stays where it was
        await page.evaluate("addEventListener('click', one => { self.pressed = 1; one.preventDefault(); })")
        for by, down in ((-60, 80), (-30, 0), (60, -50)):
            await swipe(page, by, down)
        assert await page.evaluate("self.pressed") is None
        await swipe(page, -60, 20)
        assert await page.evaluate("self.pressed") == 1
        assert surf.complaints == []


async def test_the_slider_goes_anywhere_and_tells_where(site: Standing, browser: Browser) -> None:
    async with surfing(browser, DESK) as surf:
        page = surf.page
        await page.goto(f"{site.url}/t/1/step/5")
        slider = page.get_by_role("slider", name="Step")
        last = int(await slider.get_attribute("max") or 0)
        marks = await page.locator("#marks option").evaluate_all("all => all.map(one => +one.value)")
        assert len(marks) > 3
        assert marks[0] == 1
        assert marks == sorted(marks)
        await slider.evaluate(
            "one => { one.value = 40; one.dispatchEvent(new Event('input', {bubbles: true})); }"
        )
        assert await page.locator("output").inner_text() == "40"
        assert await step_of(page) == 5  # nothing is asked for while it is still being moved
        await slider.focus()
        await page.keyboard.press("End")
        await page.wait_for_url(f"**/step/{last}")
        assert await page.get_by_role("button", name="Go").count() == 0
        assert await page.locator(".ways li span").all_inner_texts() == ["Next", "Last"]
        assert await page.get_by_role("table", name="Final score").is_visible()


async def test_without_javascript_links_and_a_button_do_the_same(site: Standing, browser: Browser) -> None:
    async with surfing(browser, PHONE, java_script_enabled=False) as surf:
        page = surf.page
        await page.goto(f"{site.url}/t/1/step/5")
        await page.get_by_role("link", name="Next").click()
        assert await step_of(page) == 6
        await page.get_by_role("link", name="Round 2").first.click()
        assert await page.get_by_role("heading", name="Round 2, step by step").is_visible()
        await page.get_by_role("link", name="Previous").click()
        assert await page.get_by_role("heading", name="Round 1, step by step").is_visible()
        await page.get_by_role("button", name="Go").click()  # the slider as it stands
        assert "/history?step=" in page.url
        here = await step_of(page)
        link = await page.get_by_role("link", name="Link to this step").get_attribute("href")
        assert link == f"/t/1/step/{here}"
        assert surf.complaints == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desktop"])
async def test_the_page_fits_and_the_ways_on_are_under_the_thumb(
    site: Standing, browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    async with surfing(browser, size, dark=dark) as surf:
        page = surf.page
        for step in (1, 30, 60):
            await page.goto(f"{site.url}/t/1/step/{step}")
            assert await overflow(page) <= 0
            assert await faults(page) == []
            asked = await page.evaluate("performance.getEntriesByType('resource').length")
            assert asked <= 5  # style, script, icon, emblems: nothing is loaded ahead
        ways = await page.locator(".ways").bounding_box()
        assert ways is not None
        if size == PHONE:
            assert ways["y"] + ways["height"] == PHONE[1]
            assert ways["height"] < 130
            player = await page.locator(".board .player").last.bounding_box()
            assert player is not None
            assert player["y"] + player["height"] < ways["y"]  # the whole table is on the first screen
            await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            foot = await page.locator("footer").bounding_box()
            assert foot is not None
            assert foot["y"] + foot["height"] <= ways["y"]  # nothing is hidden for good
        assert surf.strangers == []
        assert surf.complaints == []


async def test_in_portuguese_it_is_the_same(site: Standing, browser: Browser) -> None:
    async with surfing(browser, PHONE, locale="pt-BR") as surf:
        page = surf.page
        await page.goto(f"{site.url}/t/1/step/5")
        await page.get_by_role("link", name="Próximo").click()
        await page.wait_for_url("**/step/6")
        assert "passo 6" in await page.title()
        assert await page.get_by_role("slider", name="Passo").is_visible()
