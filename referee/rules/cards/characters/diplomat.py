"""Diplomat, rank 8: changes a district of the own city for one of another's.

Who gets the cheaper one gets the difference in gold.  Theirs is out of reach like for
any rank 8, mine too where a card keeps rank 8 off it; a completed city protects what
others would take, not what its owner gives.  Neither city gets a name that stands there.
In the older edition at the end of the turn: nothing but `end` may follow.
"""

from __future__ import annotations

from typing import NamedTuple

from ...abilities import Ability
from ...acts import gain, hand_over
from ...declared import Appeal, Lesson, Told
from ...facts import Figures, Move, Refusal, Seat, made, move_of
from ...flow.completion import is_complete
from ...flow.reach import fee, out_of_reach, shelter, walls
from ...flow.standing import cost_of, has_name, plain_name, standing
from ...flow.transfer import change_places
from ...flow.turn import Turn
from ...model import Option, State
from ...powers import Income
from ...seams import Character
from ...shapes import Shape


class Standing(NamedTuple):
    """A district that may be given or taken: as orders call it, its card, what it costs."""

    label: str
    name: str
    number: int
    cost: int


class Exchange(Ability):
    key = "exchange"
    shapes = (Shape("exchange <B> for <P> <B>", ("<B> for <B> of <P>", (0, 3, 2))),)

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        seat = turn.seat
        if (self.late and not turn.gathered) or not g.players[seat].city or shelter(g, seat, seat):
            return
        gold, mine = g.players[seat].gold, _loose(g, seat)
        my_names = {g.cards[n].name for n in g.players[seat].city}
        for victim, player in enumerate(g.players):
            if victim == seat or not player.city or is_complete(g, victim) or shelter(g, victim, seat):
                continue
            names = {g.cards[n].name for n in player.city}
            given = [d for d in mine if d.name not in names]
            if not given:
                continue
            walled = walls(g, victim)
            for taken in _loose(g, victim):
                if taken.name in my_names:
                    continue
                left = gold - fee(g, victim, g.cards[taken.number], 0) if walled else gold
                if left < 0:
                    continue
                least = taken.cost - left
                out.extend(
                    [
                        move_of("exchange", (d.label, "for", victim, taken.label))
                        for d in given
                        if d.cost >= least
                    ]
                )

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if not self.shapes[0].fits(move.args):  # another card's order of that verb
            return Refusal("malformed", verb=move.verb, expected=[self.shapes[0].text])
        mine, _, victim, theirs = move.args
        seat = turn.seat
        if self.late and not turn.gathered:
            return Refusal("gather-first", verb=move.verb)
        if victim == seat:
            return Refusal("no-target", target=victim, why="self")
        given, taken = standing(g, seat).get(mine), standing(g, victim).get(theirs)
        if given is None:
            return Refusal("not-in-city", card=plain_name(mine), player=seat)
        if taken is None:
            return Refusal("not-in-city", card=plain_name(theirs), player=victim)
        card = g.cards[given]
        by = shelter(g, seat, seat) or (card.name if card.shielded else None)
        if by:
            return Refusal("protected", card=card.name, player=seat, by=by)
        district = g.cards[taken]
        far = out_of_reach(g, victim, district, seat)
        if far:
            return far
        for getter, name in ((seat, district.name), (victim, card.name)):
            if has_name(g, getter, name):
                return Refusal("identical", card=name, player=getter)
        due, extra = _due(g, victim, given, taken)
        return Refusal("too-poor", price=due + extra, gold=g.players[seat].gold)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        mine, _, victim, theirs = move.args
        seat = turn.seat
        given, taken = standing(g, seat)[mine], standing(g, victim)[theirs]
        due, extra = _due(g, victim, given, taken)
        turn.last = self.late
        hand_over(g, seat, victim, due)
        gain(g, seat, -extra)
        names = {"card": g.cards[given].name, "district": g.cards[taken].name}
        g.tell("exchanged", seat=seat, victim=victim, paid=due + extra, **names)
        change_places(g, (given, seat, victim), (taken, victim, seat))

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        mine, _, victim, theirs = move.args
        due, extra = _due(g, victim, standing(g, turn.seat)[mine], standing(g, victim)[theirs])
        return Figures(price=due + extra)


def _loose(g: State, seat: Seat) -> list[Standing]:
    """What may leave that city: all but what is shielded."""
    return [
        made(Standing, (label, g.cards[n].name, n, cost_of(g, n)))
        for label, n in standing(g, seat).items()
        if not g.cards[n].shielded
    ]


def _due(g: State, victim: Seat, given: int, taken: int) -> tuple[int, int]:
    """What the owner gets for the difference, and what the bank gets for a wall."""
    due = max(0, cost_of(g, taken) - cost_of(g, given))
    return due, fee(g, victim, g.cards[taken], due) - due


class Diplomat(Character):
    name, rank, type, dullness = "Diplomat", 8, "military", 4
    declares = (
        Told("exchanged", "seat, victim, card, district, paid: the card goes there, the district comes"),
        Appeal(0.3, type="military"),
        Lesson("as", verbs=("exchange",)),
        Lesson("done", "you-exchanged", "exchanged", place=15),
    )

    def __init__(self, *, late: bool = False) -> None:
        self.abilities = (Income("military"), Exchange(late=late))
