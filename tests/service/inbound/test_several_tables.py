"""Several tables at once, several addresses, several letters open: each word lands where it was meant, and
only there.
"""

from __future__ import annotations

import json
import random
import re
from itertools import count
from pathlib import Path

from referee import rules
from referee.ports import Letter
from referee.rules import record
from referee.service.play.records import record_text
from referee.store import Game, Journal, Seat
from tests.service.joining import joined
from tests.service.playing import asked, greedy, legal, running, state, table
from tests.service.rig import House

ANA, BEA, CY = "telegram:ana", "telegram:bea", "telegram:cy"
MAIL = "mail:ana@x.test"


async def second(house: House, people: list[str]) -> int:
    """One more running table of these two."""
    await house.say(people[0], "new 2 seats")
    game = house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0].id or 0
    await house.say(people[1], f"join #{game}")
    for who in people:
        await house.say(who, f"ready #{game}")
    assert running(house, game).status == "running"
    return game


async def on(house: House, game: int, people: list[str], until: int) -> None:
    """Play this table, named each time, until that seat is asked."""
    while asked(house, game) != until:
        await house.say(people[asked(house, game)], f"#{game} {legal(house, game)[0]}")


async def to_the_end(house: House, game: int, people: list[str]) -> None:
    """As bots would play."""
    for typed in count():
        if running(house, game).status != "running":
            return
        await house.say(people[asked(house, game)], f"#{game} {greedy(house, game, typed)}")


def verified(house: House, game: int) -> None:
    """The game's record holds, and it is this game's."""
    found = record.verify(house.store.read_now(lambda tx: record_text(tx, game)))
    assert list(found.record.setup.players) == [
        s.name for s in house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    ]


async def test_two_tables_in_one_group(house: House) -> None:
    for who in (ANA, BEA, CY):
        await house.say(who, "/start")
    await house.say(ANA, "/new 2", place="group")
    await house.say(BEA, "/new 2", place="group")
    await house.say(CY, "/join", place="group")
    assert "#1" in house.last("telegram:group").text
    assert "#2" in house.last("telegram:group").text
    assert [running(house, game).status for game in (1, 2)] == ["lobby", "lobby"]
    for game, other in ((1, ANA), (2, BEA)):
        await house.say(CY, f"/join #{game}", place="group")
        for who in (CY, other):
            await house.say(who, f"ready #{game}")
    assert [running(house, game).status for game in (1, 2)] == ["running", "running"]
    living = {
        letter.ref: letter
        for letter in house.wires["telegram"].sent
        if letter.place == "group" and letter.pin
    }
    assert set(living) == {"g1", "g2"}
    await to_the_end(house, 1, [ANA, CY])
    assert running(house, 2).move_no == 0
    await to_the_end(house, 2, [BEA, CY])
    verified(house, 1)
    verified(house, 2)


async def test_two_games_by_mail_with_letters_open(house: House) -> None:
    people = [MAIL, BEA]
    games = (await table(house, people), 0)
    games = (games[0], await second(house, people))
    for game in games:
        await on(house, game, people, 0)

    def newest(game: int) -> Letter:
        return [letter for letter in house.letters(MAIL) if letter.ref == f"g{game}"][-1]

    def moves() -> list[int]:
        return [running(house, game).move_no for game in games]

    older, newer, before = newest(games[0]), newest(games[1]), moves()
    await house.say(MAIL, "1", token=older.token)  # the letter decides, not the order of arrival
    assert moves() == [before[0] + 1, before[1]]
    await house.say(MAIL, "2", token=older.token)  # its question is answered: the number says nothing now
    assert moves() == [before[0] + 1, before[1]]
    assert "earlier question" in house.last(MAIL).text
    await house.say(MAIL, legal(house, games[1])[0], token=newer.token)
    assert moves() == [before[0] + 1, before[1] + 1]
    await on(house, games[1], people, 0)
    before = moves()
    await house.say(
        MAIL, f"#{games[1]} 1", token=newest(games[0]).token
    )  # a number that is named goes before the letter's
    assert moves() == [before[0], before[1] + 1]


async def test_a_table_by_invitation(house: House) -> None:
    await house.say(ANA, "new 2 invite")
    code = re.search(r"join ([A-Z0-9]{6,})", house.last(ANA).text)
    assert code is not None
    for words in ("join #1", "join WRONGONE"):
        await house.say(BEA, words)
        assert running(house, 1).status == "lobby"
    await house.say(BEA, f"join {code.group(1).lower()}")
    assert running(house, 1).status == "mustering"


async def test_what_was_taken_back_is_not_in_the_record(house: House) -> None:
    people, dice, taken = [ANA, BEA], random.Random(3), 0
    game = await table(house, people)
    for n in range(2_000):
        before = running(house, game)
        if before.status != "running":
            break
        who = people[asked(house, game)]
        await house.say(who, dice.choice(legal(house, game)))
        if n == 40:
            await house.close()
            await house.open()
        if n % 2 and running(house, game).status == "running":
            await house.say(who, "undo")
            taken += rules.dump(rules.asked_anew(state(house, game), before.question)) == json.loads(
                before.snapshot
            )
    assert taken > 10
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game, undone=1)) == taken
    verified(house, game)


async def test_a_channel_that_is_turned_off_hands_over_to_the_others(tmp_path: Path) -> None:
    house = await House(tmp_path / "referee.db").open()
    game = await table(house, [ANA, BEA])
    await joined(house, ANA, "matrix:@ana:hs")
    await house.say(ANA, "prefer telegram")
    await house.close()
    later = await House(tmp_path / "referee.db", house.clock, channels=("matrix", "mail")).open()
    await on(later, game, ["matrix:@ana:hs", BEA], 1)
    letters = len(later.letters("matrix:@ana:hs"))
    await on(later, game, ["matrix:@ana:hs", BEA], 0)
    assert len(later.letters("matrix:@ana:hs")) > letters
    assert not later.letters(ANA)
    assert later.letters(BEA)  # who has no other is written to when it is back
    await later.close()


async def test_which_game_lists_only_tables_that_the_message_can_be_about(house: House) -> None:
    """Tables 1 to 3 are played, 4 and 5 gather; two of the three ask Ana."""
    people = [ANA, BEA]
    await table(house, people)
    await second(house, people)
    await second(house, people)
    for game, seat in ((1, 0), (2, 0), (3, 1)):
        await on(house, game, people, seat)
    for _ in range(2):
        await house.say(ANA, "new classic 3")
    for words, tables in (
        ("gold", {1, 2}),
        ("hand", {1, 2, 3}),
        ("pause", {1, 2, 3}),
        ("ready", {4, 5}),
        ("say hello", {1, 2, 3, 4, 5}),
    ):
        await house.say(ANA, words)
        asks = house.last(ANA).text.partition("?")[0]
        assert {int(one) for one in re.findall(r"#(\d)", asks)} == tables, asks
