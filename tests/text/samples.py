"""Sample tables and contexts for the tests of words: real views and events of seeded games."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from referee import rules
from referee.bots import BOTS
from referee.rules import Setup
from referee.text import Reading, Words

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Flo", "Gus")
NOW = 1_795_435_200_000  # Mon 23 Nov 2026 12:00 UTC
HOUR = 3_600_000
GAME = {
    "id": 17,
    "ref": "g17",
    "tag": "#17",
    "edition": "classic",
    "status": "running",
    "policy": {"line": "24h a move, first 12h free, your bank 60h", "nights": True, "days": ""},
}
HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class Moment(NamedTuple):
    """A position of a seeded game: the seat asked, its view, the public view, and every event so far."""

    seat: int
    view: Mapping[str, Any]
    public: Mapping[str, Any]
    events: tuple[rules.Event, ...]
    names: tuple[str, ...]


def game(players: int, seed: int, names: Sequence[str] = NAMES, bot: str = "greedy") -> Iterator[Moment]:
    """Every decision of one seeded game between bots, then its end (seat -1)."""
    names = tuple(names[:players])
    outcome = rules.new_game(Setup("classic", names, {}), seed.to_bytes(32, "big"))
    rng = random.Random(seed)
    events = list(outcome.events)
    state = outcome.state
    while asked := rules.asks(state):
        seat = asked[0].seat
        seen = rules.view(state, seat)
        yield Moment(seat, seen, rules.view(state, None), tuple(events), names)
        outcome = rules.play(state, seat, BOTS[bot].choose(seen, rng))
        state, events = outcome.state, [*events, *outcome.events]
    yield Moment(-1, rules.view(state, 0), rules.view(state, None), tuple(events), names)


@cache
def moments(players: int = 4, seed: int = 3) -> tuple[Moment, ...]:
    """All moments of one game, made once."""
    return tuple(game(players, seed))


def asked(kind: str, verb: str = "") -> Moment:
    """The first moment of the seeded games whose question is of this kind (and offers this verb)."""
    for seed in range(3, 40):
        for found in moments(4, seed):
            ask = found.view.get("ask")
            if (
                ask
                and ask["kind"] == kind
                and (not verb or verb in {m[0] for m in ask["moves"]} | {f[0] for f in ask["families"]})
            ):
                return found
    raise AssertionError(f"no question {kind} {verb}")


_FROZEN = Path(__file__).parent / "moments.json"
_WANTED = {
    "pick": ("pick", ""),
    "turn": ("turn", "build"),
    "keep": ("keep", ""),
    "magician": ("turn", "redraw"),
    "warlord": ("turn", "destroy"),
}


@cache
def frozen() -> Mapping[str, Moment]:
    """Some moments kept in a file, so that pages change with words only, not with the dealing or the bots.
    Written anew with ``python -m tests.text.samples``."""
    return {
        name: Moment(
            m["seat"], m["view"], m["public"], tuple(rules.Event(*e) for e in m["events"]), tuple(m["names"])
        )
        for name, m in json.loads(_FROZEN.read_text(encoding="utf-8")).items()
    }


def freeze() -> None:
    """Write the file of `frozen`."""
    chosen = {name: asked(kind, verb) for name, (kind, verb) in _WANTED.items()} | {"end": moments(4, 3)[-1]}
    _FROZEN.write_text(
        json.dumps(
            {name: m._replace(events=m.events[-40:])._asdict() for name, m in chosen.items()},
            indent=1,
            default=dict,
        )
        + "\n",
        encoding="utf-8",
    )


def reading(moment: Moment, **other: Any) -> Reading:
    """How the seat asked would be read."""
    return Reading(
        names=moment.names,
        ask=moment.view.get("ask"),
        view=moment.view,
        cards=rules.rulebook(Setup("classic", moment.names, {})),
        **other,
    )


def told(moment: Moment, seat: int | None, last: int = 25) -> list[dict[str, Any]]:
    """The last events that a seat may know, as a letter gets them."""
    return [
        {"name": e.name, "facts": dict(e.facts), "no": n}
        for n, e in enumerate(moment.events, 1)
        if e.to is None or e.to == seat
    ][-last:]


def prompt(moment: Moment, words: Words, language: str = "en", **other: Any) -> dict[str, Any]:
    """The context of a prompt."""
    ask = moment.view.get("ask")
    offered = words.offers(ask, moment.view, language, subject="Re: #17") if ask else []
    return {
        "language": language,
        "zone": "Europe/Lisbon",
        "now_ms": NOW,
        "game": GAME,
        "bot_link": "",
        "me": {"seat": moment.seat, "name": moment.names[moment.seat]},
        "echo": [],
        "trouble": None,
        "events": told(moment, moment.seat),
        "view": moment.view,
        "final": False,
        "due_ms": NOW + 23 * HOUR,
        "options": [{**o, "key": f"k{o['n']}"} for o in offered],
        "step": "",
        "ask": {"kind": ask["kind"], "number": ask["number"]} if ask else None,
        **other,
    }


def common(**other: Any) -> dict[str, Any]:
    """What every letter about a game brings along."""
    return {
        "language": "en",
        "zone": "Europe/Lisbon",
        "now_ms": NOW,
        "game": GAME,
        "me": None,
        "bot_link": "",
        **other,
    }


if __name__ == "__main__":
    freeze()
