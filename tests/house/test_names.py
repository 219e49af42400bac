"""Names say what a function does, and docstrings and comments are in plain modern English."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

from tests.house.files import python, shown, text, tree

#: at most this many files of the service may have a public function of one name
MOST = 3
#: functions declared by these keep the word of their command, letter or deadline
HANDLERS = {"command", "letter", "due"}
#: "whoever" and "so many", also across a line break
STIFF = re.compile(r"\bwhoever\b|\bso\s+(#:?\s+)?many\b", re.IGNORECASE)


def declared(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a decorator registers it as a handler."""
    calls = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    return any(isinstance(one, ast.Name) and one.id in HANDLERS for one in calls)


def public_functions() -> dict[str, list[str]]:
    """Name -> the files of the service with a public function of that name, handlers left out."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in python("referee/service"):
        for one in tree(path).body:
            if (
                isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
                and not one.name.startswith("_")
                and not declared(one)
            ):
                found[one.name].append(shown(path))
    return found


def test_no_name_is_a_function_of_many_files() -> None:
    found = public_functions()
    assert len(found) > 500
    assert {name: files for name, files in found.items() if len(files) > MOST} == {}


def docstrings(path: Path) -> list[str]:
    """The docstrings of a file: its own, those of its classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        found
        for node in ast.walk(tree(path))
        if isinstance(node, kinds) and (found := ast.get_docstring(node, clean=False)) is not None
    ]


def comments(path: Path) -> str:
    """The comments of a file, one a line."""
    tokens = tokenize.generate_tokens(io.StringIO(text(path)).readline)
    return "\n".join(one.string for one in tokens if one.type == tokenize.COMMENT)


def test_docstrings_and_comments_are_plain() -> None:
    read, stiff = 0, []
    for path in python("referee", "adapters"):
        said = docstrings(path)
        read += len(said)
        if STIFF.search(text(path)):  # else there is no comment of that kind, and tokens take their time
            said.append(comments(path))
        stiff += [f"{shown(path)}: {hit[0]}" for one in said for hit in STIFF.finditer(one)]
    assert read > 2_000
    assert stiff == []
