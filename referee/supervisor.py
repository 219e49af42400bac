"""Telling the person who started this process how it does, where they asked to be told: systemd, by its
notification socket.

    supervisor = Supervisor(os.environ)      # in a loop
    supervisor.ready("serving telegram, mail")
    …                                        # from now on a sign of life twice within each WatchdogSec
    supervisor.stopping()

The sign of life comes from the event loop: a loop that hangs is noticed and the process is started anew. A
full disk or a database that is away is no reason for that: such things are waited for.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)


class Supervisor:
    """`environ` has NOTIFY_SOCKET (and WATCHDOG_USEC, WATCHDOG_PID) where somebody wants to know; else every
    call does nothing.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self._every_s = _watchdog_s(environ) / 2
        self._pulse: asyncio.Task[None] | None = None

    def ready(self, status: str) -> None:
        """The start is over; `status` is what `systemctl status` shows (one line)."""
        self._tell("READY=1", f"STATUS={status}")
        if self._address and self._every_s:
            self._pulse = asyncio.create_task(self._beat(), name="watchdog")

    def stopping(self) -> None:
        """The end has begun; how long it may take is the unit's to say."""
        if self._pulse is not None:
            self._pulse.cancel()
            self._pulse = None
        self._tell("STOPPING=1")

    async def _beat(self) -> None:
        while True:
            self._tell("WATCHDOG=1")
            await asyncio.sleep(self._every_s)

    def _tell(self, *lines: str) -> None:
        """Never raises: nobody plays worse because nobody listens here."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as line:
                line.sendto("\n".join(one.replace("\n", " ") for one in lines).encode(), self._address)
        except OSError as error:
            log.warning("the supervisor can't be told: %s", error)


def _address(said: str) -> str:
    """The socket's address; "@" begins an abstract one.  "" for none, or one of another kind (vsock:…)."""
    return "\0" + said[1:] if said.startswith("@") else said if said.startswith("/") else ""


def _watchdog_s(environ: Mapping[str, str]) -> float:
    """How long we may be silent, in seconds; 0 where nobody minds, or another process is meant."""
    said, whose = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not (said.isascii() and said.isdigit()) or (whose and whose != str(os.getpid())):
        return 0.0
    return int(said) / 1_000_000
