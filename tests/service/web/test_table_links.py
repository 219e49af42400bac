"""Letters that end with a link to the table's page: to whom, and where it leads."""

from __future__ import annotations

import re

from referee.store import GameRoom, Room
from tests.service.playing import asked, legal, table, to_the_end
from tests.service.web.site import Standing

ANA, BEA = "telegram:ana", "matrix:bea"


def links(text: str) -> list[str]:
    return re.findall(r"http://play\.test(/t/[\w-]+)", text)


async def test_a_room_and_the_players_are_led_to_the_page(site_with_links: Standing) -> None:
    site = site_with_links
    house = site.house
    await house.say(ANA, "hello")
    await house.say(ANA, "/new classic 2 seats", place="group")
    assert links(house.last("telegram:group").text) == ["/t/1"]
    game = await table(house, [ANA, BEA])
    house.store.write_now(lambda tx: tx.add(GameRoom, game_id=game, room_id=tx.one(Room, place="group").id))
    await house.say([ANA, BEA][asked(house, game)], f"#{game} {legal(house, game)[0]}")
    assert links(house.last("telegram:group").text) == [f"/t/{game}"]
    await house.say("telegram:eve", f"status #{game}")
    assert links(house.last("telegram:eve").text) == [f"/t/{game}"]
    assert "See the table on the web" in house.last("telegram:eve").text
    await to_the_end(house, game, [ANA, BEA])
    for who in (ANA, BEA):
        assert links(house.last(who).text) == [f"/t/{game}"]
        assert "Final score" in await site.page(links(house.last(who).text)[0])


async def test_the_key_of_a_table_that_is_not_for_everybody_goes_to_those_who_play_there(
    site_with_links: Standing,
) -> None:
    house = site_with_links.house
    await house.say(ANA, "hello")
    await house.say(ANA, "/new classic 3 seats", place="group")
    await house.say(ANA, "page private #1")
    own = links(house.last(ANA).text)
    await house.say(BEA, "join #1")
    assert links(house.last("telegram:group").text) == []
    assert links(house.last(BEA).text) == own
    assert re.fullmatch(r"/t/1-[a-z2-7]{16}", own[0])
    await house.say("telegram:eve", "status #1")
    assert links(house.last("telegram:eve").text) == []


async def test_without_pages_nobody_is_led_anywhere(site: Standing) -> None:
    house = site.house
    game = await table(house, [ANA, BEA])
    for who in (ANA, BEA):
        await house.say(who, f"status #{game}")
        assert not any("/t/" in letter.text for letter in house.letters(who))
