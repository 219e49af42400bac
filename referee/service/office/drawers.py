"""Drawing beside everything else: a small draw in a thread, a large one in a process of its own, so that the desk answers meanwhile."""
from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from referee.league import LeagueFault
from referee.league.lots import Drawn, Lots, drawn

#: a draw of so many people times rounds takes about as long as a process takes to begin
_SMALL = 100


async def worked(lots: Lots) -> Drawn | LeagueFault:
    """What comes of a draw, or why there is none."""
    if len(lots.people) * lots.rounds <= _SMALL:
        return await asyncio.to_thread(_tried, lots)
    # spawned: a fork would take the store's threads and files along
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, _tried, lots)


def _tried(lots: Lots) -> Drawn | LeagueFault:
    try:
        return drawn(lots)
    except LeagueFault as no:
        return no
