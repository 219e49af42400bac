"""Where pictures are drawn: a process of its own (see `referee.isolated`), begun when the first one is wanted
and ended when none was for a while.
"""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Callable
from typing import Any

from referee.isolated.worker import Worker

#: seconds that one picture may take, and after which a process that draws nothing is ended (it holds some 60
#: MB)
PATIENCE, IDLE = 20.0, 60.0
BEGIN = "from referee.png import serve; serve()"


class ImageWorker:
    """Runs one function at a time elsewhere.  Anyone who uses it does so from one event loop.

    `begin` is what its process runs; `idle`: it ends after that many seconds without work.
    """

    def __init__(self, begin: str = BEGIN, idle: float = IDLE) -> None:
        self._worker = Worker(begin, idle=idle)

    @property
    def process(self) -> subprocess.Popen[bytes] | None:
        """The one that draws, while there is one."""
        return self._worker.process

    async def run(self, work: Callable[..., bytes], *given: Any, patience: float | None = None) -> bytes:
        """What `work(*given)` returns there.

        Raises what it raises, TimeoutError when its turn did not come in time or it took too long,
        BrokenExecutor when its process died, twice, or was closed.
        """
        answer = await self._worker.ask(
            pickle.dumps((work, given)), PATIENCE if patience is None else patience
        )
        made, came = pickle.loads(answer)  # noqa: S301 - by our own process, which reads no words but our own templates'
        if isinstance(came, BaseException):
            raise came
        picture: bytes = made
        return picture

    def close(self) -> None:
        """End the process, whatever it does; who waits for a picture gets BrokenExecutor."""
        self._worker.close()
