"""What must hold of every plan at every question of every game."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from referee.plans import STOPS, Plan, answer, dump, filed, foresee, live, load, may, plan_text
from referee.plans.choosing import means
from referee.plans.questions import BY_KIND, DRAFT, QUESTIONS
from referee.plans.running import OFF_TURN, turn_of
from referee.rules import EDITIONS, Move, State, another, asks, play, view
from referee.rules.flow.table import random_move
from referee.text import Words
from referee.text.reading.plans import read_plan
from referee.text.rendering.plans import stopped, understood
from tests.plans.filing import random_plan, reading
from tests.rules.laws import any_setup, table
from tests.seeds import share
from tests.short import shorten

WORDS = Words(strict=True)


def allowed(plan: Plan, seen: dict[str, Any], cast: tuple[str, ...], move: Move) -> bool:
    """Whether the echo said that this might be answered."""
    now, kind = live(plan, seen["round"]), seen["ask"]["kind"]
    if kind in DRAFT:
        return any(
            move.verb == d.verb == kind and (move.args[0] in d.characters or d.dull) for d in now.drafts
        )
    said = any(
        (s.use != "never" and means(s.order, move)) or move.verb == QUESTIONS[s.question].no
        for s in now.standing
        if s.question == BY_KIND.get(kind) and s.use != "ask"
    )
    if kind in OFF_TURN:
        return said
    return said or any(
        may(p, move)
        for p in foresee(plan, seen["round"], cast, seen["edition"])
        if p.character == turn_of(seen)
    )


def played(edition: str, players: int, number: int) -> Counter[str]:
    """A game in which every seat has a plan, filed anew now and then: what was answered and why it
    stopped.
    """
    rng, told = Random(f"plans {edition}/{players}/{number}"), Counter[str]()
    g: State = table(players, number, any_setup(edition, players, rng))
    cast = tuple(g.rules.characters)
    plans: dict[int, tuple[Plan, Any]] = {}
    while g.stack:
        seat = asks(g)[0].seat
        seen = view(g, seat)
        if seat not in plans or rng.random() < 0.05:
            plan, good, lines = random_plan(g, seat, rng)
            told["lines"] += lines
            told["good lines"] += good
            plans[seat] = plan, filed(plan, seen)
            understood(WORDS, plan, seen, cast)
        plan, memory = plans[seat]
        before = json.dumps(memory)
        found = answer(plan, seen, memory)
        assert json.dumps(memory) == before
        if rng.random() < 0.1:
            assert (
                answer(
                    load(json.loads(json.dumps(dump(plan)))),
                    view(another(g, seat, rng), seat),
                    json.loads(before),
                )
                == found
            )
        plans[seat] = plan, json.loads(json.dumps(found.memory))
        assert found.move is None or found.stop is None
        if found.stop is not None:
            assert found.stop.code in STOPS
            assert json.loads(json.dumps(found.stop.facts)) == found.stop.facts
            assert stopped(WORDS, found.stop, seen)
            told[found.stop.code] += 1
        if found.move is not None:
            assert allowed(plan, seen, cast, found.move), (found.move, plan_text(plan, g.setup.players))
            told[f"{seen['ask']['kind']} {found.move.verb}"] += 1
            told["answered"] += 1
        told["asked"] += 1
        g = play(g, seat, found.move or random_move(g, rng)).state
    return told


@pytest.mark.parametrize(
    ("edition", "players"),
    [
        (edition, players)
        for edition, book in EDITIONS.items()
        for players in range(book.least, book.most + 1)
    ],
)
def test_plans_in_random_games(edition: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten(monkeypatch.setattr)
    told: Counter[str] = Counter()
    for number in share(range(4)):
        told += played(edition, players, number)
    assert told["answered"] > told["asked"] / 10
    assert told["good lines"] > told["lines"] / 2
    assert sum(told[code] for code in STOPS) > 2


def test_every_seat_reads_back_what_it_filed() -> None:
    lines = 0
    for edition in EDITIONS:
        for number in share(range(40)):
            rng = Random(f"texts {edition}/{number}")
            g = table(4, number, any_setup(edition, 4, rng))
            seat = asks(g)[0].seat
            plan, good, _ = random_plan(g, seat, rng)
            at = reading(g, seat)
            text = "\n".join(plan_text(plan, at.names))
            assert read_plan(text, at) == plan, text
            lines += good
    assert lines > 125
