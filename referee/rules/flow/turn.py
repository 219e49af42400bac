"""A turn: gather, build, use abilities, end.

`seat` pays and builds; `powers` says whose character card is read (not always one's own,
in richer editions).  What may be done is what the sources offer: the character, and the
districts of the city that have an ability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..abilities import Ability
from ..acts import gain
from ..facts import NO_FIGURES, Figures, Move, Refusal, Seat
from ..model import Frame, Option, State
from .build import build_figures, build_options, start_build, why_not_build
from .gather import cards_gathered, gather_cards
from .moment import announce

GOLD, CARDS, END = Move("gold"), Move("cards"), Move("end")
GATHERED_GOLD = 2


class Turn(Frame):
    """`used`: keys of abilities used; `drawer`: facts of cards, for this turn only;
    `brief`: only gathering is allowed, and the turn ends by itself, unnoticed by any card;
    `last`: nothing but `end` may follow; `closing`: 0 open, 1 ended, 2 ended and everybody told."""

    __slots__ = ("brief", "built", "closing", "drawer", "gathered", "last", "powers", "seat", "used")
    code = "turn"
    #: where a must is all that is left, the others shall not know that nothing can be built
    hushed = True

    def __init__(self, seat: Seat, powers: str, *, gathered: bool = False, brief: bool = False) -> None:
        self.seat, self.powers = seat, powers
        self.gathered, self.brief = gathered, brief
        self.built, self.last = 0, False
        self.used: tuple[str, ...] = ()
        self.drawer: dict[str, Any] = {}
        self.closing = 0

    def asked(self, g: State) -> Seat | None:
        if self.closing or (self.brief and self.gathered):
            return None
        return self.seat

    def pressed(self, g: State) -> bool:
        """Whether nothing but gathering may come first."""
        for card in g.rules.on["pressed"]:  # noqa: SIM110 - asked for every turn
            if card.pressed(g, self.powers):
                return True
        return False

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

    def ability_of(self, g: State, verb: str) -> Ability | None:
        """The one that an order with that verb means now: the first that is not used."""
        for ability in g.rules.characters[self.powers].abilities:
            if verb in ability.verbs and ability.key not in self.used:
                return ability
        for ability in self.district_abilities(g):
            if verb in ability.verbs and ability.key not in self.used:
                return ability
        return None

    def options(self, g: State) -> list[Option]:
        if self.last and not self.brief:
            return [END]
        out: list[Option] = [] if self.gathered else [GOLD, CARDS]
        rules, used, cards = g.rules, self.used, g.cards
        if self.brief or (not self.gathered and rules.on["pressed"] and self.pressed(g)):
            return out
        for ability in rules.characters[self.powers].abilities:
            if ability.key not in used:
                ability.offer(g, self, out)
        for number in g.players[self.seat].city:
            if cards[number].abilities:
                for ability in self.district_abilities(g):
                    if ability.key not in used:
                        ability.offer(g, self, out)
                break
        if self.gathered:
            build_options(g, self, out)
            if not rules.musts[self.powers] or self.debt(g) is None:
                out.append(END)
        return out

    def debt(self, g: State) -> Ability | None:
        """What must be done before the turn can be ended, and can be."""
        for ability in g.rules.musts[self.powers]:
            if ability.key not in self.used:
                possible: list[Option] = []
                ability.offer(g, self, possible)
                if possible:
                    return ability
        return None

    def take(self, g: State, move: Move) -> None:
        verb, seat = move.verb, self.seat
        if verb == "gold":
            self.gathered = True
            gold = gold_gathered(g, seat)
            gain(g, seat, gold)
            if g.events is not None:
                g.tell("took_gold", seat=seat, gold=gold)
            announce(g, "gathered", seat)
        elif verb == "cards":
            self.gathered = True
            gather_cards(g, seat)
        elif verb == "end":
            self.closing = 1
        elif verb == "build":
            start_build(g, self, move)
        else:
            ability = self.ability_of(g, verb)
            if ability is not None:
                self.used += (ability.key,)
                ability.play(g, self, move)

    def figures(self, g: State, move: Move) -> Figures:
        verb, seat = move.verb, self.seat
        if verb == "gold":
            return Figures(gold=gold_gathered(g, seat))
        if verb == "cards":
            drawn, kept = cards_gathered(g, seat)
            there = min(drawn, len(g.deck))
            return Figures(cards=there, kept=min(kept, there))
        if verb == "build":
            return build_figures(g, seat, move)
        ability = self.ability_of(g, verb)
        return NO_FIGURES if ability is None else ability.figures(g, self, move)

    def why_not(self, g: State, move: Move) -> Refusal:
        verb = move.verb
        if verb in ("gold", "cards"):
            return Refusal("gathered")
        if self.brief:
            return Refusal("must", verb="gold")
        if self.last:
            return Refusal("must", verb="end")
        if verb != "end" and not self.gathered and self.pressed(g):
            return Refusal("gather-first", verb=verb)
        if verb == "end":
            debt = self.debt(g) if self.gathered else None
            return Refusal("must", verb=debt.key) if debt else Refusal("gather-first", verb=verb)
        if verb == "build":
            return why_not_build(g, self, move)
        for ability in self.abilities(g):
            if any(s.verb == verb and s.fits(move.args) for s in ability.shapes):
                if ability.key in self.used:
                    return Refusal("used", source=ability.key)
                return ability.why_not(g, self, move)
        if verb in g.rules.owners:
            return Refusal("not-your-power", verb=verb, needs=list(g.rules.owners[verb]))
        return Refusal("wrong-question", verb=verb, kind=self.code)

    def dull(self, g: State) -> Move:
        if not self.gathered:
            return GOLD
        debt = self.debt(g)
        if debt is None:
            return END
        possible: list[Option] = []
        debt.offer(g, self, possible)
        return next(o if isinstance(o, Move) else o.move(o.cards[: o.least]) for o in possible)

    def advance(self, g: State) -> None:
        if self.brief:
            g.stack.pop()
            return
        if self.closing < 2:
            self.closing = 2
            announce(g, "turn_over", self.seat)
            if g.stack[-1] is not self:
                return
        g.stack.pop()
        if g.events is not None:
            g.tell("turn_ended", seat=self.seat, character=self.powers)


def gold_gathered(g: State, seat: Seat) -> int:
    """How much gold that seat takes when it gathers gold."""
    gold, listening = GATHERED_GOLD, g.rules.at["mines"]
    if listening:
        for number in g.players[seat].city:
            if g.cards[number] in listening:
                gold = g.cards[number].mines(gold)
    return gold
