"""Handing letters to the server that sends them."""

from __future__ import annotations

import asyncio
import logging
import ssl

from referee.ports import Fate, Finding, Letter, Receipt

from . import smtp_replies
from .composing import OutgoingMail, compose, recipient_of
from .settings import Settings
from .smtp_connections import SmtpConnection, SmtpConnections
from .smtp_replies import SmtpStep

log = logging.getLogger(__name__)
_AT_ONCE = 4  # connections; providers frown at many
#: how many times longer than any other answer the last one may take: a server looks at the mail before it
#: gives it, for minutes (RFC 5321 4.5.3.2.6). Given up too soon it takes the mail all the same, each time
_LAST = 10


class Submission:
    """One submission server.  `refused` says that an admin must mend login, sender or TLS."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._lines = SmtpConnections(settings)
        self.refused = False

    def open(self) -> None:
        """From now on lines are kept for the next letter, until `close`."""
        self._lines.open()

    async def close(self) -> None:
        """Hang up."""
        await self._lines.close()

    async def send(self, letter: Letter, now_ms: int) -> Receipt:
        """Never raises for what a server may do."""
        recipient = recipient_of(letter)
        if recipient is None:
            return Receipt(Fate.FAILED, reason="no-such-address", detail="not an address that mail can reach")
        parcel = compose(letter, recipient, self._settings, now_ms)
        async with self._room:
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
        code = "mail-smtp-refused" if receipt.retry_ms == smtp_replies.ADMIN_MS else "mail-smtp-away"
        return Finding("bad", code, {**where, "detail": receipt.detail})

    async def _hand_over(self, parcel: OutgoingMail | None) -> Receipt:
        kept = self._lines.kept() if parcel is not None else None
        if kept is not None:
            step, receipt, about_line = await self._try(kept, parcel)
            if not about_line:
                self._judge(step, receipt)
                return receipt
        step, receipt, _ = await self._try(None, parcel)
        self._judge(step, receipt)
        return receipt

    async def _try(
        self, line: SmtpConnection | None, parcel: OutgoingMail | None
    ) -> tuple[SmtpStep, Receipt, bool]:
        """One attempt: how far it came, what became of the letter, and whether a line that was kept is to
        blame. It is when it has no good answer to the first command, unless by silence: nothing was begun, a
        fresh line decides.
        """
        import aiosmtplib

        kept, step = line is not None, SmtpStep.SENDER if line is not None else SmtpStep.CONNECT
        silent = False
        try:
            if line is None:
                line = await self._lines.fresh()
                if self._settings.smtp_login:
                    step = SmtpStep.LOGIN
                    await line.smtp.login(*self._settings.submission_login())
            if parcel is not None:
                step = SmtpStep.SENDER
                size = [f"size={len(parcel.data)}"] if line.smtp.supports_extension("size") else []
                await line.smtp.mail(parcel.sender, options=size)
                step = SmtpStep.RECIPIENT
                await line.smtp.rcpt(parcel.recipient)
                step = SmtpStep.DATA
                await line.smtp.data(parcel.data, timeout=_LAST * self._settings.timeout_seconds)
                line.carried += 1
            done, line = line, None
        except aiosmtplib.SMTPResponseException as refused:
            receipt = smtp_replies.refusal(step, refused.code, refused.message)
        except (aiosmtplib.SMTPException, OSError) as broken:
            silent = isinstance(broken, TimeoutError)
            distrust = _distrust(broken)
            if distrust is not None:
                receipt = smtp_replies.misfit(step, f"certificate: {distrust.verify_message}")
            elif isinstance(broken, OSError):
                receipt = smtp_replies.silence(step, type(broken).__name__)
            else:  # no STARTTLS there, no login there: the library says so in words only
                receipt = smtp_replies.misfit(step, str(broken))
        else:
            await self._lines.give_back(done)
            receipt = Receipt(Fate.SENT, wire_id=parcel.message_id if parcel else "")
        finally:
            if line is not None:
                self._lines.drop(line)
        return step, receipt, kept and step is SmtpStep.SENDER and not silent

    def _judge(self, step: SmtpStep, receipt: Receipt) -> None:
        before, self.refused = self.refused, receipt.retry_ms == smtp_replies.ADMIN_MS
        if self.refused and not before:
            log.error("the submission server refuses us at %s: %s", step.value, receipt.detail)


def _distrust(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """The certificate's fault inside what the library made of it."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return error
        error = error.__cause__ or error.__context__
    return None
