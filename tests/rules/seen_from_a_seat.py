"""Other tables that a seat can't tell from the one it sits at, made without the code that is tested by them.

A game is played and each seat's looks at what was passed are written down. Whatever the seat then has not
seen is exchanged: characters of which it saw the same, hidden district cards, markers, the seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from referee.rules import Setup, asks
from referee.rules.flow.call import is_absent
from referee.rules.flow.draft import SELECTION, Draft
from referee.rules.flow.table import random_move, step
from referee.rules.model import State
from tests.rules import laws


class Moment(NamedTuple):
    """A position; of each seat what it saw pass by this round, and what it chose or put away."""

    state: State
    looks: Mapping[int, list[frozenset[str]]]
    known: Mapping[int, set[str]]


def moments(players: int, number: int, rng: Random, setup: Setup | None = None) -> Iterator[Moment]:
    """Every decision of a random game."""
    g = laws.table(players, number, setup)
    looks: dict[int, list[frozenset[str]]] = {}
    known: dict[int, set[str]] = {}
    of_round = 0
    while g.stack:
        if g.round != of_round:
            looks, known, of_round = (
                {n: [] for n in range(players)},
                {n: set() for n in range(players)},
                g.round,
            )
        frame, seat = g.stack[-1], asks(g)[0].seat
        if isinstance(frame, Draft):
            looks[seat].append(frozenset(frame.left))
        for place, player in enumerate(g.players):
            known[place] |= {*player.characters}  # those that came by an exchange, too
        yield Moment(g.copy(), {n: [*of] for n, of in looks.items()}, {n: {*of} for n, of in known.items()})
        move = random_move(g, rng)
        if isinstance(frame, Draft):
            known[seat].add(move.args[0])
        step(g, move)


def elsewhere(moment: Moment, seat: int, rng: Random) -> State:
    """The position with all that the seat can't know exchanged, whoever likes what."""
    g = moment.state.copy()
    g.seed = rng.randbytes(32)
    _characters(g, moment, seat, rng)
    _districts(g, seat, rng)
    for name in ("Magistrate", "Blackmailer"):
        marks = g.round_drawer.get(name)
        if marks and not marks["shown"] and marks["seat"] != seat:
            face = "signed" if name == "Magistrate" else "flowered"
            g.round_drawer[name] = {**marks, face: rng.choice(marks.get("named", marks["on"]))}
    return g


def _characters(g: State, moment: Moment, seat: int, rng: Random) -> None:
    fixed = {*moment.known[seat], *g.faceup, *(name for p in g.players for name in p.revealed)}
    looks = moment.looks[seat]
    alike: dict[tuple[bool, ...], list[str]] = {}
    for name in g.rules.characters:
        if name not in fixed:
            alike.setdefault(tuple(name in look for look in looks), []).append(name)
    while True:
        to = {name: name for name in g.rules.characters}
        for names in alike.values():
            to.update(zip(names, rng.sample(names, len(names)), strict=True))
        held = [[to[name] for name in player.characters] for player in g.players]
        shown = [name for player in g.players for name in player.revealed]
        if not any(is_absent(g, name) for names in held for name in names if name not in shown):
            break
    for place, names in enumerate(held):
        g.own(place).characters = tuple(names)
    g.facedown = tuple(to[name] for name in g.facedown)
    for frame in g.stack:
        if isinstance(frame, Draft):
            frame.left = tuple(sorted((to[name] for name in frame.left), key=[*g.rules.characters].index))
    first, early, *exchanges = g.round_drawer[SELECTION]
    g.round_drawer[SELECTION] = (first, to[early], *exchanges)


def _districts(g: State, seat: int, rng: Random) -> None:
    seen = g.stack[-1].sees(g) if g.stack and g.stack[-1].asked(g) == seat else ()
    others = [g.own(n) for n in range(len(g.players)) if n != seat]
    frames = [f for f in g.stack if f.holds() and not f.holds_openly() and f.asked(g) != seat]
    stores = g.rules.on["stores"]
    hidden = [
        *g.deck,
        *(n for player in others for n in player.hand if n not in seen),
        *(n for frame in frames for n in frame.holds()),
        *(n for card in stores for n in card.stores(g)),
    ]
    anew: Any = iter(rng.sample(hidden, len(hidden)))
    g.deck = [next(anew) for _ in g.deck]
    for player in others:
        player.hand = [n if n in seen else next(anew) for n in player.hand]
    for frame in frames:
        frame.hold(tuple(next(anew) for _ in frame.holds()))
    for card in stores:
        card.restock(g, tuple(next(anew) for _ in card.stores(g)))
