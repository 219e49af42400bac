"""Each law finds the bug that is planted for it, at a push a quarter of them; what found it becomes short."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from typing import Any

import pytest

from tests.seeds import share
from tests.sim import planted, world
from tests.sim.script import Event, Script, parsed
from tests.sim.shrink import laws_of, needed, shrunk
from tests.sim.wires import Pipe
from tests.sim.world import run

# often, and after all kinds of steps: one of them falls between a letter and the note that it went out
KILLS = [Event(30.0 + 20 * n, "kill", {"after": 2 + 7 * n % 60, "down": 3.0}) for n in range(89)]
DEADLY = [
    Event(at, "deadly", {"commits": 1 + n % 3, "when": "before", "down": 1.0})
    for n, at in enumerate(range(20, 1900, 40))
]
FULL = [Event(at, "full", {"seconds": 20.0}) for at in range(100, 2000, 100)]
CROWD = [Event(200, "flood", {"channel": "matrix", "count": 200, "number": 3, "words": "hello"})]
ODD = [
    Event(100, "stranger", {"channel": "matrix", "number": 18}),
    Event(150, "stranger", {"channel": "terminal", "number": 3}),
]


def table(**more: Any) -> dict[str, Any]:
    return {
        "people": ["telegram:ana", "terminal:bea"],
        "bots": 0,
        "words": "classic 100h no bank no restart",
        "slow_s": 20.0,
        "ghosts": {},
        "chatty": 0.0,
        **more,
    }


def evening(events: list[Event], **more: Any) -> Script:
    return Script(3, True, [table(**more)], events, hours=0.6)


FOUND: list[tuple[str, Script, type[Pipe], Callable[[], AbstractContextManager[Any]]]] = [
    ("heard", evening(DEADLY), planted.AcknowledgesFirst, nullcontext),
    ("heard", evening(DEADLY), Pipe, planted.returns_before_the_commit),
    ("heard", evening(FULL), Pipe, planted.believes_a_failed_commit),
    ("arrived", evening(KILLS, people=["telegram:ana", "telegram:bea"]), planted.SendsAgain, nullcontext),
    ("silent", evening(ODD), planted.Chokes, nullcontext),
    ("heard", evening(ODD), planted.Chokes, nullcontext),
    ("curtain", Script(3, True, [table(bots=1)], []), Pipe, planted.shows_everybody_the_first_hand),
    ("answered", evening([]), Pipe, planted.dawdles),
    ("budget", evening(CROWD), planted.NeverStops, nullcontext),
    ("foretold", evening([]), Pipe, partial(planted.handled, planted.skips)),
    ("journal", evening([]), Pipe, partial(planted.handled, planted.mistakes_the_author)),
    (
        "left",
        Script(
            3,
            False,
            [table(words="classic 3h no bank no restart standin bot", ghosts={"terminal:bea": 1.0})],
            [],
            hours=12.0,
        ),
        Pipe,
        planted.never_rings,
    ),
    ("quick", evening([]), Pipe, partial(planted.handled, planted.ponders)),
    ("clean", evening([]), Pipe, planted.drops_its_errors),
    ("curtain", Script(3, True, [table(bots=1)], []), planted.TellsTheGroup, nullcontext),
    (
        "ended",
        Script(
            3,
            False,
            [table(words="classic 3h no bank no restart standin bot", ghosts={"terminal:bea": 1.0})],
            [],
        ),
        Pipe,
        planted.never_rings,
    ),
]


@cache
def _harmless(script: str) -> list[str]:
    """What is wrong where nothing is planted; several rows share a script, and a world goes the same way each
    time.
    """
    return run(parsed(script)).faults


def _name(one: Any) -> str:
    return (
        one
        if isinstance(one, str)
        else getattr(one.args[0] if isinstance(one, partial) else one, "__name__", "")
    )


@pytest.mark.parametrize(("law", "script", "pipe", "bug"), share(FOUND), ids=_name)
def test_each_law_finds_what_is_planted_for_it(
    law: str,
    script: Script,
    pipe: type[Pipe],
    bug: Callable[[], AbstractContextManager[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(world, "LONGEST_S", 86_400)  # all are over by then
    with bug():
        assert law in laws_of(run(script, pipe=pipe))
    assert not _harmless(script.text())  # without it nothing is wrong


def test_what_fails_becomes_short() -> None:
    script = evening([*ODD, *KILLS[:2], *FULL[:1]], bots=1)
    short = shrunk(script, "silent", play=partial(run, pipe=planted.Chokes))
    assert [(one.what, one.facts.get("number")) for one in short.events] == [("stranger", 18)]
    assert not short.tables
    assert short.hours <= 0.5
    assert "silent" in laws_of(run(short, pipe=planted.Chokes))


def test_no_single_thing_can_be_left_out_of_what_is_needed() -> None:
    tried = []

    def enough(some: Any) -> bool:
        tried.append(list(some))
        return {3, 11, 12} <= set(some)

    assert needed(list(range(16)), enough) == [3, 11, 12]
    assert needed([1, 2], lambda some: True) == []
    assert len(tried) < 60
