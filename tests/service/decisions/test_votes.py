"""A table votes: silence is yes on time, half saying no refuse it; a playing creator needs a second key;
nobody votes twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.deadlines import clock_state
from referee.service.decisions.acts import enough_keys, verdict
from referee.store import Deadline, Game, GameEvent, Proposal
from tests.service.joining import joined
from tests.service.playing import asked, event, legal, ring, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
ROOT = "matrix:@root:hs"
HOUR = 3_600_000
PLAIN = "24h no quiet no nights no vacation"


@pytest.fixture
async def ruled(tmp_path: Path) -> AsyncIterator[House]:
    """A house with an admin who does not play."""
    one = await House(tmp_path / "referee.db", admins=(("matrix", "@root:hs"),)).open()
    await one.say(ROOT, "hello")
    yield one
    await one.close()


def told(house: House, game: int) -> list[str]:
    rows = house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, order="no"))
    assert all(
        row.to_seat is None
        for row in rows
        if row.name in ("proposed", "voted", "seconded", "carried", "refused", "lapsed", "paused")
    )
    return [row.name for row in rows]


def proposals(house: House, game: int) -> list[str]:
    return [row.state for row in house.store.read_now(lambda tx: tx.all(Proposal, game_id=game, order="id"))]


def is_paused(house: House, game: int) -> bool:
    return clock_state.paused(clock_state.read_clocks(running(house, game)))


@pytest.mark.parametrize(
    ("rule", "votes", "voters", "over", "said"),
    [
        ("silence", {0: True}, [0, 1, 2], False, None),
        ("silence", {0: True}, [0, 1, 2], True, True),
        ("silence", {0: True}, [0], False, True),
        ("silence", {0: True, 1: False}, [0, 1], False, False),
        ("silence", {0: True, 1: False}, [0, 1, 2], False, None),
        ("silence", {0: True, 1: False}, [0, 1, 2], True, True),
        ("silence", {0: True, 1: False, 2: False}, [0, 1, 2], False, False),
        ("silence", {0: True, 1: True}, [0, 1, 2], False, True),
        ("most", {0: True}, [0, 1, 2], False, None),
        ("most", {0: True, 1: True}, [0, 1, 2], False, True),
        ("most", {0: True}, [0, 1, 2], True, False),
        ("most", {0: True, 1: False}, [0, 1], False, False),
        ("all", {0: True, 1: True}, [0, 1, 2], True, False),
        ("all", {0: True, 1: False}, [0, 1, 2], False, False),
        ("all", {0: True, 1: True, 2: True}, [0, 1, 2], False, True),
        ("all", {}, [], False, None),
        ("silence", {}, [], True, False),
    ],
)
def test_what_votes_come_to(
    rule: str, votes: dict[int, bool], voters: list[int], over: bool, said: bool | None
) -> None:
    assert verdict(rule, votes, voters, over=over) is said


def test_what_keys_come_to() -> None:
    assert [enough_keys(1, held, outside) for held, outside in ((0, 0), (1, 0), (1, 1), (2, 0))] == [
        False,
        False,
        True,
        True,
    ]
    assert [enough_keys(2, held, outside) for held, outside in ((1, 0), (1, 1), (2, 0), (2, 2))] == [
        False,
        False,
        True,
        True,
    ]


async def test_silence_is_yes_when_the_time_is_up(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    before = house.clock()
    await house.say(PEOPLE[1], f"pause #{game}")
    assert "Vote 1 is open" in house.last(PEOPLE[1]).text
    assert "bea asks to pause the game" in house.last(PEOPLE[0]).text
    assert [button.order for row in house.last(PEOPLE[2]).buttons for button in row] == [
        "vote yes 1",
        "vote no 1",
    ]
    assert not is_paused(house, game)
    house.clock.pass_(hours=11.9)
    assert await ring(house) == 0
    house.clock.pass_(hours=0.1)
    assert await ring(house) > 0
    assert is_paused(house, game)
    assert proposals(house, game) == ["done"]
    assert told(house, game)[-3:] == ["proposed", "carried", "paused"]
    assert event(house, game, "paused") == {"seat": 1, "by": ""}
    assert (
        house.store.read_now(lambda tx: tx.one(GameEvent, game_id=game, name="paused")).at_ms
        == before + 12 * HOUR
    )


async def test_when_all_have_answered_nobody_waits_for_the_hour(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await house.say(PEOPLE[1], f"pause #{game}")
    await house.press(PEOPLE[0], house.key(PEOPLE[0], "vote yes 1"))
    assert is_paused(house, game)
    assert told(house, game)[-4:] == ["proposed", "voted", "carried", "paused"]
    assert any(
        "bea paused the game" in letter.text.replace("\n", " ")
        for letter in house.letters(PEOPLE[asked(house, game)])
    )
    house.clock.pass_(hours=13)
    await ring(house)
    assert proposals(house, game) == ["done"]
    assert told(house, game).count("paused") == 1


async def test_half_saying_no_refuse_it_and_it_is_not_asked_again_at_once(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await house.say(PEOPLE[1], f"pause #{game}")
    await house.say(PEOPLE[0], "vote no")
    assert proposals(house, game) == ["open"]
    await house.say(PEOPLE[2], f"vote no #{game}")
    assert proposals(house, game) == ["refused"]
    assert not is_paused(house, game)
    assert "is refused" in house.last(PEOPLE[1]).text
    await house.say(PEOPLE[1], f"pause #{game}")
    assert "less than a day ago" in house.last(PEOPLE[1]).text
    house.clock.pass_(hours=13)
    await ring(house)
    assert not is_paused(house, game)
    await house.say(PEOPLE[2], f"pause #{game}")
    assert proposals(house, game) == ["refused", "open"]


async def test_a_plain_yes_in_answer_to_the_letter_is_a_vote_and_elsewhere_an_order(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await house.say(PEOPLE[1], f"pause #{game}")
    letter = house.last(PEOPLE[0])
    wire_id = f"telegram-{[one.id for one in house.wires['telegram'].sent].index(letter.id) + 1}"
    await house.say(PEOPLE[2], "yes")
    assert proposals(house, game) == ["open"]
    await house.say(PEOPLE[0], "No!", thread=wire_id)
    assert event(house, game, "voted") == {"seat": 0, "number": 1, "yes": False, "act": "pause"}


async def test_bad_votes_change_nothing(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    other = await table(house, ["telegram:dan", "terminal:eve"], hours=PLAIN)
    await house.say(PEOPLE[0], "vote yes")
    assert "Nothing is put to the vote" in house.last(PEOPLE[0]).text
    await house.say(PEOPLE[0], "vote yes 99")
    assert "There is no vote 99" in house.last(PEOPLE[0]).text
    await house.say(PEOPLE[1], f"pause #{game}")
    before = told(house, game)
    for who, said, answer in (
        ("telegram:dan", "vote no 1", "those who play at game #1"),
        ("telegram:dan", "vote no", "Nothing is put to the vote"),
        (PEOPLE[1], "vote yes 1", "already said yes"),
        ("telegram:dan", f"pause #{game}", "no seat"),
        (PEOPLE[2], f"pause #{game}", "Vote 1 is about that already"),
        ("telegram:dan", "second 1", "Only those in charge"),
        (PEOPLE[2], "second 1", "Only those in charge"),
        (PEOPLE[2], "vote perhaps", "perhaps"),
        (PEOPLE[2], "vote yes one", "one"),
    ):
        await house.say(who, said)
        assert answer in house.last(who).text, said
    assert told(house, game) == before
    assert told(house, other)[-1] != "proposed"
    await house.say(PEOPLE[0], "vote no 1")
    await house.say(PEOPLE[0], "vote no 1")
    assert "already said no" in house.last(PEOPLE[0]).text
    assert told(house, game).count("voted") == 1
    await house.say(PEOPLE[2], "vote no 1")
    await house.say(PEOPLE[2], "vote yes 1")
    assert "Vote 1 is closed" in house.last(PEOPLE[2]).text


async def test_a_room_votes_too_and_two_votes_are_told_apart(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await house.say(PEOPLE[1], f"pause #{game}")
    await house.say(PEOPLE[0], f"extend 12h #{game}")
    await house.say(PEOPLE[2], "vote yes")
    assert "Which vote: 1 or 2?" in house.last(PEOPLE[2]).text
    await house.say(PEOPLE[2], "!vote no 2", place="-5")
    assert event(house, game, "voted")["number"] == 2


async def test_a_playing_creator_needs_a_second_key_which_is_somebody_elses(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    ruled.clock.pass_(seconds=60)
    await ruled.say(PEOPLE[0], f"pause #{game}")
    assert not is_paused(ruled, game)
    assert "a second key" in ruled.last(ROOT).text
    await joined(ruled, PEOPLE[0], "matrix:@ana:hs")
    for channel in (PEOPLE[0], "matrix:@ana:hs"):
        await ruled.say(channel, "second 1")
        assert "must be somebody else's" in ruled.last(channel).text
    assert not is_paused(ruled, game)
    await ruled.press(ROOT, ruled.key(ROOT, "second 1"))
    assert is_paused(ruled, game)
    assert told(ruled, game)[-4:] == ["proposed", "seconded", "carried", "paused"]
    assert event(ruled, game, "seconded") == {"seat": None, "by": "root", "number": 1, "act": "pause"}
    await ruled.say(PEOPLE[2], f"history #{game}")
    text = ruled.last(PEOPLE[2]).text.replace("\n", " ")
    assert "Ana asks to pause the game: vote 1 (" in text
    assert "turned another key for vote 1 (" in text
    assert "Ana paused the game: all clocks stand still (Mon 21 Sep" in text, "history says who and when"


async def test_an_admin_who_does_not_play_decides_at_once_and_a_waiting_vote_is_closed(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await ruled.say(PEOPLE[1], f"pause #{game}")
    await ruled.say(ROOT, f"pause #{game}")
    assert is_paused(ruled, game)
    assert proposals(ruled, game) == ["moot"]
    assert event(ruled, game, "paused")["seat"] is None
    ruled.clock.pass_(hours=13)
    await ring(ruled)
    assert told(ruled, game).count("paused") == 1
    await ruled.say(ROOT, f"resume #{game}")
    assert not is_paused(ruled, game)
    await ruled.say(ROOT, f"resume #{game}")
    assert "not paused" in ruled.last(ROOT).text


async def test_whoever_asked_takes_it_back(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await house.say(PEOPLE[1], f"pause #{game}")
    await house.say(PEOPLE[1], "vote no 1")
    assert told(house, game)[-1] == "withdrawn"
    assert proposals(house, game) == ["lapsed"]
    assert house.store.read_now(lambda tx: tx.count(Deadline, kind="vote", done_ms=0)) == 0
    assert "Vote 1 is closed" not in house.last(PEOPLE[0]).text


async def test_the_quiet_hours_of_the_others_do_not_count_as_silence(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no vacation")
    await house.say(PEOPLE[0], "quiet 0-16")
    begun = house.clock()
    await house.say(PEOPLE[1], f"pause #{game}")
    due = house.store.read_now(lambda tx: tx.one(Deadline, kind="vote", done_ms=0)).due_ms
    assert due > begun + 12 * HOUR


async def test_a_vote_dies_with_its_game(house: House) -> None:
    game = await table(house, PEOPLE[:1], bots=2, hours=PLAIN)
    await house.say(PEOPLE[0], f"pause #{game}")
    assert is_paused(house, game), "nobody else plays: nobody else is asked"
    await house.say(PEOPLE[0], f"resume #{game}")
    other = await table(house, PEOPLE[1:], hours=PLAIN)
    await house.say(PEOPLE[1], f"pause #{other}")
    house.store.write_now(lambda tx: tx.set(Game, other, status="abandoned"))
    house.clock.pass_(hours=13)
    await ring(house)
    assert proposals(house, other) == ["moot"]
    await house.say(PEOPLE[1], legal(house, game)[0])


async def test_silence_while_we_were_away_is_no_yes(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await house.say(PEOPLE[1], f"pause #{game}")
    house.clock.pass_(hours=2)
    await house.close()
    house.clock.pass_(hours=20)
    await house.open()
    await ring(house)
    assert proposals(house, game) == ["open"]
    house.clock.pass_(hours=9.9)
    await ring(house)
    assert proposals(house, game) == ["open"]
    house.clock.pass_(hours=0.2)
    await ring(house)
    assert is_paused(house, game)


async def test_what_is_said_of_a_pause(house: House) -> None:
    game = await table(house, PEOPLE[:1], bots=2, hours=PLAIN)
    await house.say("telegram:ana", f"/watch #{game}", place="-5")
    await house.say(PEOPLE[0], f"pause #{game}")
    assert "all clocks stand still" in house.last("telegram:-5").text
    await house.say(PEOPLE[0], "status")
    text = house.last(PEOPLE[0]).text.replace("\n", " ")
    assert "The game is paused: all clocks stand still." in text
    await house.say(PEOPLE[0], f"resume #{game}")
    await house.say(PEOPLE[0], "status")
    assert "stand still" not in house.last(PEOPLE[0]).text
    assert "You have until" not in house.last(PEOPLE[0]).text, "nobody waits for the only person among bots"


async def test_who_links_two_keys_has_one(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await ruled.say(PEOPLE[0], f"pause #{game}")
    await joined(ruled, ROOT, PEOPLE[0])
    await ruled.say(ROOT, "second 1")
    assert "must be somebody else's" in ruled.last(ROOT).text
    assert not is_paused(ruled, game)
