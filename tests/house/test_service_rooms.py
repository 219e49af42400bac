"""The rooms of the service: what people may say is declared once, and no room is forgotten."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.service import rooms
from referee.service.core.commands import ANSWERS, COMMANDS, HELP, TableNeed
from referee.service.core.hooks import Hook, Question
from referee.service.core.registry import DuplicateEntry, Registry
from referee.text.lexicon import lexicon
from referee.text.reading.commands import COMMANDS as WORDS
from tests.house.files import ROOT

SERVICE = ROOT / "referee" / "service"
#: what the reader makes of a message that begins with no command's word; and `/start` with a link's payload
WORDLESS = {"orders", "nothing", "opened"}


def test_every_command_that_is_read_is_carried_out_and_no_other() -> None:
    assert len(WORDS) > 50
    assert set(COMMANDS) == set(WORDS) | WORDLESS


def test_every_command_is_declared_in_a_room_of_the_list() -> None:
    listed = {name.rpartition(".")[0] for name in rooms.ROOMS}
    assert len(listed) > 10
    assert len(set(rooms.ROOMS)) == len(rooms.ROOMS)
    strangers = {
        name: COMMANDS.module(name)
        for name in COMMANDS
        if COMMANDS.module(name).rpartition(".")[0] not in listed
    }
    assert not strangers


def test_no_room_with_commands_is_missing_in_the_list() -> None:
    declaring = {
        path.parent.relative_to(SERVICE).parts[0]
        for path in SERVICE.rglob("*.py")
        if "@command(" in path.read_text(encoding="utf-8") and path.parent.name != "core"
    }
    assert len(declaring) > 10
    assert declaring == {name.split(".")[2] for name in rooms.ROOMS if name.endswith(".commands")}


def test_every_room_that_listens_or_declares_is_loaded_by_the_list() -> None:
    """In a process that imports the list alone, all who take part do."""
    taking_part = {
        "referee.service." + ".".join(path.relative_to(SERVICE).with_suffix("").parts)
        for path in SERVICE.rglob("*.py")
        if re.search(
            r"^@\w*\.?\w*\.?(on|linked|answers|helps|command)\b", path.read_text(encoding="utf-8"), re.M
        )
    }
    assert len(taking_part) > 15
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys; from referee.service import rooms; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert not taking_part - set(loaded)


def test_help_about_a_command_is_about_one_that_exists() -> None:
    assert set(HELP)
    assert set(HELP) <= set(COMMANDS)
    assert set(ANSWERS)


def test_doubles_are_refused_and_both_modules_named() -> None:
    entries: Registry[int] = Registry("command")
    entries.add("status", 1, "room.one")
    with pytest.raises(DuplicateEntry, match=r"'status'.*room\.one.*room\.other"):
        entries.add("status", 2, "room.other")
    assert dict(entries) == {"status": 1}


def test_a_command_declared_twice_is_refused_at_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "second_room.py").write_text(
        "from referee.service.core.commands import HelpTopic, command\n"
        '@command("status", topic=HelpTopic.PLAY)\ndef status(uow, speaker, came, intent, game): ...\n',
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    before = COMMANDS["status"]
    with pytest.raises(DuplicateEntry, match=r"referee\.service\.tables\.questions and in second_room"):
        importlib.import_module("second_room")
    sys.modules.pop("second_room", None)
    assert COMMANDS["status"] is before


def test_what_is_about_no_table_is_told_apart() -> None:
    needs = {one: {name for name in COMMANDS if COMMANDS[name].table is one} for one in TableNeed}
    assert all(needs.values())
    assert {"orders", "undo", "join"} <= needs[TableNeed.ONE]


def test_all_who_listen_to_a_hook_are_told_in_order() -> None:
    told: list[str] = []
    hook: Hook[[str]] = Hook("told")
    hook("before anybody listens")
    hook.on(lambda word: told.append(f"first {word}"))
    hook.on(lambda word: told.append(f"second {word}"))
    hook("now")
    assert told == ["first now", "second now"]


def test_a_question_has_a_default_and_the_first_answer_counts() -> None:
    asked: Question[[int], int] = Question("asked", lambda n: -n)
    assert asked(3) == -3
    asked.on(lambda n: None)
    assert asked(3) == -3
    asked.on(lambda n: n + 1 if n else 0)
    asked.on(lambda n: 100)
    assert (asked(3), asked(0)) == (4, 0)


def test_help_lists_what_can_be_done() -> None:
    assert set(lexicon("en").keys("commands")) == set(COMMANDS) - WORDLESS


@pytest.mark.parametrize("room", ["talk"])
def test_a_room_that_nobody_names_can_be_taken_out(tmp_path: Path, room: str) -> None:
    shutil.copytree(ROOT / "referee", tmp_path / "referee", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    listed = tmp_path / "referee" / "service" / "rooms.py"
    lines = listed.read_text(encoding="utf-8").splitlines(keepends=True)
    rest = [line for line in lines if f".{room}." not in line]
    assert len(rest) < len(lines)
    listed.write_text("".join(rest), encoding="utf-8")
    shutil.rmtree(tmp_path / "referee" / "service" / room)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from referee.service.core.commands import COMMANDS as c; print(*sorted(c), sep=chr(10))",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    gone = set(COMMANDS) - set(done.stdout.splitlines())
    own = {name for name in COMMANDS if f".{room}." in COMMANDS.module(name)}
    assert own
    assert gone == own


def test_each_room_has_a_folder_of_tests_and_no_test_lies_outside_of_them() -> None:
    """Anyone who changes a room runs its folder."""
    tests = ROOT / "tests" / "service"
    packages = {path.name for path in SERVICE.iterdir() if (path / "__init__.py").is_file()}
    tested = {path.relative_to(tests).parts[0] for path in tests.rglob("test_*.py")}
    assert len({name.split(".")[2] for name in rooms.ROOMS} & tested) > 15
    assert tested == packages
