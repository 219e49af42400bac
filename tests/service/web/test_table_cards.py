"""A card on a page's board: tapped it says what it does, and leads to its text in full and its rulings."""

from __future__ import annotations

import re

from referee.service.web.site.visibility import key_of
from referee.store import Game
from tests.service.playing import asked, legal, table
from tests.service.web.running_site import ANA, BEA, Inn
from tests.service.web.site import Standing, text_of

PEOPLE = [ANA, BEA, "telegram:cy"]
#: where the rulings of a card stand, as its place on the board says
LEADS = re.compile(r'href="(/t/[^"/]+/cards)(?:\?lang=[a-zA-Z_]+)?#([a-z-]+)"')


async def played(site: Standing | Inn, most: int = 60) -> int:
    """A table at which something has been built."""
    game = await table(site.house, PEOPLE, command="new deluxe")
    for _ in range(most):
        orders = legal(site.house, game)
        chosen = next((one for one in orders if one.startswith("build")), orders[-1])
        await site.house.say(PEOPLE[asked(site.house, game)], f"#{game} {chosen}")
    return game


async def test_every_card_on_a_board_leads_to_its_place(site: Standing) -> None:
    game = await played(site)
    page = await site.page(f"/t/{game}")
    led = set(LEADS.findall(page))
    assert {address for address, _ in led} == {f"/t/{game}/cards"}
    cards = await site.page(f"/t/{game}/cards")
    assert {place for _, place in led} <= set(re.findall(r'<li class="card" id="([a-z-]+)"', cards))
    said = text_of(cards)
    for words in (
        "4 King Takes the crown when called",
        "If nobody holds the King, the crown stays where it is.",
        "Orders: kill ‹character›",
        "A round in five lines",
    ):
        assert words in said
    assert "Portuguese" not in said
    assert "Se ninguém" in text_of(await site.page(f"/t/{game}/cards?lang=pt_BR"))


async def test_a_seats_page_leads_there_in_its_players_language(inn: Inn) -> None:
    await inn.house.say(ANA, "language pt-br")
    game = await played(inn)
    guest = await inn.signed_in(ANA)
    address = f"/t/{game}/cards?lang=pt_BR"
    assert f'href="{address}#' in await guest.page(f"/me/{game}")
    assert "Personagens" in await guest.page(address)


async def test_the_cards_of_a_table_that_gathers(site: Standing) -> None:
    await site.house.say(ANA, "new classic 5")
    assert "8 Warlord" in text_of(await site.page("/t/1/cards"))


async def test_cards_of_a_private_table_need_its_key(site: Standing) -> None:
    game = await played(site, 1)
    key = site.house.store.read_now(lambda tx: key_of(tx, game))
    site.house.store.write_now(lambda tx: tx.set(Game, game, page="private"))
    assert (await site.get(f"/t/{game}/cards"))[0] == 404
    assert f"/t/{game}-{key}" in await site.page(f"/t/{game}-{key}/cards")


async def test_it_is_the_same_page_all_the_game(site: Standing) -> None:
    game = await played(site, 1)
    _, _, headers = await site.get(f"/t/{game}/cards")
    await site.house.say(PEOPLE[asked(site.house, game)], legal(site.house, game)[0])
    kept = await site.get(f"/t/{game}/cards", headers={"If-None-Match": headers["ETag"]})
    assert kept[0] == 304
