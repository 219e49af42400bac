"""Public pages in a real browser: on a phone and on a desktop, light and dark, with the keyboard alone, and
without JavaScript.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.seeds import covering
from tests.service.playing import asked, legal, running, table
from tests.service.web.browser import DESKTOP, PHONE, overflow, surfing
from tests.service.web.site import Standing, standing

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
PEOPLE = ["telegram:ana", "matrix:bea", "telegram:cy", "telegram:dan"]
#: what is looked at in each size and scheme
PATHS = (
    "/",
    "/tables?show=over",
    "/demo",
    "/demo/cards",
    "/t/1",
    "/t/1/cards",
    "/t/1/step/20",
    "/t/2",
    "/t/2/history",
    "/t/3",
    "/t/99",
)


#: the book of the house below, once somebody has played there
BOOK: list[bytes] = []


@pytest_asyncio.fixture(loop_scope="session")
async def played(tmp_path: Path) -> AsyncIterator[Standing]:
    """A table in the middle of its game, one that has ended, one that gathers; a long name among them."""
    if not BOOK:
        async with standing(tmp_path) as site:
            await play(site)
        BOOK.append((tmp_path / "referee.db").read_bytes())
    (tmp_path / "referee.db").write_bytes(BOOK[0])
    async with standing(tmp_path) as site:
        yield site


async def play(site: Standing) -> None:
    """The three tables."""
    house = site.house
    await table(house, PEOPLE, command="new deluxe")
    dice = random.Random(1)
    for _ in range(40):
        choices = legal(house, 1)
        await house.say(
            PEOPLE[asked(house, 1)],
            f"#1 {dice.choice([one for one in choices if one.startswith('build')] or choices)}",
        )
    await table(house, PEOPLE[:3])
    while running(house, 2).status == "running":
        choices = legal(house, 2)
        await house.say(
            PEOPLE[asked(house, 2)],
            f"#2 {dice.choice([one for one in choices if one.startswith('build')] or choices)}",
        )
    await house.say("telegram:Wolfeschlegelsteinhausenbergerdorff", "new deluxe random 5 seats with 2 bots")


@pytest.mark.parametrize(("size", "dark"), covering([PHONE, DESKTOP], [False, True]))
async def test_pages_fit_and_ask_nobody_else(
    played: Standing, browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    async with surfing(browser, size, dark=dark) as surf:
        for path in PATHS:
            answer = await surf.page.goto(played.url + path)
            assert answer is not None
            assert await overflow(surf.page) <= 0, path
            assert await faults(surf.page) == [], path
        ground = await surf.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, ground[4:-1].split(","))) < 200) == dark
        assert surf.strangers == []
        assert len(surf.complaints) == 1  # the page that is not there, asked for on purpose
        assert "404" in surf.complaints[0]


#: what an audit would find: unnamed links, headings that jump, tables without caption or scope, ids twice,
#: things to tap that are too small
AUDIT = """() => {
  const found = [], all = (s) => [...document.querySelectorAll(s)];
  const heads = all('h1,h2,h3,h4').map(h => +h.tagName[1]);
  heads.forEach((h, n) => {
    if (n && h > heads[n - 1] + 1) found.push('heading ' + h + ' after ' + heads[n - 1]);
  });
  if (heads.filter(h => h == 1).length != 1) found.push('headings of the first order');
  for (const a of all('a,button'))
    if (!(a.textContent.trim() || a.getAttribute('aria-label'))) found.push('unnamed ' + a.outerHTML);
  for (const t of all('table')) if (!t.caption || all('table th:not([scope])').length) found.push('table');
  const ids = all('[id]').map(e => e.id); if (new Set(ids).size != ids.length) found.push('ids');
  if (all('main').length != 1 || !document.documentElement.lang || !document.title) found.push('frame');
  for (const n of all('nav')) if (!n.getAttribute('aria-label')) found.push('nav');
  for (const i of all('img,svg'))
    if (!i.getAttribute('alt') && i.getAttribute('aria-hidden') != 'true') found.push('picture');
  for (const e of all('[aria-labelledby]'))
    if (!document.getElementById(e.getAttribute('aria-labelledby'))) found.push('label');
  for (const l of all('ul,ol')) for (const c of l.children) if (c.tagName != 'LI') found.push('list');
  for (const b of all('.pages a, button, .button'))
    if (b.getClientRects().length && b.getBoundingClientRect().height < 24)
      found.push('small ' + b.textContent);
  for (const e of all('[style]')) found.push('style ' + e.outerHTML);
  for (const e of all('[onclick],[onload]')) found.push('handler');
  return found;
}"""


async def faults(page: Page) -> list[str]:
    # a page that was come to by a tap is measured when its style is there
    await page.wait_for_load_state()
    found: list[str] = await page.evaluate(AUDIT)
    return found


async def test_the_audit_finds_what_is_wrong(played: Standing, browser: Browser) -> None:
    async with surfing(browser) as surf:
        await surf.page.goto(played.url + "/t/2")
        await surf.page.evaluate(
            "() => { document.querySelector('caption').remove(); document.querySelector('h2').outerHTML = "
            "'<h4>x</h4>';"
            " document.querySelector('nav').removeAttribute('aria-label'); "
            "document.querySelector('a').textContent = ''; }"
        )
        assert {one.split()[0] for one in await faults(surf.page)} >= {"table", "heading", "nav", "unnamed"}


async def focused(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = await page.evaluate(
        "() => { const e = document.activeElement, b = e.getBoundingClientRect(), s = getComputedStyle(e);"
        " return {text: e.textContent.trim(), href: e.getAttribute('href'), seen: b.left >= 0 && b.width > "
        "0, ring: s.outlineStyle}; }"
    )
    return found


async def test_the_keyboard_alone_leads_anywhere(played: Standing, browser: Browser) -> None:
    async with surfing(browser) as surf:
        page = surf.page
        await page.goto(f"{played.url}/t/2/step/5")
        await page.keyboard.press("Tab")
        first = await focused(page)
        assert first["href"] == "#main"
        assert first["seen"]  # it comes into sight when it has the focus
        await page.keyboard.press("Enter")
        assert await page.evaluate("document.activeElement.id") == "main"
        reached = []
        for _ in range(8):
            await page.keyboard.press("Tab")
            at = await focused(page)
            assert at["ring"] == "solid"
            reached.append(at["text"])
        assert reached[:6] == ["Link to this step", "First", "Previous", "Next", "Round 2", ""]
        await page.goto(f"{played.url}/t/2/step/5")
        for _ in range(12):
            await page.keyboard.press("Tab")
            if (await focused(page))["text"] == "Next":
                break
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/t/2/step/6")
        assert "step 6 " in await page.title()


async def test_without_javascript_all_is_there(played: Standing, browser: Browser) -> None:
    async with surfing(browser, PHONE, java_script_enabled=False) as surf:
        await surf.page.goto(played.url)
        await surf.page.get_by_role("link", name="Table #1").click()
        assert await surf.page.get_by_role("heading", name="Table #1").is_visible()
        await surf.page.get_by_role("link", name="Step by step").click()
        await surf.page.get_by_role("link", name="Previous").click()
        assert "step" in await surf.page.title()
        assert await surf.page.get_by_role("heading", name="The table then").is_visible()
        assert surf.complaints == []


async def test_a_script_in_a_name_is_not_run_and_the_policy_would_not_let_it(
    played: Standing, browser: Browser
) -> None:
    from referee.store import Seat

    played.house.store.write_now(
        lambda tx: tx.change(
            Seat, {"game_id": 1, "no": 0}, name="<img src=x onerror=\"document.title='owned'\">"
        )
    )
    async with surfing(browser) as surf:
        await surf.page.goto(f"{played.url}/")
        assert "owned" not in await surf.page.title()
        assert "<img src=x" in await surf.page.inner_text("main")
        await surf.page.evaluate(
            "() => { const s = document.createElement('script'); s.textContent = 'document.title "
            '= "owned"\'; document.body.append(s); }'
        )
        assert "owned" not in await surf.page.title()
        assert any("Content Security Policy" in one for one in surf.complaints)


async def test_on_paper_stands_the_table_and_no_navigation(played: Standing, browser: Browser) -> None:
    async with surfing(browser) as surf:
        await surf.page.emulate_media(media="print")
        await surf.page.goto(f"{played.url}/t/1")
        assert not await surf.page.get_by_role("link", name="Step by step").is_visible()
        assert not await surf.page.locator(".top nav").is_visible()
        assert await surf.page.get_by_role("heading", name="Players").is_visible()


async def test_the_record_is_saved_as_a_file(played: Standing, browser: Browser, tmp_path: Path) -> None:
    async with surfing(browser) as surf:
        await surf.page.goto(f"{played.url}/t/2")
        async with surf.page.expect_download() as coming:
            await surf.page.get_by_role("link", name="Save the record").click()
        file = await coming.value
        assert file.suggested_filename == "citadels-2.txt"
        await file.save_as(tmp_path / "record.txt")
        assert (tmp_path / "record.txt").read_text(encoding="utf-8").startswith("citadels")
