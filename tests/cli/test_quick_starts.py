"""A command loads and makes what it needs, and hardly more."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer

from referee.cli.app import narrowed

HEAVY = (
    "sqlmodel",
    "sqlalchemy",
    "pydantic",
    "jinja2",
    "telegram",
    "nio",
    "aiohttp",
    "yaml",
    "apscheduler",
    "babel",
    "rich.console",
)


def test_help_is_quick_because_it_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom referee.cli.app import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        f"sys.exit(repr([name for name in {HEAVY!r} if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "serve" in done.stdout
    assert done.stderr.strip() == "[]"


def test_a_command_hardly_looks_for_garbage_while_it_loads() -> None:
    """By itself Python looks after every 700 objects: an eighth of what a start costs."""
    code = (
        "import gc, sys\nfrom referee.cli import main\nsys.argv = ['referee', 'doctor', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "sys.exit(str(gc.get_stats()[0]['collections']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert int(done.stderr) < 30  # 82 without


@pytest.mark.parametrize(
    "wants", [("play",), ("games",), ("inbox", "show"), ("--help",), ("--version",), ("nosuch",)]
)
def test_a_command_that_is_named_is_made_without_the_others(wants: tuple[str, ...]) -> None:
    whole = typer.Typer()
    for name in ("play", "games"):
        whole.command(name)(lambda: None)
    whole.add_typer(typer.Typer(), name="inbox")
    narrowed(whole, wants[:1])
    left = [one.name for one in (*whole.registered_commands, *whole.registered_groups)]
    assert left == ([wants[0]] if wants[0] in ("play", "games", "inbox") else ["play", "games", "inbox"])
