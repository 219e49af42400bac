"""Several processes at one book that notice each other quickly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.service.outbound import channel_leases, outbox_worker
from tests import books

if TYPE_CHECKING:
    from tests.service.outbound.processes import Process


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "LOOK_S": 0.1,
        "SPREAD_S": 0.15,
        "_GUARD_S": 0.02,
        "LEASE_MS": 4000,
        "MARGIN_MS": 300,
        "_REST_S": 60.0,
    }.items():
        monkeypatch.setattr(channel_leases, name, value)
    monkeypatch.setattr(outbox_worker, "_IDLE_MS", 200)  # these hear of each other by looking only


@pytest.fixture
def url(tmp_path: Path, quick: None) -> str:
    return books.address(tmp_path / "book", postgres=True)


@pytest.fixture
async def two(url: str) -> AsyncIterator[tuple[Process, Process]]:
    from tests.service.outbound.processes import two_processes  # skips its files where there is no psycopg

    async with two_processes(url) as both:
        yield both
