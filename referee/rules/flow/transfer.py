"""Districts that go from one city to another, as they stand: what lies on them or under them
goes with them, since it is kept by the district's number."""

from __future__ import annotations

from ..facts import Seat
from ..model import State
from .completion import note_completion


def change_places(g: State, *ways: tuple[int, Seat, Seat]) -> None:
    """Each district leaves its first city for the second, all at the same time.  Paying and
    telling are the caller's."""
    for number, giver, _ in ways:
        g.own(giver).city.remove(number)
    for number, _, taker in ways:
        g.own(taker).city.append(number)
    for _, _, taker in ways:
        note_completion(g, taker)
