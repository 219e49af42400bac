"""Tables with a choice of cards: by the menu, by one line, shown while they gather, played and recorded as
shown.
"""

from __future__ import annotations

import json

import pytest

from referee import rules
from referee.ports import Fate, Receipt
from referee.rules import lists
from referee.rules.record import RecordError, verify
from referee.service.core.unit_of_work import settings_of
from referee.service.play.records import record_text
from referee.store import Game, Seat
from tests.rules.tampering import rechained
from tests.service.playing import running, state, to_the_end
from tests.service.rig import House

GROUP = "-100"


def games(house: House) -> list[Game]:
    return house.store.read_now(lambda tx: tx.all(Game, order="id"))


def offered(house: House, who: str) -> dict[str, int]:
    return {b.label: b.number for row in house.last(who).buttons for b in row}


@pytest.mark.parametrize("who", ["telegram:ana", "matrix:@ana:hs", "terminal:ana"])
async def test_a_table_by_buttons(house: House, who: str) -> None:
    await house.say(who, "new")
    for order in (
        "new menu deluxe",
        "new menu deluxe vicious nobles",
        "new menu deluxe Vicious Nobles 4 players",
        "new deluxe Vicious Nobles 4 players 48h",
    ):
        assert not games(house)
        await house.press(who, house.key(who, order))
        if not games(house):
            assert bool(house.last(who).edits) == who.startswith("telegram")
    (game,) = games(house)
    table = settings_of(game)
    assert (game.edition, table["seats"], table["hours"], table["choice"]) == (
        "deluxe",
        4,
        48.0,
        {"named": "Vicious Nobles"},
    )
    shown = house.last(who).text
    for rank, name in enumerate(lists.PRESETS["deluxe"][6].cast[:8], 1):
        assert f"{rank} {name}: " in shown
    await house.press(who, house.key(who, "new deluxe Vicious Nobles 4 players 48h"))
    assert len(games(house)) == 1
    assert "earlier question" in house.last(who).text


async def test_a_table_by_numbers(house: House) -> None:
    who = "terminal:ana"
    await house.say(who, "new")
    await house.say(who, str(offered(house, who)["Deluxe"]))
    await house.say(who, str(offered(house, who)["By chance, gently"]))
    assert offered(house, who)["5 players"] == 5
    await house.say(who, "5")
    await house.say(who, str(offered(house, who)["24h"]))
    (game,) = games(house)
    assert (settings_of(game)["seats"], settings_of(game)["choice"]) == (
        5,
        {"named": "random", "gentle": True},
    )


@pytest.mark.parametrize("channel", ["telegram", "matrix"])
async def test_a_menu_in_a_room_belongs_to_the_person_who_opened_it(house: House, channel: str) -> None:
    ana, bea, room = f"{channel}:ana", f"{channel}:bea", f"{channel}:{GROUP}"
    await house.say(ana, "/new", place=GROUP)
    assert house.last(room).text.startswith("Ana: Which edition?")
    await house.press(bea, house.key(room, "new menu classic"), place=GROUP)
    assert house.last(room).text.startswith("Bea: Only Ana can use this menu")
    for order in ("new menu classic", "new menu classic 3 players", "new classic 3 players 24h"):
        await house.press(ana, house.key(room, order), place=GROUP)
    (game,) = games(house)
    assert (game.edition, settings_of(game)["seats"]) == ("classic", 3)
    await house.press(bea, house.key(room, f"join #{game.id}"), place=GROUP)
    assert seated(house) == ["Ana", "Bea"], "a lobby is for all"


def seated(house: House) -> list[str]:
    return house.store.read_now(lambda tx: [seat.name for seat in tx.all(Seat, order="no")])


def wire_id(house: House, who: str) -> str:
    """The wire's name of the last message that was sent there."""
    return house.row(house.last(who)).wire_id


@pytest.mark.parametrize("channel", ["telegram", "matrix"])
async def test_a_menu_in_a_room_is_answered_by_numbers_of_its_opener(house: House, channel: str) -> None:
    ana, bea, room = f"{channel}:ana", f"{channel}:bea", f"{channel}:{GROUP}"
    await house.say(ana, "/new", place=GROUP)
    before = len(house.letters(room))
    for who, words in ((bea, "1"), (ana, "9"), (ana, "I have 2 questions"), (ana, "Classic")):
        await house.say(who, words, place=GROUP)
    assert len(house.letters(room)) == before, "people talk among themselves"
    await house.say(ana, "1", place=GROUP, thread="somebody else's message")
    assert len(house.letters(room)) == before, "an answer to somebody else"
    await house.say(ana, "1.", place=GROUP)
    await house.say(ana, "5", place=GROUP)
    assert "How much time" in house.last(room).text
    await house.say(ana, "3", place=GROUP)
    (game,) = games(house)
    assert (game.edition, settings_of(game)["seats"], settings_of(game)["hours"]) == ("classic", 5, 24.0)
    before = len(house.letters(room))
    await house.say(ana, "3", place=GROUP)
    assert len(house.letters(room)) == before, "the menu is over: a number is a number again"


async def test_a_number_in_a_room_is_talk_when_the_menu_is_old_and_a_reply_to_it_still_counts(
    house: House,
) -> None:
    room = f"matrix:{GROUP}"
    await house.say("matrix:ana", "!new", place=GROUP)
    menu, before = wire_id(house, room), len(house.letters(room))
    house.clock.pass_(hours=2)
    await house.say("matrix:ana", "1", place=GROUP)
    assert len(house.letters(room)) == before
    await house.say("matrix:ana", "1", place=GROUP, thread=menu)
    assert "How many players" in house.last(room).text


async def test_a_reply_is_known_though_another_rooms_message_has_its_number_and_was_rewritten_often(
    house: House,
) -> None:
    other, room = "-200", f"telegram:{GROUP}"
    wire = house.wires["telegram"]
    # Telegram counts the messages of each supergroup from one
    wire.fate = lambda letter: Receipt(Fate.SENT, wire_id="7" if letter.place else f"p{letter.id}")
    await house.say("telegram:ana", "/new", place=GROUP)
    await house.say("telegram:bea", "/new classic 4 seats", place=other)
    for _ in range(12):
        await house.say("telegram:cy", "/join", place=other)
        await house.say("telegram:cy", "/leave", place=other)
    await house.say("telegram:ana", "1", place=GROUP, thread="7")
    assert "How many players" in house.last(room).text


@pytest.mark.parametrize("words", ["2", "2)", "2\ufe0f\u20e3", "Deluxe", "deluxe."])
async def test_a_reply_to_a_menu_names_an_entry_by_its_number_or_its_label(house: House, words: str) -> None:
    room = f"matrix:{GROUP}"
    await house.say("matrix:ana", "!new", place=GROUP)
    menu = wire_id(house, room)
    await house.say("matrix:bea", "what is that?", place=GROUP, thread=menu)
    before = len(house.letters(room))
    await house.say("matrix:bea", words, place=GROUP, thread=menu)
    assert house.last(room).text.startswith("Bea: Only Ana can use this menu")
    await house.say("matrix:ana", words, place=GROUP, thread=menu)
    assert "(Deluxe)" in house.last(room).text or "(deluxe)" in house.last(room).text
    assert len(house.letters(room)) == before + 2


async def test_a_menu_speaks_the_language_of_its_room(house: House) -> None:
    room = f"matrix:{GROUP}"
    await house.say("matrix:ana", "!language pt-br", place=GROUP)
    await house.say("matrix:ana", "!new", place=GROUP)
    assert house.last(room).text.startswith("Ana: ")
    await house.say("matrix:ana", "clássica", place=GROUP, thread=wire_id(house, room))
    await house.say("matrix:bea", "3", place=GROUP, thread=wire_id(house, room))
    assert "Só Ana pode usar este menu" in house.last(room).text
    await house.say("matrix:ana", "!nova mesa", place=GROUP)
    await house.say("matrix:ana", "2", place=GROUP)
    assert "(deluxe)" in house.last(room).text


async def test_a_lobby_is_answered_by_a_reply_of_everybody(house: House) -> None:
    room = f"matrix:{GROUP}"
    await house.say("matrix:ana", "!new classic 4", place=GROUP)
    lobby = wire_id(house, room)
    await house.say("matrix:bea", "1", place=GROUP)
    assert seated(house) == ["Ana"], "a number alone is talk"
    await house.say("matrix:bea", "1", place=GROUP, thread=lobby)
    await house.say("matrix:cy", "join", place=GROUP, thread=lobby)
    assert seated(house) == ["Ana", "Bea", "Cy"]


async def test_a_label_answers_a_menu_in_private_too(house: House) -> None:
    who = "matrix:ana"
    await house.say(who, "language pt-br")
    await house.say(who, "nova mesa")
    await house.say(who, "Clássica", thread=wire_id(house, who))
    assert "Quantas pessoas" in house.last(who).text


@pytest.mark.parametrize("words", ["1", "1)", "ready"])
async def test_the_question_who_is_ready_is_answered_by_the_number_of_its_button(
    house: House, words: str
) -> None:
    await house.say("matrix:ana", "new classic 2 players")
    await house.say("matrix:bea", "join #1")
    assert "about to begin" in house.last("matrix:bea").text
    await house.say("matrix:bea", words)
    assert "You are ready" in house.last("matrix:bea").text
    await house.say("matrix:ana", words)
    assert games(house)[0].status == "running"
    waits = next(who for who in ("matrix:ana", "matrix:bea") if "Now:" not in house.last(who).text)
    await house.say(waits, "1")
    assert "not your turn" in house.last(waits).text


async def test_what_was_said_is_not_asked_again(house: House) -> None:
    await house.say("terminal:ana", "new menu cunning agents with Patrician, 2 players, invite")
    assert set(offered(house, "terminal:ana")) >= {"24h", "2 days"}
    await house.press(
        "terminal:ana",
        next(b.key for row in house.last("terminal:ana").buttons for b in row if "24h" in b.order),
    )
    (game,) = games(house)
    assert (game.edition, settings_of(game)["entry"], settings_of(game)["seats"]) == ("deluxe", "invite", 2)
    assert "4 Patrician: " in house.last("terminal:ana").text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "new deluxe 4 with Queen",
            "Queen plays only from 5 players up; with 4 take Artist or Tax Collector.",
        ),
        ("new deluxe cast King, Emperor", "King and Emperor are both of rank 4"),
        (
            "new deluxe 3 cast Witch, Thief, Seer, King, Bishop, Merchant, Architect, Warlord",
            "name Artist or Tax Collector for rank 9",
        ),
        ("new deluxe uniques Keep, Park", "2 unique districts are named; it takes 14: add 12."),
        (
            "new deluxe with University",
            "There is no University in the deluxe edition, but in the classic or original edition.",
        ),
        ("new classic with Witch", "There is no Witch in the classic edition"),
        ("new classic random", "The classic edition has no lists"),
        ("new classic 8", "8 players are not possible: 2 to 7 can play."),
        ("new deluxe nine 2", "With 2 players there is no rank 9"),
        ("new deluxe cast Wich", "There is no card “wich”. Did you mean Witch?"),
    ],
)
async def test_what_cannot_be_is_refused_with_what_would_be_right(house: House, line: str, said: str) -> None:
    await house.say("terminal:ana", line)
    assert said in house.last("terminal:ana").text
    assert not games(house)


async def test_who_is_missing_at_the_start_changes_the_cast_where_it_must(house: House) -> None:
    await house.say("terminal:ana", "new devious dignitaries nine 5")
    assert "9 Queen: " in house.last("terminal:ana").text
    for name in ("bea", "cy"):
        await house.say(f"terminal:{name}", "join #1")
    await house.say("terminal:ana", "start")
    for name in ("ana", "bea", "cy"):
        await house.say(f"terminal:{name}", "ready")
    assert running(house, 1).status == "running"
    assert state(house, 1).rules.cast == (*lists.PRESETS["deluxe"][4].cast[:8], "Tax Collector")
    assert settings_of(running(house, 1))["cast"] == list(state(house, 1).rules.cast)


async def test_a_named_character_is_not_replaced_silently(house: House) -> None:
    await house.say("terminal:ana", "new deluxe 5 with Queen")
    await house.say("terminal:bea", "join #1")
    await house.say("terminal:cy", "join #1")
    await house.say("terminal:ana", "start")
    assert (
        "Queen plays only from 5 players up; with 3 take Artist or Tax Collector."
        in house.last("terminal:ana").text
    )
    assert running(house, 1).status == "lobby"


async def test_what_was_shown_is_what_is_played_and_recorded(house: House) -> None:
    await house.say("terminal:ana", "new random nine 4 with 3 bots")
    game = games(house)[0]
    seed = bytes.fromhex(game.seed)
    drawn = lists.choose("deluxe", 4, lists.Choice(named="random", nine=True), seed)
    await house.say("terminal:ana", "word tulip")
    await house.say("terminal:ana", "ready")
    assert state(house, 1).rules.cast == drawn.cast
    assert set(state(house, 1).rules.uniques) == set(drawn.uniques)
    await house.say("terminal:bea", "status #1")
    assert f"Characters: 1 {drawn.cast[0]}, 2 {drawn.cast[1]}, " in house.last("terminal:bea").text
    assert drawn.uniques[0] in house.last("terminal:bea").text
    await to_the_end(house, 1, ["terminal:ana"] * 4)
    text = house.store.read_now(lambda tx: record_text(tx, 1))
    assert f"cast: {json.dumps(list(drawn.cast))}" in text
    assert 'list: {"named": "random", "nine": true}' in text
    assert verify(text).replayed
    with pytest.raises(RecordError, match="from that list and seed"):
        verify(rechained(text.replace('"named": "random"', '"named": "Vicious Nobles"')))
    for wrong in ("[]", '{"nice": 1}', "{"):
        with pytest.raises(RecordError):
            verify(rechained(text.replace('{"named": "random", "nine": true}', wrong)))
    assert rules.rulebook(verify(text).record.setup).cast == drawn.cast


def test_a_gentle_pace_beside_cards_by_chance_is_read_again() -> None:
    from referee.policy import PRESETS, to_json
    from referee.service.tables.new_table_menu import line_of
    from referee.text import Intent, Reading, read_intent

    row = to_json(PRESETS["gentle"])
    line = line_of({"edition": "deluxe", "choice": {"named": "random"}, "seats": 4, "policy": row})
    intent = read_intent(f"new {line}", Reading(), private=True)
    assert isinstance(intent, Intent)
    assert intent.args["policy"] == row
    assert not intent.args["choice"].get("gentle")


@pytest.mark.parametrize(
    ("line", "options", "said"),
    [
        (
            "new original capped endless 4",
            {"max_city": 8, "standstill": "off"},
            ["more than 8", "twelve rounds"],
        ),
        ("new original uncapped 4", {"max_city": "off"}, ["may grow beyond"]),
        (
            "nova original 4 interminável limitada",
            {"max_city": 8, "standstill": "off"},
            ["mais de 8", "doze rodadas"],
        ),
    ],
)
async def test_rules_that_a_table_has_otherwise_stand_in_its_lobby(
    house: House, line: str, options: dict[str, object], said: list[str]
) -> None:
    if line.startswith("nova"):
        await house.say("terminal:ana", "language pt_BR")
    await house.say("terminal:ana", line)
    (game,) = games(house)
    assert settings_of(game)["options"] == options
    shown = house.last("terminal:ana").text
    assert all(words in shown for words in said)


async def test_the_menu_keeps_what_was_said_of_the_rules(house: House) -> None:
    await house.say("telegram:ana", "new menu original endless complete 8")
    orders = [b.order for row in house.last("telegram:ana").buttons for b in row]
    assert orders
    assert all("complete 8 endless" in order for order in orders if order.startswith("new"))


async def test_more_than_two_of_the_dark_city_are_refused_by_their_names(house: House) -> None:
    await house.say("terminal:ana", "new original with Witch, Wizard, Emperor")
    assert not games(house)
    said = house.last("terminal:ana").text
    assert "one or two at a time" in said
    assert "Witch, Wizard and Emperor" in said
    await house.say("terminal:ana", "new classic capped")
    assert not games(house)
