"""Who comes where at a table that an office decides: by the scores as everybody sees them, by names, or
behind all others.

Places are (place, score) of each seat. Everything here raises Refusal for what can't be.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from referee import rules
from referee.ids import NOBODY
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game, SeasonTable

from ...core.unit_of_work import UnitOfWork
from ...tables.seat_names import fold_name
from .. import lookup

Places = list[tuple[int, int]]


def by_scores(uow: UnitOfWork, table: SeasonTable, game: Game | None) -> Places:
    """As the scores stand; refused where nothing was dealt."""
    found = _public(uow, game)
    if found is None:
        raise Refusal("league-no-scores", table=table.no)
    return found


def in_order(uow: UnitOfWork, table: SeasonTable, game: Game | None, names: Sequence[str]) -> Places:
    """In the order of these names, which must be all of those at the table, each once."""
    found, everybody = _seats(uow, table, game, names), called(uow, table, game)
    if len(found) != len(everybody):
        raise Refusal("league-order", table=table.no, name="", names=everybody)
    now = _public(uow, game) or [(1, 0)] * len(everybody)
    return [(found.index(no) + 1, score) for no, (_, score) in enumerate(now)]


def named(uow: UnitOfWork, table: SeasonTable, game: Game | None, names: Sequence[str]) -> set[int]:
    """The seats of those who forfeit the table; refused where nobody would be left."""
    found, everybody = _seats(uow, table, game, names), called(uow, table, game)
    if not found or len(found) == len(everybody):
        raise Refusal("league-forfeit-all", table=table.no, names=everybody)
    return set(found)


def without(uow: UnitOfWork, table: SeasonTable, game: Game | None, lost: Collection[int]) -> Places:
    """These seats share the last places, all others stand as the scores do; where there are none yet, one who
    is left has won without any.
    """
    everybody = called(uow, table, game)
    if _public(uow, game) is None and len(lost) == len(everybody) - 1:
        return behind([(1, 0)] * len(everybody), lost)
    return behind(by_scores(uow, table, game), lost)


def won(places: Sequence[tuple[int, int]], winner: int) -> Places:
    """One seat is first, all others share the places behind it."""
    return behind(places, set(range(len(places))) - {winner})


def behind(places: Sequence[tuple[int, int]], last: Collection[int]) -> Places:
    """The same when the seats of `last` share the last places, and all others keep their order."""
    ahead = [place for no, (place, _) in enumerate(places) if no not in last]
    return [
        (len(ahead) + 1 if no in last else 1 + sum(other < place for other in ahead), score)
        for no, (place, score) in enumerate(places)
    ]


def called(uow: UnitOfWork, table: SeasonTable, game: Game | None) -> list[str]:
    """What everybody is called there, by seat."""
    seats = [] if game is None else uow.seats(game.id)
    return [seat.name for seat in seats] or lookup.names_of(uow, lookup.people_of(table))


def _public(uow: UnitOfWork, game: Game | None) -> Places | None:
    """What everybody sees, without hands while it is played; None where nothing was dealt, or it can't be
    read.
    """
    if game is None or not game.snapshot or not lookup.readable(uow, game):
        return None
    return list(rules.places(uow.states.of(game), public=game.status != GameStatus.OVER))


def _seats(uow: UnitOfWork, table: SeasonTable, game: Game | None, names: Sequence[str]) -> list[int]:
    """The seats of these names, each once."""
    seats, everybody = [] if game is None else uow.seats(game.id), called(uow, table, game)
    people = lookup.names_of(uow, [seat.person_id or NOBODY for seat in seats]) if seats else everybody
    found: list[int] = []
    for name in names:
        said = fold_name(name)
        fits = [no for no in range(len(everybody)) if said and said in _names(everybody[no], people[no])]
        fits = fits or [no for no, one in enumerate(everybody) if said and fold_name(one).startswith(said)]
        if len(fits) != 1 or fits[0] in found:
            raise Refusal("league-order", table=table.no, name=name, names=everybody)
        found.append(fits[0])
    return found


def _names(*names: str) -> set[str]:
    return {fold_name(one) for one in names}
