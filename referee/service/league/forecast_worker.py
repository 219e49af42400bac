"""Measuring how long tables take under a policy of a league's own: some games are simulated in a process of
its own, with less right to the processor than who answers players.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import tempfile
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection

from referee.ids import SeasonId
from referee.league.forecast import PLANS
from referee.states import SeasonState
from referee.store import Season
from referee.text.reading.policy import policy_text

from ..core.due import BackgroundJob
from ..core.unit_of_work import UnitOfWork
from . import expectations, lookup
from .announcements import announce
from .terms import Terms, read_terms

#: so many games of each kind of plans are played; one that takes longer in all tells nothing
GAMES, MOST_S = 20, 900.0
#: a measurement that nobody has heard of for so long was lost with its process
_LOST_MS = 30 * 60_000


def job(uow: UnitOfWork, season_id: SeasonId) -> BackgroundJob | None:
    """What is to be measured for a season that is open for sign-up, if anything is and nobody does it."""
    season = uow.tx.get(Season, season_id)
    if season is None or season.state != SeasonState.SIGNUP or not uow.settings.testing.forecasts:
        return None
    terms, mind = read_terms(season), lookup.mind(season).get("expects")
    kind = expectations.kind_of(terms)
    if mind is None or expectations.policy_name(terms) or mind.get("measured", {}).get("kind") == kind:
        return None
    if mind.get("measuring") == kind and uow.now_ms < mind.get("measuring_ms", 0) + _LOST_MS:
        return None
    expectations.keep(uow, season, measuring=kind, measuring_ms=uow.now_ms)
    policy = policy_text(replace(terms.rule(), first_round_miss=False))
    return BackgroundJob(
        f"the forecast of season {season_id}",
        partial(measured, terms, policy, GAMES),
        lambda desk, found: save(desk, season_id, kind, found),
    )


async def measured(terms: Terms, policy: str, games: int) -> dict[str, list[float]]:
    """Lengths for each kind of plans, {} where that takes too long.

    Anyone who stops waiting stops the games. Raises EOFError where their process died.
    """
    # spawned: a fork would take the store's threads and files along
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory(prefix="referee-forecast-") as folder:
        process = context.Process(target=_sent, args=(there, folder, terms, policy, games), daemon=True)
        process.start()
        there.close()
        try:
            found: dict[str, list[float]] = await asyncio.wait_for(asyncio.to_thread(here.recv), MOST_S)
            return found
        except TimeoutError:
            return {}
        finally:
            process.kill()  # a thread that still listens hears the end of the pipe
            await asyncio.to_thread(process.join)
            here.close()


def _sent(pipe: Connection, folder: str, terms: Terms, policy: str, games: int) -> None:
    """In a process of its own: play, and tell the process that waits at the other end."""
    from referee.pace.lengths import measured as played  # it plays with this whole service

    os.nice(10)
    tempfile.tempdir = folder  # whoever ends this process clears up behind it
    pipe.send({one: list(played((terms.edition, terms.wanted, "", one), policy, games)) for one in PLANS})


def save(uow: UnitOfWork, season_id: SeasonId, kind: str, found: dict[str, list[float]]) -> None:
    """It has been measured: keep it, and tell those in charge what it comes to."""
    season = uow.tx.get(Season, season_id)
    if (
        season is None
        or season.state != SeasonState.SIGNUP
        or expectations.kind_of(read_terms(season)) != kind
    ):
        return
    season = expectations.keep(
        uow, season, measured={"kind": kind, "plans": found}, measuring=None, measuring_ms=None
    )
    if not found:
        return
    league = lookup.league_of(uow, season)
    facts = {"season": season.no, "because": expectations.reason(uow, season)}
    announce(uow, league, "league-measured", facts, lookup.in_charge(uow, league))
