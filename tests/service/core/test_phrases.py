"""House rule: whatever the service says in a code has a sentence in the templates."""

from __future__ import annotations

import ast
from pathlib import Path

from referee import service
from referee.rules import REFUSALS, SETUP_ERRORS
from referee.text import Words

#: function -> which argument is the code, and in which table of phrases its sentence stands
SPEAKERS = {
    "Refusal": (0, None),
    "answer": (3, None),
    "notices": (0, None),
    "alert": (1, "alerts"),
    "tell": (3, "events"),
}
#: words of a sum that makes a code, or tells which one
NO_CODES = ("over", "abandoned", "frozen", "lobby", "mustering", "code")


def said() -> list[tuple[str, str | None, str]]:
    found = []
    for path in sorted(Path(service.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = (
                node.func.id
                if isinstance(node.func, ast.Name)
                else node.func.attr
                if isinstance(node.func, ast.Attribute)
                else ""
            )
            if name not in SPEAKERS:
                continue
            place, table = SPEAKERS[name]
            if len(node.args) <= place:
                continue
            for leaf in ast.walk(node.args[place]):
                if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                    found.append((leaf.value, table, f"{path.name}:{node.lineno}"))
    return found


def test_every_code_has_a_sentence() -> None:
    words = Words(strict=True)
    codes = said()
    assert len(codes) > 40
    known = {
        None: words.codes("en"),
        "alerts": words.codes("en", "alerts"),
        "events": words.codes("en", "events"),
    }
    missing = sorted(
        {
            (code, where)
            for code, table, where in codes
            if code not in known[table] and code not in NO_CODES and not code.endswith("-")
        }
    )
    assert not missing


def test_every_refusal_of_the_rules_has_a_sentence() -> None:
    known = Words(strict=True).codes("en")
    assert not sorted((set(REFUSALS) | set(SETUP_ERRORS)) - known)
