"""A walk, the ground it is on, and what may be tapped there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..questions import ASKED_BY, QUESTIONS

View = Mapping[str, Any]


class Walk(NamedTuple):
    """`lines`: what has been written, (what it is for, the line); `listed`: the words or steps of the line
    that is being written; `who`: the character of a script, "" for all others; `verb`: the pattern of the
    order that is being chosen; `args`: what of it is chosen, or the districts of a build.
    """

    page: str = "top"
    lines: tuple[tuple[str, str], ...] = ()
    listed: tuple[str, ...] = ()
    who: str = ""
    verb: str = ""
    args: tuple[Any, ...] = ()


class Ground(NamedTuple):
    """What may be named at this table, by the view of one seat: `faceup` are the characters out of play this
    round (they come last), `cities` are the names of the districts by seat, `questions` those of `QUESTIONS`
    that can come up, `withdraws`: whether anything is filed, `lists`: whether preference lists may be.
    """

    edition: str
    names: tuple[str, ...]
    me: int
    cast: tuple[str, ...]
    mine: tuple[str, ...]
    faceup: tuple[str, ...]
    hand: tuple[str, ...]
    cities: tuple[tuple[str, ...], ...]
    questions: tuple[str, ...]
    withdraws: bool = False
    lists: bool = True


class Entry(NamedTuple):
    """What may be tapped: the `words` of it, where it leads (None: to filing `words`), and its label: the
    code of a sentence or, without one, `label` or the words themselves.
    """

    words: str
    to: Walk | None
    code: str = ""
    label: str = ""


def ground(view: View, cast: Sequence[str], uniques: Iterable[str], withdraws: bool) -> Ground:
    """What the seat of this view may name, in a game with these characters and unique districts."""
    cities = tuple(
        tuple(dict.fromkeys(str(one["name"]) for one in player["city"])) for player in view["players"]
    )
    there = {*cast, *uniques, *(name for city in cities for name in city)}
    asked = tuple(name for name in QUESTIONS if not ASKED_BY[name] or there & {*ASKED_BY[name]})
    return Ground(
        view["edition"],
        tuple(str(p["name"]) for p in view["players"]),
        view["you"],
        tuple(cast),
        tuple(view["characters"]),
        tuple(view["faceup"]),
        tuple(dict.fromkeys(view["hand"])),
        cities,
        asked,
        withdraws,
    )


def dumped(walk: Walk) -> dict[str, Any]:
    """As JSON."""
    return walk._asdict()


def loaded(data: Mapping[str, Any]) -> Walk:
    """From what `dumped` made."""
    return Walk(
        data["page"],
        tuple((str(key), str(line)) for key, line in data["lines"]),
        tuple(data["listed"]),
        data["who"],
        data["verb"],
        tuple(tuple(arg) if isinstance(arg, list) else arg for arg in data["args"]),
    )
