"""The same table dealt afresh: everything that a seat can't see lies otherwise, everything
it sees is as it was.

What a view must not depend on is found by this: `view(another(state, seat), seat)` equals
`view(state, seat)`.  Cards with secrets of their own deal those themselves (seam `redealt`).
"""

from __future__ import annotations

from random import Random

from .facts import Seat
from .flow.call import is_absent
from .flow.draft import SELECTION, Draft, by_rank
from .model import State


def another(state: State, seat: Seat, rng: Random) -> State:
    """A copy in which the hidden part is dealt at random among all that fits."""
    g = state.copy()
    _districts(g, seat, rng)
    _characters(g, seat, rng)
    g.round_drawer.pop(SELECTION, None)  # how it went is not looked at here
    for card in g.rules.on["redealt"]:
        card.redealt(g, seat, rng)
    return g


def _districts(g: State, seat: Seat, rng: Random) -> None:
    """Deck, other hands and what others hold in a question change places; a card keeps its
    number, so faces are dealt to the hidden numbers."""
    hidden = list(g.deck)
    for other, player in enumerate(g.players):
        if other != seat:
            hidden.extend(player.hand)
    for frame in g.stack:
        if not frame.holds_openly() and frame.asked(g) != seat:
            hidden.extend(frame.holds())
    for card in g.rules.on["stores"]:  # what lies under a card, nobody sees
        hidden.extend(card.stores(g))
    if g.stack and g.stack[-1].asked(g) == seat:
        seen = g.stack[-1].sees(g)
        hidden = [n for n in hidden if n not in seen]
    faces = [g.cards[n] for n in hidden]
    rng.shuffle(faces)
    cards = list(g.cards)
    for number, face in zip(hidden, faces, strict=True):
        cards[number] = face
    g.cards = tuple(cards)


def _characters(g: State, seat: Seat, rng: Random) -> None:
    """Characters that the seat can't see change places: those held and not revealed, those
    facedown, those passed around.  One that was called and did not answer lies facedown,
    unless something silences it."""
    passed = tuple(c for frame in g.stack for c in frame.holds_characters())
    in_sight = bool(g.stack) and g.stack[-1].asked(g) == seat
    holders = [s for s, p in enumerate(g.players) for c in p.characters if s != seat and c not in p.revealed]
    pool = [
        c for s in dict.fromkeys(holders) for c in g.players[s].characters if c not in g.players[s].revealed
    ]
    pool += [*g.facedown, *(() if in_sight else passed)]
    rng.shuffle(pool)
    may_hold = [c for c in pool if not is_absent(g, c)]
    dealt = [(s, may_hold.pop()) for s in holders]
    rest = [c for c in pool if c not in {c for _, c in dealt}]
    for holder in dict.fromkeys(holders):
        player = g.own(holder)
        fresh = iter([c for s, c in dealt if s == holder])
        player.characters = tuple(c if c in player.revealed else next(fresh) for c in player.characters)
    g.facedown, left = tuple(rest[: len(g.facedown)]), tuple(rest[len(g.facedown) :])
    for frame in g.stack:
        if left and isinstance(frame, Draft):
            frame.left = by_rank(g.rules, left)
