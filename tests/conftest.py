"""What holds for every test: long runs only when asked for, and one of each real server.

`pytest -n 2 --dist loadgroup` then starts one Synapse and one mail server, not two of each:
tests that need the same one run in the same worker."""
from __future__ import annotations

import pytest

#: module of the server -> the group of the tests that use it
SERVERS = {"tests.servers.synapse": "synapse", "tests.servers.mail": "mail"}


@pytest.hookimpl(tryfirst=True)                       # xdist reads the marks in the same hook
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("soak") and "soak" not in config.option.markexpr:
            item.add_marker(pytest.mark.skip(reason="a long run: make soak"))
        known = vars(getattr(item, "module", item)).values()
        used = {group for one in known for name, group in SERVERS.items() if name in (getattr(one, "__module__", ""), getattr(one, "__name__", ""))}
        if used:
            item.add_marker(pytest.mark.xdist_group(max(used)))
