"""The pages of a running house, through the real door: the link that was told opens the calendar, and a
mail's link ends its letters.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest
from icalendar import Calendar

from adapters.web import build
from referee.service.core import tokens
from referee.store import Outbox, Seat
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

ANA, BEA = "telegram:ana", "mail:bea@x.test"
PEOPLE = [ANA, BEA]


class Site(NamedTuple):
    """A house with its door open, and somebody's browser."""

    house: House
    browser: aiohttp.ClientSession


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    house = await House(
        tmp_path / "referee.db", base_url="http://play.test", admins=(("telegram", "boss"),)
    ).open()
    door = build("127.0.0.1:0", house.referee.pages, house.clock)
    await door.start()
    async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as browser:
        yield Site(house, browser)
    await door.stop()
    await house.close()


async def link(house: House, who: str, words: str = "calendar") -> str:
    had = len(house.letters(who))
    await house.say(who, words)
    told = [
        word for letter in house.letters(who)[had:] for word in letter.text.split()
    ]  # a file comes beside it
    (found,) = [word for word in told if "/calendar/" in word]
    return found.removeprefix("http://play.test")


async def events(site: Site, path: str) -> dict[str, tuple[str, int]]:
    async with site.browser.get(path) as answer:
        assert answer.status == 200
        file = await answer.read()
    return {
        str(one["UID"]): (str(one["STATUS"]), int(one["SEQUENCE"]))
        for one in Calendar.from_ical(file).walk("VEVENT")
    }


async def test_the_calendar_follows_the_game(site: Site) -> None:
    house = site.house
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    path = await link(house, who)
    (uid,) = before = await events(site, path)
    assert before[uid] == ("CONFIRMED", 0)
    await house.say("telegram:boss", f"extend 24h #{game}")
    assert await events(site, path) == {uid: ("CONFIRMED", 1)}
    seat = asked(house, game)
    while asked(house, game) == seat:
        await house.say(who, legal(house, game)[0])
    assert (await events(site, path))[uid] == ("CANCELLED", 2)


async def test_each_sees_their_own(site: Site) -> None:
    house = site.house
    game = await table(house, PEOPLE)
    found = {who: await events(site, await link(house, who)) for who in PEOPLE}
    assert len(found[PEOPLE[asked(house, game)]]) == 1
    assert found[PEOPLE[1 - asked(house, game)]] == {}


async def test_a_revoked_link_opens_nothing(site: Site) -> None:
    house = site.house
    old = await link(house, ANA)
    new = await link(house, ANA, "calendar new")
    assert await events(site, new) == {}
    async with site.browser.get(old) as answer:
        assert answer.status == 404
    await house.say(ANA, "calendar off")
    async with site.browser.get(new) as answer:
        assert answer.status == 404


async def test_a_link_of_a_letter_ends_its_letters_once_and_moves_no_game(site: Site) -> None:
    house = site.house
    game = await table(house, PEOPLE)
    before = running(house, game)
    row = house.store.read_now(
        lambda tx: next(
            one
            for one in tx.all(Outbox, channel="mail", game_id=game, order="-id")
            if one.kind in ("prompt", "muster", "lobby")
        )
    )
    path = "/u/" + house.store.read_now(lambda tx: tokens.unsubscribe(tokens.secret(tx), int(row.id or 0)))
    async with site.browser.get(path) as answer:
        assert f"game #{game}" in await answer.text()
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1)).notify == ""
    count = len(house.letters(BEA))
    for _ in range(2):
        async with site.browser.post(path, data=b"List-Unsubscribe=One-Click") as answer:
            assert answer.status == 200
        await house.settle()
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1)).notify == "off"
    assert len(house.letters(BEA)) <= count + 1  # told once, with what the clock does now
    assert running(house, game) == before
    async with site.browser.get(path[:-1] + ("a" if path[-1] != "a" else "b")) as answer:
        assert answer.status == 404


async def test_health_is_that_of_the_loops(site: Site) -> None:
    async with site.browser.get("/healthz") as answer:
        assert answer.status == 200
    site.house.referee.broken.set()
    async with site.browser.get("/healthz") as answer:
        assert answer.status == 503
