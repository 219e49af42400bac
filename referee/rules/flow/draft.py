"""The selection phase: discards, then picks by a plan that the edition gives."""

from __future__ import annotations

from typing import Any

from .. import chance
from ..facts import Move, Refusal, Seat
from ..model import Frame, Option, State
from ..rulebook import Rulebook

ASKING = frozenset({"pick", "discard"})
#: round drawer: what the state says nowhere else of the selection: who picked first, which character was laid
#: facedown before it, and for each exchange since the seats of both, each with which of its characters
SELECTION = "selection"


class Draft(Frame):
    """`left`: the cards being passed on, by rank; `steps`: the plan's, `at` the next one."""

    __slots__ = ("at", "left", "steps")
    code = "draft"
    verbs = ASKING

    def __init__(self, left: tuple[str, ...], steps: tuple[tuple[str, int], ...]) -> None:
        self.left, self.steps, self.at = left, steps, 0

    def asked(self, g: State) -> Seat | None:
        if self.at < len(self.steps):
            what, place = self.steps[self.at]
            if what in ASKING:
                return (g.crown + place) % len(g.players)
        return None

    def still_asked(self, g: State) -> tuple[Seat, ...]:
        """Who is asked now, and who will be."""
        places = [place for what, place in self.steps[self.at :] if what in ASKING]
        return tuple([(g.crown + place) % len(g.players) for place in places])

    def kind(self, g: State) -> str:
        return self.steps[self.at][0]

    def options(self, g: State) -> list[Option]:
        verb = self.steps[self.at][0]
        if verb == "pick":
            picks = g.rules.picks
            return [picks[name] for name in self.left]
        return [Move(verb, (name,)) for name in self.left]

    def take(self, g: State, move: Move) -> None:
        what, place = self.steps[self.at]
        seat = (g.crown + place) % len(g.players)
        name = move.args[0]
        self.left = _without(self.left, name)
        self.at += 1
        if what == "pick":
            g.own(seat).characters += (name,)
            if g.events is not None:
                g.tell("picked", seat=seat)
                g.tell("chose", seat, character=name)
        else:
            g.facedown += (name,)
            g.tell("put_away", seat=seat, count=1)
            g.tell("put_away_card", seat, character=name)

    def why_not(self, g: State, move: Move) -> Refusal:
        kind = self.kind(g)
        if move.verb != kind:
            return Refusal("wrong-question", verb=move.verb, kind=kind)
        return Refusal("not-offered", card=move.args[0])

    def dull(self, g: State) -> Move:
        cast = g.rules.characters
        return Move(self.kind(g), (min(self.left, key=lambda name: cast[name].dullness),))

    def advance(self, g: State) -> None:
        if self.at == len(self.steps):
            g.facedown += self.left
            g.stack.pop()
            return
        what, _ = self.steps[self.at]
        self.at += 1
        if what == "take facedown":
            self.left = by_rank(g.rules, (*self.left, g.facedown[0]))
            g.facedown = g.facedown[1:]
        elif what == "random":
            gone = self.left[chance.below(g.seed, len(self.left), "discard", g.round)]
            self.left = _without(self.left, gone)
            g.facedown += (gone,)
            g.tell("put_away_unseen")

    def shows(self, g: State) -> dict[str, Any]:
        return {"picking": list(self.left)}

    def holds_characters(self) -> tuple[str, ...]:
        return self.left


def exchange(g: State, one: Seat, given: str, other: Seat, taken: str) -> None:
    """Two players exchange a character each, unseen by the others."""
    first, second = g.players[one].characters, g.players[other].characters
    if SELECTION in g.round_drawer:
        swapped = (one, first.index(given), other, second.index(taken))
        g.round_drawer[SELECTION] = (*g.round_drawer[SELECTION], swapped)
    g.own(one).characters = tuple([taken if name == given else name for name in first])
    g.own(other).characters = tuple([given if name == taken else name for name in second])


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    place = names.index(name)
    return names[:place] + names[place + 1 :]


def deal(g: State, order: tuple[str, ...] | None = None) -> None:
    """Shuffle the character cards (or take them in `order`, top first), discard, begin.

    A card that may not lie faceup is replaced by the next one, and shuffled back before
    any other is turned up (ruling 1)."""
    rules = g.rules
    plan = rules.plan(len(g.players))
    pile = list(order) if order else chance.shuffled(g.seed, rules.characters, "characters", g.round)
    down = [pile.pop(0)] if plan.facedown_first else []
    up: list[str] = []
    while len(up) < plan.faceup:
        held: list[str] = []
        while not rules.characters[pile[0]].may_lie_faceup:
            held.append(pile.pop(0))
        up.append(pile.pop(0))
        if held:
            pile = chance.shuffled(g.seed, [*pile, *held], "characters", g.round, "again")
    if not plan.facedown_first:
        down = [pile.pop(0)]
    g.faceup, g.facedown = tuple(up), tuple(down)
    g.round_drawer[SELECTION] = (g.crown, down[0])
    g.sealed = True
    if up:
        g.tell("faceup", characters=up)
    g.stack.append(Draft(by_rank(rules, tuple(pile)), plan.steps))


def by_rank(rules: Rulebook, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=rules.place.__getitem__))
