"""Inputs that nobody thought of, for everything that reads: what is raised is documented and says why, and
nothing takes long.

A run of the tests tries a tenth of what `make fuzz` does (20,000 inputs, part of CI) with another seed; `make
soak` tries a million. What was found once is in kept.json.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.fuzz import mutating
from tests.fuzz.kept import cases
from tests.fuzz.running import MOST_S, RUN, Target, parts, run, smaller, tried, whole
from tests.fuzz.targets import TARGETS

#: inputs of a run, here
INPUTS = RUN // 10


@pytest.fixture(autouse=True)
def in_silence() -> Iterator[None]:
    """Readers log what they pass over; here that is nearly everything."""
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_whatever_comes(target: Target) -> None:
    done = run(target, max(1, target.share * INPUTS // RUN), seed=2)
    assert done.tried >= 30
    shown = [
        f"{fault.kind}: {fault.said[-1500:]}\n{parts(smaller(target, fault, 60))!s:.700}"
        for fault in done.faults.values()
    ]
    assert not shown, "\n".join(shown)


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case['target']}: {case['what']}")
def test_what_was_found_stays_mended(case: dict[str, Any]) -> None:
    target = next(one for one in TARGETS if one.name == case["target"])
    said = whole(case["parts"], raw=case["raw"])
    tried(target, said)  # what is kept between readings is made
    assert tried(target, said)[0] is None


def test_a_run_is_whole() -> None:
    """The shares make up a run; every kind of input that the referee takes is among them."""
    assert sum(target.share for target in TARGETS) == RUN
    assert {target.name.split()[0] for target in TARGETS} >= {
        "mail",
        "message",
        "order",
        "plan",
        "league",
        "telegram",
        "matrix",
        "form",
        "record",
        "scenario",
    }
    assert len({target.name for target in TARGETS}) == len(TARGETS)


def test_the_same_seed_is_the_same_run() -> None:
    for target in TARGETS:
        corpus = target.corpus()
        one, other, another = (Random(seed) for seed in ("a", "a", "b"))
        made = [target.make(one, corpus) for _ in range(5)]
        assert made == [target.make(other, corpus) for _ in range(5)]
        assert made != [target.make(another, corpus) for _ in range(5)]
        assert all(len(said) <= mutating.LONGEST for said in made)


def _breaks(said: str) -> None:
    if "9" in said and "x" in said:
        raise KeyError("nobody foresaw it")


def _mute(said: str) -> None:
    if "9" in said:
        raise LookupError


def _slow(said: str) -> None:
    if len(said) > 1000:
        sum(range(24_000_000))  # work, not time: a slow machine's time counts for less


@pytest.mark.parametrize(
    ("go", "kind"), [(_breaks, "KeyError"), (_mute, "mute LookupError"), (_slow, "slow")]
)
def test_a_planted_fault_is_found(go: Any, kind: str) -> None:
    target = Target(
        "planted",
        mutating.text,
        lambda: ("gold; build market x",),
        go,
        100,
        (LookupError,) if go is _mute else (),
    )
    done = run(target, 2 if kind == "slow" else 400, seed=1)  # the second of these two is long
    fault = next(fault for one, fault in done.faults.items() if one.startswith(kind))
    small = smaller(target, fault, 4 if kind == "slow" else 400)
    assert len(small) <= (len(fault.input) if kind == "slow" else 2)
    assert whole(parts(small), raw=False) == small


def test_what_is_refused_with_words_is_no_fault() -> None:
    def go(said: str) -> None:
        raise ValueError("no number is there: 7")

    done = run(Target("planted", mutating.text, lambda: ("gold",), go, 100, (ValueError,)), 50, seed=1)
    assert (done.tried, done.refused, done.faults) == (50, 50, {})
    assert done.slowest < MOST_S


@pytest.mark.parametrize("said", ["", "a", "ab" * 500 + "c", "x" * 99 + "yz" + "\n" * 40, b"\0\xff" * 30])
def test_what_is_kept_comes_back(said: Any) -> None:
    assert whole(parts(said), raw=isinstance(said, bytes)) == said
    assert sum(len(piece) for piece, _ in parts(said)) <= 120
