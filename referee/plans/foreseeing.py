"""What a plan would do as each character that its player might get: the ground of the echo, and what it is held to.

Only what is filed and what is printed on cards counts, not the table: so it says what *may* happen.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..rules.facts import Move
from .cards import characters, givers, is_character, musts, rank
from .choosing import means
from .model import Order, Plan, Script, Step, live
from .questions import FREE
from .running import script_for


class Prospect(NamedTuple):
    """As `character`: the `steps` of its script, () where it has none, up to the one that can't be (`halts`: its place, None for
    none); the `free` benefits taken before the end; whether the turn `ends` by it."""

    character: str
    steps: tuple[Step, ...]
    halts: int | None
    free: tuple[str, ...]
    ends: bool


def foresee(plan: Plan, now: int, cast: Iterable[str], edition: str = "") -> tuple[Prospect, ...]:
    """A prospect for each character of the cast by rank, as the plan stands for round `now`."""
    scripts = live(plan, now).scripts
    ordered = sorted(cast, key=lambda name: rank(edition, name))
    return tuple(_one(script_for(scripts, name), name, edition, plan.free is not False) for name in ordered)


def _one(script: Script | None, character: str, edition: str, free: bool) -> Prospect:
    if script is None:
        return Prospect(character, (), None, (), False)
    halts = next((place for place, step in enumerate(script.steps) if _fails(script.steps, place, step, character, edition)), None)
    steps = script.steps if halts is None else script.steps[:halts]
    ending = next((order for step in steps for order in step.orders if order.verb == "end"), None)
    taken = powers(character, edition) if free and ending is not None and not ending.bare else frozenset()
    return Prospect(character, script.steps, halts, tuple(verb for verb in FREE if verb in taken), ending is not None)


def _fails(steps: Sequence[Step], place: int, step: Step, character: str, edition: str) -> bool:
    if step.attempt:
        return False
    if any(order.verb == "end" for order in step.orders):
        return bool(missing(steps[:place], character, edition))
    return all(foreign(order, (character,), edition) for order in step.orders)


def missing(steps: Sequence[Step], character: str, edition: str) -> tuple[str, ...]:
    """What that character must do before the end, and these steps don't."""
    done = {order.verb for step in steps if not step.attempt for order in step.orders}
    gathered = done & {"gold", "cards"}
    return (*(() if gathered else ("gold",)), *(verb for verb in musts(edition, character) if verb not in done))


def foreign(order: Order, who: Sequence[str], edition: str) -> tuple[str, ...]:
    """The cards that such an order needs, if they are characters and none of these; else ()."""
    needs = givers(edition, order.verb, order.args)
    if needs and all(is_character(edition, name) for name in needs) and not set(needs) & set(who):
        return needs
    return ()


def powers(character: str, edition: str) -> frozenset[str]:
    """The verbs of a character's own abilities."""
    found = characters(edition).get(character)
    return frozenset() if found is None else frozenset(s.verb for a in found.abilities for s in a.shapes)


def may(prospect: Prospect, move: Move) -> bool:
    """Whether that order in a turn is one of those that were foreseen."""
    steps = prospect.steps if prospect.halts is None else prospect.steps[:prospect.halts]
    return (move.verb in prospect.free and not move.args) or any(means(order, move) for step in steps for order in step.orders)
