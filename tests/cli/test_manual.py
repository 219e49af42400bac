"""The manual page and the shells' completions that the wheel brings are those of today's commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import manual
from referee.cli.app import app

ROOT = Path(__file__).parents[2]
SHARE = ROOT / "deploy" / "share"


@pytest.mark.parametrize(("spoken", "name"), [("en_US", "referee.1"), ("pt_BR", "referee.pt_BR.1")])
def test_the_manual_page_is_of_today(spoken: str, name: str) -> None:
    """In a process of its own: the commands' help is in the language in which they were loaded."""
    made = subprocess.run(
        [sys.executable, "-m", "referee.cli.manual", "man"],
        env=os.environ | {"LC_ALL": f"{spoken}.UTF-8"},
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout
    assert made.decode() == (SHARE / name).read_text(encoding="utf-8"), "run: make man"
    commands = [line for line in made.decode().splitlines() if line.startswith(".SS ")]
    assert len(commands) > len(app.registered_commands)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_of_today(shell: str) -> None:
    assert manual.completion(shell) == (SHARE / f"referee.{shell}").read_text(encoding="utf-8"), (
        "run: make man"
    )


def test_a_command_is_completed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[:] = ['referee']; from referee.cli import main; main()"],
        env=os.environ
        | {"COMP_WORDS": "referee gam", "COMP_CWORD": "1", "_REFEREE_COMPLETE": "complete_bash"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert set(done.stdout.split()) == {"game", "games"}
