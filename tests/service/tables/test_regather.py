"""A miss in the first round: the table gathers anew, with a fresh seal, and what was dealt before can be
checked by anybody.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from referee.policy import DAY_MS
from referee.ports import Fate, Receipt
from referee.rules import chance
from referee.rules.record import verify
from referee.service.deadlines import clock_state
from referee.service.play import records
from referee.service.tables import regather
from referee.store import Alert, Deadline, Deal, Game, Journal, Outbox, Proposal, Seat, SeatPlan
from tests.service.joining import joined
from tests.service.playing import asked, event, greet, legal, ring, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
POLICY = "24h no bank no quiet no nights no vacation restart"


@pytest.fixture
async def sealed(tmp_path: Path) -> AsyncIterator[House]:
    """A house whose seeds are its first, second, third …"""
    numbers = count(1)
    one = await House(
        tmp_path / "referee.db",
        seeds=lambda size: hashlib.sha256(f"deal {next(numbers)}".encode()).digest()[:size],
    ).open()
    yield one
    await one.close()


async def miss(house: House, game: int) -> int:
    """Anyone who is asked lets the time pass; their seat."""
    gone = asked(house, game)
    house.clock.pass_(hours=24.1)
    await ring(house)
    return gone


def seats(house: House, game: int) -> list[Seat]:
    return house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))


def text(house: House, who: str) -> str:
    return " ".join(letter.text.replace("\n", " ") for letter in house.letters(who)[-3:])


@pytest.mark.parametrize("command", ["new classic", "new deluxe random"])
async def test_the_table_gathers_anew_and_the_old_deal_is_open(sealed: House, command: str) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY, command=command)
    before = running(sealed, game)
    for _ in range(2):
        await sealed.say(PEOPLE[asked(sealed, game)], legal(sealed, game)[0])
    await sealed.say(PEOPLE[0], "always prefer King")
    last = running(sealed, game).question
    gone = await miss(sealed, game)
    row = running(sealed, game)
    assert (row.status, row.asked, row.snapshot, row.round) == ("mustering", "", b"", 0)
    assert row.seed != before.seed
    assert row.seed_hash == chance.commit(bytes.fromhex(row.seed)) != before.seed_hash
    assert [bool(seat.ready) for seat in seats(sealed, game)] == [
        seat.no != gone for seat in seats(sealed, game)
    ]
    assert [seat.misses for seat in seats(sealed, game)] == [0] * 3
    facts = event(sealed, game, "gathers_anew")
    assert facts == {
        "seat": gone,
        "deal": 1,
        "seed": before.seed,
        "seed_hash": before.seed_hash,
        "fresh": row.seed_hash,
    }
    deal = sealed.store.read_now(lambda tx: tx.one(Deal, game_id=game))
    held = verify(deal.record)
    assert (held.replayed, held.finished, held.orders) == (True, False, len(held.record.entries))
    assert held.orders >= 2
    assert held.record.seed_hash == before.seed_hash
    assert {line.undone for line in sealed.store.read_now(lambda tx: tx.all(Journal, game_id=game))} == {2}
    assert sealed.store.read_now(lambda tx: tx.count(SeatPlan, game_id=game)) == 0
    assert {
        one.kind for one in sealed.store.read_now(lambda tx: tx.all(Deadline, game_id=game, done_ms=0))
    } == {"gather"}
    for who in PEOPLE:
        assert "gathers anew" in text(sealed, who)
    assert "Are you ready" in "".join(letter.subject for letter in sealed.letters(PEOPLE[gone])[-3:])

    await sealed.say(PEOPLE[0], f"#{game} word plum")
    await sealed.say(PEOPLE[gone], f"ready #{game}")
    again = running(sealed, game)
    assert again.status == "running"
    assert again.round == 1
    assert again.question > last, "a number was used again"
    assert seats(sealed, game)[0].word == "plum"
    await sealed.say(PEOPLE[1], f"record #{game} deal 1")
    shown = sealed.last(PEOPLE[1]).text
    assert verify(shown[shown.index("citadels record 2") :].rstrip() + "\n").replayed
    await sealed.say(PEOPLE[1], f"record #{game} deal 2")
    assert "no deal 2" in sealed.last(PEOPLE[1]).text
    await sealed.say(PEOPLE[1], f"record #{game}")
    assert "given out when the game is over" in sealed.last(PEOPLE[1]).text


async def test_who_had_a_plan_is_told_that_it_went_with_the_old_deal(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    late = asked(sealed, game)
    planner, other = (who for n, who in enumerate(PEOPLE) if n != late)
    await sealed.say(planner, f"#{game} prefer any")
    await sealed.say(other, f"#{game} prefer any")
    await sealed.say(other, f"#{game} cancel plan")
    await miss(sealed, game)
    assert "Your plan went with the old deal" in text(sealed, planner)
    for who in (other, PEOPLE[late]):
        assert "gathers anew" in text(sealed, who)
        assert "Your plan" not in text(sealed, who).split("gathers anew")[1]


async def test_an_old_button_fits_nothing_of_the_new_deal(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    gone = asked(sealed, game)
    key = next(button.key for row in sealed.last(PEOPLE[gone]).buttons for button in row)
    await miss(sealed, game)
    await sealed.press(PEOPLE[gone], key)
    await sealed.say(PEOPLE[gone], f"ready #{game}")
    moves = len(sealed.store.read_now(lambda tx: tx.all(Journal, game_id=game)))
    await sealed.press(PEOPLE[gone], key)
    assert len(sealed.store.read_now(lambda tx: tx.all(Journal, game_id=game))) == moves


async def test_whoever_does_not_come_back_is_left_out_by_those_who_are_there(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    gone = await miss(sealed, game)
    name = seats(sealed, game)[gone].name
    there = [one for one in range(3) if one != gone]
    await sealed.say(PEOPLE[there[0]], f"kick {seats(sealed, game)[there[1]].name} #{game}")
    assert len(seats(sealed, game)) == 3
    sealed.clock.pass_(hours=24.1)
    await ring(sealed)
    who = PEOPLE[there[-1]]
    assert f"leave {name} out" in text(sealed, who)
    await sealed.press(who, sealed.key(who, f"kick {name} #{game}"))
    assert [seat.name for seat in seats(sealed, game)] == [["Ana", "bea", "Cy"][one] for one in there]
    assert running(sealed, game).status == "running"
    assert "You have left table #1" in text(sealed, PEOPLE[gone])
    for _ in range(4):
        await sealed.say(PEOPLE[there[asked(sealed, game)]], legal(sealed, game)[0])


async def test_somebody_whose_accounts_were_joined_meanwhile_can_be_left_out(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    gone = await miss(sealed, game)
    there = [one for one in range(3) if one != gone]
    await greet(sealed, "terminal:other")
    await joined(sealed, "terminal:other", PEOPLE[gone])  # their seat has another number now
    name = seats(sealed, game)[gone].name
    sealed.clock.pass_(hours=24.1)
    await ring(sealed)
    who = PEOPLE[there[-1]]  # not the one who opened it, unless that was who missed
    assert f"leave {name} out" in text(sealed, who)
    await sealed.press(who, sealed.key(who, f"kick {name} #{game}"))
    assert len(seats(sealed, game)) == 2


async def test_before_that_only_the_creator_leaves_somebody_out(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    while asked(sealed, game) == 0:
        await sealed.say(PEOPLE[0], legal(sealed, game)[0])
    gone = await miss(sealed, game)
    other = 3 - gone
    await sealed.say(PEOPLE[other], f"kick {seats(sealed, game)[gone].name} #{game}")
    assert "Only the one who opened" in text(sealed, PEOPLE[other])
    await sealed.say(PEOPLE[0], f"kick {seats(sealed, game)[gone].name} #{game}")
    assert len(seats(sealed, game)) == 2
    assert running(sealed, game).status == "lobby"


async def test_a_table_to_which_nobody_comes_back_closes(sealed: House) -> None:
    game = await table(sealed, PEOPLE[:2], bots=1, hours=POLICY)
    await miss(sealed, game)
    assert running(sealed, game).status == "mustering"
    sealed.store.write_now(lambda tx: tx.change(Seat, {"game_id": game, "bot": ""}, ready=0))
    sealed.clock.pass_(hours=24.1)
    await ring(sealed)
    assert running(sealed, game).status == "abandoned"
    assert "I have closed it" in text(sealed, PEOPLE[0])
    assert sealed.store.read_now(lambda tx: tx.count(Deadline, game_id=game, done_ms=0)) == 0


async def test_a_table_gathers_anew_twice_at_most_and_never_later(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    for n in range(regather.MOST):
        gone = await miss(sealed, game)
        assert running(sealed, game).status == "mustering"
        assert sealed.store.read_now(lambda tx: tx.count(Deal, game_id=game)) == n + 1
        await sealed.say(PEOPLE[gone], f"ready #{game}")
    gone = await miss(sealed, game)
    assert running(sealed, game).status == "running"
    assert clock_state.read_clocks(running(sealed, game)).seat(gone).misses == 1
    await sealed.say(PEOPLE[0], f"policy #{game}")
    assert "twice at most" in text(sealed, PEOPLE[0])


async def test_in_later_rounds_and_where_the_policy_says_no_a_miss_is_a_miss(sealed: House) -> None:
    plain = await table(sealed, PEOPLE[:2], hours=POLICY.replace("restart", "no restart"))
    later = await table(sealed, PEOPLE[1:], hours=POLICY)
    while running(sealed, later).round < 2:
        await sealed.say(PEOPLE[1 + asked(sealed, later)], f"#{later} {legal(sealed, later)[0]}")
    await miss(sealed, plain)
    for game in (plain, later):
        assert running(sealed, game).status == "running"
    assert sealed.store.read_now(lambda tx: tx.count(Deal)) == 0


async def test_votes_and_pauses_of_the_old_deal(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    await sealed.say(PEOPLE[1], f"rewind round 1 #{game}")
    while running(sealed, game).move_no < 2:
        await sealed.say(PEOPLE[asked(sealed, game)], legal(sealed, game)[0])
    await sealed.say(PEOPLE[1], f"rewind round 1 #{game}")
    assert sealed.store.read_now(lambda tx: tx.get(Proposal, 1)).state == "open"
    await miss(sealed, game)
    assert sealed.store.read_now(lambda tx: tx.get(Proposal, 1)).state == "moot"
    await sealed.say(PEOPLE[0], "vote yes 1")
    assert "Vote 1 is closed" in sealed.last(PEOPLE[0]).text
    assert sealed.store.read_now(lambda tx: tx.get(Game, game)).status == "mustering"


async def test_a_deal_that_there_is_not_has_no_record(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    await miss(sealed, game)
    assert sealed.store.read_now(lambda tx: records.deal_text(tx, game, 1)).startswith("citadels record 2\n")
    with pytest.raises(LookupError):
        sealed.store.read_now(lambda tx: records.deal_text(tx, game, 2))
    with pytest.raises(LookupError):
        sealed.store.read_now(lambda tx: records.record_text(tx, game))


async def test_who_was_kicked_does_not_come_back_while_it_gathers_anew(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=POLICY)
    kicked = (asked(ruled, game) + 1) % 3
    await ruled.say("matrix:@root:hs", f"kick {['Ana', 'Bea', 'Cy'][kicked]} #{game}")
    await ruled.say("terminal:dan", f"join #{game}")
    gone = await miss(ruled, game)
    assert running(ruled, game).status == "mustering"
    await ruled.say(PEOPLE[gone], f"leave #{game}")
    await ruled.say(PEOPLE[kicked], f"join #{game}")
    assert "can't come back" in text(ruled, PEOPLE[kicked])
    assert len(seats(ruled, game)) == 2


async def test_a_letter_to_a_seat_that_is_gone_breaks_nothing(sealed: House) -> None:
    game = await table(sealed, PEOPLE, hours=POLICY)
    while asked(sealed, game) != 2:
        await sealed.say(PEOPLE[asked(sealed, game)], legal(sealed, game)[0])
    wire = sealed.wires["terminal"]
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=3 * DAY_MS)
    await sealed.say(PEOPLE[2], f"hand #{game}")
    assert await miss(sealed, game) == 2
    for who in (PEOPLE[2], PEOPLE[1]):
        await sealed.say(who, f"leave #{game}")
    assert len(seats(sealed, game)) == 1
    wire.fate = None
    sealed.clock.pass_(hours=73)
    await sealed.settle()
    assert not sealed.store.read_now(lambda tx: tx.count(Alert, code="letter-broken"))
    assert not sealed.store.read_now(lambda tx: tx.count(Outbox, state="failed"))
