"""The seat's page for whatever may come up at a table, and over a restart of the referee."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from pathlib import Path
from typing import Any

from referee.store import Journal, Proposal
from tests.service.playing import asked, legal, running, table
from tests.service.web.running_site import Inn, lodging
from tests.service.web.site import text_of

ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]


async def facts(inn: Inn, who: str, game: int) -> dict[str, Any]:
    """What the page of somebody's seat is filled with."""
    guest = await inn.signed_in(who)
    own = inn.house.referee.own_pages
    visitor = await own.visitor(next(iter(guest.session.cookie_jar)).value)
    assert visitor is not None
    found = await own.seat(visitor, game, "", 0, [])
    assert found is not None
    return found


async def test_every_mark_of_a_card_has_its_words(tmp_path: Path) -> None:
    """What some cards put before a seat's eyes, all at once, which no game does."""
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, PEOPLE, command="new deluxe random")
        found = await facts(inn, ANA, game)
        view = {
            **found["view"],
            "seen": {"seat": 1, "hand": ["Temple", "Market"]},
            "owed": [1],
            "destroyed": "Palace",
            "bell": 6,
            "drawn": ["Manor"],
            "characters": ["King"],
            "claimed": {"district": "Docks", "seat": 1, "paid": 2},
            "threat": {"seat": 1, "bribe": 3},
            "warrants": {"King": "facedown"},
            "threats": {"Bishop": "facedown"},
            "tax": 2,
            "museum": 4,
            "thanks": 1,
            "killed": "Thief",
            "robbed": "Merchant",
            "bewitched": "Queen",
        }
        for ask in ({"kind": "lighthouse"}, {"kind": "turn"}, None):
            page = unescape(
                text_of(inn.house.referee.pages.page("seat", "en", **{**found, "view": view, "ask": ask}))
            )
            for words in (
                "Bea's hand Temple and Market",
                "A card is owed to Bea",
                "Destroyed Palace",
                "complete at 6",
                "Docks, paid for by Bea (2 gold)",
                "the bribe is 3 gold",
                "Warrants: King",
                "token: 2 gold",
                "4 cards",
                "You are King",
                "In the deck Manor" if ask == {"kind": "lighthouse"} else "Drawn Manor",
            ):
                assert words in page, words


async def test_whole_games_by_the_buttons_of_the_page(tmp_path: Path) -> None:
    """Whatever is asked has a page, and its buttons and ways lead on."""
    async with lodging(tmp_path) as inn:
        house = inn.house
        for seed, command in ((1, "new deluxe random"), (2, "new original")):
            game, dice = await table(house, PEOPLE, command=command), random.Random(seed)
            for _ in range(60):
                if running(house, game).status != "running":
                    break
                found = await facts(inn, PEOPLE[asked(house, game)], game)
                orders = [one["order"] for one in found["options"] if not one["leads"]]
                assert set(orders) <= set(legal(house, game))
                assert orders or found["options"]
                page = house.referee.pages.page("seat", "en", **found)
                assert page.count('name="order" value=') >= len(orders)
                assert len(page) < 100_000
                await house.say(PEOPLE[asked(house, game)], dice.choice(orders or legal(house, game)))


async def test_over_a_restart_one_stays_signed_in_and_a_form_still_acts_once(tmp_path: Path) -> None:
    """The machine goes down after a form was sent and before its answer was seen; the browser sends it
    again.
    """
    async with lodging(tmp_path) as inn:
        house = inn.house
        game = await table(house, PEOPLE)
        guest = await inn.signed_in(PEOPLE[asked(house, game)])
        cookie = next(iter(guest.session.cookie_jar)).value
        order, form = legal(house, game)[0], await guest.form(f"/me/{game}")
        unsent = await guest.form(f"/me/{game}")
        _, _, headers = await guest.post(f"/me/{game}", {**form, "order": order})
        moves = running(house, game).move_no
    async with lodging(tmp_path) as inn:
        house, guest = inn.house, inn.guest()
        sent = {"Origin": inn.url, "Cookie": f"citadels={cookie}"}
        status, _, again = await guest.post(f"/me/{game}", {**form, "order": order}, headers=sent)
        assert (status, again["Location"]) == (303, headers["Location"])
        assert running(house, game).move_no == moves
        assert f"<code>{order}</code>" in (await guest.get(again["Location"], Cookie=sent["Cookie"]))[1]
        status, _, _ = await guest.post(f"/me/{game}", {**unsent, "order": "say I am back"}, headers=sent)
        assert status == 303
        assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game, by="person")) == 1


async def test_what_the_table_decides_is_voted_on_the_page(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        house = inn.house
        people = [ANA, BEA, "terminal:cy"]
        game = await table(house, people)
        ana, bea = await inn.signed_in(ANA), await inn.signed_in(BEA)
        path = f"/me/{game}"
        page = await bea.page(path)
        assert "For the table to decide" not in page
        before = re.findall(r"seen=([0-9a-f]+)", page)
        assert "Take it back" in await ana.write(path, "kick Cy")
        page = await bea.page(path)
        assert "For the table to decide" in page
        assert "Ana asks to take Cy's seat away" in unescape(page)
        assert re.findall(r"seen=([0-9a-f]+)", page) != before
        orders = re.findall(r'value="(vote [a-z]+ \d+)"', page)
        assert [order.split()[1] for order in orders] == ["yes", "no"]
        page = await (await inn.signed_in("terminal:cy")).page(path)
        assert "It is about your seat" in page
        assert 'value="vote' not in page
        page = await bea.send(path, await bea.form(path), order=orders[1])
        assert 'value="vote' not in page
        row = house.store.read_now(lambda tx: tx.all(Proposal, game_id=game))[0]
        assert json.loads(row.answers) == {"0": 1, "1": 0}
