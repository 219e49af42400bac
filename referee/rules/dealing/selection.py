"""What a seat knows of the selection: which characters went by unseen between two looks at what was passed.

Who picks sees all that is left. So the cards that were gone when a seat looked first lie with those who
picked before, and facedown; and those that go between two of its looks, or after the last, lie with those who
acted in between. Within such a group the seat knows nothing, but for what has been revealed since.
"""

from __future__ import annotations

from typing import NamedTuple

from ..facts import Seat
from ..flow.draft import SELECTION, Draft
from ..model import State

#: a place among a player's characters: (seat, which of them)
Place = tuple[Seat, int]


class Taken(NamedTuple):
    """A character that `picker` took, unseen; it lies at `place` now. `late`: the one laid facedown before
    the selection was among those it was taken from.
    """

    picker: Seat
    place: Place
    late: bool = False


class Group(NamedTuple):
    """`cards` of which one went to each of `taken`, in this order; the rest lie facedown at the places
    `down`, or are passed on. If it `carries`, that is the one which was laid facedown before the selection.
    """

    cards: tuple[str, ...]
    taken: tuple[Taken, ...]
    down: tuple[int, ...]
    carries: bool = False


class Seen(NamedTuple):
    """What a seat knows: `groups`, and where it knows what lies there: the places of `held` and `down`, what
    is `passed` on; `early`: the character laid facedown before the selection, "" unless all can tell.
    """

    groups: tuple[Group, ...]
    held: frozenset[Place]
    down: frozenset[int]
    passed: bool
    early: str = ""


class _Making:
    """A group while events are added to it."""

    def __init__(self) -> None:
        self.cards: list[str] = []
        self.taken: list[Taken] = []
        self.down: list[int] = []
        self.carries = False

    def group(self) -> Group:
        return Group(tuple(sorted(self.cards)), tuple(self.taken), tuple(self.down), self.carries)


def seen(g: State, seat: Seat) -> Seen:
    """What that seat knows of where the characters lie."""
    frame = _draft(g)
    in_sight = frame is not None and frame.asked(g) == seat
    walk = _Walk(g, seat, frame)
    if not walk.fits():
        return _unseen(g, seat, frame, in_sight=in_sight)
    return walk.seen(in_sight=in_sight)


def _draft(g: State) -> Draft | None:
    for frame in g.stack:
        if isinstance(frame, Draft):
            return frame
    return None


def _open(g: State, seat: Seat) -> set[Place]:
    """Characters that the seat holds itself, or that have been revealed."""
    return {
        (other, place)
        for other, player in enumerate(g.players)
        for place, name in enumerate(player.characters)
        if other == seat or name in player.revealed
    }


def _unseen(g: State, seat: Seat, frame: Draft | None, *, in_sight: bool) -> Seen:
    """Where nothing is known of the selection (a drawn position): all that is hidden is one group."""
    held = _open(g, seat)
    one = _Making()
    for other, player in enumerate(g.players):
        for place, name in enumerate(player.characters):
            if (other, place) not in held:
                one.cards.append(name)
                one.taken.append(Taken(other, (other, place)))
    one.cards.extend(g.facedown)
    one.down.extend(range(len(g.facedown)))
    if frame is not None and not in_sight:
        one.cards.extend(frame.left)
    return Seen((one.group(),), frozenset(held), frozenset(), in_sight)


class _Walk:
    """The selection once more, step by step, from the eyes of a seat."""

    def __init__(self, g: State, seat: Seat, frame: Draft | None) -> None:
        self.g, self.seat, self.frame = g, seat, frame
        plan = g.rules.edition.plan(len(g.players), len(g.rules.callings))
        steps = plan.steps if frame is None else frame.steps[: frame.at]
        said = g.round_drawer.get(SELECTION)
        self.said = said is not None
        first: Seat = said[0] if said else 0
        self.early: str = said[1] if said else ""
        self.steps = [(what, (first + place) % len(g.players)) for what, place in steps]
        takers = [seat for what, seat in self.steps if what == "take facedown"]
        self.taker = takers[0] if takers else None  # has taken the one of before the selection
        self.moved: dict[Place, Place] = {}
        for one, its, other, theirs in said[2:] if said else ():
            self.moved[(one, its)], self.moved[(other, theirs)] = (other, theirs), (one, its)
        self.held = _open(g, seat)
        self.down: set[int] = set()

    def fits(self) -> bool:
        """Whether the players hold what they have picked, no more and no less."""
        picks = [seat for what, seat in self.steps if what == "pick"]
        return self.said and all(
            len(player.characters) == picks.count(seat) for seat, player in enumerate(self.g.players)
        )

    def seen(self, *, in_sight: bool) -> Seen:
        groups, now = list[Group](), _Making()
        count = [0] * len(self.g.players)
        place = 0  # the next of those facedown
        if self.taker is None:
            self._lay(now, place)
            place = 1
        elif self.taker != self.seat and not self._is_open(self.early):
            now.cards.append(self.early)
            now.carries = True
        after = False
        for what, seat in self.steps:
            after = after or what == "take facedown"
            if what == "take facedown":
                continue
            if seat == self.seat and what != "random":
                groups.append(now.group())
                now = _Making()
            if what == "pick":
                self._take(now, seat, count[seat], late=after)
                count[seat] += 1
                continue
            if seat == self.seat and what == "discard":
                self.down.add(place)
            else:
                self._lay(now, place)
            place += 1
        groups.append(now.group())
        if not in_sight:
            groups[-1] = self._rest(groups, place)
        whole = [one for one in groups if one.cards or one.down]
        early = self.early if self._is_open(self.early) and self.taker not in (None, self.seat) else ""
        return Seen(tuple(whole), frozenset(self.held), frozenset(self.down), in_sight, early)

    def _is_open(self, name: str) -> bool:
        return any(self.g.players[seat].characters[place] == name for seat, place in self.held)

    def _take(self, now: _Making, seat: Seat, nth: int, *, late: bool) -> None:
        place = self.moved.get((seat, nth), (seat, nth))
        if seat == self.seat:
            self.held.add(place)  # one's own pick, wherever it has gone
        if place in self.held:
            return
        name = self.g.players[place[0]].characters[place[1]]
        if not (late and name == self.early):
            now.cards.append(name)
        now.taken.append(Taken(seat, place, late))

    def _lay(self, now: _Making, place: int) -> None:
        now.cards.append(self.g.facedown[place])
        now.down.append(place)

    def _rest(self, groups: list[Group], place: int) -> Group:
        """The last group with what nobody picked: passed on still, or facedown."""
        last = groups[-1]
        carried = [self.early] if any(one.carries for one in groups[:-1]) else []
        left = self.g.facedown[place:] if self.frame is None else self.frame.left
        cards = tuple(sorted([*last.cards, *[name for name in left if name not in carried]]))
        down = range(place, len(self.g.facedown)) if self.frame is None else ()
        return last._replace(cards=cards, down=(*last.down, *down))
