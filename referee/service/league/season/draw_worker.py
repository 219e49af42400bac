"""Drawing beside everything else: a small draw in a thread, a large one in a process of its own, so that the
inbox worker answers meanwhile.
"""

from __future__ import annotations

import asyncio
import multiprocessing

from referee.league import LeagueFault
from referee.league.lots import Drawn, Lots, sent, tried
from referee.processors import let_go

#: a draw of this many people times rounds takes about as long as a process takes to begin
_SMALL = 100


async def worked(lots: Lots) -> Drawn | LeagueFault:
    """What comes of a draw, or why there is none.

    Anyone who stops waiting stops the draw. Raises EOFError where its process died.
    """
    if len(lots.people) * lots.rounds <= _SMALL:
        return await asyncio.to_thread(tried, lots)
    # spawned: a fork would take the store's threads and files along
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=sent, args=(there, lots), daemon=True)
    process.start()
    if process.pid is not None:
        let_go(process.pid)
    there.close()
    try:
        found: Drawn | LeagueFault = await asyncio.to_thread(here.recv)
        return found
    finally:
        process.kill()  # a thread that still listens hears the end of the pipe
        await asyncio.to_thread(process.join)
        here.close()
