"""The table set, and the loop that runs it until somebody must decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .. import chance
from ..acts import gain
from ..facts import Family, Move, Seat
from ..model import Frame, Option, State
from ..rulebook import Rulebook
from ..setup import Setup
from .rounds import Round


class Dice(Protocol):
    """What a sampler needs of `random.Random`."""

    def random(self) -> float: ...

    def sample(self, population: Sequence[str], k: int, /) -> list[str]: ...


def lay_out(rules: Rulebook, setup: Setup, seed: bytes) -> State:
    """Deck shuffled, hands and gold dealt, crown given; nobody asked yet."""
    g = State(rules, setup, seed, rules.deck())
    g.events = []
    seats = range(len(setup.players))
    g.deck = chance.shuffled(seed, range(len(g.cards)), "deck")
    g.crown = chance.below(seed, len(seats), "crown") if setup.crown is None else setup.crown
    g.tell("started", players=list(setup.players), edition=setup.edition)
    g.tell("crowned", seat=g.crown, why="start")
    hand = rules.edition.hand
    for seat in seats:
        player = g.own(seat)
        player.hand, g.deck = g.deck[:hand], g.deck[hand:]
        g.tell_cards("cards_gained", seat, player.hand)
        gain(g, seat, rules.edition.gold)
    g.sealed = True
    g.stack.append(Round())
    return g


def settle(g: State) -> Seat | None:
    """Go on until somebody must decide: who; None when the game is over."""
    stack = g.stack
    while stack:
        top = stack[-1]
        asked = top.asked(g)
        if asked is not None:
            return asked
        top.advance(g)
    return None


def step(g: State, move: Move) -> Seat | None:
    """Do a legal move (not checked) and settle: who is asked then, as `settle` says it."""
    stack = g.stack
    g.answers = None
    stack[-1].take(g, move)
    g.number += 1
    while stack:  # `settle`, written out: each order comes by here
        top = stack[-1]
        asked = top.asked(g)
        if asked is not None:
            return asked
        top.advance(g)
    return None


def answers(g: State) -> list[Option]:
    """Every legal answer to the open question, each once.  They are made once for a position: what is asked,
    shown and accepted is the same list.  For a settled state that is not being changed."""
    found = g.answers
    if found is None:
        found = g.answers = g.stack[-1].options(g)
    return found


def offered(g: State, frame: Frame, move: Move) -> Move | None:
    """The option of the frame that equals the move; None where there is none."""
    options = frame.options(g) if g.answers is None else g.answers
    try:
        same = options[options.index(move)]  # never the move itself: True equals 1
    except ValueError:
        for option in options:
            if isinstance(option, Family) and _within(option, move):
                return move
        return None
    return same if isinstance(same, Move) else None


def _within(family: Family, move: Move) -> bool:
    before = len(family.before)
    if move.verb != family.verb or len(move.args) != before + 1 or move.args[:before] != family.before:
        return False
    chosen = move.args[before]
    if type(chosen) is not tuple:
        return False
    return family.least <= len(chosen) <= family.most and all(
        chosen.count(name) <= family.cards.count(name) for name in chosen
    )


def random_move(g: State, rng: Dice) -> Move:
    """Any legal answer to the open question; a family counts as one option and is not
    expanded: its size is drawn, then its cards."""
    # not kept where they are made here: in a game that goes on nobody looks twice
    options = g.stack[-1].options(g) if g.answers is None else g.answers
    option = options[int(rng.random() * len(options))]
    return drawn(option, rng) if isinstance(option, Family) else option


def drawn(family: Family, rng: Dice) -> Move:
    """Any move of it."""
    size = family.least + int(rng.random() * (family.most - family.least + 1))
    return family.move(tuple(rng.sample(family.cards, size)))


def play_out(g: State, rng: Dice) -> int:
    """Play random legal moves until the game is over, as `random_move` draws them; how many.  What a search
    does at its leaves."""
    stack, before, chance = g.stack, g.number, rng.random
    g.answers = None
    while stack:
        top = stack[-1]
        if top.asked(g) is None:
            top.advance(g)
            continue
        options = top.options(g)
        option = options[int(chance() * len(options))]
        top.take(g, drawn(option, rng) if isinstance(option, Family) else option)
        g.number += 1
    return g.number - before
