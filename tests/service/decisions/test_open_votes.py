"""What becomes of open votes: seats change hands, windows close, others decide, who asked takes them back."""

from __future__ import annotations

from referee.service.deadlines import clock_state
from referee.store import GameEvent, Outbox, Proposal, Seat
from tests.service.joining import joined
from tests.service.playing import asked, event, legal, ring, running, table, told
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
ROOT = "matrix:@root:hs"
PLAIN = "24h no quiet no nights no vacation"


def proposals(house: House, game: int) -> list[str]:
    return [row.state for row in house.store.read_now(lambda tx: tx.all(Proposal, game_id=game, order="id"))]


def is_paused(house: House, game: int) -> bool:
    return clock_state.paused(clock_state.read_clocks(running(house, game)))


async def test_who_takes_a_seat_votes_anew_and_takes_nobodys_proposal_back(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[1], f"pause #{game}")
    await ruled.say(PEOPLE[2], "vote no 1")
    for name, newcomer in (("Bea", "terminal:eve"), ("Cy", "terminal:fay")):
        await ruled.say(ROOT, f"replace {name} #{game}")
        await ruled.say(newcomer, f"join #{game}")
        said = "".join(one.text for one in ruled.letters(newcomer))
        assert "bea asks to pause the game: vote 1" in said, "it was not the newcomer who asked"
    await ruled.say("terminal:eve", "vote yes 1")
    await ruled.say("terminal:eve", "vote no 1")
    assert "already said yes" in ruled.last("terminal:eve").text
    assert proposals(ruled, game) == ["open"]
    await ruled.say("terminal:fay", "vote yes 1")
    await ruled.say("terminal:dan", "vote yes 1")
    assert is_paused(ruled, game)
    assert event(ruled, game, "paused") == {"seat": None, "by": "bea"}


async def test_what_is_carried_as_its_proposer_loses_the_seat_is_done(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await ruled.say(PEOPLE[0], f"pause #{game}")
    await ruled.say(ROOT, f"replace ana #{game}")
    await ruled.say("terminal:eve", f"join #{game}")
    assert (proposals(ruled, game), is_paused(ruled, game)) == (["done"], True)
    names = ruled.store.read_now(lambda tx: tx.column(GameEvent, "name", game_id=game, order="no"))
    assert names.index("taken_over") < names.index("paused")


async def test_who_takes_a_seat_is_not_asked_whether_to_lose_it(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[0], f"kick Bea #{game}")
    assert proposals(ruled, game) == ["open"]
    await ruled.say(ROOT, f"replace Bea #{game}")
    await ruled.say("terminal:eve", f"join #{game}")
    asked = ruled.store.read_now(lambda tx: tx.column(Outbox, "address", kind="vote"))
    assert "dan" in asked
    assert "eve" not in asked
    for who in (PEOPLE[2], "terminal:dan"):
        await ruled.say(who, "vote yes 1")
    seats = ruled.store.read_now(lambda tx: tx.column(Seat, "person_id", game_id=game, order="no"))
    assert None not in seats  # what was agreed on was somebody else's seat


async def test_nobody_gets_out_of_a_vote_about_them_by_joining_an_account(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[0], f"kick Bea #{game}")
    await ruled.say("telegram:zoe", "hello")
    await joined(ruled, "telegram:zoe", PEOPLE[1])  # it is Zoe who stays, and has the seat
    for who in (PEOPLE[2], "terminal:dan"):
        await ruled.say(who, "vote yes 1")
    assert proposals(ruled, game) == ["done"]
    assert ruled.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1)).person_id is None


async def test_what_is_done_to_one_player_closes_no_vote_about_another(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[0], f"kick Bea #{game}")
    await ruled.say(ROOT, f"kick Cy #{game}")
    assert proposals(ruled, game) == ["open"]
    await ruled.say("terminal:dan", "vote yes 1")
    assert proposals(ruled, game) == ["done"]
    await ruled.say("terminal:dan", f"replace Ana #{game}")
    await ruled.say(PEOPLE[0], f"replace dan #{game}")
    assert proposals(ruled, game)[1:] == ["open"]
    await ruled.say(ROOT, f"replace dan #{game}")
    assert proposals(ruled, game)[1:] == ["moot"], "that is done"


async def test_a_window_that_has_closed_keeps_nobody_from_closing_the_next(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    for n in range(2):
        window = running(ruled, game).question
        await ruled.say(PEOPLE[0], f"process q{window} #{game}")
        assert proposals(ruled, game) == [*["moot"] * n, "open"]
        await ruled.say(PEOPLE[0], f"process q{window} #{game}")
        assert f"Vote {n + 1} is about that already" in ruled.last(PEOPLE[0]).text
        await ruled.say(PEOPLE[asked(ruled, game)], legal(ruled, game)[0])
    assert told(ruled, game).count("lapsed") == 1, "everybody is told what became of it"


async def test_an_admin_takes_back_what_they_asked_for(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    for _ in range(4):
        await ruled.say(PEOPLE[asked(ruled, game)], legal(ruled, game)[0])
    await ruled.say(ROOT, f"rewind #{game} round 1")
    await ruled.say(ROOT, "vote yes 1")
    assert "is for those who play" in ruled.last(ROOT).text
    await ruled.say(ROOT, "vote no 1")
    assert proposals(ruled, game) == ["lapsed"]
    await ruled.say(PEOPLE[0], f"history #{game}")
    assert "root took vote 1 back" in ruled.last(PEOPLE[0]).text
    await ruled.say(PEOPLE[1], f"pause #{game}")
    await ruled.say(ROOT, "vote no 2")
    assert proposals(ruled, game)[1:] == ["open"], "what somebody else asked for"


async def test_who_has_a_seat_back_from_a_joined_account_votes_for_themselves(house: House) -> None:
    """What was said from it meanwhile is the other person's word."""
    zoe = "telegram:zoe"
    game = await table(house, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await house.say(zoe, "hello")
    await joined(house, zoe, PEOPLE[1])  # it is Zoe who stays, and has the seat
    await house.say(PEOPLE[0], f"pause #{game}")
    await house.say(zoe, "vote no 1")
    await house.say(zoe, "unlink")
    assert "vote 1" in house.last(PEOPLE[1]).text.casefold()
    await house.say(PEOPLE[1], "vote yes 1")
    await house.say(PEOPLE[2], "vote yes 1")
    await house.say("terminal:dan", "vote yes 1")
    assert is_paused(house, game)


async def test_what_the_rest_has_agreed_on_does_not_wait_for_who_is_gone(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[0], f"pause #{game}")
    await ruled.say(PEOPLE[1], "vote yes 1")
    assert proposals(ruled, game) == ["open"]
    await ruled.say(ROOT, f"kick Cy #{game}")
    assert proposals(ruled, game) == ["done"]
    assert is_paused(ruled, game)
    assert told(ruled, game)[-3:] == ["kicked", "carried", "paused"]


async def test_nobody_votes_on_about_a_seat_that_is_nobodys(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[0], f"offer Bea #{game}")
    await ruled.say(ROOT, f"kick Bea #{game}")
    assert proposals(ruled, game) == ["moot"]
    assert "Vote 1" in ruled.last(PEOPLE[0]).text
    await ruled.say("terminal:dan", "vote yes 1")
    assert "is closed" in ruled.last("terminal:dan").text


async def test_nor_about_one_that_somebody_else_has_by_now(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[0], f"kick Bea #{game}")
    await ruled.say(ROOT, f"replace Bea #{game}")
    await ruled.say("terminal:eve", f"join #{game}")
    assert proposals(ruled, game) == ["moot"]


async def test_nor_for_who_has_deleted_their_account(house: House) -> None:
    game = await table(house, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await house.say(PEOPLE[0], f"pause #{game}")
    await house.say(PEOPLE[1], "vote no 1")
    for who, state in (("terminal:dan", "open"), (PEOPLE[0], "refused")):
        await house.say(who, "delete my account")
        await house.say(who, next(one.order for row in house.last(who).buttons for one in row))
        assert "departed" in told(house, game)
        assert proposals(house, game) == [state]


async def test_nor_for_somebody_for_whom_nobody_waits_any_more(house: House) -> None:
    people = [*PEOPLE, "terminal:dan"]
    game = await table(house, people, hours=f"{PLAIN} no bank excuse 0 probation 1 replace 3")
    others = [who for n, who in enumerate(people) if n != asked(house, game)]
    house.clock.pass_(hours=18)
    await house.say(others[0], f"pause #{game}")
    await house.say(others[1], "vote yes 1")
    assert proposals(house, game) == ["open"]
    house.clock.pass_(hours=6.1)
    await ring(house)
    assert "probation" in told(house, game)
    assert is_paused(house, game)


async def test_a_vote_without_a_number_is_no_vote_on_what_its_voter_has_not_read(house: House) -> None:
    """One that was read is over meanwhile, and the letter about the next one is still on its way."""
    people = ["matrix:@bea:hs", "telegram:ana", "terminal:cy"]
    game = await table(house, people, hours=PLAIN)
    await house.say("terminal:cy", f"pause #{game}")
    house.wires["telegram"].wait_ms = 600_000
    await house.say("terminal:cy", "vote no")  # takes it back
    await house.say(people[0], f"kick Cy #{game}")
    assert proposals(house, game) == ["lapsed", "open"]
    await house.say("telegram:ana", f"vote yes #{game}")
    assert proposals(house, game) == ["lapsed", "open"], "nobody asked her about that yet"
    house.wires["telegram"].wait_ms = 0
    house.clock.pass_(hours=0.2)
    await house.settle()
    assert "Which vote: 2?" in "".join(one.text for one in house.letters("telegram:ana"))
    await house.say("telegram:ana", f"vote yes #{game}")
    assert proposals(house, game) == ["lapsed", "done"]
