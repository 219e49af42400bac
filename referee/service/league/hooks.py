"""What other rooms tell and ask the league about its tables: they began, they ended, somebody left a seat,
somebody sat down in it.

Tables outside of leagues cost one look at their settings. Nothing is worked out here but who left: the office
looks at the season when its bell rings, which it does at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from referee.rules import Refusal
from referee.states import EntryState, TableState
from referee.store import (
    Entry,
    Game,
    LeagueRole,
    Person,
    Season,
    SeasonTable,
    Seat,
    Tx,
)

from ..accounts.hooks import barred, renumbered
from ..core.league_facts import mine as mine
from ..core.unit_of_work import Sitting, settings_of, written
from ..people.hooks import Key, keys
from ..play import hooks as play
from ..play.hooks import game_began, game_over, may_change_lobby, offer_lapsed, seat_left, seat_taken, standby

#: what moderators of a league may do at its tables, too: "" is what everybody in charge may
MODERATE = frozenset({"", "pause", "resume", "extend", "offer", "talk"})


def due(sitting: Sitting, season_id: int | None) -> None:
    """The office looks at a season as soon as it can."""
    sitting.tx.set(Season, season_id, due_ms=sitting.now_ms)
    sitting.wakes.add("clock")


@game_began.on
def began(sitting: Sitting, game: Game, seats: Sequence[Seat]) -> None:
    """Everybody is ready."""
    if mine(game) is not None:
        sitting.tx.change(
            SeasonTable, {"game_id": game.id, "state": TableState.GATHERING}, state=TableState.PLAYING
        )


@game_over.on
def ended(sitting: Sitting, game: Game) -> None:
    """It is over, or was given up."""
    told = mine(game)
    if told is not None:
        due(sitting, int(told["season"]))


@seat_left.on
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


@seat_taken.on
def seated(sitting: Sitting, game: Game, person_id: int) -> None:
    """An alternate plays from now on."""
    told = mine(game)
    if told is not None:
        sitting.tx.change(
            Entry,
            {"season_id": int(told["season"]), "person_id": person_id, "state": EntryState.WAITING},
            state=EntryState.PLAYING,
            division=int(told["division"]),
            from_round=int(told["round"]) + 1,
        )


@offer_lapsed.on
def silent(sitting: Sitting, game: Game, person_id: int) -> None:
    """An alternate let the time pass in which a seat was theirs to take: they stand by no longer, since each
    silent name costs a table that time.
    """
    told = mine(game)
    if told is not None:
        sitting.tx.change(
            Entry,
            {"season_id": int(told["season"]), "person_id": person_id, "state": EntryState.WAITING},
            state=EntryState.WITHDRAWN,
            note="silent",
        )


@play.may_sit.on
def may_sit(sitting: Sitting, game: Game, person: Person) -> None:
    """Raises Refusal unless somebody may take over a seat of this table: one of its league's alternates."""
    told = mine(game)
    if told is not None and not waits(sitting, game, int(person.id or 0)):
        raise Refusal("league-alternates-only", game=game.id, league=told["name"])


def waits(sitting: Sitting, game: Game, person_id: int) -> bool:
    """Whether somebody is an alternate of this table's league."""
    return person_id in (alternates(sitting, game) or ())


@standby.on
def alternates(sitting: Sitting, game: Game) -> list[int] | None:
    """The alternates of this table's league, the first to sign up first."""
    told = mine(game)
    if told is None:
        return None
    return [
        one.person_id
        for one in sitting.tx.all(
            Entry, season_id=int(told["season"]), state=EntryState.WAITING, order="since_ms,id"
        )
    ]


@play.lists_allowed.on
def lists_allowed(game: Game) -> bool | None:
    """Whether preference lists may be filed at this table."""
    told = mine(game)
    return None if told is None else told.get("plans", "all") == "all"


@may_change_lobby.on
def not_here(game: Game, code: str) -> None:
    """Raises Refusal for what nobody does at a table of a league."""
    told = mine(game)
    if told is not None:
        raise Refusal(code, game=game.id, league=told["name"])


@barred.on
def both(tx: Tx, one: int, other: int) -> str | None:
    """Two persons of one season can't become one."""
    same = {row.season_id for row in tx.all(Entry, person_id=one)} & {
        row.season_id for row in tx.all(Entry, person_id=other)
    }
    return "link-same-season" if same else None


@renumbered.on
def renamed(tx: Tx, seasons: Iterable[int], old: int, new: int) -> None:
    """In these seasons somebody goes by another number from now on, at every table that is drawn."""
    for season in seasons:
        for table in tx.all(SeasonTable, season_id=season):
            people = json.loads(table.people)
            if old in people:
                tx.set(SeasonTable, table.id, people=written([new if one == old else one for one in people]))


@keys.on
def in_charge(tx: Tx, game: Game, act: str) -> list[Key] | None:
    """Those who run a league are in charge of its tables."""
    told = mine(game)
    if told is None:
        return None
    roles = ("owner", "director", "moderator") if act in MODERATE else ("owner", "director")
    return [
        Key(one.person_id, one.given_ms)
        for one in tx.all(LeagueRole, league_id=int(told["league"]), role=roles, order="id")
    ]
