"""The mail channel set up for a test: a referee's account and a person's on the real server, with lines that
can fail.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from adapters import mail as channel
from referee.ports import Adapter
from tests.adapters.conformance import Desk
from tests.servers.chaos import Chaos
from tests.servers.correspondent import Correspondent, Read
from tests.servers.mail import HANDED, Account, Mail


def wall_ms() -> int:
    """The servers live in real time, so the adapter's clock does too."""
    return time.time_ns() // 1_000_000


@dataclass
class MailRig:
    """See `tests.adapters.conformance.Rig`.

    `imap` and `smtp` are the lines between the adapter and the server.
    """

    server: Mail
    account: Account
    friend: Correspondent
    imap: Chaos
    smtp: Chaos
    desk: Desk = field(default_factory=Desk)
    room: str = ""
    more: dict[str, Any] = field(default_factory=dict)
    made: list[Adapter] = field(default_factory=list)

    @property
    def person(self) -> str:
        return self.friend.address

    @property
    def address(self) -> str:
        """The referee's."""
        return self.account.address

    def settings(self, **changes: Any) -> channel.Settings:
        """As an admin would write them, with short times."""
        given: dict[str, Any] = {
            "address": self.account.address,
            "password": self.account.password,
            "ca_file": str(self.server.certificate),
            "timeout_seconds": 2.0,
            "smtp_host": "127.0.0.1",
            "smtp_port": self.smtp.port,
            "imap_host": "127.0.0.1",
            "imap_port": self.imap.port,
            "imap_security": "none",
            "backoff_seconds": 0.05,
            "idle_seconds": 5.0,
            **self.more,
            **changes,
        }
        return channel.Settings.model_validate(given)

    def adapter(self) -> Adapter:
        made = channel.build(self.settings(), wall_ms)
        self.made.append(made)
        return made

    async def say(self, text: str, *, room: bool = False) -> None:
        await asyncio.to_thread(self.friend.write, self.address, text, subject="hello")

    async def press(self, order: str) -> bool:
        newest = (await self.mails())[-1]
        link = next(link for link in newest.links if link.body == order)
        await asyncio.to_thread(self.friend.follow, link)
        return True

    async def read(self, *, room: bool = False) -> list[str]:
        return [one.text for one in await self.mails()]

    async def mails(self) -> list[Read]:
        """The person's inbox."""
        return await asyncio.to_thread(self.friend.inbox)

    async def outage(self, on: bool) -> None:
        self.imap.refuse(on)
        self.smtp.refuse(on)

    async def close(self) -> None:
        """Stops whatever a failed test left running."""
        for one in self.made:
            await one.stop()
        await self.imap.stop()
        await self.smtp.stop()


@dataclass
class GatewayRig(MailRig):
    """The other way in: Postfix hands mails for a domain over to the adapter by LMTP."""

    def settings(self, **changes: Any) -> channel.Settings:
        given: dict[str, Any] = {
            "address": f"referee@{HANDED}",
            "receive": "lmtp",
            "lmtp_socket": f"{self.server.home}/handed.sock",
            "timeout_seconds": 2.0,
            "smtp_host": "127.0.0.1",
            "smtp_port": self.smtp.port,
            "smtp_security": "none",
            "smtp_login": False,
            **self.more,
            **changes,
        }
        return channel.Settings.model_validate(given)

    @property
    def address(self) -> str:
        return f"referee@{HANDED}"


async def gateway_rigged(server: Mail, **more: Any) -> GatewayRig:
    """A fresh rig behind Postfix.  Close it."""
    smtp = await Chaos(server.ports.inject).start()
    return GatewayRig(
        server, server.referee(), Correspondent(server, name="Ann"), await Chaos(9).start(), smtp, more=more
    )


async def rigged(server: Mail, **more: Any) -> MailRig:
    """A fresh rig; `more` are settings for its adapters.  Close it."""
    imap = await Chaos(server.ports.imap).start()
    smtp = await Chaos(server.ports.submission).start()
    return MailRig(server, server.referee(), Correspondent(server, name="Ann"), imap, smtp, more=more)
