"""Rulings that were made while games were being played, and which of them hold at a table.

A ruling of docs/players/rulings.md up to number `FIRST` holds everywhere: no game is older. Whatever changes
what could be done in a game, or what it comes to, is a ruling with a number of its own in `RULINGS`, and the
rules ask `g.holds(number)` where they differ. A new game is dealt under all of them; one that is being played
keeps those it was dealt under, save that a ruling which is meant for running games comes to them, too
(`game.ruled`), from the open question on. Its players are told, and its record says where.

A ruling's sentence for players stands in the templates (phrases.toml, "ruling-46"). None is ever taken out of
the list, as long as anybody may want to check the record of a game that was played under it.
"""

from __future__ import annotations

from typing import NamedTuple

#: rulings up to this one hold in every game
FIRST = 45


class Ruling(NamedTuple):
    """`number` as in docs/players/rulings.md; `since`: the day it was made (2026-11-21); `book`: the
    step of the store that comes with it ("0014"), so that a referee which does not know it refuses to start
    on such a book; `running`: whether games that are being played come under it, too.
    """

    number: int
    since: str
    book: str
    running: bool = False


#: by number, each one more than the last; the first is FIRST + 1
RULINGS: tuple[Ruling, ...] = (
    Ruling(46, "2026-11-24", "0024"),  # the Cardinal borrows once a turn
    Ruling(47, "2026-11-24", "0024"),  # the Abbot takes no cards of an empty deck
    Ruling(48, "2026-11-24", "0024"),  # the Magistrate takes nothing from himself
    Ruling(49, "2026-11-24", "0024"),  # a killed rank 4, shown as heir, is revealed
    Ruling(50, "2026-11-24", "0024"),  # markers lie on one's own character, too
    Ruling(51, "2026-11-24", "0024"),  # the Park's cards may be declined
    Ruling(52, "2026-11-24", "0024"),  # two bonus characters at most, and purple cards make room
    Ruling(53, "2026-11-24", "0024"),  # no ninth district where the Dark City is left out
    Ruling(54, "2026-11-28", "0026"),  # the Emperor takes of what the move of the crown pays
    Ruling(55, "2026-11-28", "0026"),  # a bell that falls silent is forgotten for who was complete first
)


def today() -> tuple[int, ...]:
    """The rulings, beside the first ones, under which a new game is dealt."""
    return tuple([one.number for one in RULINGS])


def for_running() -> tuple[int, ...]:
    """Those of them that come to games which are being played."""
    return tuple([one.number for one in RULINGS if one.running])


def unknown(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some game's rulings that this program has never heard of."""
    known = today()
    return tuple([number for number in numbers if number not in known])
