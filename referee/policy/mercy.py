"""Mercy: what becomes of a seat whose answers don't come.

A miss or two are excused; then nobody waits for the seat any more and a stand-in answers at once; then it is
offered to somebody else.  Anyone who comes back before that is a player like before.  Pure: a standing and
what happened go in, the next standing and what is to be done come out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from .policy import Policy


class Event(StrEnum):
    """What happens to a seat."""

    ANSWERED = "answered"  # the player answered
    MISSED = "missed"  # the time ran out; on probation: a question came and nobody waited
    BACK = "back"  # the player said that they are there again
    REPLACED = "replaced"  # somebody else took the seat
    UNDONE = "undone"  # a miss turned out to be our fault


class Do(StrEnum):
    """What is to be done about it."""

    PLAN = "plan"  # the player's own plan answers, else the dullest legal answer is given
    CARETAKER = "caretaker"  # the caretaker answers at once
    BOT = "bot"  # a bot answers at once
    PROBATION = "probation"  # tell the table that nobody waits for this seat any more
    OFFER = "offer"  # ask the alternates, one after the other
    WITHDRAW = "withdraw"  # the seat is no longer on offer
    WAIT = "wait"  # tell the table that it waits for this seat again
    GATHER = "gather"  # the game has not really begun: muster again


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat stands.

    `misses` count in the game, the excused ones too, and not those of a player who was replaced; `probation`:
    nobody waits; `offered`: to be had; `replaced`: how many players it had before this one; `decided`: it is
    on offer because the table, or those in charge, wanted that, whatever was missed.
    """

    misses: int = 0
    probation: bool = False
    offered: bool = False
    replaced: int = 0
    decided: bool = False


class Step(NamedTuple):
    """The next standing, and what is to be done in this order."""

    next: Standing
    do: tuple[Do, ...] = ()


def at_once(policy: Policy) -> Do:
    """Who answers for a seat for which nobody waits."""
    return Do.BOT if policy.bot else Do.CARETAKER


def excused(policy: Policy, standing: Standing) -> bool:
    """Whether the latest miss is without consequence (reliability does not count it)."""
    return 0 < standing.misses <= policy.misses_excused


def step(policy: Policy, standing: Standing, event: Event, *, first_round: bool = False) -> Step:
    """What an event makes of a seat.  `first_round`: the game is in its first round."""
    if event is Event.REPLACED:
        return Step(Standing(replaced=standing.replaced + 1), (Do.WAIT,))
    if event is Event.MISSED:
        return _missed(policy, standing, first_round)
    if event is Event.UNDONE:
        return _settled(policy, standing, max(0, standing.misses - 1))
    if not standing.probation:  # an answer of somebody who is waited for changes nothing
        return Step(standing)
    return _settled(policy, standing, min(standing.misses, policy.misses_excused))


def _missed(policy: Policy, standing: Standing, first_round: bool) -> Step:
    missed = replace(standing, misses=standing.misses + 1)
    if first_round and policy.first_round_miss and not standing.replaced and not standing.probation:
        return Step(missed, (Do.GATHER,))
    do = [at_once(policy) if standing.probation else Do.PLAN]
    if missed.misses >= policy.probation_after and not missed.probation:
        missed = replace(missed, probation=True)
        do.append(Do.PROBATION)
    if missed.misses >= policy.replace_after and not missed.offered:
        missed = replace(missed, offered=True)
        do.append(Do.OFFER)
    return Step(missed, tuple(do))


def _settled(policy: Policy, standing: Standing, misses: int) -> Step:
    """The standing with fewer misses, and what is taken back with them."""
    probation = standing.probation and misses >= policy.probation_after
    offered = standing.offered and (standing.decided or misses >= policy.replace_after)
    do = [Do.WITHDRAW] if standing.offered and not offered else []
    if standing.probation and not probation:
        do.append(Do.WAIT)
    return Step(replace(standing, misses=misses, probation=probation, offered=offered), tuple(do))
