"""Nobody waits in a way that can swallow being told to stop."""

from __future__ import annotations

import ast

from tests.house.files import nodes, python, shown


def test_nobody_uses_wait_for() -> None:
    """`asyncio.wait_for` of Python 3.11 returns its result instead of being cancelled when both happen at
    once, and the loop around it goes on for ever. `asyncio.timeout` does not.
    """
    found = python("referee", "adapters")
    assert len(found) > 100
    assert not [
        f"{shown(one)}:{node.lineno}"
        for one in found
        for node in nodes(one)
        if isinstance(node, ast.Attribute)
        and node.attr == "wait_for"
        and isinstance(node.value, ast.Name)
        and node.value.id == "asyncio"
    ]
