"""Pictures on the pages of a table: for strangers, of what everybody sees, in the reader's language and
light.
"""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from xml.etree import ElementTree

import aiohttp
import pytest

from adapters.web import build
from tests.service.playing import asked, legal, running, state, table, to_the_end
from tests.service.rig import House

ANA, BEA = "telegram:ana", "telegram:bea"
PEOPLE = [ANA, BEA]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", base_url="http://play.test").open()
    yield one
    await one.close()


@pytest.fixture
async def browser(house: House) -> AsyncIterator[aiohttp.ClientSession]:
    door = build("127.0.0.1:0", house.referee.pages, house.clock)
    await door.start()
    async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as one:
        yield one
    await door.stop()


async def drawn(browser: aiohttp.ClientSession, path: str, **headers: str) -> str:
    async with browser.get(path, headers=headers) as answer:
        assert (answer.status, answer.content_type) == (200, "image/svg+xml"), path
        text = await answer.text()
        ElementTree.fromstring(text)
        return text


async def test_a_table_as_a_picture(house: House, browser: aiohttp.ClientSession) -> None:
    game = await table(house, PEOPLE)
    light = await drawn(browser, f"/t/{game}/table.svg")
    assert f">Game #{game}<" in light
    assert "#171613" in await drawn(browser, f"/t/{game}/table.svg?theme=dark")
    assert f">Partida #{game}<" in await drawn(
        browser, f"/t/{game}/table.svg", **{"Accept-Language": "pt-BR"}
    )
    kept = len(house.referee.pages.cache._made)
    for theme in ("%3Cimage", "light", "DARK", "x"):
        assert await drawn(browser, f"/t/{game}/table.svg?theme={theme}") == light
    assert len(house.referee.pages.cache._made) == kept  # nobody fills the shelf with words
    now = state(house, game)
    for player in now.players:
        assert not any(f">{card}<" in light for card in now.names(player.hand))
    await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    assert await drawn(browser, f"/t/{game}/course.svg")
    async with browser.get(f"/t/{game}") as answer:
        page = await answer.text()
        assert f'<img class="phone" src="/t/{game}/table.svg?seen=' in page
        assert f'srcset="/t/{game}/table.svg?theme=dark&amp;seen=' in page
        assert "score.svg" not in page


async def test_the_score_is_there_when_it_is_over_and_the_course_ends_with_it(
    house: House, browser: aiohttp.ClientSession
) -> None:
    game = await table(house, PEOPLE)
    async with browser.get(f"/t/{game}/score.svg") as answer:
        assert answer.status == 404
    await to_the_end(house, game, PEOPLE)
    score, course = (
        await drawn(browser, f"/t/{game}/score.svg"),
        await drawn(browser, f"/t/{game}/course.svg"),
    )
    result = state(house, game).result
    assert result is not None
    for row in result["scores"]:
        assert f">{row['score']}<" in score
        assert f">{row['score']}<" in course
    chances = await drawn(browser, f"/t/{game}/chances.svg")
    assert "#171613" in await drawn(browser, f"/t/{game}/chances.svg?theme=dark")
    async with browser.get(f"/t/{game}") as answer:
        page = await answer.text()
        assert f"/t/{game}/score.svg" in page
        assert f"/t/{game}/course.svg" in page
        assert f"/t/{game}/chances.svg" in page
    rows = re.findall(
        r'<th scope="row" class="n">(\d+)</th>(?:<td class="n">(\d+) %</td>)(?:<td class="n">(\d+) %</td>)',
        page,
    )
    assert [int(number) for number, *_ in rows] == [*range(1, state(house, game).round + 1)]
    assert all(99 <= int(one) + int(other) <= 101 for _, one, other in rows)
    assert all(f">{one} %<" in chances for one in rows[-1][1:])
    assert int(rows[-1][1 + result["winners"][0]]) > 50  # whoever is about to win


async def test_a_round_that_was_gone_back_over_is_drawn_as_it_ended_then(
    house: House, browser: aiohttp.ClientSession
) -> None:
    game, dice = await table(house, PEOPLE), random.Random(4)

    async def played_to(number: int) -> str:
        while running(house, game).round < number:
            await house.say(PEOPLE[asked(house, game)], dice.choice(legal(house, game)))
        return await drawn(browser, f"/t/{game}/course.svg")

    before = await played_to(4)
    await house.say(PEOPLE[0], f"rewind 1 #{game}")
    for one in PEOPLE:
        await house.say(one, f"vote yes #{game}")
    assert running(house, game).round == 1
    again = await played_to(4)
    house.referee.pages.cache._made.clear()
    assert again == await drawn(browser, f"/t/{game}/course.svg") != before


async def test_nobody_is_told_the_chances_before_the_end(
    house: House, browser: aiohttp.ClientSession
) -> None:
    game = await table(house, PEOPLE)
    for path in (f"/t/{game}/chances.svg", f"/t/{game}/chances.svg?theme=dark"):
        async with browser.get(path) as answer:
            assert answer.status == 404
    async with browser.get(f"/t/{game}") as answer:
        assert "chances" not in await answer.text()


async def test_nothing_of_a_table_that_is_not_for_everybody_or_not_there(
    house: House, browser: aiohttp.ClientSession
) -> None:
    game = await table(house, PEOPLE)
    await house.say(ANA, f"page #{game} private")
    for path in (
        f"/t/{game}/table.svg",
        f"/t/{game}-aaaaaaaaaaaaaaaa/table.svg",
        "/t/99/table.svg",
        f"/t/{game}/hand.svg",
        f"/t/{game}/course.svg",
    ):
        async with browser.get(path) as answer:
            assert answer.status == 404, path


async def test_a_table_that_has_not_begun_has_no_picture(
    house: House, browser: aiohttp.ClientSession
) -> None:
    await house.say(ANA, "new classic 4 seats")
    async with browser.get("/t/1/table.svg") as answer:
        assert answer.status == 404
    async with browser.get("/t/1") as answer:
        assert answer.status == 200
