"""People of one name in a season, told apart by numbers in the order in which they signed up: “Ana (1)” and
“Ana (2)”; also where one wrote it in letters that look alike.

No address is told by it, and what is shown can be typed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.ids import PersonId, SeasonId
from referee.store import Entry, Person, Tx
from referee.text import clean, skeleton

#: the longest name that gets a number
_LONGEST = 54


def told_apart(named: Iterable[tuple[PersonId, str]]) -> dict[PersonId, str]:
    """Those whose name others have, too, with the names that tell them apart; a number that would make
    somebody else's name is passed over.
    """
    people = list(named)
    many = Counter(skeleton(name) for _, name in people)
    taken, last = set(many), Counter[str]()
    found: dict[PersonId, str] = {}
    for person, name in people:
        key = skeleton(name)
        if many[key] < 2 or not key:  # what has neither letters nor signs can't be typed anyway
            continue
        shown = ""
        while not shown or skeleton(shown) in taken:
            last[key] += 1
            shown = f"{clean(name, _LONGEST)} ({last[key]})"
        taken.add(skeleton(shown))
        found[person] = shown
    return found


def of_season(tx: Tx, season_id: SeasonId | None) -> dict[PersonId, str]:
    """The same of everybody who ever signed up for a season."""
    entered = tx.column(Entry, "person_id", season_id=season_id, order="id")
    names: dict[PersonId, str] = {}
    for at in range(0, len(entered), 500):
        names |= {one.id: one.name for one in tx.all(Person, id=tuple(entered[at : at + 500]))}
    return told_apart((who, names[who]) for who in entered if who in names)
