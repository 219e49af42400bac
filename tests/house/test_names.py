"""Names say what a function does, and docstrings and comments are in plain modern English."""

from __future__ import annotations

import ast
import builtins
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

from aiohttp import web

from tests.house.files import everything, nodes, python, shown, text, tree

#: at most this many files of the service may have a public function of one name
MOST = 3
#: functions declared by these keep the word of their command, letter or deadline
HANDLERS = {"command", "letter", "due"}
#: files that a room has as far as it needs them
OF_EVERY_ROOM = {"commands", "due", "hooks", "letter_facts", "letters"}
#: "whoever" and "so many", also across a line break
STIFF = re.compile(r"\bwhoever\b|\bso\s+(#:?\s+)?many\b", re.IGNORECASE)
CLASS = re.compile(r"^ *class (\w+)", re.MULTILINE)
#: exceptions that a docstring says are raised
RAISES = re.compile(r"\b[Rr]aises ((?:`?[A-Z]\w+`?(?:, or |, | or | and )?)+)")
#: a module to which a docstring or a comment sends its reader (one with a colon is an example to be typed)
MODULE = re.compile(r"(?<![\w.*/-])(?:[\w-]+/)*\w+\.py\b(?![:*])")


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
        for node in nodes(path)
        if isinstance(node, kinds) and (found := ast.get_docstring(node, clean=False)) is not None
    ]


def comments(path: Path) -> str:
    """The comments of a file, one a line."""
    tokens = tokenize.generate_tokens(io.StringIO(text(path)).readline)
    return "\n".join(one.string for one in tokens if one.type == tokenize.COMMENT)


def test_a_package_that_lists_its_modules_lists_them_all() -> None:
    """A table in its first words; the files that every room has (architecture.md) need no row there."""
    read, faults = 0, []
    for path in (one for one in python("referee", "adapters") if one.stem == "__init__"):
        first = ast.get_docstring(tree(path)) or ""
        table = {*re.findall(r"^ *(\w+) {2,}\S", first, re.MULTILINE)}
        there = {one.stem for one in path.parent.iterdir() if not one.name.startswith("__")}
        if len(there & table) > 1:
            read += 1
            unsaid = there - {*re.findall(r"\w+", first)} - OF_EVERY_ROOM
            faults += [f"{shown(path)}: {one} has no row" for one in unsaid]
            faults += [f"{shown(path)}: {one} is not there" for one in table - there]
    assert read > 10
    assert faults == []


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


def test_an_exception_that_a_docstring_names_is_one() -> None:
    code = {path: text(path) for path in python("referee", "adapters")}
    known = {*vars(builtins), *vars(web)}.union(*(CLASS.findall(said) for said in code.values()))
    named = [
        (shown(path), word)
        for path, said in code.items()
        for found in RAISES.findall(said)
        for word in re.findall(r"[A-Z]\w+", found)
    ]
    assert len(named) > 100
    assert [f"{path}: {word}" for path, word in named if word not in known] == []


def test_a_module_to_which_a_reader_is_sent_is_there() -> None:
    """In the code wherever one is named; in tests in their first words and comments: they write files."""
    there = {"/".join(one.parts[at:]) for one in everything() for at in range(len(one.parts))}
    said = [(path, text(path)) for path in python("referee", "adapters")]
    for path in python("tests"):
        first = text(path).split('"""')[1:2] if text(path).startswith('"""') else []
        said.append((path, "\n".join([*first, *re.findall(r"^\s*#.*\.py\b", text(path), re.MULTILINE)])))
    named = [(shown(path), word) for path, found in said for word in MODULE.findall(found)]
    assert len(named) > 100
    assert [f"{path}: {word}" for path, word in named if word not in there] == []
