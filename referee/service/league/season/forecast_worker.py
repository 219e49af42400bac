"""Measuring how long tables take under a policy of a league's own: some games are simulated in a process of
its own, with less right to the processor than who answers players.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from dataclasses import replace
from functools import partial

from referee.ids import SeasonId
from referee.isolated.worker import PATH, environment
from referee.processors import let_go
from referee.states import SeasonState
from referee.store import Season
from referee.text.reading.policy import policy_text

from ...core.due import BackgroundJob
from ...core.unit_of_work import UnitOfWork
from .. import lookup
from ..announcements import announce
from ..terms import Terms, read_terms
from . import expectations

#: games of each kind of plans that are played; nothing is told where all of them take longer
GAMES, MOST_S = 20, 900.0
#: it plays with this whole service, which this room does not know: it is only named
_CODE = "from referee.pace.lengths_worker import main; main()"
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
    expectations.remember(uow, season, measuring=kind, measuring_ms=uow.now_ms)
    policy = policy_text(replace(terms.rule(), first_round_miss=False))
    return BackgroundJob(
        f"the forecast of season {season_id}",
        partial(measured, terms, policy, GAMES),
        lambda desk, found: save(desk, season_id, kind, found),
    )


async def measured(terms: Terms, policy: str, games: int) -> dict[str, list[float]]:
    """Lengths for each kind of plans, {} where that takes too long.

    Anyone who stops waiting stops the games. Raises ValueError where their process died.
    """
    asked = {"edition": terms.edition, "size": terms.wanted, "policy": policy, "games": games}
    # anyone who ends the process clears up behind it
    with tempfile.TemporaryDirectory(prefix="referee-forecast-") as folder:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", PATH + _CODE, *sys.path),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**environment(), "TMPDIR": folder},
        )
        let_go(process.pid)
        try:
            async with asyncio.timeout(MOST_S):
                answer, _ = await process.communicate(f"{json.dumps(asked)}\n".encode())
            found: dict[str, list[float]] = json.loads(answer)
            return found
        except TimeoutError:
            return {}
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


def save(uow: UnitOfWork, season_id: SeasonId, kind: str, found: dict[str, list[float]]) -> None:
    """It has been measured: keep it, and tell those in charge what it comes to."""
    season = uow.tx.get(Season, season_id)
    if (
        season is None
        or season.state != SeasonState.SIGNUP
        or expectations.kind_of(read_terms(season)) != kind
    ):
        return
    season = expectations.remember(
        uow, season, measured={"kind": kind, "plans": found}, measuring=None, measuring_ms=None
    )
    if not found:
        return
    league = lookup.league_of(uow, season)
    facts = {"season": season.no, "because": expectations.reason(uow, season)}
    announce(uow, league, "league-measured", facts, lookup.in_charge(uow, league))
