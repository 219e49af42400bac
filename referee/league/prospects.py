"""What a place at one's table would mean for one's place in the standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from referee.ids import PersonId


def prospects(
    points: Mapping[PersonId, Fraction],
    table: Sequence[PersonId],
    worth: Sequence[Fraction],
    who: PersonId,
) -> list[int]:
    """The place in the standings that each place at the table would bring, the table's first place first.

    `points` are everybody's so far, `worth` what the table's places give. The others at the table get the
    mean of what is left, all other tables nothing: it is how things would stand if nothing else changed.
    Places are by points alone, and those who have the same share the better one.
    """
    found = []
    for won in worth[: len(table)]:
        rest = (sum(worth[: len(table)], Fraction()) - won) / max(1, len(table) - 1)
        mine = points.get(who, Fraction()) + won
        found.append(
            1 + sum(has + (rest if one in table else 0) > mine for one, has in points.items() if one != who)
        )
    return found
