"""A planned table becomes a game: its people sit there already, and are asked whether they are ready."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from referee.policy import HOUR_MS
from referee.rules import Refusal, SetupError, chance, lists
from referee.states import GameStatus, TableState
from referee.store import Game, Person, Season, SeasonRound, SeasonTable, Seat

from ..core import outbox
from ..core.unit_of_work import Sitting, written
from ..deadlines import clock_state
from ..tables import lobby
from ..tables.seat_names import in_game_name
from . import lookup
from .terms import Terms


def opened(sitting: Sitting, season: Season, terms: Terms, row: SeasonRound, table: SeasonTable) -> Game:
    """Lay the table: one game, with letters to everybody.  Raises Refusal where no game can be played so."""
    tx, league = sitting.tx, lookup.league_of(sitting, season)
    people = [person for who in lookup.people_of(table) if (person := tx.get(Person, who)) is not None]
    seed = (sitting.settings.testing.seeds or secrets.token_bytes)(32)
    choice = chosen(season, terms, row.no, len(people))
    try:
        lobby.allowed(terms.edition, len(people), terms.options, choice, seed)
    except SetupError as no:
        raise Refusal(no.code, **no.facts) from no
    policy = terms.rule()
    settings: dict[str, Any] = {
        "seats": len(people),
        "hours": policy.move_hours,
        "policy": clock_state.row_of(policy),
        "options": dict(terms.options),
        "entry": "closed",
        "season": f"league:{league.id}:{season.no}",
        "crown": table.crown,
        "pages": "public" if terms.visible else "private",
        "league": {
            "league": league.id,
            "name": league.name,
            "season": season.id,
            "no": season.no,
            "round": row.no,
            "table": table.no,
            "division": table.division,
            "plans": terms.plans,
            "until": sitting.now_ms + terms.late_hours * HOUR_MS,
            "tries": 0,
        },
    }
    if terms.talk:
        settings["talk"] = terms.talk
    if choice:
        settings["choice"] = choice.facts()
    in_charge = lookup.in_charge(sitting, league)
    number = tx.add(
        Game,
        status=GameStatus.MUSTERING,
        edition=terms.edition,
        settings=written(settings),
        creator_id=in_charge[0] if in_charge else people[0].id,
        seed=seed.hex(),
        seed_hash=chance.commit(seed),
        created_ms=sitting.now_ms,
    )
    game = lobby.reload(sitting, number)
    for person in people:
        lobby.sit(sitting, game, person, None)
    for seat in sitting.seats(number):
        outbox.to_seat(sitting, game, seat, "muster")
    tx.set(SeasonTable, table.id, state=TableState.GATHERING, game_id=number)
    return game


def chosen(season: Season, terms: Terms, round_no: int, players: int) -> lists.Choice:
    """The cards of a round's tables.

    Where chance decides for a whole round, tables of one size have the same.
    """
    choice = lists.choice_of(terms.choice)
    if not terms.each_round or not choice:
        return choice
    seed = hashlib.sha256(f"{season.seed} round {round_no}".encode()).digest()
    try:
        drawn = lists.choose(terms.edition, players, choice, seed)
    except SetupError as no:
        raise Refusal(no.code, **no.facts) from no
    return lists.Choice(cast=drawn.cast, uniques=drawn.uniques)


def placed(sitting: Sitting, game: Game, person: Person, no: int) -> None:
    """Another person sits in a seat of a table that gathers, under a name of their own."""
    seats = sitting.seats(int(game.id or 0))
    called = in_game_name(person.name, [seat.name for seat in seats if seat.no != no], game)
    sitting.tx.set(
        Seat,
        seats[no].id,
        person_id=person.id,
        name=called,
        ready=0,
        word="",
        channel="",
        told=0,
        notify="",
        lessons="",
    )
    outbox.to_seat(sitting, game, sitting.seats(int(game.id or 0))[no], "muster")
