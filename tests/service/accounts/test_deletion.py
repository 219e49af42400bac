"""Deleting one's account: what it says before, what goes, what stays, who must hand something over first."""

from __future__ import annotations

import json
from typing import Any

from referee.ports import Inbound, unread
from referee.rules import record
from referee.service.accounts import deletion, other_names
from referee.service.deadlines import clock_state
from referee.service.play.records import record_text
from referee.service.tables import takeover
from referee.service.upkeep.audit import flaws
from referee.service.upkeep.workers import desk
from referee.store import (
    Address,
    Alert,
    Bookmark,
    Game,
    Journal,
    LeagueRole,
    Outbox,
    Person,
    Seat,
    StepComment,
)
from referee.store.columns import TableRow, table_of
from tests.service.joining import joined
from tests.service.playing import FLAT, asked, greet, happened, legal, table, to_the_end
from tests.service.rig import House

ZOE, BEA, CY = "telegram:777123456789", "matrix:@bea:hs", "terminal:cy"
MAIL = "mail:zoe.quixano@mail.test"
NAME = "Zoë Quixano"
SECRETS = (NAME, "777123456789", "zoe.quixano@mail.test")


def places(house: House, *wanted: str) -> list[str]:
    """Every column of every table that holds one of these words."""

    def look(tx: Any) -> list[str]:
        return [
            f"{model.__name__}.{name}: {one!r} in {getattr(row, name)!r:.300}"
            for model in TableRow.__subclasses__()
            for row in tx.all(model)
            for name in model.model_fields
            for one in wanted
            if said(getattr(row, name), one)
        ]

    return house.store.read_now(look)


def said(value: object, wanted: str) -> bool:
    """Whether a value says it, as it is or as JSON that keeps to ASCII."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return wanted in text or wanted.encode("ascii", "backslashreplace").decode() in text


async def forgotten(house: House) -> None:
    """Sweep until nothing is left to do."""
    for _ in range(500):
        await house.settle()
        await house.referee.scheduler.tidy()
        if not house.store.read_now(lambda tx: tx.count(Bookmark, channel="account deletion")):
            return
    raise AssertionError("it never ends")


async def confirm(house: House, who: str) -> None:
    await house.say(who, "delete my account")
    order = next(b.order for row in house.last(who).buttons for b in row)
    await house.say(who, order)


async def test_a_word_of_theirs_is_in_no_table_and_their_games_verify(house: House) -> None:
    await house.say(ZOE, "hello")
    await house.say(ZOE, f"name {NAME}")
    await greet(house, MAIL)
    await joined(house, ZOE, MAIL)
    over = await table(house, [ZOE, BEA])
    await house.say(ZOE, f"#{over} say Zoë Quixano was here")
    await house.say(BEA, f"#{over} say hello Zoë Quixano")
    await to_the_end(house, over, [ZOE, BEA])
    await house.say(ZOE, f"#{over} comment 1 I am Zoë Quixano")
    await house.say(BEA, f"#{over} comment 1 well played, Zoë Quixano!")
    playing = await table(house, [ZOE, BEA, CY])
    for _ in range(12):
        await house.say([ZOE, BEA, CY][asked(house, playing)], legal(house, playing)[0])
    await house.say(ZOE, f"new classic 4 {FLAT}")
    await house.say(BEA, "join #3")
    await house.say(ZOE, "calendar")
    await house.say(ZOE, f"when Merchant: gold; end #{playing}")
    for one in SECRETS:
        assert places(house, one)

    await house.say(ZOE, "delete my account")
    asks = house.last(ZOE).text
    assert f"#{playing}" in asks
    assert "#3" in asks
    assert "1 table that ended" in asks
    assert house.store.read_now(lambda tx: tx.count(Address, channel="telegram")) == 1, "only asked so far"
    await house.say(ZOE, house.last(ZOE).buttons[0][0].order)
    assert "Your account is deleted" in house.last(ZOE).text
    await forgotten(house)

    assert not places(house, *SECRETS)
    [comment] = house.store.read_now(lambda tx: tx.column(StepComment, "text"))  # the other's, with no name
    assert comment.startswith("well played, Former player")
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=playing, order="no"))
    assert seats[0].person_id is None
    assert seats[0].name.startswith("Former player")
    held = record.verify(house.store.read_now(lambda tx: record_text(tx, over)))
    assert held.replayed
    assert held.finished
    assert held.record.setup.players[0].startswith("Former player")
    assert not house.store.read_now(lambda tx: flaws(desk(tx, house.clock()), playing))


async def test_what_was_parked_of_them_goes_with_them(house: House) -> None:
    """Where words are kept for ever (`words_days = 0`), nothing else would throw it away."""
    await house.say(ZOE, "hello")
    await greet(house, MAIL)
    await joined(house, ZOE, MAIL)
    channel, _, address = ZOE.partition(":")
    parking, now = house.referee.reception.parking, house.clock()
    parking.park(Inbound(channel, "k1", address, text="my words"), "deadly", now)
    parking.park(
        unread("mail", b"From: Zoe <ZOE.Quixano@mail.test>\r\n\r\nmy words", ref="1", reason="cpu"), "", now
    )
    parking.park(Inbound(channel, "k2", "7771234567890", text="of somebody else"), "deadly", now)
    parking.park(
        unread("mail", b"From: <azoe.quixano@mail.test>\r\n\r\nnot theirs", ref="2", reason="cpu"), "", now
    )
    await confirm(house, ZOE)
    assert [b"my words" in one.head for one in parking.all()] == [False, False]


async def test_nothing_of_their_days_and_wishes_stays_with_a_table_that_is_over(house: House) -> None:
    game = await table(house, [ZOE, BEA], hours="24h daily vacation 20 days")
    await house.say(ZOE, f"notify turns #{game}")
    await house.say(ZOE, "vacation 3 days")
    seat = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0))
    table_time = clock_state.read_clocks(house.store.read_now(lambda tx: tx.get(Game, game)))
    assert table_time.seat(0).vacations
    assert (seat.notify, seat.channel) == ("turns", "telegram")
    table_time.seat(0).hours = ("America/Sao_Paulo", "1320-420")  # as `quiet` in the midst of a turn keeps it
    text = clock_state.encode_clocks(table_time)
    await house.store.write(lambda tx: tx.set(Game, game, status="over", ended_ms=house.clock(), clocks=text))
    await confirm(house, ZOE)
    await forgotten(house)
    seat = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0))
    left = clock_state.read_clocks(house.store.read_now(lambda tx: tx.get(Game, game))).seat(0)
    assert (seat.notify, seat.channel) == ("", "")
    assert (left.vacations, left.hours) == ([], None)


async def test_what_admins_were_told_of_their_address_goes_too(house: House) -> None:
    """Also where it looks like a word of the program, as numbers and short names do."""
    for n in range(40):
        await house.say(ZOE, f"{'what is this, and who are you that writes to me all the time? ' * 3}{n}")
    assert house.store.read_now(lambda tx: tx.column(Alert, "code")) == ["machine"]
    house.clock.pass_(hours=2)
    await confirm(house, ZOE)
    await forgotten(house)
    assert not places(house, "777123456789")


async def test_others_play_on_without_them(house: House) -> None:
    game = await table(house, [ZOE, BEA, CY])
    await confirm(house, ZOE)
    assert "departed" in happened(house, game)
    await house.say("telegram:dora", f"join #{game}")
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    assert seats[0].person_id is not None
    await to_the_end(house, game, ["telegram:dora", BEA, CY])
    held = record.verify(house.store.read_now(lambda tx: record_text(tx, game)))
    assert held.finished


async def test_a_table_of_bots_ends_with_its_only_human(house: House) -> None:
    game = await table(house, [ZOE], bots=3)
    await confirm(house, ZOE)
    assert house.store.read_now(lambda tx: tx.get(Game, game)).status == "abandoned"


async def test_who_writes_again_is_somebody_new(house: House) -> None:
    await house.say(ZOE, "hello")
    before = house.store.read_now(lambda tx: tx.one(Address, channel="telegram"))
    await confirm(house, ZOE)
    await house.say(ZOE, "games")
    await forgotten(house)
    after = house.store.read_now(lambda tx: tx.one(Address, channel="telegram"))
    assert before is not None
    assert after is not None
    assert before.person_id != after.person_id
    assert house.letters(ZOE)[-1].text
    rows = house.store.read_now(lambda tx: tx.all(Address, person_id=after.person_id))
    assert [one.address for one in rows] == ["777123456789"], "what came later is not touched"


async def test_who_mails_again_is_welcomed(house: House) -> None:
    await house.say(MAIL, "hello", vouched=False)
    await house.say(MAIL, "games")
    old = house.last(MAIL).token
    await confirm(house, MAIL)
    house.clock.pass_(hours=30)

    await house.say(MAIL, "games", token=old)
    assert house.last(MAIL).subject.startswith("Welcome"), "an answer to a letter from before is no silence"
    assert not house.store.read_now(lambda tx: tx.count(Address)), "nothing is kept before they answer that"
    await house.say(MAIL, "games")
    assert "You have no games" in house.last(MAIL).text
    house.clock.pass_(hours=1)
    await house.say(MAIL, "games", token=old)
    assert "whose account is deleted" in house.last(MAIL).text
    assert "none of yours" not in house.last(MAIL).text

    await house.say(MAIL, "games")
    await confirm(house, MAIL)
    await house.say(MAIL, "games", vouched=False, token="")
    assert house.last(MAIL).subject.startswith("Welcome")


async def test_one_whose_last_letter_waits_keeps_nobody_else_waiting(house: House) -> None:
    for who in (ZOE, BEA):
        await house.say(who, "hello")
    house.wires["telegram"].wait_ms = 3_600_000
    await house.say(ZOE, "delete my account")
    word = house.store.read_now(lambda tx: deletion.words(desk(tx, house.clock()), 1)[0])
    await house.say(ZOE, f"delete my account {word}")
    await confirm(house, BEA)
    for _ in range(20):
        await house.referee.scheduler.tidy()
    (left,) = house.store.read_now(lambda tx: tx.column(Bookmark, "value", channel="account deletion"))
    assert json.loads(left)["person"] == 1
    assert places(house, "777123456789")
    house.wires["telegram"].wait_ms = 0
    house.clock.pass_(hours=2)
    await forgotten(house)
    assert "Your account is deleted" in house.last(ZOE).text
    assert not places(house, "777123456789")


async def test_strangers_who_come_and_go_keep_no_player_waiting(house: House) -> None:
    strangers = [f"telegram:7{n}" for n in range(3)]
    for who in (*strangers, BEA):
        await house.say(who, "hello")
    await house.say(BEA, "new classic 2")
    player = house.store.read_now(lambda tx: tx.column(Person, "id", order="-id", limit=1))
    for who in (*strangers, BEA):
        await confirm(house, who)
    waiting = player
    while player[0] in waiting:
        await house.referee.scheduler.tidy()
        found = house.store.read_now(lambda tx: tx.column(Bookmark, "value", channel="account deletion"))
        waiting = [json.loads(one)["person"] for one in found]
    assert len(waiting) == len(strangers)
    await forgotten(house)


async def test_a_word_that_is_wrong_or_old_deletes_nothing(house: House) -> None:
    await house.say(ZOE, "delete my account")
    order = house.last(ZOE).buttons[0][0].order
    await house.say(ZOE, "delete my account AAAAAA")
    assert "does not confirm" in house.last(ZOE).text
    await house.say(BEA, order)
    assert "does not confirm" in house.last(BEA).text
    house.clock.pass_(hours=2)
    await house.say(ZOE, order)
    assert "does not confirm" in house.last(ZOE).text
    await house.say(ZOE, "/delete my account", place="room")
    assert "in private" in house.last("telegram:room").text
    assert house.store.read_now(lambda tx: tx.count(Person, name="Former player 1")) == 0


async def test_who_looks_after_the_house_or_owns_a_league_hands_over_first(ruled: House) -> None:
    admin = next(iter(ruled.settings.admins))
    await ruled.say(f"{admin[0]}:{admin[1]}", "delete my account")
    assert "look after this house" in ruled.last(f"{admin[0]}:{admin[1]}").text
    await ruled.say(ZOE, "hello")
    await ruled.say(f"{admin[0]}:{admin[1]}", "league new Winter Cup")
    me = ruled.store.read_now(lambda tx: tx.one(Address, address="777123456789"))
    ruled.store.write_now(
        lambda tx: (
            tx.change(LeagueRole, {"league_id": 1}, person_id=me.person_id)
            or tx.add(LeagueRole, league_id=1, person_id=me.person_id, role="owner")
        )
    )
    await ruled.say(ZOE, "delete my account")
    assert "only owner of Winter Cup" in ruled.last(ZOE).text


def test_every_table_that_names_a_person_is_dropped_or_kept_for_a_reason() -> None:
    kept = {
        ("Seat", "person_id"),  # games keep who sat there, by number
        ("Game", "creator_id"),
        ("Journal", "person_id"),
        ("Proposal", "person_id"),
        ("Entry", "person_id"),  # a league's results
        ("TableResult", "person_id"),
        ("LeagueProposal", "person_id"),
        ("LeagueReport", "closed_by"),  # the report is its writer's
        ("LeagueRole", "person_id"),  # the league's own listener
    }
    naming = {
        (model.__name__, column.name)
        for model in TableRow.__subclasses__()
        for column in table_of(model).columns
        if any(key.column.table.name == "person" for key in column.foreign_keys)
    }
    assert naming - kept == {(model.__name__, column) for model, column in deletion.DROPPED}


def test_a_name_is_replaced_as_a_word_of_its_own() -> None:
    value = {"Ana": "Ana built Anaconda", "entry": "ana", "name": "ana", "n": 3, "all": ["(Ana)", None]}
    found = other_names._value(
        value, other_names.looked_for(["Ana", "ana"], [], "Former player 4"), spoken=False
    )
    assert found == {
        "Ana": "Former player 4 built Anaconda",
        "entry": "ana",
        "name": "Former player 4",
        "n": 3,
        "all": ["(Former player 4)", None],
    }


async def test_a_seat_that_somebody_else_plays_by_now_has_their_name_no_more(house: House) -> None:
    """Also at a table that another one opened: nothing but letters tells that they sat there."""
    await house.say(ZOE, f"name {NAME}")
    game = await table(house, [BEA, ZOE, CY])
    await house.say(BEA, f"#{game} say hello {NAME}")
    seat = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1))
    dora = "telegram:dora"
    await house.say(dora, "hello")
    person = house.store.read_now(lambda tx: tx.whose("telegram", "dora"))
    await house.store.write(
        lambda tx: takeover.put(house.referee.context.uow(tx), tx.get(Game, game), person[0], None, seat)
    )
    assert seat.name == NAME
    await confirm(house, ZOE)
    await forgotten(house)
    assert not places(house, *SECRETS)


async def test_a_name_that_is_a_word_of_the_game_spoils_nobody_s_letters_and_comments(house: House) -> None:
    """A stranger may call themselves anything, and delete the account the moment after."""
    over = await table(house, [BEA, CY])
    await to_the_end(house, over, [BEA, CY])
    await house.say(BEA, f"#{over} comment 1 take the gold or end")
    game = await table(house, [BEA, CY])
    who = [BEA, CY][asked(house, game)]
    buttons = [one for row in house.letters(who)[-1].buttons for one in row]
    order = buttons[0].order
    for n, called in enumerate(["the gold", "gold", order, order.split()[-1], "or"]):
        await house.say(f"telegram:mal{n}", f"name {called}")
        await confirm(house, f"telegram:mal{n}")
    await forgotten(house)
    [comment] = house.store.read_now(lambda tx: tx.column(StepComment, "text"))
    assert comment == "take the gold or end"
    shown = house.store.read_now(lambda tx: tx.column(Outbox, "letter", game_id=game))
    assert not [one for one in shown if "Former player" in one]
    await house.press(who, buttons[0].key)
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game)) == 1


async def test_who_goes_by_another_s_name_takes_it_from_nobody(house: House) -> None:
    """Having looked at their table, or sat at it, and deleted the account then."""
    game = await table(house, [BEA, CY], bots=1)
    bea, bot, cy = house.store.read_now(lambda tx: tx.column(Seat, "name", game_id=game, order="no"))
    await house.say(BEA, "name Beatrice")
    await house.say(CY, f"#{game} say well played, {bea}")
    over = await table(house, [CY, "telegram:mal"])
    await house.say(CY, f"#{over} say and {bea} is better")
    before = house.store.read_now(lambda tx: [one for one in tx.column(Outbox, "letter") if bea in one])
    for n, called in enumerate((bea, bot, bea)):
        who = f"telegram:mal{n}" if n < 2 else "telegram:mal"
        await house.say(who, f"name {called}")
        await house.say(who, f"status #{game}")
        await confirm(house, who)
    await forgotten(house)
    assert house.store.read_now(lambda tx: tx.column(Seat, "name", game_id=game, order="no")) == [
        bea,
        bot,
        cy,
    ]
    kept = house.store.read_now(lambda tx: tx.column(Outbox, "letter", game_id=game))
    assert not [one for one in kept if "Former player" in one]
    assert before
