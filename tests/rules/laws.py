"""What must hold at every moment of every game, as functions over a state.

Each law raises AssertionError (or the audit's error).  They are played over random games in
test_laws.py, and proved able to fail in test_mutants.py.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from referee.rules import (
    Move,
    Outcome,
    Refusal,
    Setup,
    another,
    asks,
    audit,
    dull,
    dump,
    legal,
    load,
    play,
    view,
)
from referee.rules.catalog import EVENTS
from referee.rules.chance import counted
from referee.rules.editions import EDITIONS
from referee.rules.facts import REFUSALS, Family
from referee.rules.flow.table import lay_out, random_move, settle, step
from referee.rules.game import rulebook
from referee.rules.model import State
from referee.rules.notation import order_text, read_order
from referee.rules.seams import TYPES

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Flo", "Gus", "Hal")
Law = Callable[[State, Random], None]


def table(players: int, number: int, setup: Setup | None = None) -> State:
    """A fresh game, settled; the classic one unless a setup is given."""
    setup = setup or Setup("classic", NAMES[:players])
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = None
    settle(g)
    return g


def any_setup(edition: str, players: int, rng: Random) -> Setup:
    """A table of that edition that may be set: any cast, any unique districts, any options."""
    book = EDITIONS[edition]
    ninth = book.ninth(players)
    ranks = range(1, 10 if ninth == "must" or (ninth == "may" and rng.random() < 0.5) else 9)
    cast = tuple(
        rng.choice([c.name for c in book.characters if c.rank == rank and players >= c.players_from])
        for rank in ranks
    )
    options = {name: rng.choice(values) for name, values in book.options.items() if rng.random() < 0.3}
    options.pop("standstill", None)  # dull answers alone would play for ever
    if players <= 3:
        options.pop("complete_city", None)
    return Setup(edition, NAMES[:players], options, cast, any_uniques(edition, rng))


def any_uniques(edition: str, rng: Random) -> tuple[str, ...]:
    book = EDITIONS[edition]
    names = [d.name for d, _ in book.districts if d.type == "unique"]
    if book.uniques_wanted is not None:
        return tuple(rng.sample(names, book.uniques_wanted))
    usual = list(book.uniques)
    bonus = rng.sample([n for n in names if n not in usual], min(rng.randint(0, 6), len(names) - len(usual)))
    single = [
        d.name for d, copies in book.districts if copies == 1 and d.name in usual and d.name != "Graveyard"
    ]
    out = rng.sample(single, max(0, len(bonus) - 3))
    return tuple(n for n in usual if n not in out) + tuple(bonus)


def moments(players: int, number: int, rng: Random, setup: Setup | None = None) -> Iterator[State]:
    """Every decision of a random game, and its end."""
    g = table(players, number, setup)
    yield g
    while g.stack:
        step(g, random_move(g, rng))
        yield g


def everything_in_its_place(g: State, rng: Random) -> None:
    """Every card in exactly one place, gold conserved with the bank."""
    audit(g)


def written_and_read(g: State, rng: Random) -> None:
    """A state written as JSON and read again is the same state, and goes on the same way."""
    text = json.dumps(dump(g))
    h = load(json.loads(text))
    assert json.dumps(dump(h)) == text
    assert asks(h) == asks(g)
    if g.stack:
        move = random_move(g, rng)
        seat = asks(g)[0].seat
        assert dump(play(h, seat, move).state) == dump(play(g, seat, move).state)


def the_original_notices_nothing(g: State, rng: Random) -> None:
    """Whatever happens to a copy, and whatever is played, the original stays as it is; so does a copy of
    what happens to its original.
    """
    if not g.stack:
        return
    before = json.dumps(dump(g))
    copy = g.copy()
    left = copy.copy()
    for _ in range(12):
        if copy.stack:
            step(copy, random_move(copy, rng))
    play(g, asks(g)[0].seat, random_move(g, rng))
    shared = "something was changed that copies share: a player without `State.own`, or the deck in place"
    assert json.dumps(dump(g)) == before, shared
    assert json.dumps(dump(left)) == before, shared


def universe(g: State, rng: Random, count: int) -> list[Move]:
    """Orders that one might try in this game, of every shape it knows, most of them wrong."""
    cards, people, seats = list(g.rules.districts), list(g.rules.characters), range(len(g.players) + 1)
    near = [*g.names([n for p in g.players for n in (*p.hand, *p.city)]), *cards[:3]]

    def slot(part: str) -> Any:
        if part.endswith("+"):
            return tuple(slot(part[:-1]) for _ in range(rng.randint(1, 3)))
        if part == "<D>":
            return rng.choice(near if rng.random() < 0.7 else cards)
        if part == "<B>":
            return slot("<D>") + rng.choice(("", "", " beautified"))
        kinds: dict[str, Any] = {"<P>": seats, "<C>": people, "<T>": TYPES, "<n>": range(5)}
        return rng.choice(kinds[part]) if part in kinds else part

    shapes = [shape for known in g.rules.shapes.values() for shape in known]
    out = [Move(shape.verb, tuple(map(slot, shape.parts))) for shape in rng.choices(shapes, k=count)]
    odd = [
        Move("dance"),
        Move("gold", (1,)),
        Move("kill"),
        Move("build", ("Moat",)),
        Move("rob", ("Nobody",)),
    ]
    return [*out, *odd]


def offered_or_refused(g: State, rng: Random) -> None:
    """Every order on offer is accepted; every other is refused, with a known code, JSON
    facts, and no change."""
    before = json.dumps(dump(g))
    tried, seats = universe(g, rng, 80), range(len(g.players))
    if not g.stack:
        for move in tried[:20]:
            _refused(g, rng.choice(seats), move)
    for ask in asks(g):
        small = sum(len(f.cards) for f in ask.families) <= 6
        offered = set(legal(g, ask.seat)) if small else set(ask.moves)
        assert offered or ask.families
        for move in rng.sample(sorted(offered, key=repr), min(len(offered), 40)):
            play(g, ask.seat, move)
            assert read_order(order_text(move, NAMES), NAMES[: len(seats)], g.rules) == move
        for move in tried:
            if move not in offered and not any(stands_for(f, move) for f in ask.families):
                _refused(g, ask.seat, move)
        for seat in seats:
            if seat != ask.seat:
                _refused(g, seat, rng.choice(sorted(offered or {Move("gold")}, key=repr)))
    assert json.dumps(dump(g)) == before


def stands_for(family: Family, move: Move) -> bool:
    """Whether the move is one of the family's."""
    *before, chosen = move.args or (None,)
    return (
        (move.verb, tuple(before)) == (family.verb, family.before)
        and isinstance(chosen, tuple)
        and family.least <= len(chosen) <= family.most
        and not Counter(chosen) - Counter(family.cards)
    )


def _refused(g: State, seat: int, move: Move) -> None:
    refusal = _refusal(g, seat, move)
    assert refusal, f"{move} of seat {seat} is accepted, and was not offered"
    assert refusal.code in REFUSALS, refusal
    json.dumps(refusal.facts)


def _refusal(g: State, seat: int, move: Move) -> Refusal | None:
    try:
        play(g, seat, move)
    except Refusal as refusal:
        return refusal
    return None


def behind_the_curtain(g: State, rng: Random) -> None:
    """See `compared_behind_the_curtain`."""
    compared_behind_the_curtain(g, rng)


def compared_behind_the_curtain(g: State, rng: Random) -> int:
    """For no seat does the view change when what it can't see is dealt afresh; and where a public order then
    tells it the same, the table waits for the same answer. How often the latter was compared.
    """
    compared = 0
    for seat in range(len(g.players)):
        h = another(g, seat, rng)
        audit(h)
        assert view(h, seat) == view(g, seat)
        if not g.stack:
            continue
        asked = asks(g)[0].seat
        move = random_move(g, rng)
        if move not in legal_singles(h, asked):
            continue
        one, two = play(g, asked, move), play(h, asked, move)
        if told(one, seat) == told(two, seat):
            assert waiting(one) == waiting(two)
            compared += 1
    return compared


def legal_singles(g: State, seat: int) -> set[Move]:
    return {m for ask in asks(g) if ask.seat == seat for m in ask.moves}


def told(outcome: Outcome, seat: int) -> list[str]:
    """What everybody and this seat are told."""
    return [json.dumps([e.name, e.facts]) for e in outcome.events if e.to in (None, seat)]


def waiting(outcome: Outcome) -> list[tuple[int, str, int]]:
    return [(a.seat, a.kind, a.number) for a in outcome.asks]


def events_as_listed(g: State, rng: Random) -> None:
    """What is told has a listed name and JSON facts; secrets go to one seat."""
    if not g.stack:
        return
    for event in play(g, asks(g)[0].seat, random_move(g, rng)).events:
        meaning = EVENTS[event.name]
        json.dumps(event.facts)
        assert meaning.startswith("private") == (event.to is not None), event


def one_answer_is_not_asked(g: State, rng: Random) -> None:
    """Nobody is asked a question with one answer, the end of a turn and hushed ones aside."""
    for ask in asks(g):
        if len(ask.moves) == 1 and not ask.families:
            assert ask.moves[0] == Move("end") or g.stack[-1].hushed
        assert len(set(ask.moves)) == len(ask.moves)


def dull_answers_are_legal(g: State, rng: Random) -> None:
    if g.stack:
        seat = asks(g)[0].seat
        play(g, seat, dull(g, seat))


#: law -> at what share of the decisions it is checked in an ordinary run
LAWS: dict[Law, float] = {
    everything_in_its_place: 0.15,
    written_and_read: 0.03,
    the_original_notices_nothing: 0.02,
    offered_or_refused: 0.004,
    behind_the_curtain: 0.006,
    events_as_listed: 0.03,
    one_answer_is_not_asked: 0.05,
    dull_answers_are_legal: 0.03,
}


def check_games(
    players: int, numbers: range, *, laws: dict[Law, float] = LAWS, edition: str | None = None
) -> dict[str, int]:
    """Play these games, of an edition with any cast (None: the classic one as it is); how
    often each law was checked.  The last moment of a game is checked by all of them."""
    checked = dict.fromkeys((law.__name__ for law in laws), 0)
    for number in numbers:
        rng = Random(f"{edition}/{players}/{number}" if edition else f"{players}/{number}")
        setup = any_setup(edition, players, rng) if edition else None
        try:
            for g in moments(players, number, rng, setup):
                for law, share in laws.items():
                    if rng.random() < share or not g.stack:
                        law(g, rng)
                        checked[law.__name__] += 1
        except Exception as error:  # whatever it is: say at which table
            error.add_note(f"game {number} of {setup}")
            raise
    return checked
