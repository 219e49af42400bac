"""A seat's page in a real browser: the link, the hand, orders by button and by box, other pages that hear of
it; by keyboard alone, without JavaScript, on a phone, light and dark.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from referee.service.web import live
from referee.store import Seat
from tests.service.playing import asked, legal, running, state, table, turn_to
from tests.service.web.browser import DESKTOP, PHONE, overflow, surfing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]
#: what is said first to somebody who is not asked
OTHERS = re.compile("has the turn|picks a character")
expect.set_options(timeout=30_000)  # a machine that is busy with other tests


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Inn]:
    monkeypatch.setattr(live, "_GATHER", 0.02)
    async with lodging(tmp_path) as one:
        yield one


async def enter(inn: Inn, page: Page, who: str, game: int) -> None:
    """Open the link of a letter and press its button."""
    await page.goto(inn.url + await inn.link(who, f"web #{game}"))
    await page.get_by_role("button", name="Sign in as").click()
    await expect(page).to_have_url(f"{inn.url}/me/{game}")


#: whether a page shows the table as it is now
UP_TO_DATE = """async () => {
  const now = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const shown = document.getElementById("main");
  return shown !== null && now.getElementById("main").dataset.live === shown.dataset.live;
}"""


async def up_to_date(page: Page) -> None:
    """Wait until nothing that has happened will still change the page under the reader's hands."""
    async with asyncio.timeout(30):
        while not await page.evaluate(UP_TO_DATE):
            await asyncio.sleep(0.02)


async def test_a_turn_is_played_and_another_page_hears_of_it(inn: Inn, browser: Browser) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    async with (
        surfing(browser) as one,
        surfing(browser, PHONE, dark=True) as two,
        surfing(browser) as stranger,
    ):
        await enter(inn, one.page, PEOPLE[seat], game)
        await enter(inn, two.page, PEOPLE[1 - seat], game)
        await stranger.page.goto(f"{inn.url}/t/{game}")
        for no, surf in ((seat, one), (1 - seat, two)):
            hand = surf.page.get_by_role("list", name="Your hand")
            for card in state(house, game).names(state(house, game).players[no].hand):
                await expect(hand).to_contain_text(card)
        await expect(two.page.get_by_role("heading", name=OTHERS)).to_be_visible()
        await expect(one.page).to_have_title(f"● Your turn · Table #{game} · Citadels")
        await expect(two.page).to_have_title(f"Table #{game} · Citadels")
        await two.page.get_by_label("Orders, a plan").fill(
            "always prefer K"
        )  # still typing when the news comes
        await two.page.get_by_label("Orders, a plan").focus()
        first = one.page.get_by_role("region", name="Now:").locator(".answers").get_by_role("button").first
        order = await first.get_attribute("value")
        assert order in legal(house, game)
        await first.click()
        await expect(one.page.get_by_role("region", name="Answer")).to_contain_text(f"Done: {order}")
        assert running(house, game).move_no > 0
        while asked(house, game) == seat:
            await one.page.get_by_label("Orders, a plan").fill(legal(house, game)[0])
            await one.page.get_by_role("button", name="Send").click()
            await expect(one.page.get_by_role("region", name="Answer")).to_contain_text("Done:")
        # nobody touched the other pages
        await expect(two.page.get_by_role("heading", name=re.compile("^Now:"))).to_be_visible()
        await expect(two.page.get_by_label("Orders, a plan")).to_have_value("always prefer K")
        await expect(two.page.get_by_label("Orders, a plan")).to_be_focused()
        # read aloud: what has happened, and what is asked now
        await expect(two.page.get_by_role("status")).to_contain_text("Now: ")
        await expect(stranger.page.locator(".player.asked")).to_contain_text(
            house.store.read_now(lambda tx: [s.name for s in tx.all(Seat, game_id=game, order="no")])[
                1 - seat
            ]
        )
        await expect(stranger.page.get_by_role("list", name="Your hand")).to_have_count(0)
        for surf in (one, two, stranger):
            assert (surf.complaints, surf.strangers) == ([], [])
            assert await overflow(surf.page) <= 0


async def test_a_page_that_nobody_looks_at_gives_its_line_back(inn: Inn, browser: Browser) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)

    async def listeners(count: int) -> None:
        async with asyncio.timeout(30):
            while house.referee.live.listeners != count:
                await asyncio.sleep(0.02)

    hide = (
        "hidden => { Object.defineProperty(document, 'hidden', {get: () => hidden, configurable: "
        "true}); document.dispatchEvent(new Event('visibilitychange')); }"
    )
    async with surfing(browser) as surf:
        await enter(inn, surf.page, PEOPLE[1 - seat], game)
        await listeners(1)
        await surf.page.evaluate(hide, True)
        await turn_to(house, game, PEOPLE, 1 - seat)  # what it is told now finds nobody
        await listeners(0)
        await expect(surf.page.get_by_role("heading", name=OTHERS)).to_be_visible()
        await surf.page.evaluate(hide, False)
        await expect(surf.page.get_by_role("heading", name=re.compile("^Now:"))).to_be_visible()
        await listeners(1)
        assert surf.complaints == []


async def test_a_page_outlasts_a_house_that_is_away_for_a_moment(inn: Inn, browser: Browser) -> None:
    """A web server before the house says 502 while it starts anew, and a browser gives up such a stream; the
    page itself may be refused as well, and says nothing of the table then.
    """
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    # what a worker asks for can't be answered in its stead
    async with surfing(browser, service_workers="block") as surf:
        await surf.page.add_init_script("const wait = setTimeout; setTimeout = (f, ms) => wait(f, ms / 50);")
        await enter(inn, surf.page, PEOPLE[1 - seat], game)
        await surf.page.get_by_label("Orders, a plan").fill("prefer Ki")
        refused = {"events": 0, "page": 0}

        async def bad_gateway(route: Route) -> None:
            which = "events" if "/events" in route.request.url else "page"
            refused[which] += 1
            await route.fulfill(status=502, body="<main id=main>Bad Gateway</main>", content_type="text/html")

        for path in ("**/me/*/events*", f"**/me/{game}"):
            await surf.context.route(path, bad_gateway)
        for stream in [one for many in house.referee.live._streams.values() for one in many]:
            stream.tell(None)  # the line is cut
        async with asyncio.timeout(30):
            while not refused["events"] or refused["page"] < 2:
                await asyncio.sleep(0.02)
        await turn_to(house, game, PEOPLE, 1 - seat)
        await expect(surf.page.get_by_label("Orders, a plan")).to_have_value("prefer Ki")
        await surf.context.unroute_all()
        await expect(surf.page.get_by_role("heading", name=re.compile("^Now:"))).to_be_visible()
        await expect(surf.page.get_by_label("Orders, a plan")).to_have_value("prefer Ki")
        await turn_to(house, game, PEOPLE, seat)  # and it hears what comes, as before
        await expect(surf.page.get_by_role("heading", name=OTHERS)).to_be_visible()
        assert [one for one in surf.complaints if "502" not in one and "Service Worker" not in one] == []


async def test_links_in_chats_lead_in_from_other_sites(inn: Inn, browser: Browser) -> None:
    """A mail program on the web, or a chat: its page links to ours, and must not be able to do more than
    that.
    """
    house = inn.house
    game = await table(house, PEOPLE)
    link = inn.url + await inn.link(ANA)
    async with surfing(browser) as surf:
        page = surf.page

        async def follow(to: str) -> None:
            await page.goto("about:blank")
            await page.set_content(f'<a href="{to}">look</a>')
            await page.get_by_role("link").click()

        await follow(link)
        await page.get_by_role("button", name="Sign in as").click()
        await expect(page.get_by_role("heading", name="Your tables")).to_be_visible()
        await expect(page.get_by_role("link", name=f"Table #{game}")).to_be_visible()
        await follow(f"{inn.url}/me/{game}")
        await expect(page.get_by_text("You come from another site")).to_be_visible()
        await page.get_by_role("link", name="Show my page").click()
        await expect(page.get_by_role("list", name="Your hand")).to_be_visible()
        form = await page.locator('input[name="form"]').first.get_attribute("value")
        # even with a form's token in their hands
        for action in (
            f"{inn.url}/me/{game}",
            f"{inn.url}/me/out",
        ):
            await page.goto("about:blank")
            await page.set_content(
                f'<form method="post" action="{action}"><input name="form" value="{form}"><input '
                f'name="order" value="{legal(house, game)[0]}"><button>win</button></form>'
            )
            await page.get_by_role("button").click()
            await expect(page.get_by_role("heading", name="Nothing was done")).to_be_visible()
        assert running(house, game).move_no == 0
        await page.goto(f"{inn.url}/me/{game}")
        await expect(page.get_by_role("list", name="Your hand")).to_be_visible()


async def test_by_keyboard_alone(inn: Inn, browser: Browser) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    async with surfing(browser) as surf:
        page = surf.page
        await page.goto(inn.url + await inn.link(PEOPLE[seat], f"web #{game}"))

        async def tab_to(name: str, most: int = 30) -> None:
            for _ in range(most):
                await page.keyboard.press("Tab")
                if name in await page.evaluate(
                    "document.activeElement.innerText || document.activeElement.id"
                ):
                    return
            raise AssertionError(name)

        await tab_to("Skip to the content", 1)
        await tab_to("Sign in as")
        await page.keyboard.press("Enter")
        await expect(page).to_have_url(f"{inn.url}/me/{game}")
        await up_to_date(page)
        await tab_to("Skip to the content", 1)
        await page.keyboard.press("Enter")
        label = (
            await page.get_by_role("region", name="Now:")
            .locator(".answers")
            .get_by_role("button")
            .first.inner_text()
        )
        await tab_to(label, 2)  # the first answer comes next, after the button that ends a newcomer's hints
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("Done:")
        moves = running(house, game).move_no
        assert moves > 0
        await turn_to(house, game, PEOPLE, 1 - seat)
        await turn_to(house, game, PEOPLE, seat)
        await page.reload()
        await up_to_date(page)
        moves = running(house, game).move_no
        await tab_to("order")
        await page.keyboard.type(legal(house, game)[0])
        await tab_to("Send", 1)
        await page.keyboard.press("Space")
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("Done:")
        assert running(house, game).move_no > moves


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
async def test_after_an_order_the_next_one_is_a_tab_away(
    inn: Inn, browser: Browser, size: tuple[int, int], script: bool
) -> None:
    """One had to begin anew at the top of the page; what stands above is in sight all the same."""
    house = inn.house
    game = await table(house, PEOPLE)
    while "gold" not in legal(house, game):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    async with surfing(browser, size, java_script_enabled=script) as surf:
        page = surf.page
        await enter(inn, page, PEOPLE[asked(house, game)], game)
        order = page.locator('button[name=order][value="gold"]').first
        await order.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("gold")
        await page.wait_for_load_state()  # browsers go to the place that an address names only then
        await page.keyboard.press("Tab")
        here = page.get_by_role("region", name="Now:").locator(":focus")
        await expect(here).to_have_count(1)
        assert await page.evaluate("scrollY") == 0


async def test_words_that_are_being_written_outlast_the_box_that_they_stand_in(
    inn: Inn, browser: Browser
) -> None:
    """Anyone who was signed out elsewhere while they wrote lost them; what they saw of the table goes."""
    house = inn.house
    game = await table(house, PEOPLE)
    async with surfing(browser) as surf:
        page = surf.page
        await enter(inn, page, ANA, game)
        await up_to_date(page)
        box = page.locator("#order")
        await box.fill("say a long speech")
        await house.say(ANA, "web off")
        await expect(page.locator("main .seats")).to_have_count(0)
        await expect(box).to_have_value("say a long speech")
        await expect(box).not_to_be_editable()
        await expect(box).to_have_accessible_name("Orders, a plan, or words to the table")
        assert await faults(page) == []


async def test_a_tab_that_nobody_looks_at_says_when_it_is_ones_turn(inn: Inn, browser: Browser) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    async with surfing(browser) as surf:
        await surf.page.clock.install()
        await enter(inn, surf.page, PEOPLE[1 - seat], game)
        await expect(surf.page).to_have_title(f"Table #{game} · Citadels")
        icon = await surf.page.get_attribute("link[rel=icon]", "href")
        await surf.page.evaluate(
            "Object.defineProperty(document, 'hidden', { get: () => true });"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
        while asked(house, game) == seat:
            await house.say(PEOPLE[seat], legal(house, game)[0])
        await surf.page.clock.run_for(125_000)
        await expect(surf.page).to_have_title(f"● Your turn · Table #{game} · Citadels")
        assert await surf.page.get_attribute("link[rel=icon]", "href") != icon


async def test_without_javascript_all_works(inn: Inn, browser: Browser) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    async with surfing(browser, java_script_enabled=False) as surf:
        page = surf.page
        await enter(inn, page, PEOPLE[seat], game)
        await page.get_by_role("region", name="Now:").locator(".answers").get_by_role("button").first.click()
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("Done:")
        await turn_to(house, game, PEOPLE, 1 - seat)
        await page.get_by_role("link", name="Look again").click()
        await expect(page.get_by_role("heading", name=OTHERS)).to_be_visible()
        await page.get_by_role("button", name="Plan ahead").click()
        answer = page.get_by_role("region", name="Answer")
        await expect(answer).to_be_visible()
        await answer.get_by_role("button").first.click()
        await expect(answer).to_be_visible()
        await page.get_by_role("link", name="All your tables").click()
        await expect(page.get_by_role("heading", name="Your tables")).to_be_visible()
        await page.get_by_role("button", name="Sign out everywhere").click()
        await expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
        await page.goto(f"{inn.url}/me/{game}")
        await expect(page.get_by_text("nobody is signed in")).to_be_visible()
        assert surf.strangers == []


async def test_it_fits_a_phone_and_can_be_read_aloud(inn: Inn, browser: Browser) -> None:
    house = inn.house
    people = [ANA, BEA, "terminal:cy", "telegram:dan"]
    game = await table(house, people, command="new deluxe random")
    await turn_to(house, game, people, 1)
    who = people[asked(house, game)]
    await house.say(who, "always prefer King, Bishop")
    for size, dark in ((PHONE, True), (DESKTOP, False)):
        async with surfing(browser, size, dark=dark) as surf:
            await surf.page.goto(inn.url + await inn.link(who))
            assert await overflow(surf.page) <= 0
            assert await faults(surf.page) == []
            await surf.page.get_by_role("button", name="Sign in as").click()
            for path in ("/me", f"/me/{game}"):
                await surf.page.goto(inn.url + path)
                await surf.page.fill(
                    "#order", "buld the palace with some words that are rather long for a phone"
                )
                await surf.page.get_by_role("button", name="Send").click()
                await expect(surf.page.get_by_role("region", name="Answer")).to_be_visible()
                assert await overflow(surf.page) <= 0
                assert await faults(surf.page) == []
                small = await surf.page.eval_on_selector_all(
                    "main button", "all => all.filter(one => one.getBoundingClientRect().height < 44).length"
                )
                assert small == 0
            assert (surf.complaints, surf.strangers) == ([], [])
