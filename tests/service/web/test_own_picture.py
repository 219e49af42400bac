"""The picture on the page of one's own seat: what that seat sees, for anyone who sits there and for nobody
else.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.async_api import Browser

from tests.service.playing import asked, legal, state, table, to_the_end
from tests.service.web.browser import PHONE, overflow, surfing
from tests.service.web.running_site import Guest, lodging

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]


def addresses(page: str) -> list[str]:
    """The pictures that a page names, the light one first."""
    return [
        unescape(one)
        for one in re.findall(r'<img class="phone" src="([^"]+)"', page)
        + re.findall(r'srcset="([^"]+)"', page)
    ]


async def shown(guest: Guest, address: str) -> str:
    status, text, headers = await guest.get(address)
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8"), address
    assert headers["Cache-Control"] == "no-store"
    assert headers["Content-Security-Policy"] == "default-src 'none'"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    ElementTree.fromstring(text)
    return text


async def test_a_seat_s_page_shows_its_cards_and_its_answers_light_and_dark(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, PEOPLE)
        seat = asked(inn.house, game)
        guest = await inn.signed_in(PEOPLE[seat])
        page = await guest.page(f"/me/{game}")
        assert 'media="(prefers-color-scheme: dark)"' in page
        assert re.search(r'<img class="phone" [^>]*alt="Your cards, your answers', page)
        light, dark = [await shown(guest, one) for one in addresses(page)]
        assert "#f6f1e6" in light
        assert "#171613" in dark
        now = state(inn.house, game)
        mine, other = set(now.names(now.players[seat].hand)), set(now.names(now.players[1 - seat].hand))
        assert all(f">{card}<" in light for card in mine)
        assert not any(f">{card}<" in light for card in other - mine)
        assert ">Now: pick a character<" in light
        assert mine
        assert all(card in page for card in mine)  # the page says it without the picture, too
        await inn.house.say(PEOPLE[seat], "language pt-br")
        page = await guest.page(f"/me/{game}")
        assert "Como imagem" in page
        assert f">Sua partida #{game}<" in await shown(guest, addresses(page)[0])


async def test_nobody_else_sees_it(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, PEOPLE)
        await inn.house.say("telegram:cleo", "hello")
        for guest, fate in ((inn.guest(), 403), (await inn.signed_in("telegram:cleo"), 404)):
            status, text, headers = await guest.get(f"/me/{game}/seat.svg")
            assert (status, headers["Cache-Control"]) == (fate, "no-store")
            assert "<svg" not in text
        mine, theirs = [await (await inn.signed_in(who)).page(f"/me/{game}/seat.svg") for who in PEOPLE]
        assert mine != theirs


@pytest.mark.parametrize(
    "query", ["?theme=%3Cimage", "?way=9.9.9&q=1", "?way=x&q=99999999999", "?since=zz&seen=1"]
)
async def test_an_address_that_nobody_made_shows_the_question(tmp_path: Path, query: str) -> None:
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, PEOPLE)
        guest = await inn.signed_in(PEOPLE[asked(inn.house, game)])
        assert await shown(guest, f"/me/{game}/seat.svg{query}") == await shown(guest, f"/me/{game}/seat.svg")


async def test_it_shows_the_place_of_a_big_question_that_the_page_is_at(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        house = inn.house
        game = await table(house, PEOPLE)
        guests = [await inn.signed_in(who) for who in PEOPLE]
        for _ in range(400):
            guest = guests[asked(house, game)]
            page = await guest.page(f"/me/{game}")
            ways = [
                unescape(one) for one in re.findall(r'class="button quiet" href="([^"]+way=[^"]+)"', page)
            ]
            if ways:
                break
            await house.say(PEOPLE[asked(house, game)], legal(house, game)[-1])
        assert ways
        deeper = await guest.page(ways[0])
        assert await shown(guest, addresses(deeper)[0]) != await shown(guest, addresses(page)[0])


async def test_whoever_wants_none_has_none(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, PEOPLE)
        guest = await inn.signed_in(ANA)
        await inn.house.say(ANA, "pictures off")
        assert addresses(await guest.page(f"/me/{game}")) == []
        assert (await guest.get(f"/me/{game}/seat.svg"))[0] == 404
        await inn.house.say(ANA, "pictures on")
        assert len(addresses(await guest.page(f"/me/{game}"))) == 2


async def test_when_it_is_over_the_score_and_the_course_take_its_place(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, PEOPLE)
        guest: Guest = await inn.signed_in(ANA)
        await inn.house.say(ANA, f"page #{game} private")
        await to_the_end(inn.house, game, PEOPLE)
        found = addresses(await guest.page(f"/me/{game}"))
        assert [one.rpartition("/")[2] for one in found] == [
            "score.svg?lang=en",
            "course.svg?lang=en",
            "chances.svg?lang=en",
            "score.svg?lang=en&theme=dark",
            "course.svg?lang=en&theme=dark",
            "chances.svg?lang=en&theme=dark",
        ]
        for one in found:  # under the key of the table's page, which is not for everybody
            assert (await guest.get(one))[0] == 200, one
        assert (await guest.get(f"/me/{game}/seat.svg"))[0] == 404
        await inn.house.say(ANA, "pictures off")
        assert addresses(await guest.page(f"/me/{game}")) == []


async def test_a_table_that_has_not_begun_has_none(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        await inn.house.say(ANA, "new classic 4 seats")
        guest = await inn.signed_in(ANA)
        assert addresses(await guest.page("/me/1")) == []
        assert (await guest.get("/me/1/seat.svg"))[0] == 404


@pytest.mark.parametrize("dark", [False, True])
async def test_a_browser_shows_it_in_its_own_light_and_keeps_it_open_where_it_was_opened(
    browser: Browser, tmp_path: Path, dark: bool
) -> None:
    async with lodging(tmp_path) as inn, surfing(browser, PHONE, dark=dark) as surf:
        game = await table(inn.house, PEOPLE)
        who = PEOPLE[asked(inn.house, game)]
        guest = await inn.signed_in(who)
        await surf.context.add_cookies(
            [
                {
                    "name": "citadels",
                    "value": next(iter(guest.session.cookie_jar)).value,
                    "url": f"{inn.url}/me",
                    "sameSite": "Strict",
                }
            ]
        )
        await surf.page.goto(f"{inn.url}/me/{game}")
        await surf.page.locator("#picture summary").click()
        await surf.page.evaluate(
            "Promise.all([...document.images].map(one => { one.loading = 'eager'; return one.decode(); }))"
        )
        image = surf.page.locator("#picture img")
        assert await image.evaluate("one => one.naturalWidth") == 360
        shown = await image.evaluate("one => one.currentSrc")
        assert shown.endswith("theme=dark") == dark
        assert await overflow(surf.page) == 0
        seen = await image.get_attribute("src")  # before the order: the page may be faster than this test
        await inn.house.say(who, legal(inn.house, game)[0])
        await surf.page.wait_for_function(
            "seen => document.querySelector('#picture img').getAttribute('src') != seen", arg=seen
        )
        assert await surf.page.evaluate("document.getElementById('picture').open")
        assert surf.complaints == []
        assert surf.strangers == []
