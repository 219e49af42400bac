"""The mail channel without root: aiosmtpd stands for the submission server and the person's mailbox, and a
small MTA hands the person's mails over by LMTP. (`mail_pymap_rig` is the same with IMAP.)
"""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from adapters import mail as channel
from referee.ports import Adapter
from tests.adapters.conformance import Desk
from tests.servers.chaos import Chaos
from tests.servers.correspondent import Read
from tests.servers.lmtp_mta import Mta
from tests.servers.mail_rig import wall_ms
from tests.servers.submission_peer import Peer

REFEREE = "referee@game.test"


class OneMailbox(Peer):
    """Knows one person."""

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        return (
            await super().handle_RCPT(server, session, envelope, address, options)
            if address == PipRig.person
            else "550 5.1.1 no such user"
        )


@dataclass
class PipRig:
    """See `tests.adapters.conformance.Rig`."""

    folder: Path
    peer: OneMailbox
    smtp: Chaos
    desk: Desk = field(default_factory=Desk)
    room: str = ""
    made: list[Adapter] = field(default_factory=list)
    person = "ann@players.test"
    _queue: set[asyncio.Task[None]] = field(default_factory=set)
    _numbers: Any = field(default_factory=itertools.count)

    def adapter(self) -> Adapter:
        made = channel.build(
            channel.Settings.model_validate(
                {
                    "address": REFEREE,
                    "smtp_host": "127.0.0.1",
                    "smtp_port": self.smtp.port,
                    "smtp_security": "none",
                    "smtp_login": False,
                    "timeout_seconds": 2.0,
                    "receive": "lmtp",
                    "lmtp_socket": str(self.folder / "in.sock"),
                    "backoff_seconds": 0.05,
                }
            ),
            wall_ms,
        )
        self.made.append(made)
        return made

    async def say(self, text: str, *, room: bool = False) -> None:
        self.write(REFEREE, text)

    def write(self, to: str, text: str) -> None:
        """Queue a mail; like any MTA it is tried again until it is taken."""
        task = asyncio.create_task(self._deliver(to, text, next(self._numbers)))
        self._queue.add(task)

    async def press(self, order: str) -> bool:
        link = next(link for link in Read(self._inbox()[-1]).links if link.body == order)
        self.write(link.to, link.body)
        return True

    async def read(self, *, room: bool = False) -> list[str]:
        return [Read(mail).text for mail in self._inbox()]

    async def outage(self, on: bool) -> None:
        self.smtp.refuse(on)

    async def close(self) -> None:
        for task in self._queue:
            task.cancel()
        await asyncio.gather(*self._queue, return_exceptions=True)
        for one in self.made:
            await one.stop()
        await self.smtp.stop()
        await self.peer.stop()

    def _inbox(self) -> list[EmailMessage]:
        """A second copy of a Message-ID is not shown, as big mail services do it."""
        return list({str(taken.mail["Message-ID"]): taken.mail for taken in self.peer.taken}.values())

    async def _deliver(self, to: str, text: str, number: int) -> None:
        while True:
            try:
                if await Mta(str(self.folder / "in.sock")).hand(text, to, n=number, sender=self.person) == [
                    250
                ]:
                    return
            except OSError:
                pass
            await asyncio.sleep(0.05)


async def pip_rigged(folder: Path) -> PipRig:
    """A fresh rig.  Close it."""
    peer = OneMailbox()
    await peer.start()
    return PipRig(folder, peer, await Chaos(peer.port).start())
