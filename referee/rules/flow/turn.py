"""A turn: gather, build, use abilities, end.

`seat` pays and builds; `powers` says whose character card is read (not always one's own,
in richer editions).  What may be done is what the sources offer: the character, and the
districts of the city that have an ability.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..acts import gain
from ..facts import Move, Refusal, Seat
from ..model import Frame, Option, State
from ..seams import Ability
from .build import Build, build_options, take_from_hand, why_not_build
from .gather import gather_cards
from .moment import announce

GOLD, CARDS, END = Move("gold"), Move("cards"), Move("end")
GATHERED_GOLD = 2


class Turn(Frame):
    """`used`: keys of abilities used; `drawer`: facts of cards, for this turn only;
    `brief`: only gathering is allowed, and the turn ends by itself;
    `closing`: 0 open, 1 ended, 2 ended and everybody told."""

    __slots__ = ("brief", "built", "closing", "drawer", "gathered", "powers", "seat", "used")
    code = "turn"

    def __init__(self, seat: Seat, powers: str, *, gathered: bool = False, brief: bool = False) -> None:
        self.seat, self.powers = seat, powers
        self.gathered, self.brief = gathered, brief
        self.built = 0
        self.used: tuple[str, ...] = ()
        self.drawer: dict[str, Any] = {}
        self.closing = 0

    def asked(self, g: State) -> Seat | None:
        if self.closing or (self.brief and self.gathered):
            return None
        return self.seat

    def abilities(self, g: State) -> Sequence[Ability]:
        """Everything this turn's player may use at all, used or not."""
        return (*g.rules.characters[self.powers].abilities, *self.district_abilities(g))

    def district_abilities(self, g: State) -> list[Ability]:
        cards, out = g.cards, []
        for number in g.players[self.seat].city:
            for ability in cards[number].abilities:
                if ability not in out:
                    out.append(ability)
        return out

    def options(self, g: State) -> list[Option]:
        out: list[Option] = [] if self.gathered else [GOLD, CARDS]
        if self.brief:
            return out
        used = self.used
        character = g.rules.characters[self.powers]
        for ability in character.abilities:
            if ability.key not in used:
                ability.offer(g, self, out)
        cards = g.cards
        for number in g.players[self.seat].city:
            if cards[number].abilities:
                for ability in self.district_abilities(g):
                    if ability.key not in used:
                        ability.offer(g, self, out)
                break
        if self.gathered:
            if self.built < character.limit:
                build_options(g, self.seat, out)
            out.append(END)
        return out

    def take(self, g: State, move: Move) -> None:
        verb, seat = move.verb, self.seat
        if verb == "gold":
            self.gathered = True
            gain(g, seat, GATHERED_GOLD)
            g.tell("took_gold", seat=seat, gold=GATHERED_GOLD)
            announce(g, "gathered", seat)
        elif verb == "cards":
            self.gathered = True
            gather_cards(g, seat)
        elif verb == "end":
            self.closing = 1
        elif verb == "build" and len(move.args) == 1:
            number, price = take_from_hand(g, seat, move.args[0])
            gain(g, seat, -price)
            if g.cards[number].counted and g.rules.characters[self.powers].counted(g.cards[number]):
                self.built += 1
            g.stack.append(Build(seat, number, price))
        else:
            for ability in self.abilities(g):
                if verb in ability.verbs and ability.key not in self.used:
                    self.used += (ability.key,)
                    ability.play(g, self, move)
                    return

    def why_not(self, g: State, move: Move) -> Refusal:
        verb = move.verb
        if verb in ("gold", "cards"):
            return Refusal("gathered")
        if self.brief:
            return Refusal("must", verb="gold")
        if verb == "end":
            return Refusal("gather-first", verb=verb)
        if verb == "build" and len(move.args) == 1:
            if not self.gathered:
                return Refusal("gather-first", verb=verb)
            return why_not_build(g, self.seat, move.args[0], self.built, g.rules.characters[self.powers].limit)
        for ability in self.abilities(g):
            if verb in ability.verbs:
                if ability.key in self.used:
                    return Refusal("used", source=ability.key)
                return ability.why_not(g, self, move)
        if verb in g.rules.owners:
            return Refusal("not-your-power", verb=verb, needs=list(g.rules.owners[verb]))
        return Refusal("wrong-question", verb=verb, kind=self.code)

    def dull(self, g: State) -> Move:
        return END if self.gathered else GOLD

    def advance(self, g: State) -> None:
        if self.closing < 2:
            self.closing = 2
            announce(g, "turn_over", self.seat)
            if g.stack[-1] is not self:
                return
        g.stack.pop()
        g.tell("turn_ended", seat=self.seat, character=self.powers)
