"""What the rest of the desk tells the office about a league's table: it began, it ended, somebody left a
seat, somebody sat down in it.

Tables outside of leagues cost one look at their settings. Nothing is worked out here but who left: the office
looks at the season when its bell rings, which it does at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from referee.rules import Refusal
from referee.store import (
    Entry,
    Game,
    Person,
    Season,
    SeasonTable,
    Tx,
)

from ..core.unit_of_work import Sitting, settings_of, written


def mine(game: Game) -> dict[str, Any] | None:
    """What a table knows of its league: league, name, season, no (of the season), round, table, division,
    until (when it begins without those who are not there), tries; `left` are [person, why] of those who left
    a seat (no show, withdrawn, replaced, kicked, substituted), `charged`: for so many of them it has been
    seen to what it costs. None for a table of no league.
    """
    if '"league"' not in game.settings:
        return None
    found: dict[str, Any] | None = settings_of(game).get("league")
    return found


def due(sitting: Sitting, season_id: int | None) -> None:
    """The office looks at a season as soon as it can."""
    sitting.tx.set(Season, season_id, due_ms=sitting.now_ms)
    sitting.wakes.add("clock")


def began(sitting: Sitting, game: Game) -> None:
    """Everybody is ready."""
    if mine(game) is not None:
        sitting.tx.change(SeasonTable, {"game_id": game.id, "state": "gathering"}, state="playing")


def ended(sitting: Sitting, game: Game) -> None:
    """It is over, or was given up."""
    told = mine(game)
    if told is not None:
        due(sitting, int(told["season"]))


def left(sitting: Sitting, game: Game, person_id: int | None, why: str) -> None:
    """Somebody's seat is not theirs any more."""
    if mine(game) is None or person_id is None:
        return
    table = settings_of(
        sitting.tx.get(Game, game.id) or game
    )  # others may have left in this very transaction
    told = table["league"]
    table["league"] = {**told, "left": [*told.get("left", []), [person_id, why]]}
    sitting.tx.set(Game, game.id, settings=written(table))
    due(sitting, int(told["season"]))


def seated(sitting: Sitting, game: Game, person_id: int) -> None:
    """An alternate plays from now on."""
    told = mine(game)
    if told is not None:
        sitting.tx.change(
            Entry,
            {"season_id": int(told["season"]), "person_id": person_id, "state": "waiting"},
            state="playing",
            division=int(told["division"]),
            from_round=int(told["round"]) + 1,
        )


def silent(sitting: Sitting, game: Game, person_id: int) -> None:
    """An alternate let the time pass in which a seat was theirs to take: they stand by no longer, since each
    silent name costs a table that time.
    """
    told = mine(game)
    if told is not None:
        sitting.tx.change(
            Entry,
            {"season_id": int(told["season"]), "person_id": person_id, "state": "waiting"},
            state="withdrawn",
            note="silent",
        )


def may_sit(sitting: Sitting, game: Game, person: Person) -> None:
    """Raises Refusal unless somebody may take over a seat of this table: one of its league's alternates."""
    told = mine(game)
    if told is not None and not waits(sitting, game, int(person.id or 0)):
        raise Refusal("league-alternates-only", game=game.id, league=told["name"])


def waits(sitting: Sitting, game: Game, person_id: int) -> bool:
    """Whether somebody is an alternate of this table's league."""
    told = mine(game)
    return (
        told is not None
        and sitting.tx.count(Entry, season_id=int(told["season"]), person_id=person_id, state="waiting") > 0
    )


def alternates(sitting: Sitting, game: Game) -> list[int]:
    """The alternates of this table's league, the first to sign up first."""
    told = mine(game)
    if told is None:
        return []
    return [
        one.person_id
        for one in sitting.tx.all(Entry, season_id=int(told["season"]), state="waiting", order="since_ms,id")
    ]


def lists_allowed(game: Game) -> bool:
    """Whether preference lists may be filed at this table."""
    told = mine(game)
    return told is None or told.get("plans", "all") == "all"


def not_here(game: Game, code: str) -> None:
    """Raises Refusal for what nobody does at a table of a league."""
    told = mine(game)
    if told is not None:
        raise Refusal(code, game=game.id, league=told["name"])


def both(tx: Tx, one: int, other: int) -> bool:
    """Whether two persons are in one season, so that they can't become one."""
    return bool(
        {row.season_id for row in tx.all(Entry, person_id=one)}
        & {row.season_id for row in tx.all(Entry, person_id=other)}
    )


def renamed(tx: Tx, seasons: Iterable[int], old: int, new: int) -> None:
    """In these seasons somebody goes by another number from now on, at every table that is drawn."""
    for season in seasons:
        for table in tx.all(SeasonTable, season_id=season):
            people = json.loads(table.people)
            if old in people:
                tx.set(SeasonTable, table.id, people=written([new if one == old else one for one in people]))
