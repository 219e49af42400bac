"""What a join brings nobody (roles, keys, tables of others), and how it is undone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.ports import Inbound, What
from referee.store import Address, Game, League, LeagueRole, Person
from tests.service.joining import asked, code, joined, one, runs, say_yes, seats
from tests.service.playing import legal, table
from tests.service.rig import House

MALLORY, VICTIM, ANA, BEA = "telegram:666", "telegram:7", "telegram:ana", "matrix:@bea:hs"
PLAIN = "24h no quiet no nights no vacation"

# ---------------------------------------------------------------- what somebody is, they are


@pytest.mark.parametrize("asks", [True, False])
async def test_an_owner_who_is_joined_makes_nobody_an_owner(house: House, asks: bool) -> None:
    for who in (MALLORY, VICTIM, ANA):
        await house.say(who, "games")
    runs(house, VICTIM, "owner")
    await joined(house, *((VICTIM, MALLORY) if asks else (MALLORY, VICTIM)))
    await house.say(MALLORY, "league rename Mallory Cup")
    await house.say(MALLORY, "league role telegram:ana owner")
    await house.say(MALLORY, "league proposals")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Cup"]
    assert house.store.read_now(lambda tx: tx.count(LeagueRole)) == 1
    await house.say(VICTIM, "league rename Victims Cup")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Victims Cup"], (
        "what one was, one is from where one was it"
    )
    await house.say(VICTIM, "league role telegram:666 owner")
    await house.say(MALLORY, "league rename Both Cup")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Both Cup"], (
        "an owner has said so"
    )
    await house.say(VICTIM, "unlink")
    assert not one(house, VICTIM, MALLORY)
    await house.say(MALLORY, "league rename Mallory Cup")
    await house.say(VICTIM, "league rename Cup")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Cup"], (
        "and what both were given, one alone does not keep"
    )


@pytest.mark.parametrize("asks", [True, False])
async def test_who_opened_a_table_has_its_key_and_nobody_joined_to_them(house: House, asks: bool) -> None:
    game = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, *((VICTIM, MALLORY) if asks else (MALLORY, VICTIM)))
    await house.say(MALLORY, f"process #{game}")
    await house.say(MALLORY, f"extend 24h #{game}")
    assert "opened" in house.last(MALLORY).text
    await house.say(MALLORY, f"talk off #{game}")
    assert json.loads(house.store.read_now(lambda tx: tx.get(Game, game)).settings).get("talk_now") is None
    await house.say(VICTIM, f"talk off #{game}")
    assert json.loads(house.store.read_now(lambda tx: tx.get(Game, game)).settings)["talk_now"]


async def test_an_admins_word_is_their_addresss(tmp_path: Path) -> None:
    house = await House(tmp_path / "referee.db", admins=(("telegram", "root"),)).open()
    try:
        await house.say("telegram:root", "games")
        await joined(house, "telegram:root", MALLORY)
        await house.say(MALLORY, "admin games")
        assert "admin" in house.last(MALLORY).text.lower()
        assert "who look after" in house.last(MALLORY).text or "only" in house.last(MALLORY).text.lower()
        await house.say("telegram:root", "admin games")
        assert house.store.read_now(lambda tx: tx.count(Person)) == 2
    finally:
        await house.close()


async def test_chained_joins_bring_nothing_that_was_not_given(house: House) -> None:
    """A stranger who is joined to an owner, and takes that person along into a third account."""
    for who in (VICTIM, MALLORY, "terminal:mal"):
        await house.say(who, "games")
    runs(house, VICTIM, "owner")
    await joined(house, VICTIM, MALLORY)
    await joined(house, "terminal:mal", MALLORY)
    assert one(house, VICTIM, MALLORY, "terminal:mal")
    for who in (MALLORY, "terminal:mal"):
        await house.say(who, "league rename Mine")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Cup"]
    await house.say(VICTIM, "league rename Still")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Still"]


# ---------------------------------------------------------------- undone


@pytest.mark.parametrize(
    ("cheated", "said"),
    [(MALLORY, "unlink"), (VICTIM, "undo link"), (VICTIM, "unlink 666"), (VICTIM, "unlink telegram:7")],
)
async def test_thirteen_days_later_either_gives_everything_back(
    house: House, cheated: str, said: str
) -> None:
    mine = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    other = await table(house, [MALLORY, ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    assert seats(house, VICTIM) == [mine, other]
    house.clock.pass_(hours=13 * 24)
    await house.say(cheated, said)
    assert not one(house, MALLORY, VICTIM)
    assert seats(house, VICTIM) == [mine]
    assert seats(house, MALLORY) == [other]
    for who, theirs, game in ((VICTIM, MALLORY, mine), (MALLORY, VICTIM, other)):
        assert "two people" in "".join(x.text for x in house.letters(who)[-4:]).replace("\n", " ")
        await house.say(theirs, f"#{game} hand")
        assert "hand:" not in house.last(theirs).text.lower()
        await house.say(who, f"#{game} hand")
        assert "hand" in house.last(who).text.lower()


async def test_fifteen_days_later_an_address_leaves_without_seats(house: House) -> None:
    mine = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    house.clock.pass_(hours=15 * 24)
    await house.say(VICTIM, "unlink")
    assert one(house, MALLORY, VICTIM)
    assert "Which address" in house.last(VICTIM).text
    await house.say(VICTIM, "unlink 666")
    assert not one(house, MALLORY, VICTIM)
    assert (seats(house, VICTIM), seats(house, MALLORY)) == ([mine], [])


async def test_undone_after_the_game_went_on_and_ended_sensibly(house: House) -> None:
    game = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    asked_seat = int(house.store.read_now(lambda tx: tx.get(Game, game)).asked.split(",")[0])
    who = [MALLORY, ANA, BEA][asked_seat]
    await house.say(who, f"#{game} {legal(house, game)[0]}")
    await house.say(MALLORY, "new classic 3")
    since = house.store.read_now(lambda tx: tx.column(Game, "id", order="-id"))[0]
    await house.say(MALLORY, "unlink")
    assert seats(house, VICTIM) == [game]
    assert seats(house, MALLORY) == [since]
    assert house.store.read_now(lambda tx: tx.get(Game, game)).status == "running"


async def test_the_last_address_stays(house: House) -> None:
    await house.say(VICTIM, "unlink telegram")
    assert "can't be taken off" in house.last(VICTIM).text
    await house.say(VICTIM, "unlink mail")
    assert "no address of yours" in house.last(VICTIM).text
    await house.say(VICTIM, "unlink")
    assert "Which address" in house.last(VICTIM).text


async def test_accounts_lists_ones_addresses_and_nobody_elses(house: House) -> None:
    await joined(house, VICTIM, BEA)
    await house.say(MALLORY, "games")
    await house.say(VICTIM, "accounts")
    text = house.last(VICTIM).text
    assert "@bea:hs" in text
    assert "666" not in text
    await house.say(VICTIM, "unlink @bea:hs")
    await house.say(VICTIM, "accounts")
    assert "@bea:hs" not in house.last(VICTIM).text


async def test_browsers_that_were_signed_in_by_the_other_are_out(tmp_path: Path) -> None:
    from referee.service.people import web_sessions

    house = await House(tmp_path / "referee.db", base_url="https://play.test").open()
    try:
        await joined(house, VICTIM, MALLORY)
        house.clock.pass_(seconds=5)
        await house.say(MALLORY, "web")
        token = re.search(r"/me/in/(\S+)", house.last(MALLORY).text)
        assert token
        into = house.store.write_now(
            lambda tx: web_sessions.sign_in(tx, token[1].rstrip(".>)"), "", house.clock())
        )
        assert into is not None
        await house.say(VICTIM, "unlink")
        assert (
            house.store.read_now(lambda tx: web_sessions.session_of(tx, into.cookie, house.clock())) is None
        )
    finally:
        await house.close()


async def test_a_chain_is_taken_apart_in_any_order(house: House) -> None:
    first = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    second = await table(house, [MALLORY, ANA, BEA], hours=PLAIN)
    third = await table(house, ["terminal:cy", ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    await joined(house, "terminal:cy", MALLORY)
    assert seats(house, VICTIM) == [first, second, third]
    await house.say(VICTIM, "unlink 7")
    assert (seats(house, VICTIM), seats(house, MALLORY)) == ([first], [second, third])
    await house.say("terminal:cy", "unlink")
    assert (seats(house, VICTIM), seats(house, MALLORY), seats(house, "terminal:cy")) == (
        [first],
        [second],
        [third],
    )
    assert house.store.read_now(lambda tx: [(row.home_id, row.joined_ms) for row in tx.all(Address)]) == [
        (0, 0)
    ] * house.store.read_now(lambda tx: tx.count(Address))
    assert house.store.read_now(lambda tx: tx.column(Person, "now_id")).count(0) == house.store.read_now(
        lambda tx: tx.count(Person)
    )


async def test_an_old_button_of_the_question_does_nothing_after_it(house: House) -> None:
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"link {word}")
    key = next(b.key for row in asked(house, VICTIM).buttons for b in row if b.order.startswith("link yes"))
    await say_yes(house, VICTIM)
    await say_yes(house, MALLORY)
    await house.say(VICTIM, "unlink")
    for _ in range(2):
        await house.bring(
            Inbound(
                channel="telegram",
                key=f"late {_}",
                address="7",
                what=What.BUTTON,
                payload=key,
                name="v",
                at_ms=house.clock(),
            )
        )
    assert not one(house, VICTIM, MALLORY)


@pytest.mark.parametrize("said", ["unlink 7", "unlink telegram:7", "unlink"])
async def test_who_is_cheated_can_take_off_their_own_address_and_keeps_their_seats(
    house: House, said: str
) -> None:
    """The cheated one asked for the code: their person is the one that stayed."""
    mine = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, VICTIM, "matrix:@mal:hs")
    await house.say(VICTIM, said)
    assert not one(house, VICTIM, "matrix:@mal:hs")
    assert (seats(house, VICTIM), seats(house, "matrix:@mal:hs")) == ([mine], [])


async def test_a_browser_of_the_other_takes_nobodys_seats(tmp_path: Path) -> None:
    from referee.service.people import web_sessions

    house = await House(tmp_path / "referee.db", base_url="https://play.test").open()
    try:
        await house.say(VICTIM, "new classic 3")
        await joined(house, VICTIM, MALLORY)
        await house.say(MALLORY, "web")
        token = re.search(r"/me/in/(\S+)", house.last(MALLORY).text)
        assert token
        into = house.store.write_now(
            lambda tx: web_sessions.sign_in(tx, token[1].rstrip(".>)"), "", house.clock())
        )
        assert into is not None
        session = house.store.read_now(lambda tx: web_sessions.session_of(tx, into.cookie, house.clock()))
        assert session is not None
        me = str(session.person_id)
        for n, said in enumerate(("talk off #1", "abandon #1", "unlink 7")):
            await house.bring(
                Inbound(
                    channel="web",
                    key=f"w{n}",
                    address=me,
                    text=said,
                    name="m",
                    at_ms=house.clock(),
                    facts={"session": session.id},
                )
            )
        assert house.store.read_now(lambda tx: tx.get(Game, 1)).status == "lobby", (
            "a browser of both has neither's office"
        )
        assert not one(house, VICTIM, MALLORY)
        assert (seats(house, VICTIM), seats(house, MALLORY)) == ([1], [])
    finally:
        await house.close()
