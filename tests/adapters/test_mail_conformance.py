"""The shared suite, on real Postfix and Dovecot: fetched by IMAP, and handed over by LMTP."""
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.conformance import Conformance
from tests.adapters.conformance import Rig as AnyRig
from tests.servers import mail
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
