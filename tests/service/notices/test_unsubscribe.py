"""Unsubscribing: by word, by mail, by link; of a game, the daily letter, or everything.

It never moves a game.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.service.core import tokens
from referee.service.notices import commands
from referee.store import DailyLetter, Outbox, Person, Seat
from tests.service.notices.test_delivery_rules import PLAIN, let_pass, unasked
from tests.service.notices.test_digest import dailies
from tests.service.playing import asked, legal, running, table, turn_to
from tests.service.rig import House

ANA, BEA = "mail:ana@x.test", "matrix:@bea:hs"


def level(house: House, game: int | None = None) -> str:
    """What is noted of Ana, or of her seat."""
    person = house.store.read_now(lambda tx: tx.whose("mail", "ana@x.test"))[0]
    return (
        person.notify
        if game is None
        else house.store.read_now(lambda tx: tx.one(Seat, game_id=game, person_id=person.id)).notify
    )


def link(house: House, letter: int) -> str:
    """The token of a letter's unsubscribe link."""
    return house.store.write_now(lambda tx: tokens.unsubscribe(tokens.secret(tx), letter))


def press(house: House, token: str) -> commands.NoticeScope | None:
    """What a page does when the button behind a link is pressed."""
    return house.store.write_now(lambda tx: commands.unsubscribed(house.referee.context.uow(tx), token))


async def test_in_answer_to_a_letter_it_means_that_game(house: House) -> None:
    games = [await table(house, [ANA, BEA], hours=PLAIN) for _ in range(2)]
    about = next(x for x in reversed(house.letters(ANA)) if x.ref == f"g{games[0]}")
    before = running(house, games[0])
    await house.say(ANA, "unsubscribe", token=about.token)
    assert (level(house), level(house, games[0]), level(house, games[1])) == ("", "off", "")
    text = house.last(ANA).text.replace("\n", " ")
    for said in (
        f"Game #{games[0]}: nothing comes that you didn't ask for",
        "24h a move",
        "the dullest answer is given",
        "after 2 misses nobody waits for you",
        f"“#{games[0]} notify all” undoes this",
    ):
        assert said in text
    after = running(house, games[0])
    assert (after.status, after.asked, after.move_no, after.question, after.clocks) == (
        before.status,
        before.asked,
        before.move_no,
        before.question,
        before.clocks,
    )
    await house.say(ANA, f"subscribe #{games[0]}")
    assert level(house, games[0]) == "all"


@pytest.mark.parametrize("word", ["unsubscribe all", "stop all", "notify off"])
async def test_everything(house: House, word: str) -> None:
    games = [await table(house, [ANA, BEA], hours=PLAIN) for _ in range(2)]
    await house.say(ANA, f"#{games[0]} notify all")
    await house.say(ANA, "notify digest 08:00")
    await house.say(ANA, word)
    assert (level(house), level(house, games[0])) == ("off", "")
    assert f"#{games[0]} and #{games[1]}" in house.last(ANA).text.replace("\n", " ")
    before = len(house.letters(ANA))
    await let_pass(house, 60)
    assert unasked(house, ANA, before) == []
    await house.say(ANA, "subscribe all")
    assert level(house) == ""


async def test_by_link_once_and_idempotent(house: House) -> None:
    house.settings = replace(house.settings, base_url="https://game.test")
    house.referee.outbox_worker._settings = house.settings
    game = await table(house, [ANA, BEA], hours=PLAIN)
    await turn_to(house, game, [ANA, BEA], 0)
    await turn_to(house, game, [ANA, BEA], 1)
    letter = next(x for x in reversed(house.letters(ANA)) if x.ref == f"g{game}")
    token = link(house, house.number(letter))
    assert letter.facts["unsubscribe"] == f"https://game.test/u/{token}"
    assert token != letter.token
    shown = house.store.read_now(lambda tx: commands.by_token(tx, token))
    assert shown is not None
    assert (shown.code, level(house, game)) == ("game", ""), "looking is not pressing"
    before = len(house.letters(ANA))
    for _ in range(3):
        pressed = press(house, token)
        assert pressed is not None
        await house.settle()
    assert level(house, game) == "off"
    assert len(house.letters(ANA)) == before + 1, "told once"
    assert "the dullest answer" in house.last(ANA).text.replace("\n", " ")
    assert house.letters(BEA)
    assert "unsubscribe" not in house.last(BEA).text


@pytest.mark.parametrize("forged", ["", "x", "a" * 24, "zzzz", "ünïcode"])
async def test_a_forged_link_opens_nothing(house: House, forged: str) -> None:
    game = await table(house, [ANA, BEA], hours=PLAIN)
    letter = house.letters(ANA)[-1]
    assert press(house, forged) is None
    assert press(house, letter.token) is None, "the token of an answer is no link, and the other way round"
    one = link(house, house.number(letter))
    assert house.store.read_now(lambda tx: tokens.letter_of(tokens.secret(tx), one)) is None
    assert (level(house), level(house, game)) == ("", "")


async def test_the_daily_letter_ends_by_its_own_link(house: House) -> None:
    game = await table(house, [ANA, BEA], hours="72h no bank no quiet no nights no vacation no restart")
    await turn_to(house, game, [ANA, BEA], 1)
    await turn_to(house, game, [ANA, BEA], 0)
    await house.say(ANA, "notify digest 08:00")
    await let_pass(house, 24)
    (one,) = dailies(house, ANA)
    pressed = press(house, link(house, house.number(one)))
    assert pressed is not None
    assert pressed.code == "digest"
    await house.settle()
    assert house.store.read_now(lambda tx: tx.count(DailyLetter)) == 0
    assert (level(house), level(house, game)) == ("", "")
    assert "There is no daily letter." in house.last(ANA).text


async def test_one_sender_cannot_unsubscribe_another(house: House) -> None:
    game = await table(house, [ANA, BEA], hours=PLAIN)
    token = next(x for x in reversed(house.letters(ANA)) if x.ref == f"g{game}").token
    await house.say("mail:eve@x.test", "unsubscribe", token=token, vouched=False)
    assert level(house, game) == ""
    assert house.store.read_now(lambda tx: {p.notify for p in tx.all(Person)}) == {""}


async def test_a_new_player_of_a_seat_hears_everything(house: House) -> None:
    game = await table(house, ["telegram:ana", BEA, "terminal:cy"], hours="live no restart")
    gone = asked(house, game)
    who = ["telegram:ana", BEA, "terminal:cy"][gone]
    await house.say(who, f"#{game} notify off")
    for _ in range(400):
        if any(
            row.notify == "" for row in house.store.read_now(lambda tx: tx.all(Seat, game_id=game, no=gone))
        ):
            break
        if asked(house, game) != gone:
            other = ["telegram:ana", BEA, "terminal:cy"][asked(house, game)]

            await house.say(other, legal(house, game)[-1])
        else:
            await let_pass(house, 0.18)
            await house.say("telegram:dan", f"join #{game}")
    seat = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=gone))
    assert seat.notify == ""
    assert house.store.read_now(lambda tx: tx.whose("telegram", "dan"))[0].id == seat.person_id


async def test_off_of_all_games_still_asks_whether_one_is_ready(house: House) -> None:
    await house.say("telegram:ana", "notify off")
    await house.say("telegram:ana", "new classic 2")
    game = house.store.read_now(lambda tx: tx.all(Seat))[0].game_id
    await house.say(BEA, f"join #{game}")
    rows = house.store.read_now(lambda tx: tx.all(Outbox, kind="muster", person_id=1))
    assert [row.state for row in rows] == ["sent"]


async def test_a_game_that_has_not_begun_or_is_over_can_be_left_alone_too(house: House) -> None:
    await house.say("telegram:ana", "new classic 3")
    game = house.store.read_now(lambda tx: tx.all(Seat))[0].game_id
    await house.say("telegram:ana", f"unsubscribe #{game}")
    text = house.last("telegram:ana").text.replace("\n", " ")
    assert f"Game #{game}: nothing comes that you didn't ask for" in text
    assert f"“#{game} notify all” undoes this" in text
    await house.say("telegram:ana", f"abandon #{game}")
    await house.say("telegram:ana", f"notify urgent #{game}")
    assert "“urgent”" in house.last("telegram:ana").text


async def test_whoever_said_no_zone_is_told_which_hour_is_meant(house: House) -> None:
    await house.say("telegram:ana", "notify digest 8:00")
    assert "“zone Lisbon”" in house.last("telegram:ana").text
    await house.say("telegram:ana", "zone Lisbon")
    await house.say("telegram:ana", "notify")
    assert "08:00 (Lisbon)" in house.last("telegram:ana").text.replace("\n", " ")
    assert "“zone Lisbon”" not in house.last("telegram:ana").text
