"""The page of a seat as a game: on a phone its first screen holds what is asked, the hand and all cities, for
two to eight players; answers lie on the cards that they are about, and need no script.
"""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from referee.text.lexicon import lexicon
from tests.seeds import ALL
from tests.service.playing import asked, legal, running, state, table, to_the_end
from tests.service.web.browser import Surf, overflow, surfing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.shown_states import drawn, played
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.whole_games]
PEOPLE = [f"telegram:{name}" for name in ("ana", "bea", "caio", "dee", "eva", "fred", "gil", "hugo")]
PHONE, DESKTOP = (390, 844), (1280, 900)
#: bytes of a page, requests with all that it asks for, screens that it is long
HEAVIEST, REQUESTS, SCREENS = 35_000, 10, 2.5
#: the sign of a page in the browser's tab
TAB = re.compile("/static/(icon|turn)-")
#: what is looked at besides the first question, by the number of players
STATES = {4: ("draft", "turn"), 5: ("draft", "turn")[: 2 if ALL else 1], 8: ("draft", "keep", "turn")}
#: where the bar at the bottom begins
BAR = "document.querySelector('.thumb').getBoundingClientRect().top"
#: links of the bar that lie under what takes an order back, or outside
COVERED = """() => [...document.querySelectorAll('.thumb a')].filter((one) => {
  if (!one.checkVisibility()) return false;
  const box = one.getBoundingClientRect();
  return [box.left + 2, box.right - 2].some((x) => !one.contains(document.elementFromPoint(x, box.top + 20)));
}).map((one) => one.textContent)"""
#: what is tapped but is less than 44 pixels high, or much narrower, to the thumb
SMALL = """() => [...document.querySelectorAll('main :is(button, summary, a.button, .thumb a)')]
  .filter((one) => {
  if (!one.checkVisibility()) return false;
  one.scrollIntoView({block: 'center', behavior: 'instant'});
  const box = one.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  const hit = (dy) => one.contains(document.elementFromPoint(x, y + dy));
  let tall = 0;
  for (let dy = -43; dy <= 43; dy++) tall += hit(dy);
  return box.width < 36 || tall < 43;
}).map((one) => `${one.closest('[class]').className} ${one.textContent.trim()}`)"""
#: words for the ear alone in a row of cards that is wider than the screen, which they would widen
ESCAPED = """() => [...document.querySelectorAll('.hand .unseen')]
  .filter((one) => !one.offsetParent.closest('.hand')).map((one) => one.textContent)"""
#: how far down the question, the hand and the cities reach
BOTTOMS = """() => ['.ask', '.mine-cards', '.seats'].map(
  (one) => Math.round(document.querySelector(one).getBoundingClientRect().bottom))"""


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


async def let_in(inn: Inn, surf: Surf, who: str) -> None:
    """Give a window the cookie of somebody who has signed in."""
    guest = await inn.signed_in(who)
    cookie = next(iter(guest.session.cookie_jar))
    await surf.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": inn.url}])


async def opened(inn: Inn, surf: Surf, path: str, status: int = 200) -> tuple[int, int]:
    """Show a page: how many bytes it has, and how many requests it took.  The stream of what happens, and the
    sign in the tab, are asked for about when all is there: before it or behind it, as the machine has time.
    """
    requests: list[Any] = []

    def asks(request: Any) -> None:
        if request.resource_type != "eventsource" and not TAB.search(request.url):
            requests.append(request)

    surf.page.on("request", asks)
    answer = await surf.page.goto(inn.url + path)
    assert answer is not None
    assert answer.status == status
    await surf.page.wait_for_load_state("load")
    surf.page.remove_listener("request", asks)
    return len(await answer.body()), len(requests)


#: labels of the character row that need more room than they have, or more than two lines of it
CRAMPED = """() => [...document.querySelectorAll('.track .label')].filter((one) =>
  one.scrollWidth > one.clientWidth || one.clientHeight > 2.3 * parseFloat(getComputedStyle(one).lineHeight)
).map((one) => one.textContent)"""


async def to_harm(inn: Inn, game: int, people: list[str]) -> None:
    """Play until somebody may destroy a district of another's and has one to lose, with some cities begun."""
    dice = random.Random(3)
    for _ in range(900):
        orders = legal(inn.house, game)
        me = asked(inn.house, game)
        targets = [one for one in orders if one.startswith("destroy ")]
        own = [one for one in targets if one.split()[1] == people[me].split(":")[1].capitalize()]
        if running(inn.house, game).round >= 4 and own and len(targets) > len(own):
            return
        builds = [one for one in orders if one.startswith("build ")]
        quiet = [one for one in orders if not one.startswith("destroy ")]
        await inn.house.say(people[me], f"#{game} {dice.choice(builds or quiet or orders)}")
    raise AssertionError("nobody could destroy anything")


async def test_the_first_screen_holds_question_hand_and_cities(inn: Inn, browser: Browser) -> None:
    """Two to eight who pick; the turn of one of four, five and eight with most to choose from, a Warlord, in
    Portuguese, too; and one of eight who chooses among drawn cards. The bar at the bottom hides none of it.
    All numbers of players in `make soak`; at a push the fewest, five, and all of it with the most.
    """
    for count in range(2, 9) if ALL else (2, 5, 8):
        people = PEOPLE[:count]
        game = await table(inn.house, people, command="new deluxe")
        for name in STATES.get(count, ("draft",)):
            if name == "turn":
                await to_harm(inn, game, people)
            elif name == "keep":
                await played(inn.house, game, people, drawn)
            async with surfing(browser, PHONE, dark=name == "turn") as surf:
                await let_in(inn, surf, people[asked(inn.house, game)])
                weight, requests = await opened(inn, surf, f"/me/{game}")
                bottoms = await surf.page.evaluate(BOTTOMS)
                assert bottoms == sorted(bottoms), (name, count)
                assert bottoms[-1] <= await surf.page.evaluate(BAR), (name, count, bottoms)
                height = await surf.page.evaluate("document.documentElement.scrollHeight")
                assert height <= SCREENS * PHONE[1], (name, count, height)
                assert weight <= HEAVIEST, (name, count, weight)
                assert requests <= REQUESTS, (name, count, requests)
                assert await overflow(surf.page) <= 0
                assert await surf.page.evaluate(ESCAPED) == [], (name, count)
                assert await surf.page.locator(".track summary").first.is_visible(), (name, count)
                assert await surf.page.evaluate(SMALL) == [], (name, count)
                assert await faults(surf.page) == []
                assert (surf.complaints, surf.strangers) == ([], [])
                if name == "turn":
                    await inn.house.say(people[asked(inn.house, game)], "language pt-br")
                    await opened(inn, surf, f"/me/{game}")
                    bottoms = await surf.page.evaluate(BOTTOMS)
                    assert bottoms[-1] <= await surf.page.evaluate(BAR), ("pt", count, bottoms)
                    assert await surf.page.evaluate(COVERED) == [], count
                    weight, requests = await opened(inn, surf, f"/t/{game}")
                    bottom = await surf.page.evaluate(BOTTOMS.replace("'.mine-cards', ", ""))
                    assert bottom[-1] <= PHONE[1]
                    assert (weight <= HEAVIEST, requests <= REQUESTS) == (True, True)


@pytest.mark.parametrize("language", ["en", "pt_BR"])
async def test_no_character_is_cut_in_its_row(inn: Inn, browser: Browser, language: str) -> None:
    """Any of them may stand in a row of nine, on a phone."""
    await table(inn.house, PEOPLE[:4], command="new deluxe")
    lex = lexicon(language)
    async with surfing(browser, PHONE) as surf:
        await opened(inn, surf, "/t/1")
        names = [lex.short(name) for name in lex.keys("characters")]
        await surf.page.evaluate(
            """(names) => {
                const row = document.querySelector('.track'), one = row.firstElementChild;
                for (let at = 0; at < names.length; at += 9) {
                    const next = row.cloneNode(false);
                    for (const name of names.slice(at, at + 9)) {
                        const item = one.cloneNode(true);
                        item.querySelector('.label').textContent = name;
                        next.append(item);
                    }
                    row.before(next);
                }
            }""",
            names,
        )
        assert len(names) == await surf.page.locator(".track .label").count() - 8
        assert await surf.page.evaluate(CRAMPED) == []


async def test_the_end_shows_the_board_before_the_charts_and_the_numbers(inn: Inn, browser: Browser) -> None:
    people = PEOPLE[:3]
    game = await table(inn.house, people)
    await to_the_end(inn.house, game, people)
    async with surfing(browser, PHONE) as surf:
        await let_in(inn, surf, people[0])
        for path in (f"/me/{game}", f"/t/{game}"):
            await opened(inn, surf, path)
            board, score, chart = await surf.page.evaluate(
                """['.board', '.score', '.pictures'].map(
                    (one) => document.querySelector(one).getBoundingClientRect().top)"""
            )
            assert 0 < board < chart < score, path
            assert await faults(surf.page) == []
            assert await overflow(surf.page) <= 0


#: by how much a page has moved by itself since it was opened; what stands below a list that grows may
SHIFTED = """() => new Promise((done) => {
  const sum = (list) => done(list.getEntries().reduce((all, one) => all + one.value, 0));
  new PerformanceObserver(sum).observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(0), 300);
})"""
STILL = 0.02  # the districts beside a gap close up, after each of several orders


@pytest.mark.parametrize("moves", ["no-preference", "reduce"])
async def test_what_just_happened_is_shown_where_it_happened(inn: Inn, browser: Browser, moves: str) -> None:
    """A page that is open marks gold that came, a new district and the gap of one that is gone; nothing else
    moves by it, and nothing at all for who wants no movement.
    """
    people = PEOPLE[:4]
    game = await table(inn.house, people, command="new classic")
    await to_harm(inn, game, people)
    async with surfing(browser, PHONE, reduced_motion=moves) as surf:
        page = surf.page
        await opened(inn, surf, f"/t/{game}")
        fresh = page.locator(".new, .gone, dd[data-by]")
        await expect(fresh).to_have_count(0)
        orders = legal(inn.house, game)
        victim = next(
            one
            for one in orders
            if one.startswith("destroy ") and one.split()[1] not in people[asked(inn.house, game)].title()
        )
        loser = page.locator(".player", has_text=victim.split()[1])
        me = people[asked(inn.house, game)]
        mine = page.locator(".player", has_text=me.split(":")[1].title())
        before = state(inn.house, game).players[asked(inn.house, game)].gold
        await inn.house.say(me, f"#{game} gold")
        await expect(mine.locator(".gold dd")).to_have_attribute("data-by", "+2")
        await expect(fresh).to_have_count(1)
        moving = await mine.locator(".gold dd").evaluate("(one) => getComputedStyle(one).animationName")
        assert moving == ("glow" if moves == "no-preference" else "none")
        assert state(inn.house, game).players[asked(inn.house, game)].gold == before + 2
        await inn.house.say(me, f"#{game} {victim}")
        await expect(loser.locator(".gap.gone")).to_have_count(1)
        while not any(one.startswith("build ") for one in legal(inn.house, game)):
            orders = legal(inn.house, game)
            await inn.house.say(
                people[asked(inn.house, game)], f"#{game} {'gold' if 'gold' in orders else orders[-1]}"
            )
        order = next(one for one in legal(inn.house, game) if one.startswith("build "))
        builder = people[asked(inn.house, game)].split(":")[1].title()
        await inn.house.say(people[asked(inn.house, game)], f"#{game} {order}")
        await expect(page.locator(".player", has_text=builder).locator(".tile.new")).to_have_count(1)
        await expect(page.locator(".tile.new")).to_have_count(1)
        assert await page.evaluate(SHIFTED) < STILL
        assert await overflow(page) <= 0
        assert (surf.complaints, surf.strangers) == ([], [])


async def test_a_district_is_tapped_and_destroyed_without_a_script(inn: Inn, browser: Browser) -> None:
    people = PEOPLE[:4]
    game = await table(inn.house, people, command="new classic")
    await to_harm(inn, game, people)
    me = asked(inn.house, game)
    async with surfing(browser, PHONE, java_script_enabled=False) as surf:
        page = surf.page
        await let_in(inn, surf, people[me])
        await opened(inn, surf, f"/me/{game}")
        own = page.locator(".player.me .tile.hit").first
        await own.locator("summary").first.click()
        warning = own.get_by_text("stands in your own city")
        assert not await warning.is_visible()  # asked once more
        await own.locator(".sure > summary").click()
        assert await warning.is_visible()
        await own.locator("summary").first.click()  # closed again: it lies over the row below
        tile = page.locator(".player:not(.me) .tile.hit").first
        button = tile.get_by_role("button", name="Destroy")
        await tile.locator("summary").click()
        order = str(await button.get_attribute("value"))
        assert order in legal(inn.house, game)
        before = sum(len(one.city) for one in state(inn.house, game).players)
        await button.click()
        await expect(page.get_by_role("region", name="Answer")).to_contain_text(f"Done: {order}")
        assert sum(len(one.city) for one in state(inn.house, game).players) == before - 1


async def test_a_card_of_the_hand_is_built_and_taken_back(inn: Inn, browser: Browser) -> None:
    people = PEOPLE[:2]
    game = await table(inn.house, people, command="new classic")
    dice = random.Random(1)
    while not any(one.startswith("build ") for one in legal(inn.house, game)):
        orders = legal(inn.house, game)
        gold = [one for one in orders if one == "gold"]
        await inn.house.say(people[asked(inn.house, game)], dice.choice(gold or orders))
    me = asked(inn.house, game)
    async with surfing(browser, DESKTOP) as surf:
        page = surf.page
        await let_in(inn, surf, people[me])
        await opened(inn, surf, f"/me/{game}")
        sides = await page.evaluate(
            "['.play', '.board'].map((one) => document.querySelector(one).getBoundingClientRect().left)"
        )
        assert sides[1] > sides[0] + 400  # two columns
        hand = page.get_by_role("list", name="Your hand")
        button = hand.get_by_role("button", name="Build").first
        order = str(await button.get_attribute("value"))
        await expect(button).to_have_accessible_name(order.replace("build", "Build"))
        await button.click()
        await expect(page.locator(".player.me .tile.new")).to_have_count(
            1
        )  # also where the page is loaded anew
        await expect(page.get_by_role("region", name="Answer")).to_contain_text(order)
        await page.get_by_role("region", name="Now:").get_by_role("button", name="Take back").click()
        await expect(page.locator(".player.me .tile")).to_have_count(0)
        assert not state(inn.house, game).players[me].city
        assert (surf.complaints, surf.strangers) == ([], [])


#: a district that two have, by the words of its card: the second of them gets the focus
SECOND_OF_TWO = """() => {
  const all = [...document.querySelectorAll('.player .tile summary')];
  const one = all.find((one, at) => all.slice(0, at).some((other) => other.textContent === one.textContent));
  if (one) one.focus();
  return one ? one.closest('.player').querySelector('h3').textContent : '';
}"""
#: whose city the focus is in
IN_WHOSE = "document.activeElement.closest('.player')?.querySelector('h3').textContent ?? ''"


async def test_a_reader_of_the_screen_hears_the_districts_of_a_city_and_no_empty_places(
    inn: Inn, browser: Browser
) -> None:
    """Five places without a word had followed them, of each of eight players."""
    people = PEOPLE[:3]
    game = await table(inn.house, people, command="new classic")
    async with surfing(browser, PHONE) as surf:
        for built in (False, True):
            if built:
                await played(inn.house, game, people, lambda view: any(p["city"] for p in view["players"]))
            await opened(inn, surf, f"/t/{game}")
            for no, one in enumerate(state(inn.house, game).players):
                city = surf.page.locator(".player").nth(no).get_by_role("list").last
                heard = city.get_by_role("listitem")
                await expect(heard).to_have_count(len(one.city) or 1)
                if not one.city:
                    await expect(heard).to_have_text("No districts yet.")


def two_alike(view: dict[str, Any]) -> bool:
    """Whether two have built the same district."""
    built = [one["name"] for player in view["players"] for one in player["city"]]
    return len(set(built)) < len(built)


#: the width of the outline of what has the focus, and how many cards lie open
FOCUSED = (
    "[getComputedStyle(document.activeElement).outlineWidth, document.querySelectorAll('[open]').length]"
)


async def test_the_focus_stays_in_the_same_city_when_the_page_renews_itself(
    inn: Inn, browser: Browser
) -> None:
    """Where two have the same district it had gone to the first of them. A card that is opened by the
    keyboard shows the focus still, and is closed by it from within.
    """
    people = PEOPLE[:4]
    game = await table(inn.house, people, command="new classic")
    await played(inn.house, game, people, two_alike)
    async with surfing(browser, DESKTOP) as surf:
        page = surf.page
        await opened(inn, surf, f"/t/{game}")
        whose = await page.evaluate(SECOND_OF_TWO)
        assert whose
        stream = await page.get_attribute("main", "data-live")
        await inn.house.say(people[asked(inn.house, game)], f"#{game} {legal(inn.house, game)[0]}")
        await expect(page.locator("main")).not_to_have_attribute("data-live", str(stream))
        assert await page.evaluate(IN_WHOSE) == whose
        seen = await page.evaluate(FOCUSED)
        await page.locator(".track summary").first.focus()
        await page.keyboard.press("Enter")
        assert await page.evaluate(FOCUSED) == [seen[0], 1]
        await page.keyboard.press("Tab")
        await page.keyboard.press("Escape")
        assert await page.evaluate(FOCUSED) == seen
        await expect(page.locator(".track summary").first).to_be_focused()
