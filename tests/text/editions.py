"""Moments of games of every edition: the recorded ones, which show every card in every use, and random ones
with any cast.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from referee import rules
from referee.rules import Ask, Event, State, chance, legal, new_game, play
from referee.rules.flow.table import random_move
from referee.rules.record import read
from referee.text import Words
from tests.rules import laws
from tests.text.samples import GAME, HOUR, NOW

RECORDS = sorted((Path(__file__).parents[1] / "rules" / "recordings").glob("*.txt"))


class Moment(NamedTuple):
    """A decision of a game (`ask` None: its end) with everything that has happened so far."""

    state: State
    ask: Ask | None
    events: tuple[Event, ...]

    @property
    def edition(self) -> str:
        return str(self.state.setup.edition)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.state.setup.players)


def recorded(path: Path) -> Iterator[Moment]:
    """Every decision of a recorded game, and its end."""
    record = read(path.read_text(encoding="utf-8"))
    assert record.seed is not None
    outcome = new_game(record.setup, chance.mix(record.seed, record.words))
    entries, events = list(record.entries), list(outcome.events)
    while outcome.asks:
        state, ask = outcome.state, outcome.asks[0]
        yield Moment(state, ask, tuple(events))
        move = ask.moves[0] if ask.moves else None
        if len(legal(state, ask.seat)) > 1 or (
            entries and (entries[0].seat, entries[0].move) == (ask.seat, move)
        ):
            move = entries.pop(0).move  # else the one answer, which is not written
        assert move is not None
        outcome = play(state, ask.seat, move)
        events += outcome.events
    yield Moment(outcome.state, None, tuple(events))


def random_game(edition: str, players: int, number: int) -> Iterator[Moment]:
    """Every decision of a random game with any cast, and its end."""
    dice = Random(f"letters of {edition}/{players}/{number}")
    state = laws.table(players, number, laws.any_setup(edition, players, dice))
    events: list[Event] = []
    while state.stack:
        ask = rules.asks(state)[0]
        yield Moment(state, ask, tuple(events))
        outcome = play(state, ask.seat, random_move(state, dice))
        state = outcome.state
        events += outcome.events
    yield Moment(state, None, tuple(events))


def told(moment: Moment, seat: int | None, last: int = 8) -> list[dict[str, Any]]:
    """The last events that a seat may know, as a letter gets them."""
    return [
        {"name": e.name, "facts": dict(e.facts), "no": n}
        for n, e in enumerate(moment.events, 1)
        if e.to is None or e.to == seat
    ][-last:]


def prompt(
    moment: Moment, seat: int, words: Words, path: tuple[Any, ...] = (), state: State | None = None
) -> dict[str, Any]:
    """The context of a prompt for a seat, whether it is asked or not; at a place of the way to an order."""
    view = rules.view(state or moment.state, seat)
    ask = view.get("ask")
    offered = words.offers(ask, view, path=path, subject="#17") if ask else []
    return {
        "language": "en",
        "zone": "Europe/Lisbon",
        "now_ms": NOW,
        "game": GAME | {"edition": moment.edition},
        "bot_link": "",
        "me": {"seat": seat, "name": moment.names[seat]},
        "echo": [],
        "trouble": None,
        "events": told(moment, seat),
        "view": view,
        "final": moment.ask is None,
        "due_ms": NOW + 23 * HOUR if ask else None,
        "options": [{**o, "key": f"k{o['n']}"} for o in offered],
        "step": "so far" if path else "",
        "ask": {"kind": ask["kind"], "number": ask["number"]} if ask else None,
    }


def table(moment: Moment) -> dict[str, Any]:
    """The context of the living message of a room."""
    view = rules.view(moment.state, None)
    return {
        "language": "en",
        "zone": "UTC",
        "now_ms": NOW,
        "game": GAME | {"edition": moment.edition, "status": "running" if moment.ask else "over"},
        "me": None,
        "bot_link": "",
        "view": view,
        "events": told(moment, None),
        "due_ms": NOW + HOUR,
        "waiting": [moment.names[w["seat"]] for w in view["waiting"]],
    }


@cache
def notable() -> tuple[Moment, ...]:
    """Moments of the recorded games in which something is asked, offered or just happened for the first time,
    edition by edition.
    """
    seen: set[Any] = set()
    out = []
    for path in RECORDS:
        before = 0
        for moment in recorded(path):
            facts: set[Any] = {(moment.edition, "event", e.name) for e in moment.events[before:]}
            before = len(moment.events)
            if moment.ask is not None:
                facts |= {(moment.edition, moment.ask.kind, m.verb, len(m.args)) for m in moment.ask.moves}
                facts |= {
                    (moment.edition, moment.ask.kind, f.verb, f.before[1:]) for f in moment.ask.families
                }
            if not facts <= seen:
                seen |= facts
                out.append(moment)
    return tuple(out)
