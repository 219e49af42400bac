"""A mail server that refuses on command: aiosmtpd, pip only, so that it is there without root.

It stands in for a submission server (STARTTLS and login if asked) or for another domain's MX. Real Postfix
talks to it in the bounce and greylisting tests.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import logging
import ssl
import warnings
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@dataclass
class Taken:
    """One mail that was accepted."""

    sender: str
    recipients: list[str]
    raw: bytes

    @property
    def mail(self) -> EmailMessage:
        return email.message_from_bytes(self.raw, _class=EmailMessage, policy=email.policy.default)


@dataclass
class Peer:
    """`say` maps a step ("MAIL", "RCPT", "DATA") to the answers to give next; when they are used up it
    accepts. `port` 0 takes any; `ponder_s` is how long it looks at a mail before it answers.
    """

    password: str = ""
    trust: ssl.SSLContext | None = None
    say: dict[str, list[str]] = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)
    port: int = 0
    ponder_s: float = 0.0
    _server: asyncio.Server | None = None

    async def start(self) -> Peer:
        logging.getLogger("mail.log").setLevel(logging.ERROR)  # it warns of its own ways
        loop = asyncio.get_running_loop()

        def speak() -> SMTP:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", UserWarning
                )  # it warns of a login in clear; this one never leaves the machine
                return SMTP(
                    self,
                    hostname="peer.test",
                    loop=loop,
                    tls_context=self.trust,
                    require_starttls=self.trust is not None,
                    auth_required=bool(self.password),
                    auth_require_tls=self.trust is not None,
                    authenticator=self._knows,
                )

        self._server = await loop.create_server(speak, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        await asyncio.sleep(0.01)  # lines that were just closed end their tasks

    def _knows(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: Any
    ) -> AuthResult:
        good = isinstance(login, LoginPassword) and login.password == self.password.encode()
        # handled=False lets aiosmtpd answer 535 itself; True would leave the client waiting for ever
        return AuthResult(success=good, handled=False)

    def _answer(self, step: str) -> str | None:
        return self.say[step].pop(0) if self.say.get(step) else None

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        said = self._answer("MAIL")
        if said is None:
            envelope.mail_from = address
        return said or "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        said = self._answer("RCPT")
        if said is None:
            envelope.rcpt_tos.append(address)
        return said or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        await asyncio.sleep(self.ponder_s)
        said = self._answer("DATA")
        if said is None:
            assert isinstance(envelope.content, bytes)
            self.taken.append(Taken(envelope.mail_from or "", list(envelope.rcpt_tos), envelope.content))
        return said or "250 OK"
