"""Mint: once a turn, two cards of the hand are melted down for three gold."""

from __future__ import annotations

from referee.rules.abilities import Ability
from referee.rules.acts import bury, gain, take_named
from referee.rules.facts import Family, Move, Refusal
from referee.rules.flow.turn import Turn
from referee.rules.model import Option, State
from referee.rules.seams import District
from referee.rules.shapes import Shape

CARDS, GOLD = 2, 3


class Melt(Ability):
    key = "melt"
    shapes = (Shape("melt <D>+"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        hand = g.players[turn.seat].hand
        if len(hand) >= CARDS:
            out.append(Family("melt", tuple(g.names(hand)), CARDS, CARDS))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        hand = g.names(g.players[turn.seat].hand)
        for name in move.args[0]:
            if move.args[0].count(name) > hand.count(name):
                return Refusal("not-in-hand", card=name)
        return Refusal("count", least=CARDS, most=CARDS)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        bury(g, take_named(g, turn.seat, move.args[0]))
        gain(g, turn.seat, GOLD)
        g.tell("melted", seat=turn.seat, count=CARDS, gold=GOLD)


class Mint(District):
    name, cost = "Mint", 4
    abilities = (Melt(),)
