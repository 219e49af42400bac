"""The shared suite, on real Postfix and Dovecot: fetched by IMAP, and handed over by LMTP.
Without root the last two classes remain, whose servers come from the locked requirements: aiosmtpd with LMTP, and with
pymap for IMAP."""
from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.conformance import Conformance
from tests.adapters.conformance import Rig as AnyRig
from tests.servers import mail
from tests.servers.mail_pip_rig import PipRig, pip_rigged
from tests.servers.mail_pymap_rig import PymapRig, pymap_rigged
from tests.servers.mail_rig import MailRig, gateway_rigged, rigged


class TestMailbox(Conformance):
    @pytest.fixture
    async def rig(self, request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
        rig = await rigged(mail.shared(request.config))
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return f"nobody-at-all@{mail.DOMAIN}"


class TestGateway(Conformance):
    @pytest.fixture
    async def rig(self, request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
        rig = await gateway_rigged(mail.shared(request.config))
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return f"nobody-at-all@{mail.DOMAIN}"


class TestWithoutRoot(Conformance):
    @pytest.fixture
    async def rig(self, tmp_path: Path) -> AsyncIterator[PipRig]:
        rig = await pip_rigged(tmp_path)
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return "nobody@players.test"


class TestMailboxWithoutRoot(Conformance):
    @pytest.fixture
    async def rig(self, tmp_path: Path) -> AsyncIterator[PymapRig]:
        rig = await pymap_rigged(tmp_path)
        yield rig
        await rig.close()

    def nobody(self, rig: AnyRig) -> str:
        return "nobody@players.test"
