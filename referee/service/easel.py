"""Pictures that go with letters: mail programs show PNG and not SVG, so each is drawn before its letter leaves, in a process of its own.
Where that can't be (the extra `pictures` is not installed, or it takes too long) the SVG goes as it is; the letter's text is complete without either."""
from __future__ import annotations

import asyncio
import hashlib
import logging
import multiprocessing
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from referee.png import png, there
from referee.ports import Attachment, Letter

log = logging.getLogger(__name__)
SVG = "image/svg+xml"
#: seconds that one picture may take, and how many are remembered
PATIENCE, KEPT = 20.0, 16


class Easel:
    """Draws, one at a time, and remembers the last ones: the same standings go to many."""

    def __init__(self, draw: Callable[[str], bytes] = png) -> None:
        self._draw = draw
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._one = asyncio.Lock()

    async def drawn(self, letter: Letter) -> Letter:
        """The letter with its pictures as PNG where that can be."""
        if not any(one.media_type == SVG for one in letter.attachments) or not there():
            return letter
        return replace(letter, attachments=tuple([await self._as_png(one) for one in letter.attachments]))

    async def _as_png(self, file: Attachment) -> Attachment:
        if file.media_type != SVG:
            return file
        key = hashlib.sha256(file.data).digest()
        async with self._one:
            made = self._known.get(key)
            if made is None:
                try:
                    made = await self._apart(file.data.decode())
                except Exception:  # whatever goes wrong there, from a broken process to a picture that is none: the letter must leave
                    log.warning("the picture %s could not be drawn", file.name, exc_info=True)
                    return file
            self._known[key] = made
            self._known.move_to_end(key)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return Attachment(file.name.removesuffix(".svg") + ".png", "image/png", made)

    async def _apart(self, svg: str) -> bytes:
        # spawned: a fork would take the store's threads and files along
        pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.get_running_loop().run_in_executor(pool, self._draw, svg)
        finally:
            for worker in list((pool._processes or {}).values()):   # the pool has no word for a worker that must not go on
                worker.kill()
            pool.shutdown(wait=False, cancel_futures=True)
