"""The mail channel: one mailbox in, one submission server out."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable

from referee.ports import Finding, Inbound, Letter, Limits, Receipt, Reception

from .addresses import Addresses
from .gateway import Gateway, installed
from .imap_connection import ImapConnection, LoginRefused
from .mailbox import Mailbox
from .rate_limits import MailLimits
from .reader_process import MailReaderProcess
from .reading import Delivery, Reader
from .settings import Settings
from .submission import Submission

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class MailAdapter:
    """See `referee.ports.Adapter`."""

    name = "mail"
    markup = "mail"
    can_edit = False
    idempotent = True
    rewrites = False

    def __init__(self, settings: Settings, clock_ms: Callable[[], int]) -> None:
        self._settings = settings
        self._clock_ms = clock_ms
        self.limits: Limits = MailLimits(settings.per_minute, settings.gap_seconds)
        self._submission = Submission(settings)
        self._apart = MailReaderProcess(
            Reader(Addresses(settings.address), settings.trusted_authserv_id, self.name)
        )
        self._way_in: Mailbox | Gateway | None = None

    def contact(self) -> tuple[str, str]:
        """See `referee.ports.Reachable`."""
        return self._settings.address, f"mailto:{self._settings.address}?body=web"

    async def start(self, reception: Reception) -> None:
        """Begin to receive.

        A server that is away is waited for. Raises OSError if the extra for LMTP is missing.
        """
        with contextlib.suppress(OSError):  # anyone who reads the first mail will say so
            self._apart.warm()
        if self._settings.receive == "lmtp":
            gateway = self._way_in = Gateway(self._settings, self._apart, self._clock_ms)
            await gateway.start(reception)
        else:
            self._way_in = Mailbox(self._settings, self._apart, self._clock_ms)
            self._way_in.start(reception)
        self._submission.open()

    async def send(self, letter: Letter) -> Receipt:
        """SENT means that the submission server took it; `wire_id` is its Message-ID."""
        return await self._submission.send(letter, self._clock_ms())

    async def again(self, raw: bytes | None, ref: str) -> Inbound | None:
        """A mail that was parked, read with more patience; fetched anew where only its head was kept (`raw`
        None). None where it is not to be had any more. For an admin who stands by: raises OSError when the
        server is away.
        """
        patient = MailReaderProcess(self._apart.reader, cpu_s=60.0)
        try:
            mail = (
                Delivery(raw, self._clock_ms(), len(raw), ref=ref)
                if raw is not None
                else await asyncio.to_thread(self._fetched, ref)
            )
            return None if mail is None else await patient.read(mail)
        finally:
            patient.close()

    def _fetched(self, ref: str) -> Delivery | None:
        validity, colon, uid = ref.removeprefix("uid ").partition(":")
        if self._settings.receive != "imap" or not colon or not uid.isdecimal():
            return None
        try:
            with ImapConnection(self._settings) as line:
                found = (
                    line.fetch([int(uid)], self._settings.max_bytes)
                    if str(line.uidvalidity) == validity
                    else []
                )
        except ImapConnection.TROUBLE as trouble:
            raise OSError(f"{self._settings.imap_host}: {trouble}") from trouble
        except LoginRefused as refused:
            raise OSError(f"{self._settings.imap_host}: {refused}") from refused
        return found[0] if found else None

    async def stop(self) -> None:
        await self._submission.close()
        if self._way_in is not None:
            await self._way_in.stop()
            self._way_in = None
        self._apart.close()

    async def check(self) -> list[Finding]:
        """Logs in at both servers.

        Codes: mail-smtp, mail-smtp-refused, mail-smtp-away, mail-imap, mail-imap-refused, mail-imap-away,
        mail-lmtp, mail-lmtp-nowhere, mail-lmtp-missing, mail-plain-text.
        """
        way_in = (
            self._check_lmtp() if self._settings.receive == "lmtp" else asyncio.to_thread(self._check_imap)
        )
        findings = list(await asyncio.gather(self._submission.check(), way_in))
        open_lines = [(self._settings.smtp_security, self._settings.smtp_host)]
        if self._settings.receive == "imap":
            open_lines.append((self._settings.imap_security, self._settings.imap_host))
        findings += [
            Finding("warn", "mail-plain-text", {"host": host})
            for security, host in open_lines
            if security == "none" and host not in _LOOPBACK
        ]
        return findings

    def healthy(self) -> bool:
        """Whether mail comes in and the submission server takes ours."""
        return self._way_in is not None and self._way_in.answering and not self._submission.refused

    def _check_imap(self) -> Finding:
        where = {"host": self._settings.imap_host, "port": self._settings.imap_port}
        try:
            with ImapConnection(self._settings):
                return Finding("ok", "mail-imap", where)
        except LoginRefused:
            return Finding("bad", "mail-imap-refused", where)
        except ImapConnection.TROUBLE as broken:
            return Finding("bad", "mail-imap-away", {**where, "detail": type(broken).__name__})

    async def _check_lmtp(self) -> Finding:
        if not installed():
            return Finding("bad", "mail-lmtp-missing")
        path = self._settings.lmtp_socket
        if path:
            usable = os.access(os.path.dirname(path) or ".", os.W_OK)
            return Finding(
                "ok" if usable else "bad", "mail-lmtp" if usable else "mail-lmtp-nowhere", {"where": path}
            )
        where = {"where": f"127.0.0.1:{self._settings.lmtp_port}"}
        if self._way_in is not None and self._way_in.answering:
            return Finding("ok", "mail-lmtp", where)
        with contextlib.suppress(OSError):
            server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", self._settings.lmtp_port)
            server.close()
            return Finding("ok", "mail-lmtp", where)
        return Finding("bad", "mail-lmtp-nowhere", where)
