"""The door of the rules: pure functions over a state.

    new_game(setup, seed) -> Outcome          play(state, seat, move) -> Outcome
    asks(state) -> who must decide now        legal(state, seat) -> every single order

Inside, a state is changed; through this door only copies are, so a refusal or a bug of
ours leaves the old state as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

from .editions import rulebook as _rulebook
from .facts import Ask, Event, Family, Move, Outcome, Refusal, Seat, made
from .flow.draft import SELECTION
from .flow.refuse import refusal
from .flow.scoring import points
from .flow.table import answers, lay_out, offered, settle, step
from .model import State
from .rulebook import Rulebook
from .setup import Setup


def new_game(setup: Setup, seed: bytes) -> Outcome:
    """Set the table.  `seed`: 16 bytes or more of real chance.  Raises SetupError."""
    g = lay_out(_rulebook(setup), setup, seed)
    return _outcome(g, settle(g))


def play(state: State, seat: Seat, move: Move) -> Outcome:
    """Play one order.  Raises Refusal; `state` is never changed."""
    if not state.stack:
        raise Refusal("over")
    frame = state.stack[-1]
    asked = frame.asked(state)
    if asked != seat:
        raise Refusal("not-asked", seat=seat, waiting=[asked])
    answer = offered(state, frame, move)
    if answer is None:
        raise refusal(state, frame, move)
    g = state.copy()
    g.events = []
    return _outcome(g, step(g, answer), seat)


def asked_anew(state: State, number: int) -> State:
    """The same position with its open question under another number: after an order was taken back, an
    answer to a question of before must fit none that comes after."""
    g = state.copy()
    g.number = number
    return g


def as_kept(replayed: State, kept: State) -> State:
    """The position that a replay came to, as it was kept: its open question under the number of then, and how
    the selection of its round went only where that was remembered already (before 2026-11-24 it was not)."""
    g = asked_anew(replayed, kept.number)
    if SELECTION not in kept.round_drawer:
        g.round_drawer.pop(SELECTION, None)
    return g


def ruled(state: State, ruling: int) -> Outcome:
    """The game goes on under that ruling, too, from the question that is open; where that changes its answers
    it is asked anew, under a number of its own. `state` is never changed. A game under it already, or over,
    is as it was.
    """
    if state.holds(ruling) or not state.stack:
        return Outcome(state, (), asks(state), False)
    before = asks(state)
    g = state.copy()
    g.events = []
    g.rulings = tuple(sorted((*g.rulings, ruling)))
    seat = settle(g)
    if asks(g) != before:
        g.number += 1
    return _outcome(g, seat)


def _outcome(g: State, asked: Seat | None, answered: Seat | None = None) -> Outcome:
    """`asked`: who is asked now; `answered`: who gave the order that led here, and may take it back while
    asked again."""
    events: tuple[Event, ...] = tuple(g.events or ())
    g.events = None
    open_now = () if asked is None else (_ask(g, asked),)
    return made(Outcome, (g, events, open_now, asked is not None and asked == answered and not g.sealed))


def asks(state: State) -> tuple[Ask, ...]:
    """Who must decide now, and among what; empty when the game is over."""
    if not state.stack:
        return ()
    seat = state.stack[-1].asked(state)
    assert seat is not None, "a settled state asks somebody"
    return (_ask(state, seat),)


def _ask(state: State, seat: Seat) -> Ask:
    """The open question of a settled state, which asks that seat."""
    options = answers(state)
    moves: tuple[Any, ...] = tuple(options)
    families: tuple[Family, ...] = ()
    if Family in map(type, options):  # seldom
        families = tuple([o for o in moves if isinstance(o, Family)])
        moves = tuple([o for o in moves if isinstance(o, Move)])
    return made(Ask, (seat, state.stack[-1].kind(state), state.number, moves, families))


def legal(state: State, seat: Seat) -> tuple[Move, ...]:
    """Every order that this seat may give now, families written out: each choice of cards
    once, in the order of the hand.  (A hand of n different cards has 2**n - 1 redraws.)"""
    out: list[Move] = []
    for ask in asks(state):
        if ask.seat == seat:
            out.extend(ask.moves)
            for family in ask.families:
                out.extend(written_out(family))
    return tuple(out)


def written_out(family: Family) -> Iterator[Move]:
    """The moves of a family, one for each different choice of cards."""
    if family.ordered:
        for size in range(family.least, family.most + 1):
            for chosen in dict.fromkeys(permutations(family.cards, size)):
                yield family.move(chosen)
        return
    copies = Counter(family.cards)
    for counts in product(*(range(n + 1) for n in copies.values())):
        if family.least <= sum(counts) <= family.most:
            yield family.move(tuple(name for name, n in zip(copies, counts, strict=True) for _ in range(n)))


def dull(state: State, seat: Seat) -> Move:
    """What is answered for a seat that does not answer: never better than acting, never a
    signal.  Only for a seat that is asked (Refusal otherwise)."""
    if not state.stack:
        raise Refusal("over")
    frame = state.stack[-1]
    if frame.asked(state) != seat:
        raise Refusal("not-asked", seat=seat, waiting=[frame.asked(state)])
    return frame.dull(state)


def scores(state: State) -> tuple[Mapping[str, Any], ...]:
    """For each seat {"seat", "points", "score"}, as if the game ended now, hidden cards
    included: for the referee's eyes until it does."""
    rows = []
    for seat in range(len(state.players)):
        parts = points(state, seat)
        rows.append({"seat": seat, "points": parts, "score": sum(parts.values())})
    return tuple(rows)


def places(state: State, *, public: bool = False) -> tuple[tuple[int, int], ...]:
    """For each seat its place (1 is the best; those who tie share one, and the places behind it are left
    free) and its score, as if the game ended now. `public`: by what everybody sees, without hands and cards
    put away, and without the tie-break of the last round.
    """
    found: list[tuple[int, ...]] = []
    for seat in range(len(state.players)):
        parts = points(state, seat, public=public)
        found.append((sum(parts.values()), *(() if public else state.rules.edition.tie(state, seat, parts))))
    return tuple((1 + sum(other > one for other in found), one[0]) for one in found)


def rulebook(of: Setup | State) -> Rulebook:
    """The cards of a table."""
    return of.rules if isinstance(of, State) else _rulebook(of)
