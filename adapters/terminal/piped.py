"""A seat over a pipe: plain lines in, plain letters out, each followed by a line with two dashes.

A line is said when the one before has been answered, so that a script need not wait between them.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from .attachment import SeatConnection

#: what follows each letter
END = "--"


async def over_a_pipe(
    path: Path,
    name: str,
    *,
    lines: TextIO,
    out: TextIO,
    wait: float,
    first: tuple[str, ...] = (),
    settled: Callable[[], Awaitable[bool]] | None = None,
    language: str = "",
) -> None:
    """Say `first`, then `lines`, until they end and all answers have come.

    `settled` tells whether nothing more is on its way; without it, `wait` seconds in which nothing came
    are taken for that.  Raises `SeatRefused` when the referee refuses the seat."""

    def show(letter: dict[str, Any]) -> None:
        out.write(f"{letter['text'].rstrip()}\n{END}\n")
        out.flush()

    seat = SeatConnection(path, name, show, language=language)
    if isinstance(lines, TextIOWrapper):  # a byte that is no letter here makes an odd word, and no end
        lines.reconfigure(errors="replace")
    running = asyncio.create_task(seat.run())
    try:
        await _unless(running, _all(seat, lines, wait, first, settled))
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _all(
    seat: SeatConnection,
    lines: TextIO,
    wait: float,
    first: tuple[str, ...],
    settled: Callable[[], Awaitable[bool]] | None,
) -> None:
    await seat.attached.wait()
    for line in first:
        seat.say(line)
        await _answered(seat, wait, settled)
    async for line in each(lines):
        if line.strip():
            seat.say(line)
            await _answered(seat, wait, settled)
    await _answered(seat, wait, settled)


async def _answered(seat: SeatConnection, wait: float, settled: Callable[[], Awaitable[bool]] | None) -> None:
    if settled is None:
        await seat.quiet(wait)
        return
    await seat.quiet(0.0)
    while not await settled():  # noqa: ASYNC110  # what is asked is in a database, not in this loop
        await asyncio.sleep(0.01)


async def _unless(running: asyncio.Task[None], work: Awaitable[None]) -> None:
    """Do the work, unless the attachment ends first: then its error is ours."""
    task = asyncio.ensure_future(work)
    await asyncio.wait((running, task), return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        running.result()
    else:
        task.result()


async def each(lines: Iterable[str]) -> AsyncIterator[str]:
    """Lines as they come.  Read in a thread of their own that ends with the process: a read of a
    keyboard can't be cancelled."""
    loop = asyncio.get_running_loop()
    came: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(line: str | None) -> bool:
        try:
            loop.call_soon_threadsafe(came.put_nowait, line)
        except RuntimeError:  # the loop has ended before the reader
            return False
        return True

    def read() -> None:
        try:
            for line in lines:
                if not tell(line.rstrip("\r\n")):
                    return
        finally:  # nothing more comes, also where reading broke: nobody must wait for it for ever
            tell(None)

    threading.Thread(target=read, name="lines", daemon=True).start()
    while (line := await came.get()) is not None:
        yield line
