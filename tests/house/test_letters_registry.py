"""Every kind of letter is declared by one room, sent by somebody, and has words in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.core import letters
from referee.service.core.composing import Draft, LetterContext
from referee.service.core.letters import LETTERS, Facts, LetterTraits, letter, plain
from referee.service.core.registry import Registry
from referee.text import LETTERS as WORDED
from referee.text import Words
from tests.house.files import ROOT, nodes, python, shown, tree
from tests.text.letters import contexts

#: the functions that queue letters: the place of the facts among what they are given
QUEUES = {"queue": 1, "to_seat": 3, "to_person": 2, "to_rooms": 2, "to_room": 2}
#: kinds that have words but nothing sends any more: an admin's own folder may still have them
UNSENT = {"stand_in", "undone"}


def calls() -> Iterator[tuple[Path, ast.Call, ast.expr]]:
    """Each call that queues a letter, and what stands in the place of its facts."""
    for path in python("referee/service"):
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and outbox(node.func):
                at = QUEUES.get(node.func.attr, len(node.args))
                if at < len(node.args):
                    yield path, node, node.args[at]


def outbox(called: ast.Attribute) -> bool:
    return isinstance(called.value, ast.Name) and called.value.id == "outbox"


def classes() -> dict[str, str]:
    """The kind of each class of facts that is declared."""
    return {kind.facts.__name__: name for name, kind in LETTERS.items()}


def structs() -> Iterator[tuple[str, ast.ClassDef]]:
    """The classes of facts in the service, and those that their fields are made of."""
    of = {"Struct", "Facts", *classes()}
    for path in python("referee/service"):
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and any(called(base) in of for base in node.bases):
                of.add(node.name)
                yield shown(path), node


def called(node: ast.expr) -> str:
    """The last part of a name."""
    return ast.unparse(node).split(".")[-1]


def test_every_kind_is_a_class() -> None:
    assert len(LETTERS) > 50
    assert len(classes()) == len(LETTERS)
    assert [name for name, kind in LETTERS.items() if kind.facts.kind != name] == []


def test_the_name_of_a_kind_is_written_out_once() -> None:
    named = [
        line.value.value
        for _, node in structs()
        for line in node.body
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "kind"
        if isinstance(line.value, ast.Constant)
    ]
    assert sorted(named) == sorted(LETTERS)


def test_facts_are_queued_and_never_words() -> None:
    found = list(calls())
    assert len(found) > 60
    words = [f"{shown(path)}:{node.lineno}" for path, node, what in found if isinstance(what, ast.Constant)]
    assert words == []


def test_every_kind_is_sent_by_somebody() -> None:
    known, made = classes(), set[str]()
    for path in python("referee/service"):
        if path.name == "letters.py":
            continue  # there it is declared
        every = nodes(path)
        # called, or handed to whoever calls it; its `kind` alone sends nothing
        kinds = {id(one.value) for one in every if isinstance(one, ast.Attribute) and one.attr == "kind"}
        made |= {
            known[called(node)]
            for node in every
            if isinstance(node, ast.Name | ast.Attribute) and called(node) in known and id(node) not in kinds
        }
    assert set(LETTERS) - made == set()


def test_no_facts_are_a_dict_of_anything() -> None:
    found = list(structs())
    assert len(found) > 80
    loose = [
        f"{where} {node.name}: {ast.unparse(line)}"
        for where, node in found
        for line in node.body
        if isinstance(line, ast.AnnAssign) and "dict[str, Any]" in ast.unparse(line.annotation)
    ]
    assert loose == []


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


def asks_for_kinds(module: ast.AST, *, words: bool = False) -> list[int]:
    """The lines on which something is compared with a kind, or only where that is written as a word."""
    known = classes()
    return [
        node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.Compare) and called(node.left) == "kind"
        for one in ast.walk(node)
        if (isinstance(one, ast.Constant) and one.value in LETTERS)
        or (not words and isinstance(one, ast.Attribute) and called(one.value) in known)
    ]


def test_what_compares_kinds_is_found() -> None:
    code = 'row.kind == "prompt"\nrow.kind in (PromptFacts.kind,)\nrow.kind == other.kind\n'
    assert asks_for_kinds(ast.parse(code)) == [1, 2]
    assert asks_for_kinds(ast.parse(code), words=True) == [1]


def test_whoever_carries_letters_knows_none_by_name() -> None:
    notices = ROOT / "referee/service/notices"
    carriers = (
        *python("referee/service/outbound", "referee/service/core", "referee/service/pictures"),
        *(notices / f"{name}.py" for name in ("delivery_rules", "digest", "reachability")),
    )
    assert len(carriers) > 25
    assert {shown(path): found for path in carriers if (found := asks_for_kinds(tree(path)))} == {}


def test_nobody_compares_a_kind_with_a_word() -> None:
    every = python("referee/service")
    assert {shown(path): found for path in every if (found := asks_for_kinds(tree(path), words=True))} == {}


def test_composing_knows_no_room() -> None:
    path = ROOT / "referee/service/outbound/compose.py"
    imported = {node.module or "" for node in nodes(path) if isinstance(node, ast.ImportFrom)}
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

    class HelloFacts(Facts):
        kind = "hello"

    plain(HelloFacts, "rooms.one", LetterTraits(quiet=True))
    with pytest.raises(ValueError, match=r"letter 'hello' is declared in rooms\.one and in rooms\.two"):
        plain(HelloFacts, "rooms.two")

    def compose(ctx: LetterContext) -> Draft | None:
        return None

    with pytest.raises(ValueError, match=rf"rooms\.one and in {compose.__module__}"):
        letter(HelloFacts)(compose)
    assert letters.traits("hello").quiet
    assert not letters.traits("a kind of another version").quiet
