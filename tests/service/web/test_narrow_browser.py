"""A narrow phone in Portuguese, whose words are longer: nothing is wider than the screen, no heading squeezes
out what stands beside it, a long name keeps its beginning, and what is tapped is high enough for a thumb.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.service.league import ledger
from tests.service.playing import asked, legal, table, to_the_end
from tests.service.web.browser import overflow, surfing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.test_board_browser import COVERED, SMALL, let_in, to_harm

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
PEOPLE = ["telegram:ana", "telegram:bea", "telegram:caio"]
#: how wide the narrowest line beside a heading is
BESIDE = "Math.min(...[...document.querySelectorAll('.heading p')].map((one) => one.clientWidth))"
#: which names are longer than their place, and those of which the first letter lies outside it
CUT = "[...document.querySelectorAll('.player h3')].map((one) => one.scrollWidth > one.clientWidth)"
BEGINS_OUTSIDE = """[...document.querySelectorAll('.player h3')].filter((one) => {
  const first = document.createRange(), place = one.getBoundingClientRect();
  const at = one.textContent.search(/\\p{L}/u);
  first.setStart(one.firstChild, at);
  first.setEnd(one.firstChild, at + 1);
  const box = first.getBoundingClientRect();
  return box.left < place.left - 1 || box.right > place.right + 1;
}).map((one) => one.textContent)"""
#: how wide what is to be known of the rows of a table is
NOTES = "[...document.querySelectorAll('tr.remark td[colspan]')].map((one) => one.clientWidth)"
#: mails that had been wider than a phone
LETTERS = Path(__file__).parents[2] / "text" / "pages"
MAILS = ("league_standings.html", "league_stats.html", "history-acts.html")
#: widths of phones
WIDTHS = (320, 360, 412)


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        for who in PEOPLE:
            await one.house.say(who, "hello")
            await one.house.say(who, "language pt-br")
        yield one


@pytest.mark.whole_games
async def test_a_step_of_a_game_fits_a_narrow_phone(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE, command="new deluxe")
    await to_the_end(inn.house, game, PEOPLE)
    for width in WIDTHS:
        async with surfing(browser, (width, 740), locale="pt-BR") as surf:
            await let_in(inn, surf, PEOPLE[0])
            for path in (f"/t/{game}/step/30", f"/t/{game}/history", f"/me/{game}/step/30"):
                await surf.page.goto(inn.url + path)
                assert await overflow(surf.page) <= 0, (width, path)
                assert await surf.page.evaluate(BESIDE) >= 80, (width, path)


async def test_a_long_name_is_cut_at_its_end_and_only_where_there_is_no_room(
    inn: Inn, browser: Browser
) -> None:
    """A name written from right to left had lost its first word."""
    for who, name in zip(PEOPLE, ("שלום עולם האביר הגדול", "Maximiliano Albuquerque", "Ana"), strict=True):
        await inn.house.say(who, f"name {name}")
    game = await table(inn.house, PEOPLE)
    for size, cut in (((360, 740), [True, True, False]), ((1280, 900), [False, False, False])):
        async with surfing(browser, size) as surf:
            await surf.page.goto(f"{inn.url}/t/{game}")
            assert await surf.page.evaluate(CUT) == cut
            assert await surf.page.evaluate(BEGINS_OUTSIDE) == []


async def test_what_is_tapped_on_the_page_of_a_league_is_high_enough(inn: Inn, browser: Browser) -> None:
    await inn.house.store.write(lambda tx: ledger.write(tx))
    async with surfing(browser, (360, 740)) as surf:
        await let_in(inn, surf, PEOPLE[0])
        await surf.page.goto(f"{inn.url}/me/l/1")
        assert await surf.page.evaluate(SMALL) == []
        assert await overflow(surf.page) <= 0


async def test_notes_of_standings_are_as_wide_as_the_table(inn: Inn, browser: Browser) -> None:
    """Beside a long name they had stood letter by letter, and a league of sixty was 19,000 pixels high."""
    names = [f"Maximiliano de Vasconcelos {number}" for number in range(16)]
    await inn.house.store.write(lambda tx: ledger.write(tx, names=names))
    async with surfing(browser, (360, 740), locale="pt-BR") as surf:
        await surf.page.goto(f"{inn.url}/l/1")
        wide = await surf.page.evaluate(NOTES)
        assert wide
        assert min(wide) >= 200
        assert await surf.page.evaluate("document.querySelector('table').clientHeight") <= 2_400
        assert await surf.page.evaluate("document.querySelector('table').clientWidth") <= 340, (
            "a column is hidden"
        )
        assert await overflow(surf.page) <= 0
        for name in MAILS:  # the same for those who read of it by mail
            await surf.page.goto((LETTERS / name).as_uri())
            assert await overflow(surf.page) <= 0, name


#: the most news that are counted in the bar of a long game
MUCH_NEWS = """() => {
  const link = document.querySelector('.thumb a[href="#news"]');
  link.textContent = link.textContent.replace(/[0-9]+/, '128');
}"""


#: letters twice as large; and which words of headings and buttons are cut in the middle then
LARGE = "document.documentElement.style.fontSize = '200%'"
BROKEN = """() => [...document.querySelectorAll('main :is(h1, h2, .answers button)')].flatMap((one) => {
  const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), found = [];
  while (text.nextNode()) for (const word of text.currentNode.data.matchAll(/\\S+/g)) {
    const range = document.createRange();
    range.setStart(text.currentNode, word.index);
    range.setEnd(text.currentNode, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) found.push(word[0]);
  }
  return found;
})"""


@pytest.mark.parametrize("language", ["en", "pt-br"])
async def test_nothing_in_the_bar_lies_under_what_takes_an_order_back(
    inn: Inn, browser: Browser, language: str
) -> None:
    """On many phones a tap on "Plan" took the last order back; and a hint, which the whole table is told of,
    lay there, too.
    """
    game = await table(inn.house, PEOPLE[:2], command="new classic advice")
    while "gold" not in legal(inn.house, game):
        await inn.house.say(PEOPLE[asked(inn.house, game)], legal(inn.house, game)[0])
    who = PEOPLE[asked(inn.house, game)]
    await inn.house.say(who, f"language {language}")
    for order in ("undo", "gold"):
        await inn.house.say(who, f"#{game} {order}")
        for width in (280, *WIDTHS, 375, 390):
            async with surfing(browser, (width, 740)) as surf:
                await let_in(inn, surf, who)
                await surf.page.goto(f"{inn.url}/me/{game}")
                await surf.page.evaluate(MUCH_NEWS)
                assert await surf.page.evaluate(COVERED) == [], (order, width)
                assert width < 360 or await surf.page.evaluate(SMALL) == [], (order, width)
                assert await overflow(surf.page) <= 0, (order, width)
                if width == 360:
                    await surf.page.evaluate(LARGE)
                    assert await surf.page.evaluate(BROKEN) == [], order


async def test_what_asks_once_more_below_a_district_is_as_high_as_its_words(
    inn: Inn, browser: Browser
) -> None:
    """It was as high as a card is there, and on a phone its words stood across its edge."""
    people = [*PEOPLE, "telegram:dee", "telegram:eva"]
    game = await table(inn.house, people, command="new deluxe")
    await to_harm(inn, game, people)
    who = people[asked(inn.house, game)]
    await inn.house.say(who, "language pt-br")
    for size in ((320, 740), (360, 740), (1280, 900)):
        async with surfing(browser, size) as surf:
            await let_in(inn, surf, who)
            await surf.page.goto(f"{inn.url}/me/{game}")
            await surf.page.locator(".me .tile.hit > details > summary").first.click()
            once_more = surf.page.locator(".me .tile.hit .sure > summary").first
            needed, there = await once_more.evaluate("(one) => [one.scrollHeight, one.clientHeight]")
            assert needed <= there, size
            assert size[0] < 1000 or there < 48, size


#: of what stands before the figures of the first player: its colour, and whether paper has it, too
FIGURES = """() => [...document.querySelector('.figures').children].map((one) => {
  const { backgroundColor, printColorAdjust } = getComputedStyle(one, '::before');
  return [backgroundColor, printColorAdjust];
})"""


#: players with an edge of their own; and whether a character that may be named gets another
EDGED = """() => {
  const edge = (one) => getComputedStyle(one).outlineStyle !== 'none';
  const one = document.querySelector('.track .next');
  const before = edge(one);
  one.classList.add('hit');
  return [[...document.querySelectorAll('.player')].map(edge), before, edge(one)];
}"""


async def test_what_tells_gold_from_cards_and_points_is_seen_in_forced_colours_and_on_paper(
    inn: Inn, browser: Browser
) -> None:
    """Their signs are grounds, which both leave out: of a player three bare numbers were left. So are the
    grounds and shadows that showed who is asked, and which characters can be tapped.
    """
    game = await table(inn.house, PEOPLE)
    async with surfing(browser, forced_colors="active") as surf:
        await surf.page.goto(f"{inn.url}/t/{game}")
        ground = await surf.page.evaluate("getComputedStyle(document.body).backgroundColor")
        found = await surf.page.evaluate(FIGURES)
        assert len(found) == 3
        assert [colour for colour, _ in found if colour == ground] == []
        assert {paper for _, paper in found} == {"exact"}
        who = asked(inn.house, game)
        assert await surf.page.evaluate(EDGED) == [[no == who for no in range(3)], False, True]
