"""Games that are played, packed, and asked for everything that can be asked."""

from __future__ import annotations

import re
from typing import Any

from referee.service.accounts import export
from referee.service.league.scores import conduct
from referee.service.play import statistics
from referee.service.play.records import record_text
from referee.service.play.replay import unrolled, whole
from referee.store import (
    Game,
    Seat,
    Tx,
)
from tests.service.playing import asked, legal, table, to_the_end
from tests.service.rig import House
from tests.service.web.running_site import Guest

ANA, BEA, CY = "telegram:ana", "matrix:bea", "terminal:cy"
PEOPLE = [ANA, BEA, CY]
DAYS = 30


async def packed(house: House) -> None:
    """Let the time pass, and sweep until nothing is left to be packed."""
    house.clock.pass_(hours=24 * (DAYS + 1))
    for _ in range(40):
        await house.referee.scheduler.tidy()
        if not house.store.read_now(lambda tx: tx.long_ended(house.clock() - DAYS * 86_400_000, 1)):
            return
    raise AssertionError("it never ends")


async def played(house: House, edition: str) -> int:
    """A whole game, in which orders were taken back, people talked, and a word was said for the shuffle."""
    game = await table(house, PEOPLE, command=f"new {edition}")
    for n in range(6):
        who = PEOPLE[asked(house, game)]
        await house.say(who, f"#{game} {legal(house, game)[0]}")
        if n == 2:
            await house.say(who, f"undo #{game}")
    await house.say(ANA, f"#{game} say well met")
    await to_the_end(house, game, PEOPLE)
    await house.say(ANA, f"#{game} comment 3 here I lost")
    return game


#: what is typed to ask of a game that is over; "#" stands for it
ASKED = (
    "history #", "history # 50", "record #", "status #", "who #", "my stats", "games", "table #",
    "comments #", "cards #", "picture #", "points #", "policy #", "hand #",
)  # fmt: skip
#: and the pages on which it is seen
PAGES = (
    "/t/#", "/t/#/history", "/t/#/step/1", "/t/#/step/7", "/t/#/record.txt", "/t/#/cards", "/t/#/table.svg",
    "/t/#/score.svg", "/t/#/course.svg", "/tables", "/tables?show=over", "/me", "/me/#", "/me/#/history",
    "/me/#/step/5", "/me/stats",
)  # fmt: skip


#: what is another one each time a page is made
_ANEW = re.compile(
    r'(name="form" value|nonce|data-mark)="[^"]*"|Since [^;]*;|which" value="[0-9]+"|127.0.0.1:[0-9]+'
)
#: each house has a port of its own
_PORT = re.compile(r"127\.0\.0\.1:[0-9]+")


async def answers(house: House, game: int) -> dict[str, Any]:
    """What each of them says to each of the players."""
    found: dict[str, Any] = {}
    for who in PEOPLE:
        for words in ASKED if who == ANA else ASKED[:3]:
            text = words.replace("#", f"#{game}")
            await house.say(who, text)
            letter = house.last(who)
            told, files = re.sub(_PORT, "", letter.text), [one.data for one in letter.attachments]
            found[f"{who} {text}"] = (told, letter.subject, files)
    return found


def read(house: House, game: int) -> dict[str, Any]:
    """The same from within: record, replays from each seat, statistics, conduct, exports, an admin's look."""

    def look(tx: Tx) -> dict[str, Any]:
        row = tx.get(Game, game)
        assert row is not None
        people = [seat.person_id for seat in tx.all(Seat, game_id=game, order="no")]
        steps = [unrolled(whole(tx, row), seat).steps for seat in (None, 0, 1, 2)]
        return {
            "record": record_text(tx, game),
            "steps": steps,
            "statistics": [statistics.of_person(tx, who) for who in people],
            "conduct": {who: one.facts() for who, one in conduct.of_game(tx, row, people).items()},
            "orders": export.game_orders(tx, game),
            "seats": [list(export.seats(tx, who)) for who in people],
            "events": [tx.events_since(row, 0, seat) for seat in (None, 0, 1, 2)],
            "deals": [one.record for one in tx.deals_of(row)],
            "row": row._replace(packed_ms=0),
        }

    found = house.store.read_now(look)
    found["events"] = [[one._replace(id=0) for one in each] for each in found["events"]]
    return found


async def pages(guest: Guest, game: int) -> dict[str, str]:
    """The pages, without what is another one each time they are made."""
    found = {}
    for path in PAGES:
        status, text, _ = await guest.get(path.replace("#", str(game)))
        kept = _ANEW.sub("", text)
        found[path] = f"{status} {kept}"
    return found
