"""The shared suite, on real Postfix and Dovecot: fetched by IMAP, and handed over by LMTP.

Without root the last two classes remain, whose servers come from the locked requirements: aiosmtpd with LMTP,
and with pymap for IMAP.
"""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.conformance import Conformance
from tests.adapters.conformance import Rig as AnyRig
from tests.servers import mail
from tests.servers.mail_pip_rig import REFEREE, PipRig, pip_rigged
from tests.servers.mail_pymap_rig import PymapRig, pymap_rigged
from tests.servers.mail_rig import MailRig, gateway_rigged, rigged

HEAD = b"From: eve@players.example\r\nTo: %s\r\nMessage-ID: <poison%d@x>\r\n"
#: each stopped the channel for everybody, or could have
POISON = (
    b"Content-Type: text/plain; charset=utf-7\r\n\r\n+2AA-\r\n",
    b"Content-Type: text/html; charset=unicode_escape\r\n\r\n\\ud800\r\n",
    b"\r\n<" + b"a@" * 67_000 + b"\r\n",
    b'Content-Type: text/plain; a="' + b";" * 100_000 + b"\r\n\r\ngold\r\n",
    b"Subject: =?utf-7?b?KzJBQS0=?=\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    + b"--b\r\n\r\nx\r\n" * 5_000,
    b"Content-Type: text/html\r\n\r\n" + b"<a b='" * 50_000 + b"\r\n",
    b"\r\n" + b"\xed\xa0\x80\x01" * 1000 + b"\r\n",
    b"Cc: " + b"(" * 50_000 + b"\r\n\r\ngold\r\n",
)


def poison(to: str) -> list[bytes]:
    # no line beyond what servers take: a header is folded, and a long line of a body is broken
    mails = [HEAD % (to.encode(), n) + one for n, one in enumerate(POISON)]
    return [
        b"\r\n".join(
            b"\r\n ".join(line[at : at + 900] for at in range(0, max(len(line), 1), 900))
            for line in one.split(b"\r\n")
        )
        for one in mails
    ]


class Poisoned(Conformance):
    """What mails can do to a channel that reads them."""

    async def harm(self, rig: AnyRig) -> None:
        assert isinstance(rig, MailRig | PipRig)
        for number, one in enumerate(poison(rig.address if isinstance(rig, MailRig) else REFEREE)):
            if not isinstance(rig, PymapRig) or number < 2:  # pymap itself hangs over most of the others
                await asyncio.to_thread(self.hand, rig, one)

    def hand(self, rig: AnyRig, raw: bytes) -> None:
        if isinstance(rig, PymapRig):
            rig.box.append(raw)
        elif isinstance(rig, PipRig):
            with smtplib.LMTP(str(rig.folder / "in.sock"), local_hostname="mta.test") as line:
                line.sendmail("eve@players.example", [REFEREE], raw)
        else:
            assert isinstance(rig, MailRig)
            with smtplib.SMTP("127.0.0.1", rig.server.ports.inject, local_hostname="mta.test") as door:
                door.sendmail("eve@players.example", [rig.address], raw)


class TestMailbox(Poisoned):
    @pytest.fixture
    async def rig(self, request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
        rig = await rigged(mail.shared(request.config))
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return f"nobody-at-all@{mail.DOMAIN}"


class TestGateway(Poisoned):
    @pytest.fixture
    async def rig(self, request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
        rig = await gateway_rigged(mail.shared(request.config))
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return f"nobody-at-all@{mail.DOMAIN}"


class TestWithoutRoot(Poisoned):
    @pytest.fixture
    async def rig(self, tmp_path: Path) -> AsyncIterator[PipRig]:
        rig = await pip_rigged(tmp_path)
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return "nobody@players.test"


class TestMailboxWithoutRoot(Poisoned):
    @pytest.fixture
    async def rig(self, tmp_path: Path) -> AsyncIterator[PymapRig]:
        rig = await pymap_rigged(tmp_path)
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return "nobody@players.test"
