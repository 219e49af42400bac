"""Who may sign up: whoever can be written to, and can be relied on."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from referee.states import AddressState
from referee.store import Address, Game, Person, SeasonTable, Seat, TableResult

from ..core.unit_of_work import Sitting
from . import conduct
from .terms import Terms

#: so many of somebody's last tables are looked at
_TABLES = 12


def unmet(sitting: Sitting, terms: Terms, person: Person) -> tuple[str, dict[str, Any]] | None:
    """The first condition that somebody does not meet, as a refusal's code and facts; None where they meet
    all. Whoever has been asked less often than counts is new, not unreliable.
    """
    if terms.green and not any(
        one.state == AddressState.GREEN for one in sitting.tx.all(Address, person_id=person.id)
    ):
        return "league-not-green", {"name": person.name}
    if terms.reliability:
        share, questions = in_time(sitting, int(person.id or 0))
        if share is not None and questions >= terms.answers and share * 100 < terms.reliability:
            return "league-unreliable", {
                "name": person.name,
                "share": int(share * 100),
                "wanted": terms.reliability,
                "answers": questions,
            }
    return None


def in_time(sitting: Sitting, person_id: int) -> tuple[Fraction | None, int]:
    """The share of the questions that somebody answered in time, by themselves or by their plans, at their
    last tables of leagues and of the house; and of how many questions.
    """
    tx = sitting.tx
    rows = tx.all(TableResult, person_id=person_id, order="-id", limit=_TABLES)
    counted = set(tx.column(SeasonTable, "game_id", id=tuple(row.table_id for row in rows)))
    flags: list[dict[str, Any]] = [json.loads(row.flags) for row in rows]
    for number in tx.column(Seat, "game_id", person_id=person_id, order="-game_id", limit=_TABLES):
        game = tx.get(Game, number)
        if game is not None and number not in counted:
            flags.append(conduct.of_game(tx, game, ()).get(person_id, conduct.Conduct()).facts())
    told = conduct.summed(flags)
    return told.in_time, told.questions
