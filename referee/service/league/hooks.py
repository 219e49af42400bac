"""What other rooms tell and ask the league about its tables: they began, they ended, somebody left a seat,
somebody sat down in it; and about the rooms where its news are told.

Tables outside of leagues cost one look at their settings. Nothing is worked out here but who left: the office
looks at the season when its bell rings, which it does at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from referee.ids import PersonId, RoundNo, SeasonId
from referee.rules import Refusal
from referee.states import EntryState, TableState
from referee.store import (
    Entry,
    Game,
    LeagueRoom,
    Person,
    Room,
    Season,
    SeasonRound,
    SeasonTable,
    Seat,
    Tx,
)

from ..accounts.hooks import barred, renumbered
from ..core.unit_of_work import UnitOfWork, json_text, settings_of
from ..people.hooks import room_moved
from ..play import hooks as play
from ..play.hooks import game_began, game_over, may_change_lobby, offer_lapsed, seat_left, seat_taken
from ..play.table_league import read_league as read_league


def wake_season(uow: UnitOfWork, season_id: SeasonId | None) -> None:
    """The office looks at a season as soon as it can."""
    uow.tx.set(Season, season_id, due_ms=uow.now_ms)
    uow.wakes.add("clock")


@room_moved.on
def announced_there(uow: UnitOfWork, old: Room, new: Room) -> None:
    """The news of leagues go with a group that has another id now."""
    for row in uow.tx.all(LeagueRoom, room_id=old.id):
        uow.tx.add_new(LeagueRoom, league_id=row.league_id, room_id=new.id)
        uow.tx.drop(LeagueRoom, id=row.id)


@game_began.on
def began(uow: UnitOfWork, game: Game, seats: Sequence[Seat]) -> None:
    """Everybody is ready."""
    if read_league(game) is not None:
        uow.tx.change(
            SeasonTable, {"game_id": game.id, "state": TableState.GATHERING}, state=TableState.PLAYING
        )


@game_over.on
def table_ended(uow: UnitOfWork, game: Game) -> None:
    """It is over, or was given up."""
    told = read_league(game)
    if told is not None:
        wake_season(uow, SeasonId(int(told["season"])))


@seat_left.on
def left(uow: UnitOfWork, game: Game, person_id: PersonId | None, why: str) -> None:
    """Somebody's seat is not theirs any more."""
    if read_league(game) is None or person_id is None:
        return
    table = settings_of(uow.tx.get(Game, game.id) or game)  # others may have left in this very transaction
    told = table["league"]
    table["league"] = {**told, "left": [*told.get("left", []), (person_id, why)]}
    uow.tx.set(Game, game.id, settings=json_text(table))
    wake_season(uow, SeasonId(int(told["season"])))


@seat_taken.on
def alternate_seated(uow: UnitOfWork, game: Game, person_id: PersonId) -> None:
    """An alternate plays from now on."""
    told = read_league(game)
    if told is not None:
        uow.tx.change(
            Entry,
            {"season_id": int(told["season"]), "person_id": person_id, "state": EntryState.WAITING},
            state=EntryState.PLAYING,
            division=int(told["division"]),
            from_round=int(told["round"]) + 1,
        )
        plays_after_all(uow, SeasonId(int(told["season"])), RoundNo(int(told["round"])), person_id)


def plays_after_all(uow: UnitOfWork, season_id: SeasonId, round_no: RoundNo, who: PersonId) -> None:
    """Somebody who had a bye in a round has a table instead."""
    row = uow.tx.one(SeasonRound, season_id=season_id, no=round_no)
    facts = {} if row is None else json.loads(row.facts)
    kept = {name: [one for one in facts[name] if one != who] for name in ("byes", "granted") if name in facts}
    if row is not None and {**facts, **kept} != facts:
        uow.tx.set(SeasonRound, row.id, facts=json_text({**facts, **kept}))


@offer_lapsed.on
def silent(uow: UnitOfWork, game: Game, person_id: PersonId) -> None:
    """An alternate let the time pass in which a seat was theirs to take: they stand by no longer, since each
    silent name costs a table that time.
    """
    told = read_league(game)
    if told is not None:
        uow.tx.change(
            Entry,
            {"season_id": int(told["season"]), "person_id": person_id, "state": EntryState.WAITING},
            state=EntryState.WITHDRAWN,
            note="silent",
        )


@play.may_come.on
def may_come(uow: UnitOfWork, game: Game, person: Person) -> None:
    """Raises Refusal for anyone whom an official took out of the season while its table gathers."""
    told = read_league(game)
    if told is not None and uow.tx.count(
        Entry, season_id=int(told["season"]), person_id=person.id, state=EntryState.REMOVED
    ):
        raise Refusal("league-removed-before", league=told["name"], name=person.name, you=True)


@play.lists_allowed.on
def lists_allowed(game: Game) -> bool | None:
    """Whether preference lists may be filed at this table."""
    told = read_league(game)
    return None if told is None else told.get("plans", "all") == "all"


@may_change_lobby.on
def not_here(game: Game, code: str) -> None:
    """Raises Refusal for what nobody does at a table of a league."""
    told = read_league(game)
    if told is not None:
        raise Refusal(code, game=game.id, league=told["name"])


@barred.on
def both(tx: Tx, one: int, other: int) -> str | None:
    """Two persons of one season can't become one."""
    same = {row.season_id for row in tx.all(Entry, person_id=one)} & {
        row.season_id for row in tx.all(Entry, person_id=other)
    }
    return "link-same-season" if same else None


#: where a season, and a round, keep persons in mind (`lookup.mind`, `lookup.facts_of`)
_OF_SEASON, _OF_ROUND = ("final", "struck"), ("byes", "granted", "out")
#: what a season keeps of each by their number
_BY_PERSON = ("strikes", "reminded")


@renumbered.on
def renamed(tx: Tx, seasons: Iterable[SeasonId], old: PersonId, new: PersonId) -> None:
    """In these seasons somebody goes by another number from now on: at every table that is drawn, and
    wherever else the season knows them by it: byes, strikes, its final order, seats that they left.
    """

    def swapped(one: Any) -> Any:
        return [swapped(each) for each in one] if isinstance(one, list) else new if one == old else one

    for number in seasons:
        tables = tx.all(SeasonTable, season_id=number)
        for table in tables:
            people = json.loads(table.people)
            if old in people:
                tx.set(SeasonTable, table.id, people=json_text(swapped(people)))
        games = tuple(one.game_id for one in tables if one.game_id is not None)
        for game_id, text in zip(
            tx.column(Game, "id", id=games, order="id"),
            tx.column(Game, "settings", id=games, order="id"),
            strict=True,
        ):
            settings = json.loads(text) if '"left"' in text else {"league": {}}
            left = settings["league"].get("left", [])
            if left != swapped(left):
                settings["league"]["left"] = swapped(left)
                tx.set(Game, game_id, settings=json_text(settings))
        for row in tx.all(SeasonRound, season_id=number):
            tx.set(SeasonRound, row.id, facts=_swapped_in(row.facts, _OF_ROUND, swapped))
        season = tx.get(Season, number)
        if season is not None:
            kept = json.loads(_swapped_in(season.drawn, _OF_SEASON, swapped))
            for name in _BY_PERSON:
                if name in kept:
                    kept[name] = {str(swapped(int(who))): fact for who, fact in kept[name].items()}
            tx.set(Season, number, drawn=json_text(kept))


def _swapped_in(text: str, names: Sequence[str], swapped: Callable[[Any], Any]) -> str:
    """The same facts with another number in those of these names."""
    facts = json.loads(text)
    return json_text({name: swapped(value) if name in names else value for name, value in facts.items()})
