"""Handing letters to the server that sends them."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from referee.ports import Fate, Finding, Letter, Receipt

from . import verdicts
from .composing import Parcel, compose, recipient_of
from .settings import Settings
from .verdicts import Step

if TYPE_CHECKING:
    import aiosmtplib

log = logging.getLogger(__name__)
_LINES = 4   # connections at once; providers frown at many


class Submission:
    """One submission server.  `refused` says that an admin must mend login, sender or TLS."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lines = asyncio.Semaphore(_LINES)
        self._trust: ssl.SSLContext | None = None
        self.refused = False

    async def send(self, letter: Letter, now_ms: int) -> Receipt:
        """Never raises for what a server may do."""
        recipient = recipient_of(letter)
        if recipient is None:
            return Receipt(Fate.FAILED, reason="no-such-address", detail="not an address that mail can reach")
        parcel = compose(letter, recipient, self._settings, now_ms)
        async with self._lines:
            receipt = await self._hand_over(parcel)
        if receipt.fate is not Fate.SENT:
            log.info("letter %s: %s %s %s", letter.id, receipt.fate.value, receipt.reason, receipt.detail)
        return receipt

    async def check(self) -> Finding:
        """Connect, secure, log in, and go."""
        where = {"host": self._settings.smtp_host, "port": self._settings.smtp_port}
        receipt = await self._hand_over(None)
        if receipt.fate is Fate.SENT:
            return Finding("ok", "mail-smtp", where)
        code = "mail-smtp-refused" if receipt.retry_ms == verdicts.ADMIN_MS else "mail-smtp-away"
        return Finding("bad", code, {**where, "detail": receipt.detail})

    async def _hand_over(self, parcel: Parcel | None) -> Receipt:
        import aiosmtplib

        step = Step.CONNECT
        try:
            async with self._line() as smtp:
                if self._settings.smtp_login:
                    step = Step.LOGIN
                    await smtp.login(*self._settings.submission_login())
                if parcel is not None:
                    step = Step.SENDER
                    size = [f"size={len(parcel.data)}"] if smtp.supports_extension("size") else []
                    await smtp.mail(parcel.sender, options=size)
                    step = Step.RECIPIENT
                    await smtp.rcpt(parcel.recipient)
                    step = Step.DATA
                    await smtp.data(parcel.data)
        except aiosmtplib.SMTPResponseException as refused:
            receipt = verdicts.refusal(step, refused.code, refused.message)
        except (aiosmtplib.SMTPException, OSError) as broken:
            distrust = _distrust(broken)
            if distrust is not None:
                receipt = verdicts.misfit(step, f"certificate: {distrust.verify_message}")
            elif isinstance(broken, OSError):
                receipt = verdicts.silence(step, type(broken).__name__)
            else:   # no STARTTLS there, no login there: the library says so in words only
                receipt = verdicts.misfit(step, str(broken))
        else:
            receipt = Receipt(Fate.SENT, wire_id=parcel.message_id if parcel else "")
        self._judge(step, receipt)
        return receipt

    def _judge(self, step: Step, receipt: Receipt) -> None:
        before, self.refused = self.refused, receipt.retry_ms == verdicts.ADMIN_MS
        if self.refused and not before:
            log.error("the submission server refuses us at %s: %s", step.value, receipt.detail)

    @contextlib.asynccontextmanager
    async def _line(self) -> AsyncIterator[aiosmtplib.SMTP]:
        import aiosmtplib

        settings = self._settings
        secure = settings.smtp_security
        if secure != "none" and self._trust is None:
            self._trust = ssl.create_default_context(cafile=settings.ca_file or None)
        smtp = aiosmtplib.SMTP(
            hostname=settings.smtp_host, port=settings.smtp_port, timeout=settings.timeout_seconds,
            use_tls=secure == "tls", start_tls=secure == "starttls", tls_context=self._trust,
            local_hostname=settings.address.rpartition("@")[2])
        try:
            await smtp.connect()
            yield smtp
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):
                await smtp.quit()   # the letter is gone already: a bad farewell changes nothing
        finally:
            # close() would wait for the server's TLS farewell, for 30 s if it is gone
            if isinstance(smtp.transport, asyncio.WriteTransport):
                smtp.transport.abort()
            smtp.close()


def _distrust(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """The certificate's fault inside what the library made of it."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return error
        error = error.__cause__ or error.__context__
    return None
