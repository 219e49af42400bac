"""What comes back from the database: an older, a newer or a damaged program may have written it."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import msgspec

from referee.plans import load as load_plan
from referee.plans.storing import PlanError
from referee.ports import Inbound
from referee.rules import asks, dump, load
from referee.rules.codec import StateError
from referee.service.inbound.inbox_row import decode
from tests.fuzz import corpora, mutating
from tests.fuzz.running import Target
from tests.plans.filing import filed_text, random_lines, reading
from tests.rules.laws import table


@cache
def _states() -> tuple[str, ...]:
    return corpora.as_json([dump(table(players, seed)) for players in (2, 4, 7) for seed in (1, 2)])


def _json(said: str) -> Any:
    """As the store reads it: what nests without end is no JSON to it, nor a number of thousands of digits."""
    try:
        return json.loads(said)
    except (RecursionError, ValueError) as error:
        raise json.JSONDecodeError("too deep, too long, or no JSON", "", 0) from error


def _state(said: str) -> None:
    state = load(_json(said))
    assert dump(load(dump(state))) == dump(state)


@cache
def _plans() -> tuple[str, ...]:
    from referee.plans import dump as dumped

    found, game = [], table(5, 1)
    at = reading(game, asks(game)[0].seat)
    for number in range(40):
        try:
            found.append(dumped(filed_text("\n".join(random_lines(game, Random(number))), at)))
        except AssertionError:
            continue
    return corpora.as_json(found)


def _plan(said: str) -> None:
    load_plan(_json(said))


def _bodies() -> tuple[bytes, ...]:
    made = [
        Inbound("mail", "k", "ann@x.y", text="gold", token="t", facts={"subject": "s"}, at_ms=1),
        Inbound("telegram", "1", "2", place="3", payload="k-1", name="Ann"),
    ]
    return tuple(msgspec.json.encode(one) for one in made)


def _body(said: bytes) -> None:
    again = decode(said)
    assert decode(msgspec.json.encode(again)) == again


TARGETS = (
    Target("saved state", mutating.shaped, _states, _state, 500, (StateError, json.JSONDecodeError)),
    Target("saved plan", mutating.shaped, _plans, _plan, 400, (PlanError, json.JSONDecodeError)),
    Target("inbox row", mutating.raw, _bodies, _body, 400, (msgspec.DecodeError, UnicodeDecodeError)),
)
