"""What a table, or those in charge of it, can decide, and who must agree to it.

Somebody in charge who does not play decides alone, but for going back. One who plays needs a second key or
the players, and a player needs the players. How they agree depends on the act: on time, silence is yes; on
somebody's seat more than half must say yes; on going back, everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from referee.store import Game

from ..core.unit_of_work import UnitOfWork
from ..play import rewind
from . import pause, process_now, unseat

Facts = dict[str, Any]


class Act(NamedTuple):
    """`rule`: silence, most or all.

    `keys`: how many of those in charge who don't play are enough. `anybody`: players may propose it. `check`
    raises Refusal where it is not to be had, `do` does it (`facts`: what it is about, `who`: for the event).
    """

    rule: str
    keys: int
    anybody: bool
    check: Callable[[UnitOfWork, Game, Facts], None]
    do: Callable[[UnitOfWork, Game, Facts, Facts], None]


def _always(uow: UnitOfWork, game: Game, facts: Facts) -> None:
    """Nothing stands against it."""


ACTS: Mapping[str, Act] = {
    "pause": Act("silence", 1, True, pause.may_pause, pause.pause),
    "resume": Act("silence", 1, True, pause.may_resume, pause.resume),
    "extend": Act("silence", 1, False, _always, pause.extend),
    "offer": Act("most", 1, False, unseat.may_offer, unseat.offer_seat),
    "kick": Act("most", 1, False, unseat.may_kick, unseat.kick),
    "process": Act("most", 1, False, process_now.may_process, process_now.process),
    "rewind": Act("all", 2, True, rewind.may_rewind, rewind.rewind),
}


def verdict(
    rule: str, answers: Mapping[int, bool], voters: Collection[int], *, over: bool = False
) -> bool | None:
    """What the votes come to: carried, refused, or None while that is open.

    `over`: nobody can vote any more.
    """
    if not voters:
        return False if over else None
    yes, no = (
        sum(answers.get(one) is True for one in voters),
        sum(answers.get(one) is False for one in voters),
    )
    silent = len(voters) - yes - no
    if rule == "silence":  # refused by as many as half
        if 2 * no >= len(voters):
            return False
        return True if over or 2 * (no + silent) < len(voters) else None
    wanted = len(voters) if rule == "all" else len(voters) // 2 + 1
    if yes >= wanted:
        return True
    return False if over or yes + silent < wanted else None


def enough_keys(keys: int, held: int, outside: int) -> bool:
    """Whether that many keys are enough, `outside` of them of people who don't play at the table."""
    return held >= 2 or (keys == 1 and outside >= 1)
