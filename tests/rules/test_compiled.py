"""The copy of the rules that is compiled (deploy/compiled) is the same program: what is added to it is
types and marks, and a method `copy` where an interpreted class makes its own; every card gets them.
The compiled rules themselves are played by `make test-compiled`.
"""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from referee.rules import EDITIONS, rulebook
from referee.rules.model import Frame

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "deploy" / "compiled" / "prepare.py"
pytestmark = pytest.mark.skipif(not SOURCE.exists(), reason="an unpacked wheel: nothing to prepare")
Class = ast.ClassDef


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"compiled_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def preparation() -> ModuleType:
    return loaded(SOURCE)


@pytest.fixture(scope="module")
def copies(preparation: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    """(source, copy) of every file."""
    target = tmp_path_factory.mktemp("copy")
    return [(ROOT / place, target / place) for place in preparation.prepare(target)]


#: what a source says, and its copy: the one thing in a method that is written otherwise
BARE = ("Player.__new__(Player)", "Player()")


def methods(path: Path) -> list[str]:
    text = path.read_text().replace(*BARE)
    return [ast.dump(n) for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]


def test_a_bare_player_is_made_as_usual_and_a_bare_state_is_not(copies: list[tuple[Path, Path]]) -> None:
    """A state's own constructor would deal it players of its own."""
    (model,) = [copy.read_text() for source, copy in copies if source == ROOT / "referee/rules/model.py"]
    assert BARE[0] not in model
    assert BARE[1] in model
    assert "State.__new__(State)" in model


def added(source: Path, copy: Path) -> list[str]:
    """The methods of the copy that the source does not have; every other one is the same, in its place."""
    left, more = methods(source), []
    for method in methods(copy):
        if left and method == left[0]:
            left.pop(0)
        else:
            more.append(method)
    assert not left, source.name
    return more


def values(path: Path) -> dict[tuple[str, str], str]:
    """(class, attribute) -> its value, whether written with a type or without."""
    found = {}
    for node in ast.parse(path.read_text()).body:
        for line in node.body if isinstance(node, Class) else []:
            if isinstance(line, ast.AnnAssign) and line.value is not None:
                found[node.name, ast.unparse(line.target)] = ast.unparse(line.value)
            elif isinstance(line, ast.Assign):
                for target in line.targets:
                    several = isinstance(target, ast.Tuple) and isinstance(line.value, ast.Tuple)
                    names = target.elts if isinstance(target, ast.Tuple) else [target]
                    what = (
                        line.value.elts
                        if several and isinstance(line.value, ast.Tuple)
                        else [line.value] * len(names)
                    )
                    found.update(
                        {
                            (node.name, ast.unparse(n)): ast.unparse(w)
                            for n, w in zip(names, what, strict=True)
                        }
                    )
    return found


def test_no_method_and_no_value_is_touched(copies: list[tuple[Path, Path]]) -> None:
    assert len(copies) > 100
    assert sum(len(values(source)) for source, _ in copies) > 300
    for source, copy in copies:
        assert all("name='copy'" in method for method in added(source, copy)), source.name
        assert values(copy) == values(source), source.name


def test_cards_bear_the_types_that_they_inherit(copies: list[tuple[Path, Path]]) -> None:
    typed = {
        (node.name, ast.unparse(line.target)): ast.unparse(line.annotation)
        for _, copy in copies
        for node in ast.parse(copy.read_text()).body
        if isinstance(node, Class)
        for line in node.body
        if isinstance(line, ast.AnnAssign)
    }
    assert typed["Bishop", "abilities"] == "tuple[Ability, ...]"
    assert typed["Bishop", "type"] == "str | None"
    assert typed["Museum", "fields"] == typed["Museum", "fields_of_cards"] == "tuple[str, ...]"
    assert ("Museum", "secret") not in typed, "what a class has for itself stays as it is"


def test_pieces_of_a_state_are_marked_and_cards_are_not(
    preparation: ModuleType, copies: list[tuple[Path, Path]]
) -> None:
    marked = {
        node.name: bool(node.decorator_list)
        for _, copy in copies
        for node in ast.parse(copy.read_text()).body
        if isinstance(node, Class)
    }
    assert {"State", "Player", "Frame", "Turn", "Build"} <= {name for name, mark in marked.items() if mark}
    assert not marked["Bishop"]
    assert not marked["Rulebook"]


def test_a_frame_copies_every_slot_by_its_name(copies: list[tuple[Path, Path]]) -> None:
    copying = {
        (copy.stem, node.name): {
            line.targets[0].attr
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name == "copy"
            for line in method.body
            if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Attribute)
        }
        for _, copy in copies
        for node in ast.parse(copy.read_text()).body
        if isinstance(node, Class)
    }
    ours = [kind for kind in Frame.registry.values() if kind.__module__.startswith("referee.rules.")]
    assert len(ours) > 15
    for kind in ours:
        assert copying[kind.__module__.rpartition(".")[2], kind.__name__] == {*kind.held}, kind


def test_constants_are_final_and_what_changes_is_not(copies: list[tuple[Path, Path]]) -> None:
    final = {
        (copy.stem, ast.unparse(line.target))
        for _, copy in copies
        for line in ast.parse(copy.read_text()).body
        if isinstance(line, ast.AnnAssign) and ast.unparse(line.annotation) == "Final"
    }
    assert {("turn", "GOLD"), ("turn", "END"), ("powers", "INCOME"), ("assassin", "KILLED")} <= final
    assert not {("model", "F"), ("model", "Option"), ("chance", "T")} & final


@pytest.fixture(scope="module")
def games() -> ModuleType:
    return loaded(SOURCE.with_name("games.py"))


def test_the_compiler_watches_every_card(games: ModuleType) -> None:
    """What it never sees played it takes for something that seldom happens, and makes it small, not fast."""
    seen: Counter[str] = Counter()
    for number in range(games.TABLES):
        setup = games.drawn(number)
        if setup is not None:
            book = rulebook(setup)
            seen.update(c.name for c in book.characters.values())
            seen.update(d.name for d in book.districts.values())
    cards = {
        card.name
        for book in EDITIONS.values()
        for card in (*book.characters, *(district for district, _ in book.districts))
    }
    assert len(cards) > 70
    assert cards == {card for card, times in seen.items() if times >= 100}


def test_the_compiler_watches_no_other_rules(games: ModuleType) -> None:
    """Those of an installed package, for one: there would be no profile, and nobody would notice."""
    with pytest.raises(SystemExit, match="not compiled"):
        games.main()


def test_the_compiler_takes_them(tmp_path: Path) -> None:
    """Up to the C that it writes; `make test-compiled` goes on from there."""
    words = "from pathlib import Path; from build import generated; assert generated(Path(sys.argv[2]))"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys; sys.path[0] = sys.argv[1]; {words}",
            str(SOURCE.parent),
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, [line for line in done.stdout.splitlines() if "error" in line] + [
        done.stderr
    ]
    assert [*tmp_path.rglob("*.c")]
