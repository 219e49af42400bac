"""Rooms stay small, and nobody leaves marks without a reason beside them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from tests.house.files import TABLES, everything, nodes, python, shown, tree


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_room_is_too_long() -> None:
    found = python("referee", "adapters", "tests", "bench")
    assert len(found) > 100
    long = {shown(one): lines(one) for one in found if lines(one) > 400 and not shown(one).startswith(TABLES)}
    assert long == {}


def test_every_room_says_what_it_is() -> None:
    found = python("referee", "adapters")
    silent = [shown(one) for one in found if tree(one).body and not ast.get_docstring(tree(one))]
    assert found
    assert not silent


@pytest.mark.parametrize("name", ["utils", "util", "helpers", "helper", "manager", "misc", "stuff"])
def test_no_room_without_a_purpose(name: str) -> None:
    found = python("referee", "adapters", "tests", "bench")
    assert found
    assert not [shown(one) for one in found if name in (one.stem, one.parent.name)]


def comments(path: Path, *words: str) -> list[tuple[int, str]]:
    """The comments of a file that has one of these words, with their lines."""
    text = path.read_text(encoding="utf-8")
    if not any(word in text for word in words):
        return []
    return [
        (one.start[0], one.string)
        for one in tokenize.generate_tokens(io.StringIO(text).readline)
        if one.type == tokenize.COMMENT
    ]


def test_every_exception_to_the_tools_has_its_reason_beside_it() -> None:
    bare = re.compile(r"# (type: ignore(\[[\w, -]+\])?|noqa(: ?[A-Z0-9, ]+)?)\s*$")
    found = 0
    faults = []
    for path in python("referee", "adapters", "tests", "bench"):
        for number, comment in comments(path, "type: ignore", "noqa"):
            found += "type: ignore" in comment or "noqa" in comment
            if bare.search(comment):
                faults.append(f"{shown(path)}:{number}: {comment}")
    assert found
    assert not faults


def test_whoever_catches_everything_says_why() -> None:
    faults, found = [], 0
    for path in python("referee", "adapters"):
        text = path.read_text(encoding="utf-8").splitlines()
        for node in nodes(path):
            if isinstance(node, ast.ExceptHandler) and (
                node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
            ):
                found += 1
                if isinstance(node.body[-1], ast.Raise):
                    continue  # tidies up and passes it on
                if not any("#" in text[line] for line in (node.lineno - 2, node.lineno - 1, node.lineno)):
                    faults.append(f"{shown(path)}:{node.lineno}")
    assert found
    assert not faults


def test_nothing_is_left_for_later() -> None:
    mark = re.compile("TO" + "DO|FIX" + "ME|XX" + "X:|HA" + "CK:")
    found = python("referee", "adapters", "tests", "bench")
    assert found
    assert not [shown(one) for one in found if mark.search(one.read_text(encoding="utf-8"))]


def test_nothing_names_this_machine_or_a_registry() -> None:
    # written so that this file does not find itself
    here = re.compile(
        r"/wor[k]/|/far[m]/|/roo[t]/|/tmp/bas[h]_jobs|python[h]osted|py[p]i[.]o[r]g|"
        r"registry[.]npm[j]s|deb[.]debia[n]|index-ur[l]=?h"
    )
    looked, faults = 0, []
    for path in everything():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture, or a mail in another charset
        looked += 1
        if here.search(text):
            faults.append(shown(path))
    assert looked > 150
    assert not faults
