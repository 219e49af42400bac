"""Knock-out of groups: the first of each table go on, until one table is left."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from .sizes import sizes


def rounds_needed(people: int, *, least: int, most: int, wanted: int, advance: int) -> int:
    """How many rounds that many people play until one table is left; 0 where they make no table.

    `advance`: that many of each table go on, fewer than `least`.
    """
    count = 0
    while people >= least:
        cut = sizes(people, least, most, wanted)
        count += 1
        if len(cut.tables) == 1 and not cut.byes:
            break
        people = max(len(cut.tables) * advance + cut.byes, least)
    return count


def going_on(
    tables: Sequence[Mapping[int, int]],
    byes: Collection[int],
    order: Sequence[int],
    *,
    least: int,
    advance: int,
) -> tuple[int, ...]:
    """Who plays in the next round; () where there is none: this one was the final, or too few are left.

    tables   of the round: person -> place of everybody who may go on (who has left is not among them); people
             of one place are told apart by `order`
    byes     who had no table in it, and goes on
    order    everybody, the best first, by the stated tie-breaks
    advance  that many of each table go on; where that is less than a table, the best of the others, too
    """
    if len(tables) < 2 and not byes:
        return ()
    worth = {who: number for number, who in enumerate(order)}
    last = len(worth)
    going = list(byes)
    for table in tables:
        going += sorted(table, key=lambda who: (table[who], worth.get(who, last), who))[:advance]
    others = sorted(
        (who for table in tables for who in table if who not in going),
        key=lambda who: (worth.get(who, last), who),
    )
    going += others[: max(0, least - len(going))]
    return tuple(sorted(going)) if len(going) >= least else ()
