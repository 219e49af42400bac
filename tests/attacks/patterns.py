"""Every pattern of the house: where it is made, and how it is applied.

A pattern is found where the code calls `re` (read from the syntax tree, at the module's level and inside
functions) and evaluated in its module. One that is only known at run time (made of a lexicon's words, of
players' names) is in the table MADE, with a way to make it; the tests check that the table is complete. A
second look goes through the objects of all modules, for a pattern that came there in another way.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.house.files import ROOT, nodes, python, shown, text, tree

#: how a pattern may be applied -> how it is tried here; what goes on after the first match is tried as a
#: search for all
WAYS = {
    "match": "match",
    "fullmatch": "fullmatch",
    "search": "search",
    "sub": "finditer",
    "subn": "finditer",
    "split": "finditer",
    "findall": "finditer",
    "finditer": "finditer",
}
_CALLED = re.compile(r"\bre\.\w")
ALL_WAYS = frozenset(("match", "fullmatch", "finditer"))
LANGUAGES = ("en", "pt_BR")


class Site(NamedTuple):
    """A pattern and where it stands: `ways` are those of WAYS' values in which it is applied."""

    where: str
    pattern: re.Pattern[Any]
    ways: frozenset[str]


class Made(NamedTuple):
    """A call of `re` whose pattern is only known at run time."""

    path: str
    function: str


@cache
def sites() -> tuple[tuple[Site, ...], tuple[Made, ...]]:
    """All patterns that stand in the code, and the places that make one at run time."""
    found: list[Site] = []
    made: list[Made] = []
    for path in python("referee", "adapters"):
        for call, function in _calls(path):
            pattern = _evaluated(path, call)
            if pattern is None:
                made.append(Made(shown(path), function))
            else:
                found.append(Site(f"{shown(path)}:{call.lineno}", pattern, _ways(path, call)))
    return tuple(found), tuple(made)


def _calls(path: Path) -> Iterator[tuple[ast.Call, str]]:
    """Each call of `re` with the function that it stands in ("" at the module's level)."""
    if not _CALLED.search(text(path)):
        return
    inside: dict[int, str] = {}
    for node in nodes(path):
        here = inside.get(id(node), "")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            here = node.name
        if here:
            inside.update((id(one), here) for one in ast.iter_child_nodes(node))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in {"compile", *WAYS}
        ):
            yield node, here


def module(path: Path) -> Any:
    """The module of a file."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return importlib.import_module(name.removesuffix(".__init__"))


def _evaluated(path: Path, call: ast.Call) -> re.Pattern[Any] | None:
    """What the call compiles, as far as the names of its module tell."""
    flags = call.args[1:2] if call.func.attr == "compile" else []
    flags += [each.value for each in call.keywords if each.arg == "flags"]
    place = {
        "match": 2,
        "fullmatch": 2,
        "search": 2,
        "findall": 2,
        "finditer": 2,
        "split": 3,
        "sub": 4,
        "subn": 4,
    }.get(call.func.attr)
    if place is not None:
        flags += call.args[place : place + 1]
    names = {
        each.id for one in (call.args[0], *flags) for each in ast.walk(one) if isinstance(each, ast.Name)
    }
    bound = {
        each.id
        for one in (call.args[0], *flags)
        for each in ast.walk(one)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    home = vars(module(path))
    if not names - bound <= {*home, *dir(__builtins__), "map", "sorted"} or any(
        isinstance(one, ast.Starred) for one in call.args
    ):
        return None
    values = [
        eval(compile(ast.Expression(one), str(path), "eval"), dict(home)) for one in (call.args[0], *flags)
    ]  # our own code
    return values[0] if isinstance(values[0], re.Pattern) else re.compile(*values)


def _ways(path: Path, call: ast.Call) -> frozenset[str]:
    if call.func.attr != "compile":
        return frozenset({WAYS[call.func.attr]})
    return next((_applied(path, name) for name, value in _named(path) if value is call), ALL_WAYS)


def _named(path: Path) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module gives to values, one each or several at once."""
    for each in tree(path).body:
        if isinstance(each, ast.Assign):
            for target in each.targets:
                if isinstance(target, ast.Name):
                    yield target.id, each.value
                elif isinstance(target, ast.Tuple) and isinstance(each.value, ast.Tuple):
                    yield from (
                        (one.id, value)
                        for one, value in zip(target.elts, each.value.elts, strict=False)
                        if isinstance(one, ast.Name)
                    )


def _applied(home: Path, name: str) -> frozenset[str]:
    """The methods called on a name of a module, there and wherever it is imported; all of them where it is
    handed on.
    """
    ways: set[str] = set()
    for path in python("referee", "adapters"):
        if name not in text(path):
            continue
        uses, taken, modules = _uses(path)
        if (
            path == home
            or (home.stem, name) in taken
            or (home.parent.name, name) in taken
            or home.stem in modules
        ):
            for way in uses.get(name, ()):
                ways |= {WAYS[way]} if way in WAYS else ALL_WAYS
    return frozenset(ways) or ALL_WAYS


@cache
def _uses(path: Path) -> tuple[dict[str, set[str]], set[tuple[str, str]], set[str]]:
    """What a file does with each name: the methods that it calls, "" where it is handed on; the names that it
    imports, with the last part of their module; and all imported names, which may be modules.
    """
    called: dict[int, str] = {}
    uses: dict[str, set[str]] = {}
    taken: set[tuple[str, str]] = set()
    modules: set[str] = set()
    for each in nodes(path):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            called[id(each.func.value)] = each.func.attr
        elif isinstance(each, ast.ImportFrom):
            taken |= {((each.module or "").split(".")[-1], one.name) for one in each.names}
            modules |= {one.name for one in each.names}
        elif isinstance(each, ast.Import):
            modules |= {one.name.split(".")[-1] for one in each.names}
        elif isinstance(each, ast.Attribute):
            uses.setdefault(each.attr, set()).add(called.get(id(each), ""))
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            uses.setdefault(each.id, set()).add(called.get(id(each), ""))
    return uses, taken, modules


def objects() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Every pattern that a module of the house holds when it was imported: by name, in a collection, as a
    class's attribute.
    """
    for path in python("referee", "adapters"):
        if path.name in ("__main__.py", "env.py"):  # what runs when it is imported
            continue
        for name, value in list(vars(module(path)).items()):
            if not name.startswith("__"):
                yield from ((f"{shown(path)}: {name}", found) for found in _held(value, 0, path))


def _held(value: Any, deep: int, path: Path) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif deep < 3 and isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _held(each, deep + 1, path)
    elif deep < 3 and isinstance(value, Mapping):
        for each in list(value.values()):
            yield from _held(each, deep + 1, path)
    elif isinstance(value, type) and value.__module__ == module(path).__name__:
        for each in list(vars(value).values()):
            yield from _held(each, deep + 1, path)
    elif callable(value) and getattr(value, "__module__", "") == module(path).__name__:
        for each in (
            *(getattr(value, "__defaults__", None) or ()),
            *(getattr(value, "__kwdefaults__", None) or {}).values(),
        ):
            yield from _held(each, deep + 1, path)


def _valuing() -> Iterator[re.Pattern[str]]:
    from referee.text import valuing
    from referee.text.lexicon import lexicon

    for language in LANGUAGES:
        for naming in (False, True):
            yield valuing._known(lexicon(language), naming)[1]
            yield valuing._called(lexicon(language), naming)[1]


def _typed() -> Iterator[re.Pattern[str]]:
    from referee.text.lexicon import lexicon
    from referee.text.rendering import typed

    names = ("Ana", "a a", "a", "aa", "a a a", "seat 1", "((((", "x" * 40)
    for language in LANGUAGES:
        yield typed._pattern(lexicon(language), names)
        yield typed._plan_pattern(lexicon(language), names)


def _policies() -> Iterator[re.Pattern[str]]:
    from referee.text import policy_words
    from referee.text.lexicon import lexicon

    for language in LANGUAGES:
        yield policy_words._known(lexicon(language))[1]
        yield policy_words._opening(lexicon(language))[1]


def _foreign() -> Iterator[re.Pattern[str]]:
    from referee.cli import foreign

    yield from (pattern for _, pattern in foreign._patterns())


def _names() -> Iterator[re.Pattern[str]]:
    for name in ("Bea; Bo", "a. a", "a" * 40 + ".", ". . . . ."):
        yield re.compile(re.escape(name), re.IGNORECASE)


#: every place that makes a pattern at run time, and patterns as it makes them, in both languages
MADE: Mapping[Made, Callable[[], Iterator[re.Pattern[str]]]] = {
    Made("referee/text/valuing.py", "_either"): _valuing,
    Made("referee/text/rendering/typed.py", "_finding"): _typed,
    Made("referee/text/policy_words.py", "_finding"): _policies,
    Made("referee/cli/foreign.py", "_patterns"): _foreign,
    Made("referee/text/reading/splitting.py", "_cut"): _names,
}


def routes() -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns that addresses of web pages are matched against, as aiohttp compiles them."""
    from aiohttp.web_urldispatcher import DynamicResource

    for path in python("adapters/web"):
        for each in nodes(path):
            if (
                isinstance(each, ast.Constant)
                and isinstance(each.value, str)
                and each.value.startswith("/")
                and "{" in each.value
            ):
                yield f"{shown(path)}:{each.lineno}", DynamicResource(each.value)._pattern
