"""Only tries count here: on a slow machine the time would end a search, and the same dice would not give the
same answer. Games are short, as in tests of the service.
"""

from __future__ import annotations

import pytest

from referee.search import search
from tests.short import shorten


@pytest.fixture(autouse=True)
def only_tries_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SHORTEST", 3_600.0)


@pytest.fixture(autouse=True)
def short_games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("whole_games"):
        shorten(monkeypatch.setattr)
