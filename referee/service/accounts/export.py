"""All that is kept about one person, as a file: plain JSON with a line on top that says what it
is.

Of a game that goes on it tells their own seat and plan, of one that is over all orders, which are public
then. No secret of ours (codes, cookies, tokens) is in it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec

from referee.ids import GameId, PersonId
from referee.ports import Inbound
from referee.states import GameStatus
from referee.store import (
    Address,
    Alternate,
    CalendarLink,
    DailyLetter,
    DamagedPack,
    Game,
    GameReview,
    Inbox,
    Mute,
    Person,
    SeasonTime,
    Seat,
    SeatPlan,
    StepComment,
    Tx,
    WebSession,
)
from referee.text import Words

from ..people import officials
from . import hooks

log = logging.getLogger(__name__)
#: the file's name
FILE = "citadels-my-data.json"
#: of this many finished games all orders are told, the newest first; `record #17` tells those of any
GAMES = 100
#: this many messages are looked through for their own, the newest first, and this many in one transaction
MESSAGES, MOST = 20_000, 1_000
#: for a letter, which is made in one transaction, fewer
LETTER_GAMES, LETTER_MESSAGES = 20, 3_000


def utc_text(at_ms: int) -> str | None:
    """A moment as the file tells it, None for never."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds") if at_ms else None


def document(tx: Tx, words: Words, person: Person, now_ms: int) -> bytes:
    """The file as a letter brings it."""
    found = overview(tx, words, person, now_ms)
    found["messages"] = [
        one for rows in message_pages(tx, LETTER_MESSAGES) for one in messages(tx, person.id, rows)
    ]
    found["orders"] = [game_orders(tx, number) for number in finished(tx, person.id)[:LETTER_GAMES]]
    return written(found)


def written(found: dict[str, Any]) -> bytes:
    """The facts as a file."""
    return json.dumps(found, ensure_ascii=False, indent=1).encode() + b"\n"


def overview(tx: Tx, words: Words, person: Person, now_ms: int) -> dict[str, Any]:
    """All but what was said and played."""
    me, mine = person.id, officials.family(tx, person.id)
    calendar, daily = tx.one(CalendarLink, person_id=me), tx.one(DailyLetter, person_id=me)
    found: dict[str, Any] = {
        "readme": words.phrase("my-data-readme", person.language),
        "made": utc_text(now_ms),
        "person": {
            "number": me,
            "name": person.name,
            "language": person.language,
            "zone": person.zone,
            "channels_first": person.prefer,
            "quiet_hours": person.quiet,
            "told": person.notify,
            "pictures": person.pictures,
            "hints": person.hints,
            "known_since": utc_text(person.created_ms),
            "joined_numbers": [one for one in mine if one != me],
        },
        "addresses": [
            {
                "channel": one.channel,
                "address": one.address,
                "handle": one.handle,
                "state": one.state,
                "proven": utc_text(one.proven_ms),
                "last_heard": utc_text(one.seen_ms),
                "joined": utc_text(one.joined_ms),
            }
            for one in tx.all(Address, person_id=me, order="id")
        ],
        "browsers": [
            {
                "since": utc_text(one.made_ms),
                "last_used": utc_text(one.seen_ms),
                "until": utc_text(one.expires_ms),
                "calls_itself": one.browser,
                # the service alone: its whole address and the keys are secrets
                "notices_by": urlsplit(json.loads(one.push)["endpoint"]).hostname if one.push else None,
            }
            for one in tx.all(WebSession, person_id=me, order="id")
        ],
        "calendar_link_since": None if calendar is None else utc_text(calendar.made_ms),
        "daily_letter_minute": None if daily is None else daily.minute,
        "muted": [
            {"what": one.what, "person": one.other_id, "table": one.game_id}
            for one in tx.all(Mute, person_id=me, order="id")
        ],
        **_afterwards(tx, me),
        "stands_by_for": [one.game_id or "any table" for one in tx.all(Alternate, person_id=me, order="id")],
        "vacations": {
            one.season: json.loads(one.vacations) for one in tx.all(SeasonTime, person_id=me, order="id")
        },
        "seats": list(seats(tx, me)),
        "opened_tables": tx.column(Game, "id", creator_id=mine, order="id"),
    }
    for more in hooks.exported(tx, me):
        found |= more
    return found


def _afterwards(tx: Tx, me: PersonId) -> dict[str, Any]:
    """What they wrote of finished games, and asked of them."""
    return {
        "comments": [
            {"table": one.game_id, "text": one.text, "at": utc_text(one.at_ms)}
            for one in tx.all(StepComment, person_id=me, order="id")
        ],
        "reviews": [
            {"table": one.game_id, "asked": utc_text(one.asked_ms)}
            for one in tx.all(GameReview, person_id=me, order="id")
        ],
    }


def seats(tx: Tx, person_id: PersonId) -> Iterator[dict[str, Any]]:
    """Their seats at all tables, with the plan that waits there."""
    mine = tx.all(Seat, person_id=person_id, order="game_id")
    numbers = tuple(one.game_id for one in mine)
    names = ("id", "edition", "status", "started_ms", "ended_ms")
    columns = [tx.column(Game, name, id=numbers, order="id") for name in names]
    games = {row[0]: row for row in zip(*columns, strict=True)}
    for seat in mine:
        _, edition, status, started_ms, ended_ms = games[seat.game_id]
        plan = None if ended_ms else tx.one(SeatPlan, game_id=seat.game_id, seat=seat.no)
        yield {
            "table": seat.game_id,
            "seat": seat.no + 1,
            "name": seat.name,
            "edition": edition,
            "status": status,
            "began": utc_text(started_ms),
            "ended": utc_text(ended_ms),
            "word_for_the_shuffle": seat.word,
            "answers_missed": seat.misses,
            **({} if plan is None else {"plan": json.loads(plan.data), "filed": utc_text(plan.filed_ms)}),
        }


def finished(tx: Tx, person_id: PersonId) -> list[GameId]:
    """The tables at which they sat that are over, the newest first."""
    numbers = tuple(tx.column(Seat, "game_id", person_id=person_id))
    found: list[GameId] = tx.column(Game, "id", id=numbers, status=GameStatus.OVER, order="-id")
    return found


def game_orders(tx: Tx, number: GameId) -> dict[str, Any]:
    """What was played at a table that is over: public by then."""
    names, game = tx.column(Seat, "name", game_id=number, order="no"), tx.get(Game, number)
    try:
        lines = [] if game is None else tx.standing_orders(game)
    except DamagedPack:  # all else is told
        log.exception("the orders of game %s are not told", number)
        lines = []
    return {
        "table": number,
        "players": names,
        "orders": [f"{names[line.seat]}: {line.order}" for line in lines],
    }


def message_pages(tx: Tx, most: int) -> list[tuple[int, int]]:
    """The newest messages of the house, as ranges of their numbers: the one before the first, the last."""
    last = int(next(iter(tx.column(Inbox, "id", order="-id", limit=1)), 0))
    first = max(0, last - most)
    return [(after, min(after + MOST, last)) for after in range(first, last, MOST)]


def messages(tx: Tx, person_id: PersonId, rows: tuple[int, int]) -> Iterator[dict[str, Any]]:
    """What they wrote, among the messages of a range, as far as its words are still kept."""
    after, upto = rows
    mine = {(one.channel, one.address) for one in tx.all(Address, person_id=person_id)}
    mine |= {("web", str(one)) for one in officials.family(tx, person_id)}
    heads = [f'"address":{json.dumps(address, ensure_ascii=False)}'.encode() for _, address in mine]
    for row in tx.all(Inbox, after={"id": after}, order="id", limit=upto - after):
        if row.id > upto or not any(one in row.body for one in heads):
            continue
        try:
            came = msgspec.json.decode(row.body, type=Inbound)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # of another version
            continue
        if (came.channel, came.address) in mine:
            yield {
                "at": utc_text(row.at_ms),
                "channel": came.channel,
                "place": came.place_name or came.place,
                "text": came.text,
            }
