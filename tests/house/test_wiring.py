"""The parts of the running referee get what they need when they are made: nobody sets an attribute of
somebody else's afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.files import nodes, python, shown, tree

PLACES = (
    "referee/service/runtime",
    "referee/service/schedule",
    "referee/service/outbound",
    "referee/service/core",
    "referee/service/pictures",
    "referee/service/upkeep",
    "referee/service/web",
    "referee/main.py",
    "referee/supervisor.py",
)
PLANTED = """
class Whole:
    def __init__(self, part, other):
        self.part = part
        self.part.told = self.wake
        other.open, self.x = 1, 2
        other.count += 1
        row = Row()
        row.name = "of its own making"

        def later():
            row.name = "somebody else's by now"
"""


def assigned(node: ast.AST) -> Iterator[ast.expr]:
    """What an assignment sets, taken apart."""
    found: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        found = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        found = [node.target]
    while found:
        one = found.pop()
        if isinstance(one, ast.Tuple | ast.List):
            found += one.elts
        else:
            yield one


def intrusions(node: ast.AST, made: frozenset[str] = frozenset()) -> Iterator[str]:
    """The attributes that are set on what is not `self`, nor made by the same function (`made`)."""
    for one in assigned(node):
        if isinstance(one, ast.Attribute):
            owner = one.value.id if isinstance(one.value, ast.Name) else ""
            if owner not in {"self", "cls"} | made:
                yield ast.unparse(one)
    for child in ast.iter_child_nodes(node):
        inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from intrusions(child, frozenset(_made(child)) if inside else made)


def _made(node: ast.AST) -> Iterator[str]:
    """The locals that a function calls into being, those of functions within it left aside."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(child, ast.Assign):
            pairs = [(one, child.value) for one in child.targets]
            if isinstance(child.targets[0], ast.Tuple) and isinstance(child.value, ast.Tuple):
                pairs = list(zip(child.targets[0].elts, child.value.elts, strict=True))
            yield from (one.id for one, by in pairs if isinstance(one, ast.Name) and isinstance(by, ast.Call))
        yield from _made(child)


def test_a_planted_one_is_found() -> None:
    assert sorted(intrusions(ast.parse(PLANTED))) == [
        "other.count",
        "other.open",
        "row.name",
        "self.part.told",
    ]


def test_nobody_sets_an_attribute_of_somebody_elses() -> None:
    found = python(*PLACES)
    assert len(found) > 12
    faults = [f"{shown(one)}: {fault}" for one in found for fault in intrusions(tree(one))]
    assert not faults


def test_the_scheduler_knows_no_room() -> None:
    found = [
        node.module
        for path in python("referee/service/schedule")
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.level == 2 and node.module
    ]
    assert found
    assert {name.partition(".")[0] for name in found} <= {"core", "deadlines", "outbound"}
