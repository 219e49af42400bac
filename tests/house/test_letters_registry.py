"""Every kind of letter is declared by one room, sent by somebody, and has words in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.core import letters
from referee.service.core.composing import Draft, Occasion
from referee.service.core.letters import LETTERS, Traits, letter, plain
from referee.service.core.registry import Registry
from referee.text import LETTERS as WORDED
from referee.text import Words
from tests.house.files import ROOT, python, shown, tree
from tests.text.letters import contexts

#: the functions that queue letters: the place of the kind among what they are given
QUEUES = {"queue": 1, "to_seat": 3, "to_person": 2, "to_rooms": 2, "to_room": 2}
#: functions that pass a kind on to one of those: the place of the kind
PASSED_ON = {"show": 2, "answer_with": 3, "public": 0, "_page": 0, "Answer": 0}
#: kinds whose names are put together where they are sent: admin/commands.py, cards/card_help.py
MADE_UP = {
    "card",
    "cards",
    *(f"admin_{one}" for one in ("games", "letters", "inbox", "blocked", "log", "stats")),
}
#: kinds that have words but nothing sends any more: an admin's own folder may still have them
UNSENT = {"stand_in", "undone"}
#: kinds whose facts are typed; the others have none of their own, or plain values (see core/letters.py)
TYPED = 34


def calls() -> Iterator[tuple[Path, ast.Call, ast.expr]]:
    """Each call that queues a letter or passes its kind on, and what stands in the kind's place."""
    for path in python("referee/service"):
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            places = QUEUES if isinstance(node.func, ast.Attribute) and outbox(node.func) else PASSED_ON
            at = places.get(name, len(node.args))
            if at < len(node.args):
                yield path, node, node.args[at]


def outbox(called: ast.Attribute) -> bool:
    return isinstance(called.value, ast.Name) and called.value.id == "outbox"


def facts() -> dict[str, str]:
    """The kind of each class of facts."""
    return {kind.facts.__name__: name for name, kind in LETTERS.items() if kind.facts is not None}


def queued() -> dict[str, list[str]]:
    """The kinds that are sent as written out, or by their facts, and where."""
    known, found = facts(), dict[str, list[str]]()
    for path, node, what in calls():
        kind = ""
        if isinstance(what, ast.Constant) and isinstance(what.value, str):
            kind = what.value
        elif isinstance(what, ast.Call):  # facts, or a function that is told which (see `_of` of the league)
            made = ast.unparse(what.func)
            kind = known.get(made, made if made.endswith("Facts") else "")
        if kind:
            found.setdefault(kind, []).append(f"{shown(path)}:{node.lineno}")
    return found


def test_every_kind_that_is_queued_is_declared() -> None:
    found = queued()
    assert len(found) > 30
    assert {kind: where for kind, where in found.items() if kind not in LETTERS} == {}


def test_every_kind_is_sent_by_somebody() -> None:
    # facts that are made on a line of their own, or by a function that is told which
    known = facts()
    made = {
        known[node.id]
        for path in python("referee/service")
        if path.name != "letters.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Name) and node.id in known
    }
    assert len(made) > 10
    assert set(LETTERS) - set(queued()) - made - MADE_UP == {"table"}  # what `to_rooms` sends by itself


def test_every_kind_has_words_and_words_have_a_kind() -> None:
    assert set(LETTERS) == set(WORDED) - UNSENT


def test_every_kind_has_a_layout() -> None:
    there = {path.stem for path in (ROOT / "templates" / "layouts" / "letters").glob("*.j2")}
    assert there
    assert set(LETTERS) - there == set()


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_every_kind_is_rendered_by_a_sample(language: str) -> None:
    words = Words(strict=True)
    samples = contexts(words, language)
    said = {kind: words.letter(kind, language, "text", context).text for kind, context in samples.values()}
    assert set(LETTERS) <= set(said)
    assert [kind for kind in LETTERS if not said[kind].strip()] == []


def test_facts_name_their_kind_and_are_counted() -> None:
    typed = facts()
    assert len(typed) == TYPED
    assert len(set(typed.values())) == TYPED


def asks_for_kinds(path: Path) -> list[str]:
    """The lines on which something is compared with the name of a kind."""
    return [
        f"{shown(path)}:{node.lineno}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Compare) and ast.unparse(node.left).split(".")[-1] == "kind"
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and one.value in LETTERS
    ]


def test_whoever_carries_letters_knows_none_by_name() -> None:
    notices = ROOT / "referee/service/notices"
    carriers = (
        *python("referee/service/outbound", "referee/service/core", "referee/service/pictures"),
        *(notices / f"{name}.py" for name in ("delivery_rules", "digest", "reachability")),
    )
    assert len(carriers) > 25
    assert [line for path in carriers for line in asks_for_kinds(path)] == []
    assert asks_for_kinds(ROOT / "referee/service/play/seat_page.py")  # that a comparison is found


def test_composing_knows_no_room() -> None:
    path = ROOT / "referee/service/outbound/compose.py"
    imported = {node.module or "" for node in ast.walk(tree(path)) if isinstance(node, ast.ImportFrom)}
    assert {one.split(".")[0] for one in imported} <= {
        "__future__",
        "collections",
        "dataclasses",
        "typing",
        "referee",
        "core",
        "threads",
    }


def test_a_kind_is_declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "LETTERS", Registry("letter"))
    plain("hello", "rooms.one", Traits(quiet=True))
    with pytest.raises(ValueError, match=r"letter 'hello' is declared in rooms\.one and in rooms\.two"):
        plain("hello", "rooms.two")

    def compose(occasion: Occasion) -> Draft | None:
        return None

    with pytest.raises(ValueError, match=rf"rooms\.one and in {compose.__module__}"):
        letter("hello")(compose)
    assert letters.traits("hello").quiet
    assert not letters.traits("a kind of another version").quiet
