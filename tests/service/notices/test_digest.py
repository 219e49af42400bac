"""The daily letter: once a day at its reader's hour, over all games, from their own seats alone, and never
for nothing.
"""

from __future__ import annotations

import json
import random
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from referee.ids import LetterId
from referee.ports import Inbound, Letter, What
from referee.service.notices import digest
from referee.store import DailyLetter, Outbox, Seat, Tx
from tests.service import hidden_cards
from tests.service.joining import joined
from tests.service.notices.test_delivery_rules import PLAIN, at, at_table, let_pass, unasked
from tests.service.playing import asked, legal, lines, rows, running, table, to_the_end
from tests.service.rig import House

ANA, BEA = "telegram:ana", "matrix:@bea:hs"
SLOW = "72h no bank no quiet no nights no vacation no restart no reminders"


def dailies(house: House, who: str, since: int = 0) -> list[Letter]:
    """The daily letters that reached an address."""
    return [letter for letter in house.letters(who)[since:] if house.row(letter).kind == "digest"]


def local(house: House, zone: str = "Europe/Lisbon") -> str:
    return datetime.fromtimestamp(house.clock() / 1000, ZoneInfo(zone)).strftime("%m-%d %H:%M")


async def two_games(house: House, who: str = ANA) -> list[int]:
    """Two games between the same two; both wait for the first of them."""
    games = [await table(house, [who, BEA], hours=SLOW) for _ in range(2)]
    for game in games:
        await at_table(house, game, [who, BEA], 1)
        await at_table(house, game, [who, BEA], 0)
    return games


@pytest.mark.parametrize("who", [ANA, "matrix:@ana:hs", "mail:ana@x.test", "terminal:ana"])
async def test_it_tells_all_games_what_is_asked_first(house: House, who: str) -> None:
    house.clock.at_ms = at("2026-11-21T20:00")
    games = await two_games(house, who)
    await at_table(house, games[0], [who, BEA], 1)
    await house.say(who, "zone Lisbon")
    await house.say(who, "notify digest 08:00")
    assert "08:00 (Lisbon)" in house.last(who).text.replace("\n", " ")
    before = len(house.letters(who))
    await let_pass(house, 11.9)
    assert dailies(house, who) == []
    await let_pass(house, 0.2)
    (one,) = dailies(house, who, before)
    text = one.text
    assert f"#{games[1]} classic, round" in text
    assert "until Tue 24 Nov" in text.replace("\n", " ") or "until Tue" in text
    assert text.index("Waiting for you") < text.index(f"#{games[1]}") < text.index("every day at 08:00")
    assert [b.order for row in one.buttons for b in row] == [f"status #{games[1]}"]
    assert one.subject.startswith(f"1 answer of yours is awaited: #{games[1]}")
    # a number in answer to it shows that game's question
    await house.say(who, "1")
    assert house.last(who).ref == f"g{games[1]}"
    assert house.last(who).buttons
    # what it told is not told again
    assert "Since your last letter" not in house.last(who).text
    # one a day
    await let_pass(house, 23.8)
    assert len(dailies(house, who)) == 1
    await let_pass(house, 0.3)
    assert len(dailies(house, who)) == 2


@pytest.mark.parametrize(("language", "how"), [("en", "at once with"), ("pt-br", "responda já com")])
@pytest.mark.parametrize("phase", ["pick ", "gold"])
async def test_what_it_shows_as_an_answer_answers(house: House, language: str, how: str, phase: str) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "UTC")
    await house.say(ANA, f"language {language}")
    game = await table(house, [ANA, BEA], hours=SLOW)
    await house.say(ANA, "notify digest 08:00")
    while asked(house, game) or not legal(house, game)[0].startswith(phase):
        await house.say((ANA, BEA)[asked(house, game)], legal(house, game)[0])
    await let_pass(house, 13)
    (one,) = dailies(house, ANA)
    (said,) = [part for part in one.text.split("“")[1:] if how in one.text and part.startswith(f"#{game} ")]
    before = len(lines(house, game))
    await house.say(ANA, said.partition("”")[0])
    assert len(lines(house, game)) > before, house.last(ANA).text


async def test_nothing_to_say_nothing_sent(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "UTC")
    await house.say(ANA, "notify digest 08:00")
    game = await table(house, [ANA, BEA], hours=SLOW)
    await at_table(house, game, [ANA, BEA], 1)
    await let_pass(house, 13)
    assert len(dailies(house, ANA)) == 1  # what has happened since the last letter
    await let_pass(house, 48)
    assert len(dailies(house, ANA)) == 1  # nothing has since, and nothing is asked
    assert house.store.read_now(lambda tx: tx.count(Outbox, kind="digest", state="dropped")) == 2


async def test_it_tells_who_is_on_vacation_also_on_days_on_which_nothing_happens(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "UTC")
    games = [
        await table(house, [ANA, BEA], hours=SLOW.replace("no vacation", "vacation 9")) for _ in range(2)
    ]
    await at_table(house, games[0], [ANA, BEA], 1)
    await at_table(house, games[1], [ANA, BEA], 0)
    await house.say(BEA, f"vacation 6 days #{games[0]}")
    await house.say(ANA, "notify digest 08:00")
    for days in (1, 2):
        await let_pass(house, 24)
        told = " ".join(dailies(house, ANA)[days - 1].text.split())
        assert f"#{games[1]} classic, round 1: " in told
        assert "The table waits for bea. bea is on vacation until Fri 27 Nov 20:00 (UTC)." in told
    await house.say(BEA, "here")
    await let_pass(house, 24)
    assert "is on vacation" not in dailies(house, ANA)[-1].text


async def test_it_goes_once_whoever_was_down(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "UTC")
    await two_games(house)
    await house.say(ANA, "notify digest 08:00")
    await house.close()
    house.clock.at_ms = at("2026-11-23T11:00", "UTC")  # away for two of its hours
    await house.open()
    for _ in range(3):
        await house.referee.scheduler.ring()
        await house.settle()
    assert len(dailies(house, ANA)) == 1
    assert house.store.read_now(lambda tx: tx.next_daily_ms()) == at("2026-11-24T08:00", "UTC")
    # two bells at once
    row = house.store.read_now(lambda tx: tx.one(DailyLetter))
    house.clock.at_ms = row.due_ms
    uow = house.referee.context.uow
    assert house.store.write_now(
        lambda tx: (digest.send_daily(uow(tx), row), digest.send_daily(uow(tx), row))
    ) == (True, False)


@pytest.mark.parametrize(
    ("day", "zone", "hour", "moments"),
    [
        (
            "2026-03-28T12:00",
            "Europe/Lisbon",
            "08:00",
            ["03-29 08:00", "03-30 08:00"],
        ),  # the night is an hour shorter
        ("2026-10-24T12:00", "Europe/Lisbon", "08:00", ["10-25 08:00", "10-26 08:00"]),  # and an hour longer
        (
            "2026-03-28T12:00",
            "Europe/Berlin",
            "02:30",
            ["03-29 03:30", "03-30 02:30"],
        ),  # an hour that is skipped
        (
            "2026-10-24T12:00",
            "Europe/Berlin",
            "02:30",
            ["10-25 02:30", "10-26 02:30"],
        ),  # and one that comes twice
        ("2026-11-21T12:00", "Pacific/Kiritimati", "0:00", ["11-22 00:00", "11-23 00:00"]),
    ],
)
async def test_its_hour_is_the_reader_s(
    house: House, day: str, zone: str, hour: str, moments: list[str]
) -> None:
    house.clock.at_ms = at(day, zone)
    await two_games(house)
    await house.say(ANA, f"zone {zone}")
    await house.say(ANA, f"notify digest {hour}")
    seen = []
    for _ in range(2):
        house.clock.at_ms = house.store.read_now(lambda tx: tx.next_daily_ms())
        await house.referee.scheduler.ring()
        await house.settle()
        seen.append(local(house, zone))
    assert seen == moments
    assert len(dailies(house, ANA)) == 2


async def test_whoever_moves_gets_no_second_letter_that_day(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "Asia/Tokyo")
    await two_games(house)
    await house.say(ANA, "zone Tokyo")
    await house.say(ANA, "notify digest 08:00")
    house.clock.at_ms = at("2026-11-22T08:00", "Asia/Tokyo")
    await house.referee.scheduler.ring()
    await house.settle()
    assert len(dailies(house, ANA)) == 1
    await house.say(ANA, "zone Europe/Lisbon")  # where it is still yesterday
    assert house.store.read_now(lambda tx: tx.next_daily_ms()) == at("2026-11-23T08:00")


async def test_digest_only_asks_by_the_letter_and_by_the_last_reminder(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "UTC")
    game = await table(house, [ANA, BEA], hours=PLAIN)
    await at_table(house, game, [ANA, BEA], 1)
    await house.say(ANA, "notify digest 08:00 only")
    before = len(house.letters(ANA))
    await at_table(house, game, [ANA, BEA], 0)
    assert unasked(house, ANA, before) == []
    await let_pass(house, 12.5)
    assert len(dailies(house, ANA, before)) == len(house.letters(ANA)[before:]) == 1
    await let_pass(house, 11)
    rest = house.letters(ANA)[before + 1 :]
    assert [x.subject for x in rest] == [f"[#{game}] Reminder: your answer is awaited"]
    await house.say(ANA, "notify digest off")
    assert house.store.read_now(lambda tx: tx.next_daily_ms()) is None


async def test_a_game_that_one_wants_nothing_of_is_not_in_it(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "UTC")
    games = await two_games(house)
    await house.say(ANA, "notify digest 08:00")
    await house.say(ANA, f"#{games[0]} notify off")
    await let_pass(house, 12.5)
    (one,) = dailies(house, ANA)
    assert f"#{games[0]}" not in one.text + one.subject
    assert f"#{games[1]}" in one.text


async def test_it_tells_how_a_game_ended_once(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T20:00", "UTC")
    game = await table(house, [ANA, BEA], hours=PLAIN)
    await house.say(ANA, "notify urgent digest 08:00")
    before = len(house.letters(ANA))
    await to_the_end(house, game, [ANA, BEA])
    assert running(house, game).status == "over"
    assert unasked(house, ANA, before) == []
    # the end was told at once to the person who brought it about: else this letter tells it
    end = running(house, game).event_no
    house.store.write_now(lambda tx: tx.change(Seat, {"game_id": game, "no": 0}, told=end - 3))
    await let_pass(house, 12.5)
    (one,) = dailies(house, ANA, before)
    assert "over" in one.text
    assert " win" in one.text
    await let_pass(house, 24)
    assert len(dailies(house, ANA, before)) == 1


async def test_it_knows_no_more_than_the_seat(house: House) -> None:
    """Dealing what others hold afresh changes no word of it (as of all letters: test_hidden_cards)."""
    people = [ANA, BEA, "terminal:cy"]
    game = await table(house, people, hours=PLAIN)
    dice = random.Random(3)
    otherwise = 0
    for n in range(40):
        await house.say(people[asked(house, game)], dice.choice(legal(house, game)))
        if n % 8 == 0:
            assert hidden_cards.differences(house, game, dice) == []
            otherwise += hidden_cards.hidden(house, game, dice)
    assert otherwise
    for no in range(3):
        seat = house.store.read_now(lambda tx, no=no: tx.one(Seat, game_id=game, no=no))
        said = hidden_cards.told(house, game, seat, running(house, game).snapshot)["digest by mail"]
        if asked(house, game) == no:
            assert "Waiting for you" in said.letter.text


@pytest.mark.parametrize("post_first", [True, False])
async def test_what_waited_for_it_is_in_it(house: House, post_first: bool) -> None:
    """Quiet hours that give everything to the daily letter: one letter at its hour, whether clock or post
    wakes first.
    """
    house.clock.at_ms = at("2026-11-21T21:00")
    game = await table(house, [ANA, BEA], hours="72h no vacation no restart no reminders")
    await house.say(ANA, "zone Lisbon")
    await house.say(ANA, "quiet 22-07 digest")
    await house.say(ANA, "notify digest 08:30")
    await at_table(house, game, [ANA, BEA], 1)
    house.clock.at_ms = at("2026-11-21T23:00")
    before = len(house.letters(ANA))
    await at_table(house, game, [ANA, BEA], 0)
    house.clock.at_ms = at("2026-11-22T07:30")
    await house.referee.scheduler.ring()
    await house.settle()
    assert house.letters(ANA)[before:] == []
    house.clock.at_ms = at("2026-11-22T08:30")
    for _ in range(2):
        if post_first:
            await house.settle()
        await house.referee.scheduler.ring()
        await house.settle()
        house.clock.pass_(seconds=1)
    (one,) = house.letters(ANA)[before:]
    assert "every day at 08:30" in one.text
    assert f"#{game} classic, round 1" in one.text


async def test_a_linked_address_brings_its_daily_letter_along(house: House) -> None:
    await house.say("terminal:cy", "notify digest 8:00")
    await joined(house, ANA, "terminal:cy")
    await house.say(ANA, "notify")
    assert "08:00" in house.last(ANA).text
    await house.press(ANA, house.key(ANA, "notify turns"))
    assert "“turns”" in house.last(ANA).text
    await house.say("matrix:@dan:hs", "notify digest 9:00")
    await joined(house, ANA, "matrix:@dan:hs")
    assert house.store.read_now(lambda tx: [row.minute for row in tx.all(DailyLetter)]) == [480]


@pytest.mark.parametrize("reason", ["permanent", "failed"])
async def test_what_a_daily_letter_told_that_came_back_is_told_again(house: House, reason: str) -> None:
    house.clock.at_ms = at("2026-11-21T20:00")
    mail, chat = "mail:ana@x.test", "telegram:ana"
    game = await table(house, [mail, BEA], hours=SLOW)
    await joined(house, mail, chat)
    for said in ("prefer mail", "zone Lisbon", "notify digest 08:00"):
        await house.say(mail, said)
    await at_table(house, game, [mail, BEA], 1)
    (seat,) = rows(house, Seat, game_id=game, no=0)
    before = seat.told
    await let_pass(house, 12.1)
    (one,) = dailies(house, mail)
    assert "begins with the crown" in one.text, one.text
    facts = {reason: True, "reason": "5.1.1"}
    await house.bring(
        Inbound("mail", "b1", "", What.BOUNCED, token=one.token, facts=facts, at_ms=house.clock())
    )
    if reason == "permanent":
        (again,) = dailies(house, chat)
    else:
        assert rows(house, Seat, game_id=game, no=0)[0].told == before
        await let_pass(house, 24)
        again = dailies(house, mail)[-1]
    assert "begins with the crown" in again.text


async def test_of_two_nights_it_tells_why_each_plan_stopped(house: House) -> None:
    """The channel takes nothing meanwhile, so that the second letter folds into the first."""
    games = await two_games(house)
    uow = house.referee.context.uow

    def night(tx: Tx, game: int) -> None:
        held = {"stopped": {"code": "plan-none", "facts": {}}, "held": 1}
        values = {"channel": "telegram", "address": "ana", "person_id": 1, "kind": "prompt", "seat": 0}
        number = tx.add(Outbox, game_id=game, data=json.dumps(held), created_ms=house.clock(), **values)
        row = tx.get(Outbox, LetterId(number))
        assert row is not None
        digest.gather(uow(tx), [row])

    for game in games:
        house.store.write_now(partial(night, game=game))
    (row,) = rows(house, Outbox, kind="digest", state="queued")
    assert sorted(json.loads(row.data)["stops"]) == [str(game) for game in games]
