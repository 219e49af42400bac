"""Connections to the submission server: opened, lent to one letter at a time, kept for a few seconds in case
another letter follows, and closed politely.

A prompt, news and a reminder often leave together, and greeting, TLS and login cost more than the letter.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    import aiosmtplib

_KEEP_SECONDS = 5.0  # servers hang up on idle clients after minutes, routers forget lines sooner
_LETTERS = 20  # on one line; then a fresh one, as some servers count
_FAREWELL_SECONDS = 1.0


@dataclass(eq=False)
class SmtpConnection:
    """A line that is connected, and logged in if it carried a letter before."""

    smtp: aiosmtplib.SMTP
    carried: int = 0
    expiry: asyncio.TimerHandle | None = None


class SmtpConnections:
    """All lines of one submission server.  Nothing is kept before `open` and after `close`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._trust: ssl.SSLContext | None = None
        self._kept: list[SmtpConnection] = []
        self._farewells: set[asyncio.Task[None]] = set()
        self._keeping = False

    def open(self) -> None:
        """From now on lines are kept; anyone who calls this must call `close`."""
        self._keeping = True

    async def close(self) -> None:
        """Hang up on every kept line."""
        self._keeping = False
        while line := self.kept():
            self._part(line)
        await asyncio.gather(*self._farewells)

    def kept(self) -> SmtpConnection | None:
        """A line that carried a letter a moment ago, the latest first; the server may have hung up since."""
        if not self._kept:
            return None
        line = self._kept.pop()
        if line.expiry is not None:
            line.expiry.cancel()
        return line

    async def fresh(self) -> SmtpConnection:
        """Connect, and secure the line.  Raises what aiosmtplib does."""
        import aiosmtplib

        settings = self._settings
        secure = settings.smtp_security
        if secure != "none" and self._trust is None:
            self._trust = ssl.create_default_context(cafile=settings.ca_file or None)
        line = SmtpConnection(
            aiosmtplib.SMTP(
                hostname=settings.smtp_host,
                port=settings.smtp_port,
                timeout=settings.timeout_seconds,
                use_tls=secure == "tls",
                start_tls=secure == "starttls",
                tls_context=self._trust,
                local_hostname=settings.address.rpartition("@")[2],
            )
        )
        try:
            await line.smtp.connect()
        except BaseException:
            self.drop(line)
            raise
        return line

    async def give_back(self, line: SmtpConnection) -> None:
        """Its letter was taken, or there was none: keep it for the next one, or say goodbye."""
        if not self._keeping or line.carried >= _LETTERS or not line.carried:
            await self._farewell(line)
            return
        line.expiry = asyncio.get_running_loop().call_later(_KEEP_SECONDS, self._expire, line)
        self._kept.append(line)

    def drop(self, line: SmtpConnection) -> None:
        """Something went wrong on it: it carries nothing more."""
        # close() would wait for the server's TLS farewell, for 30 s if it is gone
        if isinstance(line.smtp.transport, asyncio.WriteTransport):
            line.smtp.transport.abort()
        line.smtp.close()

    def _expire(self, line: SmtpConnection) -> None:
        self._kept.remove(line)
        self._part(line)

    def _part(self, line: SmtpConnection) -> None:
        task = asyncio.create_task(self._farewell(line))
        self._farewells.add(task)
        task.add_done_callback(self._farewells.discard)

    async def _farewell(self, line: SmtpConnection) -> None:
        import aiosmtplib

        try:
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):
                await line.smtp.quit(
                    timeout=_FAREWELL_SECONDS
                )  # the letter is gone already: a bad farewell changes nothing
        finally:
            self.drop(line)
