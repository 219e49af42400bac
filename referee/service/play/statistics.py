"""How somebody did at the tables that they played to the end: places and points, by edition, by character and
against whom. Worked out from what each game left behind, for their newest tables.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from referee.ids import GameId, PersonId, SeatNo
from referee.states import GameStatus
from referee.store import DamagedPack, Game, GameEvent, Journal, Person, Seat, Tx

from ..core.unit_of_work import settings_of
from .moves import OWN
from .replay import sits_since

log = logging.getLogger(__name__)
#: how an order that takes a character begins
_PICK = "pick "
#: this many tables count, the newest first, and each list has at most that many lines
GAMES, LINES = 100, 40


class Played(NamedTuple):
    """One table as somebody played it to the end.

    `place` from 1, shared where tied; `of`: how many played; `picks`: the characters that they picked, one
    for each time; `others`: of each of the others the person (None: a bot or nobody), the name, the place.
    """

    edition: str
    place: int
    of: int
    score: int
    picks: tuple[str, ...]
    others: tuple[tuple[PersonId | None, str, int], ...]


class _Past(NamedTuple):
    """The orders that stand, and all that happened."""

    orders: Sequence[Journal]
    events: Sequence[GameEvent]


def newest(tx: Tx, person_id: PersonId) -> tuple[list[GameId], int]:
    """The tables that count, and how many more there are."""
    numbers = tuple(tx.column(Seat, "game_id", person_id=person_id))
    found: list[GameId] = tx.column(Game, "id", id=numbers, status=GameStatus.OVER, order="-id")
    return found[:GAMES], max(0, len(found) - GAMES)


def played(tx: Tx, person_id: PersonId, number: GameId) -> Played | None:
    """What a table left behind; None where it did not count: a guided first game, or they are not in it any
    more.
    """
    game = tx.get(Game, number)
    seats = tx.all(Seat, game_id=number, order="no")
    mine = next((one for one in seats if one.person_id == person_id), None)
    if game is None or mine is None or game.status != GameStatus.OVER or settings_of(game).get("learn"):
        return None
    result = json.loads(game.snapshot)["result"]
    scores = {int(row["seat"]): int(row["score"]) for row in result["scores"]}
    places = placed(scores, result["winners"])
    # a seat may have its name from who had it before; any other name is that by which they met
    past = _past(tx, game)
    later = {one.no for one in seats if sits_since(past.events, one.no)}
    people = tuple(one.person_id for one in seats if one.no in later and one.person_id is not None)
    called: dict[PersonId | None, str] = {one.id: one.name for one in tx.all(Person, id=people)}
    return Played(
        edition=game.edition,
        place=places[mine.no],
        of=len(seats),
        score=scores[mine.no],
        picks=_picks(past, mine.no),
        others=tuple(
            (one.person_id, called.get(one.person_id, one.name), places[one.no])
            for one in seats
            if one is not mine
        ),
    )


def _past(tx: Tx, game: Game) -> _Past:
    """What was played there; nothing of a game whose pack is damaged."""
    try:
        return _Past(tx.standing_orders(game), tx.events_of(game))
    except DamagedPack:
        log.exception("of game %s places and points alone are told", game.id)
        return _Past((), ())


def _picks(past: _Past, no: SeatNo) -> tuple[str, ...]:
    """The characters that the person who sits there picked: not a stand-in, the clock, or who sat there
    before.
    """
    since = sits_since(past.events, no)
    return tuple(
        line.order.removeprefix(_PICK)
        for line in past.orders
        if line.seat == no and line.by in OWN and line.at_ms >= since and line.order.startswith(_PICK)
    )


def placed(scores: dict[int, int], winners: Sequence[int]) -> dict[int, int]:
    """The place of each seat: winners are first, also where others have as many points."""
    rank = {seat: (seat not in winners, -score) for seat, score in scores.items()}
    return {seat: 1 + sum(other < mine for other in rank.values()) for seat, mine in rank.items()}


def summed(tables: Iterable[Played], more: int = 0) -> dict[str, Any]:
    """What a page and a letter tell: games, won, place and score (on average, None without a game), places
    [how often first, second …], editions, characters, opponents, more.
    """
    found = list(tables)
    return {
        **_line(found),
        "places": [
            sum(one.place == place for one in found)
            for place in range(1, max((one.of for one in found), default=0) + 1)
        ],
        "editions": [
            {"edition": name, **_line(mine)} for name, mine in _by(found, lambda one: {one.edition})
        ],
        "characters": [
            {"character": name, "rounds": sum(one.picks.count(name) for one in mine), **_line(mine)}
            for name, mine in _by(found, lambda one: set(one.picks))
        ][:LINES],
        "opponents": _opponents(found)[:LINES],
        "more": more,
    }


def of_person(tx: Tx, person_id: PersonId) -> dict[str, Any]:
    """All of it at once."""
    numbers, more = newest(tx, person_id)
    tables = (played(tx, person_id, number) for number in numbers)
    return summed((one for one in tables if one is not None), more)


def _line(tables: Sequence[Played]) -> dict[str, Any]:
    count = len(tables)
    return {
        "games": count,
        "won": sum(one.place == 1 for one in tables),
        "place": round(sum(one.place for one in tables) / count, 1) if count else None,
        "score": round(sum(one.score for one in tables) / count, 1) if count else None,
        "best": max((one.score for one in tables), default=None),
    }


def _by(tables: Sequence[Played], names: Any) -> list[tuple[str, list[Played]]]:
    """Tables by what they have in common, the most of them first."""
    found: dict[str, list[Played]] = {}
    for one in tables:
        for name in names(one):
            found.setdefault(name, []).append(one)
    return sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def _opponents(tables: Sequence[Played]) -> list[dict[str, Any]]:
    """Against whom: how often, and how often ahead of them or behind."""
    found: dict[PersonId, dict[str, Any]] = {}
    for table in tables:
        for person, name, place in table.others:
            if person is not None:
                row = found.setdefault(person, {"name": name, "games": 0, "ahead": 0, "behind": 0})
                row["games"] += 1
                row["ahead"] += table.place < place
                row["behind"] += table.place > place
    return sorted(found.values(), key=lambda row: (-row["games"], row["name"]))
