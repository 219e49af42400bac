"""Somebody's own pages through the real door: what a seat sees, and forms that go where chat goes."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest

from referee import rules
from referee.store import Inbox, Journal, Outbox, Seat, SeatPlan, WebSession
from tests.seeds import ALL
from tests.service.joining import code, say_yes
from tests.service.playing import FLAT, asked, legal, running, state, table, turn_to
from tests.service.web.running_site import Inn, lodging
from tests.service.web.site import text_of
from tests.short import FEW

ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path, admins=(("telegram", "boss"),)) as one:
        yield one


async def test_an_order_is_played_and_answered_on_the_page(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    guest = await inn.signed_in(PEOPLE[seat])
    order = legal(house, game)[0]
    before = len(house.letters(PEOPLE[seat]))
    page = await guest.write(f"/me/{game}", order)
    assert "Done:" in page
    assert f"<code>{order}</code>" in page
    row = house.store.read_now(lambda tx: tx.one(Journal, game_id=game, no=1))
    assert (row.seat, row.by) == (seat, "person")
    assert house.store.read_now(lambda tx: tx.get(Inbox, row.inbox_id)).channel == "web"
    await house.settle()  # the page does not wait for what goes elsewhere
    echo = house.letters(PEOPLE[seat])[before:]
    assert [one.text for one in echo if order in one.text], "the seat's chat gets a copy of the echo"


async def test_every_answer_is_a_button_that_does_what_it_says(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    for _ in range(12):
        who = PEOPLE[asked(house, game)]
        guest = await inn.signed_in(who)
        page = await guest.page(f"/me/{game}")
        orders = [
            unescape(one)
            for one in re.findall(
                r'<button name="order" value="([^"]+)"', page.split('aria-labelledby="cards"')[0]
            )
        ]
        orders = [one for one in orders if one != "undo"]
        assert orders
        assert set(orders) <= set(legal(house, game))
        moves = running(house, game).move_no
        await guest.send(f"/me/{game}", await guest.form(f"/me/{game}"), order=orders[-1])
        assert running(house, game).move_no > moves


async def test_a_reader_of_the_screen_hears_what_may_be_done_to_which_card(inn: Inn) -> None:
    """All buttons of a hand were called "Build", a frame was seen only, and names were cut into syllables."""
    house = inn.house
    game = await table(house, PEOPLE)
    verbs = {"build", "kill"}
    while verbs:
        orders, who = legal(house, game), PEOPLE[asked(house, game)]
        here = [one.split(" ", 1) for one in orders if one.split(" ")[0] in verbs]
        page = unescape(await (await inn.signed_in(who)).page(f"/me/{game}")) if here else ""
        cards = [re.sub("<[^>]*>", "", one) for one in re.findall(r"<summary>(.*?)</summary>", page)]
        for verb, name in here:
            if verb == "build":
                assert f'value="build {name}" form="act">Build<span class="unseen"> {name}</span>' in page
            else:
                assert [one for one in cards if name in one and one.endswith(f", {verb}")], (name, cards)
            verbs.discard(verb)
        liked = [one for one in orders if one in ("pick Assassin", "gold")]
        await house.say(who, f"#{game} {(liked or orders)[0]}")


@pytest.mark.parametrize("count", range(2, 9))
async def test_each_character_is_picked_by_a_tap_and_read_by_another(inn: Inn, count: int) -> None:
    """As many as there are at the table: all that may be picked, or put away, and what all of them do."""
    house, kinds = inn.house, {"pick", "discard"} if count == 2 else {"pick"}
    people = [ANA, *(f"telegram:p{n}" for n in range(1, count))]
    game = await table(house, people, command="new deluxe")
    while kinds:
        orders, who = legal(house, game), people[asked(house, game)]
        page = await (await inn.signed_in(who)).page(f"/me/{game}")
        row = page.split('<ul class="answers picks">')[1].split("</ul>")[0]
        taps = re.findall(r'<button name="order" value="([^"]+)" form="act">', row)
        assert [unescape(one) for one in taps] == orders
        track = page.split('<ol class="track"')[1].split("</ol>")[0]
        assert track.count("<summary>") == track.count('<div class="told"><p>') >= 8
        kinds.discard(orders[0].split(" ")[0])
        await house.say(who, f"#{game} {orders[0]}")


async def test_the_page_shows_the_hand_and_nobody_elses(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    hands = [player.hand for player in state(house, game).players]
    names = [state(house, game).names(hand) for hand in hands]
    for seat, who in enumerate(PEOPLE):
        page = await (await inn.signed_in(who)).page(f"/me/{game}")
        mine = text_of(page.split('aria-label="Your hand"')[1].split("</ul>")[0].join(["<main>", "</main>"]))
        assert all(name in mine for name in names[seat])
        for name in set(names[1 - seat]) - set(names[seat]):
            assert name not in text_of(page)


async def test_a_script_of_several_orders_and_a_plan_and_talk(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    while "gold" not in legal(house, game):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    seat = asked(house, game)
    guest, path = await inn.signed_in(PEOPLE[seat]), f"/me/{game}"
    moves = running(house, game).move_no
    page = await guest.write(path, "gold\r\nend")
    assert "<code>gold</code>; <code>end</code>" in page
    assert running(house, game).move_no >= moves + 2
    page = await guest.write(path, "always prefer King, Bishop")
    assert "as I understand it" in page
    assert house.store.read_now(lambda tx: tx.one(SeatPlan, game_id=game, seat=seat)) is not None
    assert "Selection: the first of King or Bishop" in text_of(await guest.page(path))
    page = await guest.write(path, "say good evening")
    await house.settle()  # the page does not wait for what goes elsewhere
    assert "good evening" in house.last(PEOPLE[1 - seat]).text
    page = await guest.write(path, "rules Thief")
    assert "Thief" in page.split('class="note answer"')[1].split("</section>")[0]


async def test_what_could_not_be_read_stays_in_the_box(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    guest = await inn.signed_in(PEOPLE[asked(house, game)])
    page = await guest.write(f"/me/{game}", "pikc the Kign, please <b>")
    assert "Not done:" in page
    assert ">pikc the Kign, please &lt;b&gt;</textarea>" in page
    assert running(house, game).move_no == 0
    house.clock.pass_(seconds=1)
    page = await guest.write(f"/me/{game}", legal(house, game)[0])
    assert "></textarea>" in page


async def test_the_buttons_of_an_answer_work(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    guest, path = await inn.signed_in(PEOPLE[seat]), f"/me/{game}"
    page = await guest.write(path, "plan")
    for _ in range(3):
        answer = page.split('class="note answer"')[1].split("</section>")[0]
        keys = re.findall(r'name="key" value="([^"]+)"', answer)
        assert keys
        page = await guest.send(
            path, {"form": re.findall(r'name="form" value="([^"]+)"', answer)[0]}, key=keys[0]
        )
    assert running(house, game).move_no == 0


async def test_a_table_is_opened_joined_and_begun_on_the_web_alone(inn: Inn) -> None:
    house = inn.house
    for who in PEOPLE:
        await house.say(who, "hello")
    ana, bea = await inn.signed_in(ANA), await inn.signed_in(BEA)
    page = await ana.write("/me", f"new classic 2 seats {FLAT}")
    game = int(re.findall(r"#(\d+)", text_of(page))[0])
    await bea.write("/me", f"join #{game}")
    for guest in (ana, bea):
        assert "I am ready" in await guest.page(f"/me/{game}")
        await guest.write(f"/me/{game}", f"ready #{game}")
    assert running(house, game).status == "running"
    assert "Your cards" in await ana.page(f"/me/{game}")
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=game))
    assert {seat.channel for seat in seats} <= {"", "telegram", "matrix"}
    asked_now = [ANA, BEA][asked(house, game)]
    assert house.last(asked_now).buttons, "the question goes to chat, where it is read"


async def magician(inn: Inn) -> tuple[int, int]:
    """A game in which somebody is asked whether to redraw cards; its number and the seat."""
    house, game = inn.house, await table(inn.house, PEOPLE)
    for _ in range(400):
        seat, orders = asked(house, game), legal(house, game)
        if any(
            one.verb == "redraw" and len(one.cards) > 2 for one in rules.asks(state(house, game))[0].families
        ):
            return game, seat
        await house.say(
            PEOPLE[seat],
            "pick Magician" if "pick Magician" in orders else "cards" if "cards" in orders else orders[-1],
        )
    raise AssertionError("nobody was the Magician")


def ways(page: str) -> list[str]:
    """The links to the steps of a question, each once: they stand in the question and in the list."""
    return [unescape(one) for one in dict.fromkeys(re.findall(r'href="([^"]+way=[^"]+)"', page))]


async def test_big_questions_are_answered_step_by_step_by_plain_links(inn: Inn) -> None:
    house = inn.house
    game, seat = await magician(inn)
    cards = next(one for one in rules.asks(state(house, game))[0].families if one.verb == "redraw").cards
    guest, path = await inn.signed_in(PEOPLE[seat]), f"/me/{game}"
    first = ways(await guest.page(path))
    assert len(first) == 1
    page = await guest.page(first[0])
    assert "So far: redraw …" in text_of(page)
    page = await guest.page(ways(page)[0])
    assert f"So far: redraw {cards[0]}, …" in text_of(page)
    assert "Another answer" in page
    moves = running(house, game).move_no
    form = await guest.form(ways(await guest.page(first[0]))[0])
    assert running(house, game).move_no == moves, "looking moves nothing"
    page = await guest.send(path, form, order=f"redraw {cards[0]}")
    assert f"<code>redraw {cards[0]}</code>" in page
    assert (await guest.get(first[0]))[0] == 200  # of a question that is gone: the page as it is now
    question = running(house, game).question
    for odd in ("999", "1.999.1", "0", "x", "1." * 40, "-1", "1.1.1.1.1.1.1.1.1.1", "%00"):
        assert (await guest.get(f"{path}?q={question}&way={odd}"))[0] == 200


async def test_a_step_that_is_written_is_shown(inn: Inn) -> None:
    game, seat = await magician(inn)
    guest = await inn.signed_in(PEOPLE[seat])
    assert "So far: redraw …" in text_of(await guest.write(f"/me/{game}", "redraw …"))


async def test_two_tables_that_are_opened_at_once_are_both_remembered(inn: Inn) -> None:
    games = [await table(inn.house, PEOPLE) for _ in range(4)]
    guest = await inn.signed_in(ANA)
    await asyncio.gather(*(guest.get(f"/me/{game}") for game in games))
    looks = inn.house.store.read_now(lambda tx: tx.all(WebSession))[0].looks
    assert set(json.loads(looks)) == {str(game) for game in games}


async def test_news_since_the_last_look(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    guest, path = await inn.signed_in(PEOPLE[seat]), f"/me/{game}"
    first = await guest.page(path)
    assert "Nothing has happened" not in first
    house.clock.pass_(hours=1)
    assert "Nothing has happened." in await guest.page(path)
    await guest.write(path, legal(house, game)[0])
    house.clock.pass_(seconds=120)
    assert "Nothing has happened." not in await guest.page(path), "a look lasts a while"
    house.clock.pass_(hours=1)
    assert "Nothing has happened." in await guest.page(path)
    looks = house.store.read_now(lambda tx: tx.all(WebSession))[0].looks
    assert list(json.loads(looks)) == [str(game)]


async def test_the_last_order_by_web_still_brings_the_end_to_chat(inn: Inn) -> None:
    """Anyone who plays the last order reads of the end on the page, and again where they read letters."""
    house = inn.house
    game = await table(house, PEOPLE)
    guests = [await inn.signed_in(who) for who in PEOPLE]
    dice = random.Random(5)
    while running(house, game).status == "running" and running(house, game).round < 40:
        who = asked(house, game)
        order = dice.choice(legal(house, game))
        # by chat as long as no city is nearly complete, else by web
        if max(len(one.city) for one in state(house, game).players) < (7 if ALL else FEW - 1):
            await house.say(PEOPLE[who], order)
        else:
            await guests[who].write(f"/me/{game}", order)
    await house.settle()
    assert running(house, game).status == "over"
    last = house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="-no", limit=1))[0]
    assert house.store.read_now(lambda tx: tx.get(Inbox, last.inbox_id)).channel == "web"
    for who, guest in zip(PEOPLE, guests, strict=True):
        assert "is over" in house.last(who).text or "wins" in house.last(who).text
        page = await guest.page(f"/me/{game}")
        assert "Final score" in page
        assert re.findall(r'name="order" value="([^"]*)"', page) == [f"rematch #{game}", f"review #{game}"]
        assert "Ended lately" in await guest.page("/me")


async def test_whose_seat_is_taken_by_another_sees_nothing_more(inn: Inn) -> None:
    house = inn.house
    people = [ANA, BEA, "terminal:cy"]
    game = await table(house, people)
    guest = await inn.signed_in(BEA)
    path = f"/me/{game}"
    assert (await guest.get(path))[0] == 200
    form = await guest.form(path)
    await turn_to(house, game, people, 1)
    cards = state(house, game).names(state(house, game).players[1].hand)
    house.store.write_now(
        lambda tx: tx.change(Seat, {"game_id": game, "no": 1}, person_id=None, bot="greedy")
    )
    status, text, _ = await guest.get(path)
    assert status == 404
    assert not any(card in text for card in cards)
    moves = running(house, game).move_no
    status, _, headers = await guest.post(path, {**form, "order": "gold"})
    status, _, away = await guest.get(headers["Location"])
    assert (status, away["Location"].partition("?")[0]) == (303, "/me"), "what was answered is read there"
    assert running(house, game).move_no == moves
    assert f"/me/{game}" not in await guest.page("/me")


async def test_people_who_turn_out_to_be_one_stay_signed_in(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    await house.say("terminal:ana", "hello")
    guest = await inn.signed_in("terminal:ana")
    assert (await guest.get(f"/me/{game}"))[0] == 404
    page = await guest.write("/me", f"link {await code(house, ANA)}")
    assert "answer there" in page, "a page proves no address: the terminal is asked"
    await house.settle()
    await say_yes(house, ANA)
    await say_yes(house, "terminal:ana")
    assert (await guest.get(f"/me/{game}"))[0] == 200


async def test_a_calendar_link_is_shown_once(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    guest = await inn.signed_in(ANA)
    page = await guest.write("/me", "calendar")
    token = re.findall(r"/calendar/([A-Za-z0-9_-]+)\.ics", page)[0]
    assert (await guest.get(f"/calendar/{token}.ics"))[0] == 200
    assert token not in await guest.page("/me")
    assert all(token not in str(row) for row in inn.house.store.read_now(lambda tx: tx.all(Outbox)))
