"""Every kind of page in a real browser: nothing that axe finds, by day and by night; light, in few requests,
and there within a second on a slow line.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page

from tests.seeds import ALL, PART
from tests.service.playing import asked, table
from tests.service.web.browser import overflow, surfing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.shown_states import PEOPLE, states
from tests.service.web.test_board_browser import HEAVIEST, PHONE, REQUESTS, let_in, opened
from tests.service.web.test_game_browser import MOST_SHIFT, MOVED, OFFERED

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
#: pages that are long lists by nature may weigh more
LONG = {"cards": 60_000, "history": 60_000}
#: the slow line of Lighthouse: milliseconds there and back, bytes a second
LATENCY_MS, THROUGHPUT = 150, 1_600_000 / 8
SLOW = {
    "offline": False,
    "latency": LATENCY_MS,
    "downloadThroughput": THROUGHPUT,
    "uploadThroughput": THROUGHPUT,
}
#: what it may add until the largest thing is painted, and how often that is tried
PAINTED_MS, TRIES = 800, 4
PAINTED = """new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))"""
axe = Axe()


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


async def violations(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds: its rule, and the elements."""
    # else it describes what is right, too
    found = await axe.run(page, options={"resultTypes": ["violations"]})
    return [
        (one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found.response["violations"]
    ]


@pytest.mark.whole_games
async def test_axe_finds_nothing_on_any_page_and_all_are_light(inn: Inn, browser: Browser) -> None:
    wrong: list[object] = []
    number = PART
    async for shown in states(inn):
        number += 1  # one page by day, the next by night; in long runs each in both
        schemes = ("light", "dark") if ALL else (("light", "dark")[number % 2],)
        # a colour that is still on its way from one scheme to the other is none
        async with surfing(browser, PHONE, reduced_motion="reduce") as surf:
            await surf.page.add_init_script(MOVED)
            if shown.who:
                await let_in(inn, surf, shown.who)
            weight, requests = await opened(inn, surf, shown.path, 403 if shown.name == "signed-out" else 200)
            for scheme in schemes:
                await surf.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                wrong += [(shown.name, scheme, one) for one in await violations(surf.page)]
            moved = (await surf.page.evaluate(OFFERED))["shift"]
            heaviest = LONG.get(shown.name, HEAVIEST)
            if (
                weight > heaviest
                or requests > REQUESTS
                or moved > MOST_SHIFT
                or await overflow(surf.page) > 0
            ):
                wrong.append((shown.name, weight, requests, moved, await overflow(surf.page)))
            wrong += [(shown.name, one) for one in surf.complaints + surf.strangers if "403" not in one]
    assert not wrong, "\n".join(map(str, wrong))


async def test_axe_is_asked(inn: Inn, browser: Browser) -> None:
    async with surfing(browser, PHONE) as surf:
        await surf.page.goto(inn.url + "/")
        await surf.page.evaluate("document.querySelector('main a').innerHTML = '<img src=\"/icon\">'")
        assert "image-alt" in [rule for rule, _ in await violations(surf.page)]


async def painted(inn: Inn, browser: Browser, who: str, path: str, *, slow: bool) -> float:
    """After how many milliseconds the largest thing of a page was there, with nothing kept from before; the
    best of some tries, as others use the machine, too.
    """
    found = []
    for _ in range(TRIES):
        async with surfing(browser, PHONE) as surf:
            if who:
                await let_in(inn, surf, who)
            if slow:
                line = await surf.context.new_cdp_session(surf.page)
                await line.send("Network.enable")
                await line.send("Network.emulateNetworkConditions", SLOW)
            await opened(inn, surf, path)
            found.append(await surf.page.evaluate(PAINTED))
    return float(min(found))


async def test_the_largest_thing_is_painted_within_a_second_on_a_slow_line(
    inn: Inn, browser: Browser
) -> None:
    """What the line adds, as this machine may be busy: that leaves a phone a fifth of the second."""
    game = await table(inn.house, PEOPLE, command="new deluxe")
    pages = ((PEOPLE[asked(inn.house, game)], f"/me/{game}"), ("", f"/t/{game}"), ("", "/"))
    for who, path in pages if ALL else pages[:1]:  # the heaviest
        added = [await painted(inn, browser, who, path, slow=slow) for slow in (True, False)]
        assert LATENCY_MS <= added[0] - added[1] <= PAINTED_MS, (path, added)
