"""Comments below a step on the pages: written on one's own, read on everybody's; in a real browser, too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from referee.store import StepComment
from tests.service.playing import rows, table, to_the_end
from tests.service.web.browser import overflow, surfing
from tests.service.web.running_site import Guest, Inn, lodging
from tests.service.web.site import text_of
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
PEOPLE = ["telegram:ana", "matrix:bea", "telegram:cy"]
PHONE = (390, 844)


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    """A house in which a game of three was played to its end."""
    async with lodging(tmp_path) as one:
        game = await table(one.house, PEOPLE)
        await to_the_end(one.house, game, PEOPLE)
        yield one


async def written(guest: Guest, step: int, text: str) -> str:
    """Write below a step; the page that comes back."""
    form = await guest.form(f"/me/1/step/{step}")
    data = [("form", form["form"]), ("order", f"comment {step}"), ("order", text)]
    status, _, headers = await guest.post(f"/me/1/step/{step}", data)
    assert status == 303
    assert headers["Location"].startswith(f"/me/1/step/{step}?since=")
    return await guest.page(headers["Location"])


async def test_a_comment_is_written_on_ones_own_page_and_read_on_every_other(inn: Inn) -> None:
    ana, bea = await inn.signed_in(PEOPLE[0]), await inn.signed_in(PEOPLE[1])
    before = await ana.page("/t/1/step/5")
    assert "Comments" not in before
    page = await written(ana, 5, "why not <i>here</i>? build Market")
    assert "It stands below step 5" in text_of(page)
    await written(ana, 5, "second")
    await written(bea, 7, "mine")
    public = await ana.page("/t/1/step/5")  # the page that was kept is not shown again
    assert "<p>why not &lt;i&gt;here&lt;/i&gt;? build Market</p>" in public
    assert "Take it away" not in public
    assert "2 comments" in public
    assert 'Commented steps: <a href="/t/1/step/5">5</a>, <a href="/t/1/step/7">7</a>' in public
    theirs = await bea.page("/me/1/step/5")
    assert theirs.count("Take it away") == 0
    assert "second" in text_of(theirs)
    mine = await ana.page("/me/1/step/5")
    assert mine.count("Take it away") == 2
    number = rows(inn.house, StepComment, order="id")[0].id
    page = await ana.send("/me/1/step/5", await ana.form("/me/1/step/5"), order=f"hide {number}")
    assert f"Comment {number} of game #1 is gone." in text_of(page)
    public = await bea.page("/t/1/step/5")
    assert "why not" not in public
    assert "second" in public


async def test_what_was_refused_stands_in_the_box_again(inn: Inn) -> None:
    ana = await inn.signed_in(PEOPLE[0])
    page = await written(ana, 5, "long " * 200)
    assert "too long to pass on" in text_of(page)
    box = page.split("<textarea", 1)[1].split(">", 1)[1].split("</textarea>")[0]
    assert box.startswith("long long")
    assert rows(inn.house, StepComment) == []


async def test_whom_one_has_muted_one_does_not_read(inn: Inn) -> None:
    ana, bea = await inn.signed_in(PEOPLE[0]), await inn.signed_in(PEOPLE[1])
    await written(ana, 5, "hello there")
    assert "hello there" in await bea.page("/me/1/step/5")
    await inn.house.say(PEOPLE[1], "mute Ana #1")
    quiet = await bea.page("/me/1/step/5")
    assert "hello there" not in quiet
    assert "Commented steps" not in quiet


async def test_a_table_without_talk_has_no_box(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, PEOPLE[:2], command="new classic talk off")
        await to_the_end(inn.house, game, PEOPLE[:2])
        ana = await inn.signed_in(PEOPLE[0])
        assert "<textarea" not in await ana.page("/me/1/step/5")


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
async def test_on_a_phone_by_tapping_and_typing(inn: Inn, browser: Browser, script: bool) -> None:
    async with (
        surfing(browser, PHONE, has_touch=True, java_script_enabled=script) as surf,
    ):
        page = surf.page
        await page.goto(inn.url + await inn.link(PEOPLE[0]))
        await page.locator("main button").tap()
        await page.wait_for_url("**/me")
        await page.goto(f"{inn.url}/t/1/step/5")
        await page.get_by_role("link", name="From my seat").tap()
        await page.wait_for_url("**/me/1/step/5")
        box = page.get_by_role("textbox", name="Say something about this position")
        await box.fill("what a move")
        await page.get_by_role("button", name="Say it").tap()
        await page.get_by_text("It stands below step 5").wait_for()
        assert await page.locator(".said li").count() == 1
        if script:  # in the box the arrow keys move in the text
            await box.fill("ab")
            await box.press("ArrowLeft")
            await box.press("ArrowLeft")
            assert "/step/5" in page.url
            assert await overflow(page) <= 0
            assert await faults(page) == []
        await page.get_by_role("link", name="Next").tap()
        await page.wait_for_url("**/me/1/step/6")
        await page.get_by_role("link", name="5", exact=True).first.tap()
        await page.wait_for_url("**/me/1/step/5")
        await page.get_by_role("button", name="Take it away").tap()
        await page.get_by_text("is gone.").wait_for()
        assert await page.locator(".said li").count() == 0
        assert surf.complaints == []
