"""The rules' own house rules: pure, nobody names whom they should not know."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from referee.rules.editions import EDITIONS

RULES = Path(__file__).parents[2] / "referee" / "rules"
FILES = sorted(RULES.rglob("*.py"))
#: modules with which a rule could see the time, the world, or a chance of its own
IMPURE = {
    "asyncio",
    "datetime",
    "glob",
    "io",
    "logging",
    "os",
    "pathlib",
    "secrets",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "uuid",
}

#: the one module of the referee that rules name: types of numbers, nothing that runs
IDS = "referee.ids"


def imports(path: Path) -> set[tuple[int, str]]:
    """(level, module) of every import of a file, those inside functions included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {(0, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.level, node.module or ""))
    return found


def test_there_is_a_house() -> None:
    assert len(FILES) > 50


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(RULES)))
def test_only_the_standard_library_and_no_world(path: Path) -> None:
    outside = {module.split(".")[0] for level, module in imports(path) if level == 0 and module != IDS}
    assert outside <= sys.stdlib_module_names
    assert not outside & IMPURE
    up = max((level for level, _ in imports(path)), default=0)
    assert up <= len(path.relative_to(RULES).parts), "nothing above referee.rules is known"


def test_flow_names_no_card() -> None:
    names = {c.name for e in EDITIONS.values() for c in e.characters}
    names |= {d.name for e in EDITIONS.values() for d, _ in e.districts}
    assert len(names) > 30
    shared = [p for p in FILES if p.parent == RULES or p.parent.name in ("flow", "scenario", "record")]
    shared = [p for p in shared if p.stem not in ("facts", "__init__")]
    assert len(shared) > 25
    for path in shared:
        tree = ast.parse(path.read_text())
        words = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        assert not words & names, path
        if path.parent.name == "flow":
            assert not any("cards" in module or "editions" in module for _, module in imports(path)), path


def test_no_text_of_the_flow_mentions_a_card() -> None:
    """Not even a comment: anyone who looks for a card finds its own file and its words only."""
    names = {c.name for e in EDITIONS.values() for c in e.characters}
    names |= {d.name for e in EDITIONS.values() for d, _ in e.districts}
    mentioned = re.compile(r"\b(" + "|".join(sorted(map(re.escape, names))) + r")\b")
    assert mentioned.search("the Keep stands")
    shared = [
        *(RULES / "flow").glob("*.py"),
        *(RULES / f"{name}.py" for name in ("seams", "abilities", "model", "acts", "powers")),
    ]
    assert len(shared) > 15
    found = {path.name: m.group() for path in shared for m in mentioned.finditer(path.read_text())}
    assert not found


@pytest.mark.parametrize("path", sorted((RULES / "cards").rglob("*.py")), ids=lambda p: p.stem)
def test_cards_do_not_know_each_other(path: Path) -> None:
    for level, module in imports(path):
        assert level in (0, 3), path
        assert "cards" not in module
        assert "editions" not in module


def test_every_file_says_what_it_is() -> None:
    assert len(FILES) > 50
    for path in FILES:
        assert re.match(r'"""\S', path.read_text()), path
