"""Who may sign up: whoever can be written to, and can be relied on."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee import league as sums
from referee.store import Address, Deadline, Entry, Journal, Person, Seat

from ..sitting import Sitting
from .terms import Terms


def unmet(sitting: Sitting, terms: Terms, person: Person) -> tuple[str, dict[str, Any]] | None:
    """The first condition that somebody does not meet, as a refusal's code and facts; None where they meet all."""
    if terms.green and not any(one.state == "green" for one in sitting.tx.all(Address, person_id=person.id)):
        return "league-not-green", {"name": person.name}
    if terms.reliability:
        share, questions = in_time(sitting, int(person.id or 0))
        if share is not None and questions >= terms.answers and share * 100 < terms.reliability:
            return "league-unreliable", {"name": person.name, "share": int(share * 100), "wanted": terms.reliability, "answers": questions}
    return None


def in_time(sitting: Sitting, person_id: int) -> tuple[Fraction | None, int]:
    """The share of the questions that somebody answered in time, by themselves or by their plans, in the seats that are theirs now;
    and of how many."""
    answered = missed = 0
    for seat in sitting.tx.all(Seat, person_id=person_id):
        answered += sitting.tx.count(Journal, game_id=seat.game_id, seat=seat.no, by=("person", "plan"))
        missed += sitting.tx.count(Deadline, game_id=seat.game_id, seat=seat.no, kind="missed")
    counts = sums.Counts(answers=answered, misses=missed)
    return sums.reliability(counts).in_time, answered + missed


def strikes(sitting: Sitting, person_id: int) -> int:
    """In how many seasons somebody left a table to others."""
    return sum(one.note == "abandoned" for one in sitting.tx.all(Entry, person_id=person_id))
