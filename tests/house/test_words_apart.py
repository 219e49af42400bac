"""What a person reads is in templates/; what is in templates/ is used; the flow knows no card."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from referee.cli.say import sentences
from referee.rules import EDITIONS
from referee.text import KINDS, LETTERS
from tests.house.files import ROOT, nodes, python, shown, text, tree

TEMPLATES = ROOT / "templates"


def strings(node: ast.AST) -> Iterator[ast.Constant]:
    """String constants that are no docstring, no line of the log and no message of an error of ours."""
    skipped: set[int] = set()
    for one in ast.walk(node):
        body = getattr(one, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            skipped.add(id(body[0].value))
        names = ast.unparse(one.func) if isinstance(one, ast.Call) else ""
        if isinstance(one, ast.Raise | ast.Assert) or names.startswith(
            ("log.", "logging.", "re.compile", "Field", "warnings.")
        ):
            skipped.update(id(inside) for inside in ast.walk(one))
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in skipped:
            yield one


def test_no_sentence_in_code_that_speaks_to_people() -> None:
    sentence = re.compile(r"^[A-Z“\"'][a-z’']*,? (?:[\w’',-]+ ){2,}[\w’'-]+[.!?]")
    rooms = python("referee/service", "referee/cli", "referee/doctor", "adapters")
    looked, faults = 0, []
    for path in rooms:
        for one in strings(tree(path)):
            looked += 1
            if sentence.search(str(one.value)):
                faults.append(f"{shown(path)}:{one.lineno}: {one.value!r}")
    assert looked > 500
    assert not faults


def test_the_sentence_finder_finds_one() -> None:
    found = [
        one.value
        for one in strings(
            ast.parse(
                '"""A docstring that may stand here."""\nx = "It is your turn now."\nlog.info("This '
                'is for the log.")'
            )
        )
    ]
    assert found == ["It is your turn now."]


def test_nobody_prints() -> None:
    rooms = python("referee", "adapters")
    assert rooms
    calls = [
        f"{shown(path)}:{one.lineno}"
        for path in rooms
        for one in nodes(path)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "print"
    ]
    assert not calls


def test_the_flow_names_no_card() -> None:
    names = {card.name for edition in EDITIONS.values() for card in edition.characters}
    names |= {district.name for edition in EDITIONS.values() for district, _ in edition.districts}
    rooms = python("referee/rules/flow")
    assert len(names) > 20
    assert rooms
    any_of_them = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    faults = [
        f"{shown(path)}: {name}"
        for path in rooms
        for one in strings(tree(path))
        for name in any_of_them.findall(str(one.value))
    ]
    assert not faults


def test_every_letter_has_its_template_and_every_template_its_use() -> None:
    letters = {path.stem for path in (TEMPLATES / "layouts" / "letters").glob("*.j2")}
    assert letters
    everywhere = "\n".join(path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.j2"))
    included = {name for name in letters if f"letters/{name}.j2" in everywhere}
    assert letters - included == set(LETTERS)
    channels = {path.stem for path in (TEMPLATES / "channels").glob("*.j2")}
    assert channels == set(KINDS)


def codes_said() -> set[str]:
    """The first argument of every say(…) and end(n, …), where it is written out."""
    found: set[str] = set()
    for path in python("referee/cli"):
        for one in nodes(path):
            if (
                isinstance(one, ast.Call)
                and isinstance(one.func, ast.Name)
                and one.func.id in ("say", "end", "help_")
            ):
                code = one.args[1 if one.func.id == "end" else 0]
                before = "help." if one.func.id == "help_" else ""
                whole = [] if isinstance(code, ast.JoinedStr) else list(ast.walk(code))
                found.update(
                    before + str(inner.value)
                    for inner in whole
                    if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
                )
    return found


def codes_found() -> set[str]:
    """Every code of a `Finding` and of a `Fault` that is written out, with the chapter it is looked for
    in.
    """
    found: set[str] = set()
    for path in python("referee/doctor", "referee/config", "adapters"):
        for one in nodes(path):
            if (
                isinstance(one, ast.Call)
                and isinstance(one.func, ast.Name)
                and one.func.id in ("Finding", "Fault")
            ):
                finding = one.func.id == "Finding"
                code = one.args[1 if finding else 0]
                found.update(
                    ("doctor." if finding else "config.") + str(inner.value)
                    for inner in ast.walk(code)
                    if isinstance(inner, ast.Constant)
                    and isinstance(inner.value, str)
                    and "-" in inner.value + "-"
                )
    return found


def test_every_code_of_the_command_line_has_a_sentence() -> None:
    known = set(sentences("en"))
    said = {code for code in codes_said() if code not in known and "." in code and not code.endswith(".")}
    found = codes_found()
    assert len(codes_said()) > 50
    assert len(found) > 30
    assert not said
    assert not found - known


def quoted() -> set[str]:
    """Every word that stands in quotation marks in the code."""
    word = re.compile(r"(?<=[\"'])[\w.-]+(?=[\"'])")
    return {code for path in python("referee", "adapters") for code in word.findall(text(path))}


def test_every_notice_is_said_by_somebody() -> None:
    """A code is written out where it is said, but for a setting's: its value is put behind its name."""
    files = [TEMPLATES / "en" / name for name in ("phrases.toml", "administering.toml")]
    notices = {code for file in files for code in tomllib.loads(file.read_text(encoding="utf-8"))["notices"]}
    assert len(notices) > 150
    assert notices - quoted() == {"hints-on", "hints-off"}


def test_every_sentence_of_the_command_line_is_used() -> None:
    used = codes_said() | codes_found() | quoted()
    idle = [
        code
        for code in sentences("en")
        if code not in used
        and (code.partition(".")[2] or code) not in used
        and code.partition(".")[0] not in ("help", "level", "foreign", "headings")
    ]
    assert sentences("en")
    assert not idle


def test_every_language_says_everything_that_english_says() -> None:
    languages = sorted(path.parent for path in TEMPLATES.glob("*/lexicon.toml"))
    assert languages
    wanted = {
        str(path.relative_to(TEMPLATES / "en")) for path in (TEMPLATES / "en").rglob("*") if path.is_file()
    }
    for folder in languages:
        assert wanted <= {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        for path in folder.rglob("*.toml"):
            assert tomllib.loads(Path(path).read_text(encoding="utf-8"))
