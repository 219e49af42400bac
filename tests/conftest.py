"""What holds for every test: those that need the same real server run in the same worker.

`pytest -n 2 --dist loadgroup` then starts one Synapse and one mail server, not two of each."""
from __future__ import annotations

import pytest

#: module of the server -> the group of the tests that use it
SERVERS = {"tests.servers.synapse": "synapse", "tests.servers.mail": "mail"}


@pytest.hookimpl(tryfirst=True)                       # xdist reads the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        known = vars(getattr(item, "module", item)).values()
        used = {group for one in known for name, group in SERVERS.items() if name in (getattr(one, "__module__", ""), getattr(one, "__name__", ""))}
        if used:
            item.add_marker(pytest.mark.xdist_group(max(used)))
