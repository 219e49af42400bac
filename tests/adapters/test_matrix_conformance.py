"""Matrix does what every adapter must do."""
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.conformance import Conformance
from tests.adapters.conformance import Rig as AnyRig
from tests.adapters.matrix_rig import MatrixRig, matrix_rig
from tests.servers.synapse import Synapse, synapse

__all__ = ["synapse"]


class TestMatrix(Conformance):
    @pytest.fixture
    async def rig(self, synapse: Synapse) -> AsyncIterator[MatrixRig]:
        async with matrix_rig(synapse) as one:
            yield one

    def nobody(self, rig: AnyRig) -> str:
        return "@nobody-at-all:hs.test"
