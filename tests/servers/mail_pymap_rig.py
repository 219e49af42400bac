"""The mail channel without root, fetched by IMAP: aiosmtpd is everybody's SMTP server and puts what is for
the referee into pymap, as an MTA's delivery agent would.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import aiosmtplib
from aiosmtpd.smtp import SMTP, Envelope, Session

from adapters import mail as channel
from referee.ports import Adapter
from tests.servers.chaos import Chaos
from tests.servers.mail_pip_rig import REFEREE, OneMailbox, PipRig
from tests.servers.mail_rig import wall_ms
from tests.servers.pymap import Pymap
from tests.servers.submission_peer import Peer


class Deliverer(OneMailbox):
    """Knows one person, whose mails it keeps, and the referee with all plus-addresses, whose mails it
    delivers.
    """

    box: Pymap

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if _is_referee(address):
            return await Peer.handle_RCPT(self, server, session, envelope, address, options)
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        ours = [one for one in envelope.rcpt_tos if _is_referee(one)]
        for one in ours:
            assert isinstance(envelope.content, bytes)
            trace = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {one}\r\n".encode()
            await asyncio.to_thread(self.box.append, trace + envelope.content)
        return "250 OK" if ours else await super().handle_DATA(server, session, envelope)


@dataclass(kw_only=True)
class PymapRig(PipRig):
    """See `tests.adapters.conformance.Rig`.

    Lines to both servers can fail; the person's own line can not.
    """

    imap: Chaos
    box: Pymap

    def adapter(self) -> Adapter:
        user, password = self.box.account.address, self.box.account.password
        made = channel.build(
            channel.Settings.model_validate(
                {
                    "address": REFEREE,
                    "user": user,
                    "password": password,
                    "timeout_seconds": 2.0,
                    "backoff_seconds": 0.05,
                    "idle_seconds": 5.0,
                    "smtp_host": "127.0.0.1",
                    "smtp_port": self.smtp.port,
                    "smtp_security": "none",
                    "smtp_login": False,
                    "imap_host": "127.0.0.1",
                    "imap_port": self.imap.port,
                    "imap_security": "none",
                }
            ),
            wall_ms,
        )
        self.made.append(made)
        return made

    async def outage(self, on: bool) -> None:
        self.imap.refuse(on)
        self.smtp.refuse(on)

    async def close(self) -> None:
        await super().close()
        await self.imap.stop()
        await asyncio.to_thread(self.box.stop)

    async def _deliver(self, to: str, text: str, number: int) -> None:
        raw = (
            f"From: Ann <{self.person}>\r\nTo: {to}\r\nSubject: hello\r\nMessage-ID: "
            f"<n{number}@players.test>\r\n\r\n{text}\r\n"
        ).encode()
        await aiosmtplib.send(
            raw,
            sender=self.person,
            recipients=[to],
            hostname="127.0.0.1",
            port=self.peer.port,
            start_tls=False,
        )


async def pymap_rigged(folder: Path) -> PymapRig:
    """A fresh rig.  Close it."""
    box = await asyncio.to_thread(Pymap(folder).start)
    peer = Deliverer()
    peer.box = box
    await peer.start()
    return PymapRig(folder, peer, await Chaos(peer.port).start(), imap=await Chaos(box.port).start(), box=box)


def _is_referee(address: str) -> bool:
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}" == REFEREE
