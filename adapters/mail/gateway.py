"""The other way in: an MTA on this machine hands mails over by LMTP, and hears 250 only when they are on
disk.

aiosmtpd speaks it in our own event loop. It is made to stand behind Postfix, never on the open network: it
listens on a unix socket or on 127.0.0.1.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib.util
import logging
import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from referee import connections
from referee.ports import Reception, bring

from .addresses import Addresses
from .reader_process import MailReaderProcess
from .reading import Delivery
from .settings import Settings

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session

log = logging.getLogger(__name__)
#: beyond this the MTA is told no (552) instead of the player; bytes
_HARD_LIMIT = 20_000_000
#: lines of the MTA at once
_AT_ONCE = 24
#: a letter that is being taken over when we stop may be finished for so long, seconds
_FINISH_S = 1.5
_OK, _FULL, _NOBODY = "250 2.0.0 Ok", "451 4.3.0 Try again later", "550 5.1.1 No such mailbox"


def installed() -> bool:
    """Whether the extra `lmtp` is there."""
    return importlib.util.find_spec("aiosmtpd") is not None


class Gateway:
    """An LMTP server; `answering` while it listens."""

    def __init__(self, settings: Settings, apart: MailReaderProcess, clock_ms: Callable[[], int]) -> None:
        self._settings = settings
        self._apart = apart
        self._clock_ms = clock_ms
        self._server: asyncio.Server | None = None
        self._mark: tuple[int, ...] = ()  # of the socket that is ours
        self._open: set[asyncio.BaseTransport] = set()
        self._taking: set[asyncio.Future[None]] = set()
        #: each may have a whole letter in memory; Postfix has twenty lines at most
        self.guests = connections.Connections(_AT_ONCE, _AT_ONCE)
        self._retry: asyncio.Task[None] | None = None

    @property
    def answering(self) -> bool:
        return self._server is not None

    async def start(self, reception: Reception) -> None:
        """Listen; if the address is taken, keep trying in the background.

        Raises OSError without the extra.
        """
        if not installed():
            raise OSError("[mail] receive = lmtp needs the extra lmtp: pip install 'citadels-referee[lmtp]'")
        handler = _Handler(self._settings, self._apart, self._clock_ms, reception)
        try:
            await self._listen(handler)
        except OSError as taken:
            log.error("can't listen for LMTP: %s", taken.strerror)
            self._retry = asyncio.create_task(self._listen_later(handler))

    async def stop(self) -> None:
        """Stop listening, answer what is being taken over, and hang up.

        An MTA that is hung up on in the middle of a letter leaves us alone for minutes.
        """
        if self._retry is not None:
            self._retry.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._retry
        if self._server is None:
            return
        self._server.close()
        if self._taking:
            await asyncio.wait(self._taking, timeout=_FINISH_S)
        for transport in list(self._open):
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()
        self._server = None
        if self._settings.lmtp_socket:
            connections.take_away(self._settings.lmtp_socket, self._mark)
        await asyncio.sleep(0)  # let the aborted lines end their tasks

    async def _listen_later(self, handler: _Handler) -> None:
        wait = self._settings.backoff_seconds
        while self._server is None:
            await asyncio.sleep(wait)
            wait = min(wait * 2, 60.0)
            with contextlib.suppress(OSError):
                await self._listen(handler)

    async def _listen(self, handler: _Handler) -> None:
        from aiosmtpd.lmtp import LMTP

        # aiosmtpd logs commands (tokens are in them) at INFO and letters at DEBUG
        logging.getLogger("mail.log").setLevel(logging.WARNING)
        loop = asyncio.get_running_loop()
        domain = self._settings.address.rpartition("@")[2]

        class Spoken(LMTP):
            # real mail programs send longer lines than RFC 5321 allows; what they wrote should still be read
            line_length_limit = 1_000_000

            def connection_made(spoken, transport: asyncio.BaseTransport) -> None:  # two selves here
                self._open.add(transport)
                super().connection_made(transport)

            @functools.wraps(LMTP.smtp_DATA)
            async def smtp_DATA(spoken, arg: str) -> None:
                answered = loop.create_future()
                self._taking.add(answered)
                try:
                    await super().smtp_DATA(arg)
                finally:
                    self._taking.discard(answered)
                    answered.cancel()

            def connection_lost(spoken, error: Exception | None) -> None:
                self._open.difference_update([spoken.transport])
                super().connection_lost(error)

        def speak() -> Any:
            return Spoken(handler, hostname=domain, loop=loop, data_size_limit=_HARD_LIMIT, ident="citadels")

        path = self._settings.lmtp_socket
        if path:
            with contextlib.suppress(OSError):  # left by a process that was killed
                if stat.S_ISSOCK(os.stat(path).st_mode):
                    os.unlink(path)
            self._server = await loop.create_unix_server(self.guests.guarded(speak), path)
            self._mark = connections.mark_of(path)
            os.chmod(path, 0o666)  # noqa: S103  # the MTA runs as another user; the directory says who may enter
        else:
            self._server = await loop.create_server(
                self.guests.guarded(speak), "127.0.0.1", self._settings.lmtp_port
            )


class _Handler:
    """What aiosmtpd asks at RCPT and after DATA."""

    def __init__(
        self, settings: Settings, apart: MailReaderProcess, clock_ms: Callable[[], int], reception: Reception
    ) -> None:
        self._max = settings.max_bytes
        self._addresses = Addresses(settings.address)
        self._apart = apart
        self._clock_ms = clock_ms
        self._reception = reception

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not self._addresses.is_ours(address):
            return _NOBODY
        envelope.rcpt_tos.append(address)
        return _OK

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        size = len(raw)
        if size > self._max:
            raw = raw.partition(b"\r\n\r\n")[0][: self._max]
        sender = f"Return-Path: <{(envelope.mail_from or '').strip('<>')}>\r\n".encode(
            errors="replace"
        )  # the empty one comes as "<>"
        delivery = Delivery(sender + raw, self._clock_ms(), size, size <= self._max, tuple(envelope.rcpt_tos))
        try:
            inbound = await self._apart.read(delivery)
            await bring(self._reception, [inbound], channel=inbound.channel)
        except Exception as broken:  # whatever keeps the desk from writing, the MTA must keep the mail
            log.error("a mail stays with the MTA, nothing can be written: %s", type(broken).__name__)
            return self._to_all(_FULL, envelope)
        return self._to_all(_OK, envelope)

    async def handle_exception(self, error: Exception) -> str:
        """Whatever else goes wrong is ours: aiosmtpd would say 500, and the MTA send the mail back."""
        log.error("a mail stays with the MTA: %s", type(error).__name__)
        return _FULL

    @staticmethod
    def _to_all(status: str, envelope: Envelope) -> str:
        """LMTP answers once for each recipient (RFC 2033 4.2)."""
        return "\r\n".join([status] * len(envelope.rcpt_tos))
