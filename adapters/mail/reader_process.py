"""Mails are read in a process that may die (see `referee.isolated`): the writer of one decides what its
reading takes.

A mail that takes more processor time or memory than any honest one is not read: it comes back as something to
be parked. The process is told our address and the mail, and nothing else that we know; what it answers is
checked like anything that comes from outside.
"""

from __future__ import annotations

import logging
from dataclasses import replace

import msgspec

from referee.ports import Inbound, unread

from .addresses import Addresses
from .reading import Delivery, Reader

log = logging.getLogger(__name__)
#: what reading one mail may take: seconds of processor time, seconds altogether (a machine may be busy),
#: bytes of memory
BUDGET_S, PATIENCE_S, MEMORY = 0.8, 30.0, 256 << 20
#: the answer is an `Inbound`: the words of a mail and little else
LARGEST = 4_000_000
#: any process that is in order reads this
_HARMLESS = Delivery(b"From: someone@example.org\n\nstatus\n", 0, 33)


class ReadRequest(msgspec.Struct):
    """What the process is asked: how to read (see `Reader`), and a `Delivery`."""

    mailbox: str
    authserv_id: str
    channel: str
    raw: bytes
    at_ms: int
    size: int
    whole: bool
    recipients: list[str]


class ReaderUnavailable(OSError):
    """No mail can be read at the moment; it is not the mail's fault."""


def serve(cpu_s: float = BUDGET_S) -> None:
    """Inside the process: read mails until nobody wants any more."""
    from referee.isolated import inside

    logging.disable()  # its own log has nowhere to go
    inside.serve(answered, cpu_s=cpu_s, memory=MEMORY)


def answered(question: bytes) -> bytes:
    """A mail as an `Inbound`, both as JSON."""
    asked = msgspec.json.decode(question, type=ReadRequest)
    reader = Reader(Addresses(asked.mailbox), asked.authserv_id, asked.channel)
    return msgspec.json.encode(
        reader.read(Delivery(asked.raw, asked.at_ms, asked.size, asked.whole, tuple(asked.recipients)))
    )


class MailReaderProcess:
    """Reads mails elsewhere, one at a time.  Used from one event loop; `close` it."""

    def __init__(self, reader: Reader, cpu_s: float = BUDGET_S) -> None:
        from referee.isolated.worker import Worker

        self.reader = reader
        self._worker = Worker(f"from {__name__} import serve; serve({cpu_s!r})", largest=LARGEST)

    def warm(self) -> None:
        """Begin the process before the first mail comes.  Raises OSError where no process can be begun."""
        self._worker.warm()

    def close(self) -> None:
        """End it."""
        self._worker.close()

    async def read(self, delivery: Delivery) -> Inbound:
        """The mail, or what is to be parked instead of it.

        Raises ReaderUnavailable when no mail could be read now.
        """
        from referee.isolated.worker import WorkerBusy, WorkerDied

        try:
            one = msgspec.json.decode(
                await self._worker.ask(self._question(delivery), PATIENCE_S), type=Inbound
            )
        except WorkerBusy as busy:
            raise ReaderUnavailable("too many mails wait to be read") from busy
        except WorkerDied as died:
            if died.why == "ended" or (died.why == "died" and not await self._sound()):
                raise ReaderUnavailable(str(died)) from died
            return self._unread(delivery, died.why)
        except TimeoutError as late:
            if not await self._sound():
                raise ReaderUnavailable("mails can't be read in time") from late
            return self._unread(delivery, "slow")
        except msgspec.MsgspecError:
            return self._unread(delivery, "answer")
        if one.facts.get("malformed") == "unreadable":
            return self._unread(delivery, str(one.facts.get("why", ""))[:40])
        return replace(one, channel=self.reader.channel, at_ms=delivery.at_ms)

    async def _sound(self) -> bool:
        """Whether another mail can be read: then it was this one."""
        try:
            return bool(await self._worker.ask(self._question(_HARMLESS), PATIENCE_S))
        except (OSError, RuntimeError) as trouble:  # WorkerDied is a RuntimeError
            log.error("no mail can be read: %s", trouble)
            return False

    def _question(self, delivery: Delivery) -> bytes:
        reader = self.reader
        return msgspec.json.encode(
            ReadRequest(
                reader.addresses.mailbox,
                reader.authserv_id,
                reader.channel,
                delivery.raw,
                delivery.at_ms,
                delivery.size,
                delivery.whole,
                [one.encode(errors="replace").decode() for one in delivery.recipients],
            )
        )

    def _unread(self, delivery: Delivery, why: str) -> Inbound:
        log.warning("a mail of %d bytes is not read: %s", delivery.size, why)
        return unread(
            self.reader.channel,
            delivery.raw,
            ref=delivery.ref,
            reason=f"mail {why}",
            at_ms=delivery.at_ms,
            size=delivery.size,
        )
