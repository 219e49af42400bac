"""docs/admins/runbook.md and docs/admins/deploy.md: every command, file, alert, line of the log and letter
that they name is there, in just these words.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from referee.cli.app import app
from referee.config.model import BackupSettings, BotsSettings, RefereeSettings, StoreSettings, WebSettings
from referee.text import Intent, Reading, read_intent
from tests.deploy.test_monitoring import rules
from tests.deploy.tools import DEPLOY, ROOT

DOCS = ["runbook.md", "deploy.md"]
#: where they lie
FOLDER = ROOT / "docs" / "admins"
#: what the command line raises for words that it does not know
WRONG = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def text(name: str) -> str:
    return (FOLDER / name).read_text()


def commands(name: str) -> list[str]:
    """Every command line of ours: in `…`, and as a line of a block; also behind docker, sudo or
    systemd-run.
    """
    page = text(name)
    blocks = re.findall(r"^```\w*\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page, flags=re.DOTALL | re.MULTILINE))
    lines = [*(line for block in blocks for line in block.splitlines()), *spans]
    found = [
        match[1]
        for line in lines
        if (
            match := re.search(
                r"(?:^|/bin/| referee (?=referee )|exec -T work )referee ((?!referee)[a-z].*)$", line
            )
        )
    ]
    return [*found, *(match[1] for line in lines if (match := re.search(r"run --rm referee (\w.*)$", line)))]


def checked(line: str) -> None:
    """Raises the parser's own error where a command, an option or a number of arguments is not as it is."""
    command: Any = typer.main.get_command(app)
    context = command.context_class(command, info_name="referee")
    words = shlex.split(line)
    while isinstance(command, TyperGroup):
        name, command, words = command.resolve_command(context, words)
        context = command.context_class(command, info_name=name, parent=context)
        if not words and isinstance(command, TyperGroup):
            return  # a group that is named as such
    if words == ["…"]:
        return  # a command that is named as such
    command.make_context(context.info_name, words, parent=context.parent).close()


@pytest.mark.parametrize("name", DOCS)
def test_every_command_exists(name: str) -> None:
    found = commands(name)
    assert len(found) >= {"runbook.md": 25, "deploy.md": 8}[name], found
    for line in found:
        assert shlex.split(line, comments=True) == shlex.split(line) or "# " in line, f"a comment: {line}"
        try:
            checked(line)
        except WRONG as error:
            raise AssertionError(f"referee {line}: {error.format_message()}") from error


@pytest.mark.parametrize(
    "wrong", ["bakup", "backup --now", "restore", "outbox shunted", "health --reday", "game thaw"]
)
def test_a_command_that_does_not_exist_is_noticed(wrong: str) -> None:
    with pytest.raises(WRONG):
        checked(wrong)


def test_words_for_admins_are_understood() -> None:
    lines = [line for line in commands("runbook.md") if line.startswith("admin ")]
    assert len(lines) >= 1
    for line in lines:
        assert isinstance(read_intent(line, Reading(), private=True), Intent), line
    assert not isinstance(read_intent("admin resum all", Reading(), private=True), Intent)


@pytest.mark.parametrize("name", DOCS)
def test_every_file_and_unit_is_there(name: str) -> None:
    page = text(name)
    for path in re.findall(r"deploy/[\w./@-]*\w", page):
        assert (ROOT / path).exists(), path
    units = set(re.findall(r"\b(referee[\w-]*@?)\d*(\.service|\.timer)", page))
    assert units
    for stem, kind in units:
        assert (DEPLOY / "systemd" / f"{stem}{kind}").exists(), stem + kind
    for link in re.findall(r"\]\(([\w./-]+)\)", page):
        assert (FOLDER / link).exists(), link
    if name == "deploy.md":
        for file in re.findall(r"(?:-f |cp )([\w.-]+\.(?:yaml|toml))", page):
            assert (DEPLOY / "compose" / file).exists() or (ROOT / file).exists(), file


@cache
def sources() -> str:
    """Everything that can write a line of the log; joined literals, %s and %d as …"""
    code = "\n".join(
        path.read_text()
        for folder in ("referee", "adapters")
        for path in sorted((ROOT / folder).rglob("*.py"))
    )
    return re.sub(r"%[sdr]", "…", code)


def sections() -> dict[str, str]:
    parts = re.split(r"^## (.+)$", text("runbook.md"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def named(section: str, kind: str) -> list[str]:
    lines = re.findall(rf"^- {kind}: (.+)$", section, re.MULTILINE)
    return [
        one for line in lines for one in re.findall(r"“([^”]+)”" if kind == "Letter" else r"`([^`]+)`", line)
    ]


def test_the_lines_of_the_log_are_those_that_are_written() -> None:
    found = [one for section in sections().values() for one in named(section, "Log")]
    assert len(found) >= 10
    for line in found:
        assert line.removesuffix("…").strip() in sources(), line


def test_the_letters_are_those_that_admins_get() -> None:
    alerts = tomllib.loads((ROOT / "templates" / "en" / "phrases.toml").read_text())["alerts"].values()
    plain = [re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "…", one) for one in alerts]
    found = [one for section in sections().values() for one in named(section, "Letter")]
    assert len(found) >= 10
    for letter in found:
        pieces = [re.escape(piece.strip()) for piece in letter.split("…") if piece.strip()]
        assert any(re.search(".*?".join(pieces), one) for one in plain), letter


def test_every_alert_is_where_it_leads_to_and_every_heading_says_what_not_to_do() -> None:
    def anchor(title: str) -> str:
        return re.sub(r"[^\w -]", "", title).lower().replace(" ", "-")

    where = {anchor(title): named(section, "Alert") for title, section in sections().items()}
    for name, rule in rules().items():
        assert name in where[rule["annotations"]["runbook"].partition("#")[2]], name
    assert {name for names in where.values() for name in names} == set(rules())
    assert len(where) >= 10
    for title, section in sections().items():
        assert "- Do not:" in section, title
        assert named(section, "Alert") or named(section, "Log"), title


@pytest.mark.parametrize("name", DOCS)
def test_every_setting_exists(name: str) -> None:
    sections = {
        "store": StoreSettings,
        "referee": RefereeSettings,
        "web": WebSettings,
        "backup": BackupSettings,
        "bots": BotsSettings,
    }
    found = re.findall(r"((?:`\w+`(?:, | and )?)+) under `\[(\w+)\]`", text(name))
    assert found
    for keys, section in found:
        for key in re.findall(r"`(\w+)`", keys):
            assert key in sections[section].model_fields, (key, section)


def test_nothing_is_told_of_this_machine() -> None:
    for path in (*sorted(Path(DEPLOY).rglob("*")), *(FOLDER / name for name in DOCS)):
        if path.is_file() and "__pycache__" not in path.parts:
            assert not re.search(r"(?<![\w.])/(?:work|root|home)/", path.read_text()), path
