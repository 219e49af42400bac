"""The states of rows and the kinds of deadlines stand in referee/states.py and nowhere else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import StrEnum

from referee import states
from tests.house.files import nodes, python, shown

ENUMS = {
    name: one for name, one in vars(states).items() if isinstance(one, type) and issubclass(one, StrEnum)
}
WORDS = {member.value for name, one in ENUMS.items() if name != "StrEnum" for member in one}
COLUMNS = ("status", "state")


def words(node: ast.AST) -> Iterator[str]:
    """The words that are written out in a value, or in a tuple of values."""
    if isinstance(node, ast.Constant) and node.value in WORDS:
        yield str(node.value)
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for one in node.elts:
            yield from words(one)
    elif isinstance(node, ast.IfExp):
        yield from (*words(node.body), *words(node.orelse))


def said(node: ast.AST) -> Iterator[ast.AST]:
    """What a row's state is compared with, or set to."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(isinstance(one, ast.Attribute) and one.attr in COLUMNS for one in sides):
            yield from sides
    elif isinstance(node, ast.Call):
        yield from (one.value for one in node.keywords if one.arg in COLUMNS)


def test_no_state_is_written_out() -> None:
    faults, members = [], 0
    for path in python("referee/service", "referee/cli", "referee/pace"):
        for node in nodes(path):
            members += isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ENUMS
            faults += [f"{shown(path)}: {word}" for one in said(node) for word in words(one)]
    assert members > 500
    assert not faults
