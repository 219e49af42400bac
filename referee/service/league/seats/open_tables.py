"""A planned table becomes a game: its people sit there already, and are asked whether they are ready."""

from __future__ import annotations

import hashlib
import secrets

from referee.ids import RoundNo, SeatNo
from referee.policy import HOUR_MS, to_json
from referee.rules import Refusal, SetupError, chance, lists
from referee.states import GameStatus, TablePage, TableState
from referee.store import Game, Person, Season, SeasonRound, SeasonTable, Seat

from ...core import outbox
from ...core.table_settings import TableSettings
from ...core.unit_of_work import UnitOfWork, json_text
from ...deadlines import clock_state, season_pauses
from ...people import identity
from ...people.letter_facts import MusterFacts
from ...tables import lobby
from ...tables.seat_names import in_game_name
from .. import free_days, lookup, pausing
from ..terms import Terms, read_terms


def open_table(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound, table: SeasonTable) -> Game:
    """Lay the table: one game, with letters to everybody.  Raises Refusal where no game can be played so."""
    tx, league = uow.tx, lookup.league_of(uow, season)
    people = [person for who in lookup.people_of(table) if (person := tx.get(Person, who)) is not None]
    seed = (uow.settings.testing.seeds or secrets.token_bytes)(32)
    choice = choose_cards(season, terms, row.no, len(people))
    try:
        lobby.allowed(terms.edition, len(people), terms.options, choice, seed)
    except SetupError as no:
        raise Refusal(no.code, **no.facts) from no
    policy = terms.rule()
    clocks = clock_state.TableTime(
        held=pausing.spans(season), off=free_days.spans(terms.holidays, policy.zone, uow.now_ms)
    )
    settings: TableSettings = {
        "seats": len(people),
        "hours": policy.move_hours,
        "policy": to_json(policy),
        "options": dict(terms.options),
        "entry": "closed",
        "season": f"league:{league.id}:{season.no}",
        "crown": table.crown,
        "league": {
            "league": league.id,
            "name": league.name,
            "season": season.id,
            "no": season.no,
            "round": row.no,
            "table": table.no,
            "division": table.division,
            "plans": terms.plans,
            "until": season_pauses.passed(clocks, uow.now_ms, terms.late_hours * HOUR_MS),
            "tries": 0,
        },
    }
    if terms.talk:
        settings["talk"] = terms.talk
    if choice:
        settings["choice"] = choice.facts()
    in_charge = lookup.in_charge(uow, league)
    number = tx.add(
        Game,
        status=GameStatus.MUSTERING,
        edition=terms.edition,
        settings=json_text(settings),
        creator_id=in_charge[0] if in_charge else people[0].id,
        seed=seed.hex(),
        seed_hash=chance.commit(seed),
        # as the league is by now: who may see it is not settled with a season's rules
        page=TablePage.PUBLIC if read_terms(league).visible else TablePage.PRIVATE,
        clocks=clock_state.encode_clocks(clocks),
        created_ms=uow.now_ms,
    )
    game = lobby.reload(uow, number)
    for person in people:
        lobby.sit(uow, game, person, None)
    for seat in uow.seats(number):
        outbox.to_seat(uow, game, seat, MusterFacts())
    tx.set(SeasonTable, table.id, state=TableState.GATHERING, game_id=number)
    return game


def choose_cards(season: Season, terms: Terms, round_no: RoundNo, players: int) -> lists.Choice:
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


def placed(uow: UnitOfWork, game: Game, person: Person, no: SeatNo) -> None:
    """Another person sits in a seat of a table that gathers, under a name of their own."""
    seats = uow.seats(game.id)
    called = in_game_name(person.name, [seat.name for seat in seats if seat.no != no], game)
    identity.seated(uow, person.id)
    uow.tx.set(
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
    outbox.to_seat(uow, game, uow.seats(game.id)[no], MusterFacts())
