"""What a plan would do as each character that its player might get: the ground of the echo, and what it is
held to.

Only what is filed and what is printed on cards counts, not the table: so it says what *may* happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..rules.facts import Move
from .cards import givers, is_character, musts, powers_of, rank
from .choosing import means
from .model import Order, Plan, Script, Step, live
from .questions import FREE
from .running import script_for


class Prospect(NamedTuple):
    """As `character`: the `steps` of its script, () where it has none, up to the one that can't be (`halts`:
    its place, None for none); the `free` benefits taken before the end; whether the turn `ends` by it, and
    what `musts` are left to the player before.
    """

    character: str
    steps: tuple[Step, ...]
    halts: int | None
    free: tuple[str, ...]
    ends: bool
    musts: tuple[str, ...] = ()


def foresee(plan: Plan, now: int, cast: Iterable[str], edition: str = "") -> tuple[Prospect, ...]:
    """A prospect for each character of the cast by rank, as the plan stands for round `now`."""
    scripts = live(plan, now).scripts
    ordered = sorted(cast, key=lambda name: rank(edition, name))
    return tuple(_one(script_for(scripts, name), name, edition, plan.free is not False) for name in ordered)


def _one(script: Script | None, character: str, edition: str, free: bool) -> Prospect:
    if script is None:
        return Prospect(character, (), None, (), False)
    halts = next((place for place, step in enumerate(script.steps) if _fails(step, character, edition)), None)
    steps = script.steps if halts is None else script.steps[:halts]
    ending = next((order for step in steps for order in step.orders if order.verb == "end"), None)
    taken = powers(character, edition) if free and ending is not None and not ending.bare else frozenset()
    left = missing(steps, character, edition) if ending is not None else ()
    return Prospect(
        character,
        script.steps,
        halts,
        tuple(verb for verb in FREE if verb in taken),
        ending is not None,
        left,
    )


def _fails(step: Step, character: str, edition: str) -> bool:
    return not step.attempt and all(foreign(order, (character,), edition) for order in step.orders)


def missing(steps: Sequence[Step], character: str, edition: str) -> tuple[str, ...]:
    """What that character must do before the end, and these steps don't."""
    done = {order.verb for step in steps if not step.attempt for order in step.orders}
    gathered = done & {"gold", "cards"}
    return (
        *(() if gathered else ("gold",)),
        *(verb for verb in musts(edition, character) if verb not in done),
    )


def foreign(order: Order, who: Sequence[str], edition: str) -> tuple[str, ...]:
    """The cards that such an order needs, if they are characters and none of these; else ()."""
    needs = givers(edition, order.verb, order.args)
    if needs and all(is_character("", name) for name in needs) and not set(needs) & set(who):
        return needs
    return ()


def powers(character: str, edition: str) -> frozenset[str]:
    """The verbs of a character's own abilities."""
    return frozenset(shape.verb for shape in powers_of(character, edition))


def may(prospect: Prospect, move: Move) -> bool:
    """Whether that order in a turn is one of those that were foreseen."""
    steps = prospect.steps if prospect.halts is None else prospect.steps[: prospect.halts]
    return (move.verb in prospect.free and not move.args) or any(
        means(order, move) for step in steps for order in step.orders
    )
