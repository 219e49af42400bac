"""Who may sign up: anyone who can be written to, and can be relied on."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from referee.ids import PersonId
from referee.states import AddressState
from referee.store import Address, Game, Person, SeasonTable, Seat, TableResult

from ...core.unit_of_work import UnitOfWork
from ..scores import conduct
from ..terms import Terms

#: this many of somebody's last tables are looked at
_TABLES = 12


def unmet(uow: UnitOfWork, terms: Terms, person: Person) -> tuple[str, dict[str, Any]] | None:
    """The first condition that somebody does not meet, as a refusal's code and facts; None where they meet
    all. Anyone who has been asked less often than counts is new, not unreliable.
    """
    if terms.green and not any(
        one.state == AddressState.GREEN for one in uow.tx.all(Address, person_id=person.id)
    ):
        return "league-not-green", {"name": person.name}
    if terms.reliability:
        share, questions = in_time(uow, person.id)
        if share is not None and questions >= terms.answers and share * 100 < terms.reliability:
            return "league-unreliable", {
                "name": person.name,
                "share": int(share * 100),
                "wanted": terms.reliability,
                "answers": questions,
            }
    return None


def in_time(uow: UnitOfWork, person_id: PersonId) -> tuple[Fraction | None, int]:
    """The share of the questions that somebody answered in time, by themselves or by their plans, at their
    last tables of leagues and of the installation; and of how many questions.
    """
    tx = uow.tx
    rows = tx.all(TableResult, person_id=person_id, order="-id", limit=_TABLES)
    counted = set(tx.column(SeasonTable, "game_id", id=tuple(row.table_id for row in rows)))
    flags: list[dict[str, Any]] = [json.loads(row.flags) for row in rows]
    for number in tx.column(Seat, "game_id", person_id=person_id, order="-game_id", limit=_TABLES):
        game = tx.get(Game, number)
        if game is not None and number not in counted:
            flags.append(conduct.of_game(tx, game, ()).get(person_id, conduct.Conduct()).facts())
    told = conduct.summed(flags)
    return told.in_time, told.questions
