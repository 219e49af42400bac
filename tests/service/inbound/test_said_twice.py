"""A mail that is delivered a second time, under a Message-ID of its own: every command that changes
something, said twice below one letter, comes to the same as said once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from referee.store import Game, Inbox
from referee.store.columns import TableRow
from tests.service.joining import joined
from tests.service.once import once
from tests.service.playing import asked, greet, legal, table, to_the_end
from tests.service.rig import House

CY, BEA, DAN = "mail:cy@x.test", "terminal:bea", "terminal:dan"
AGAIN = "You wrote the same below that letter before."
#: tables that say how messages and letters come and go, and not what they came to
_WIRES = {"Inbox", "Outbox", "Address", "Bookmark", "Allowance", "Alert", "Heartbeat"}


def book(house: House) -> dict[str, list[str]]:
    """Everything that is kept, but for letters and messages."""
    tables = [one for one in TableRow.__subclasses__() if one.__name__ not in _WIRES]
    found = house.store.read_now(lambda tx: [tx.all(one) for one in tables])
    return {
        one.__name__: sorted(str([(name, getattr(row, name)) for name in one.model_fields]) for row in rows)
        for one, rows in zip(tables, found, strict=True)
    }


async def gathering(house: House) -> int:
    await greet(house, CY)
    await house.say(CY, "new classic 5 seats")
    await house.say(BEA, "hello")
    await house.say(BEA, "join #1")
    return 1


async def in_a_turn(house: House) -> int:
    """Cy has given two orders that may be taken back."""
    game = await table(house, [CY, BEA])
    while True:
        orders = legal(house, game)
        if asked(house, game) == 0 and "gold" in orders:
            await house.say(CY, "gold")
            await house.say(CY, next((one for one in legal(house, game) if one.startswith("build")), "end"))
            if asked(house, game) == 0:
                return game
        await house.say((CY, BEA)[asked(house, game)], legal(house, game)[0])


async def of_three(house: House) -> int:
    flat = "24h no bank no quiet no nights vacation 9 days"
    game = await table(house, [BEA, CY, DAN], hours=flat)
    await house.say(BEA, legal(house, game)[0])
    return game


async def over(house: House) -> int:
    game = await table(house, [CY, BEA])
    await to_the_end(house, game, [CY, BEA])
    await house.say(BEA, "comment 2: well")
    return game


async def of_accounts(house: House) -> int:
    await greet(house, CY)
    await joined(house, CY, "terminal:cy")
    await joined(house, CY, "matrix:@cy:hs")
    return 0


async def looked_at(house: House) -> int:
    """An admin who does not play."""
    await greet(house, CY)
    return await table(house, [BEA, DAN])


async def of_a_league(house: House) -> int:
    await greet(house, CY)
    await house.say(CY, "league new Winter Cup")
    await house.say(CY, 'league open "Winter Cup"')
    for who in (BEA, DAN, "terminal:eve", "terminal:flo"):
        await house.say(who, "hello")
        await house.say(who, "league join Winter Cup")
    await house.say(CY, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    return 0


SAID = {
    gathering: """new classic 4; leave #1; ready #1; word hello; bot; bot strong 2; abandon #1; kick Bea #1;
        talk off #1; name Cyrus; language pt; zone Europe/Lisbon; quiet 22-07; notify off; prefer mail;
        hints off; learn; unsubscribe; alternate; mute Bea; start #1""",
    in_a_turn: "undo; pause; rewind round 1; talk public",
    of_three: """kick Bea; offer Bea; process q2; hours sat 18-22; vacation 3 days; extend 24h""",
    over: "comment 3: why not?; rematch; hide 1",
    of_accounts: "unlink; unlink terminal",
    looked_at: "extend 24h #1; pause #1; kick Bea #1; talk off #1; rewind round 1 #1",
    of_a_league: """league penalty Bea 2; league bonus Bea 2 because so; league announce hello;
        league postpone by 3 days; league extend table 1 by 30 days; league pause 3 days;
        league role Bea moderator; league rule table 1 Bea, Dan, Eve, Flo;
        league void table 1 because so; league remove Bea because so""",
}
EACH = [(begin, one.strip()) for begin, every in SAID.items() for one in every.split(";")]


async def begun(path: Path, begin: Callable[[House], Awaitable[int]]) -> House:
    house = await House(path / "referee.db", admins=(("mail", "cy@x.test"),)).open()
    await once(house, begin, lambda: begin(house))
    return house


@pytest.mark.parametrize(("begin", "said"), EACH, ids=[f"{begin.__name__}: {one}" for begin, one in EACH])
async def test_it_is_done_once(tmp_path: Path, begin: Callable[[House], Awaitable[int]], said: str) -> None:
    house = await begun(tmp_path, begin)
    token, before = house.last(CY).token, book(house)
    await house.say(CY, said, token=token)
    after = book(house)
    assert after != before, house.last(CY).text
    await house.say(CY, said, token=token)
    assert book(house) == after, house.last(CY).text
    await house.close()


@pytest.mark.parametrize("said", ["say hello", "tell Bea hello", "whisper hello"])
async def test_talk_is_passed_on_once(tmp_path: Path, said: str) -> None:
    house = await House(tmp_path / "referee.db").open()
    await table(house, [BEA, CY, DAN], hours="talk nameless")
    token = house.last(CY).token
    await house.say(CY, said, token=token)
    await house.say(CY, said, token=token)
    assert AGAIN in " ".join(house.last(CY).text.split())
    house.clock.pass_(hours=1)
    await house.settle()
    assert sum("hello" in one.text for one in house.letters(BEA)) == 1
    await house.close()


async def test_who_means_it_once_more_answers_the_letter_that_says_so(tmp_path: Path) -> None:
    house = await begun(tmp_path, gathering)
    token = house.last(CY).token
    await house.say(CY, "new classic 4", token=token)
    await house.say(CY, "New  classic 4", token=token)
    assert AGAIN in " ".join(house.last(CY).text.split())
    await house.say(CY, "new classic 4")
    assert house.store.read_now(lambda tx: tx.count(Game)) == 3
    await house.close()


async def test_what_was_refused_may_be_said_again(tmp_path: Path) -> None:
    house = await begun(tmp_path, gathering)
    token = house.last(CY).token
    await house.say(CY, "bot 4", token=token)
    assert "3 seats are free" in house.last(CY).text
    assert house.store.read_now(lambda tx: tx.all(Inbox, order="-id", limit=1))[0].error == "few-seats"
    await house.say(BEA, "leave #1")
    await house.say(CY, "bot 4", token=token)
    assert "about to begin" in house.last(CY).text
    await house.close()


async def test_undo_comes_late_and_takes_no_later_order_back(tmp_path: Path) -> None:
    house = await begun(tmp_path, in_a_turn)
    token = house.last(CY).token
    await house.say(CY, "undo", token=token)
    now = legal(house, 1)
    await house.say(CY, next(one for one in now if one.startswith("build")))
    after = book(house)
    await house.say(CY, "undo", token=token)
    assert book(house) == after
    await house.say(CY, "undo")
    assert legal(house, 1) == now
    await house.close()


IN_CHATS = [(looked_at, "extend 24h #1"), (of_a_league, "league penalty Bea 2")]
IN_CHATS += [(of_a_league, "league announce hello"), (of_a_league, "league bonus Bea 2 because so")]
BOSS, SOON = "telegram:boss", "less than a minute ago"


@pytest.mark.parametrize(("begin", "said"), IN_CHATS, ids=[said for _, said in IN_CHATS])
async def test_in_a_chat_what_adds_up_is_asked_back_within_a_minute(
    tmp_path: Path, begin: Callable[[House], Awaitable[int]], said: str
) -> None:
    """Fingers and clients send a line twice; what one official takes or announces is not taken back."""
    both = (("mail", "cy@x.test"), ("telegram", "boss"))
    house = await House(tmp_path / "referee.db", admins=both).open()
    await begin(house)
    before = book(house)
    await house.say(BOSS, said)
    after = book(house)
    assert after != before, house.last(BOSS).text
    house.clock.pass_(seconds=20)
    await house.say(BOSS, said.upper() if "hello" not in said else said)
    assert book(house) == after
    assert SOON in house.last(BOSS).text
    house.clock.pass_(seconds=50)
    await house.say(BOSS, said)
    assert SOON not in house.last(BOSS).text, "now it is meant"
    await house.close()


async def test_others_and_other_words_are_not_asked_back(tmp_path: Path) -> None:
    house = await begun(tmp_path, looked_at)
    await house.say(BEA, "extend 24h")
    await house.say(BEA, "extend 12h")
    assert SOON not in house.last(BEA).text
    await table(house, [BEA, DAN])
    await house.say(BEA, "extend 24h #2")
    await house.say(DAN, "extend 24h")
    assert SOON not in house.last(DAN).text
    await house.close()
