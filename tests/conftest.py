"""What holds for every test: long runs only when asked for, and one of each real server.

Tests that need the same real server run in the same worker, so that `pytest -n 2` starts one Synapse and one
mail server, not two of each. (xdist's own way, the mark `xdist_group` with --dist loadgroup, does nothing
under pytest 9.2: pytest-xdist issue 1386.)
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import books

# the command line speaks the language of the shell: here always English
os.environ["LC_ALL"] = "C.UTF-8"
ROOT = Path(__file__).resolve().parents[1]
#: what a test's file or its folder's conftest names -> the group of tests it belongs to
SERVERS = {
    "tests.servers.synapse": "synapse",
    "tests.servers.mail": "mail",
    "tests.servers import mail": "mail",
    "tests.deploy import image": "image",
}


def pytest_sessionfinish() -> None:
    """A database server that a test started goes with the session."""
    books.end()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("soak") and "soak" not in config.option.markexpr:
            item.add_marker(pytest.mark.skip(reason="a long run: make soak"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class ByServer(LoadScopeScheduling):
        """Single tests, save that those of one server stay together."""

        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid.partition("::")[0]) or nodeid

    return ByServer(config, log)


@cache
def group_of(file: str) -> str:
    """The group of the tests in that file, "" for those that may run anywhere."""
    path = ROOT / file
    conftest = path.parent / "conftest.py"
    text = "".join(
        one.read_text(encoding="utf-8")
        for one in (path, conftest)
        if one.is_file() and one != ROOT / "tests" / "conftest.py"
    )
    return "+".join(sorted({group for server, group in SERVERS.items() if server in text}))
