"""Long runs are left out unless they are asked for (`-m soak`)."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "soak" not in config.option.markexpr:
        skip = pytest.mark.skip(reason="a long run: make soak")
        for item in items:
            if item.get_closest_marker("soak"):
                item.add_marker(skip)
