"""Matrix does what every adapter must do."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.adapters.conformance import Conformance
from tests.adapters.conformance import Rig as AnyRig
from tests.adapters.matrix_rig import MatrixRig, matrix_rig
from tests.servers.synapse import Synapse, synapse
from tests.servers.synapse_person import Refused

__all__ = ["synapse"]


class TestMatrix(Conformance):
    @pytest.fixture
    async def rig(self, synapse: Synapse) -> AsyncIterator[MatrixRig]:
        async with matrix_rig(synapse) as one:
            yield one

    async def harm(self, rig: AnyRig) -> None:
        """What a real homeserver lets through; what it would not is in
        tests/attacks/test_poison_matrix.py.
        """
        assert isinstance(rig, MatrixRig)
        deep: Any = 1
        for _ in range(200):
            deep = [deep]
        for content in (
            {"msgtype": "m.text", "body": "\x00\x01\u202e"},
            {"msgtype": "m.text", "body": "deep", "x": deep},
            {"msgtype": 17, "body": []},
            {},
            {"body": {"body": {}}},
            {"msgtype": "m.text", "body": "x", "m.relates_to": "x", "m.mentions": {"user_ids": 17}},
            {"msgtype": "m.text", "body": "z" * 50_000},
        ):
            with contextlib.suppress(Refused):  # by this server, as it is today
                await rig.ann.send(rig.conversation, content)
        await rig.ann.send(rig.conversation, {"algorithm": 17}, "org.example.odd")

    def nobody(self, rig: AnyRig) -> str:
        return "@nobody-at-all:hs.test"
