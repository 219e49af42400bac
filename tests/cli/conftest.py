"""A machine of one's own for each test: nothing is read from, or written to, the real one."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

Run = Callable[..., Result]
#: goes with .venv
CACHE = Path(__file__).resolve().parents[2] / ".venv" / ".cache"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Not `tmp_path`: the terminal's socket is in there, and a socket's path may be no longer than 107
    bytes.
    """
    with tempfile.TemporaryDirectory(prefix="ref") as folder:
        at_home(Path(folder), monkeypatch)
        yield Path(folder)


def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing set but a home."""
    for name in list(os.environ):
        if name.startswith("REFEREE_") or name == "CREDENTIALS_DIRECTORY":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    for name, folder in (("CONFIG", "config"), ("DATA", "data"), ("STATE", "state")):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / folder))
    # what only saves time is kept for all starts of a command, as at home
    monkeypatch.setenv("XDG_CACHE_HOME", str(CACHE))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def run() -> Run:
    """Runs a command line in this process."""
    from referee.cli.app import app

    def command(*words: object, input: str | None = None) -> Result:
        result = CliRunner().invoke(app, [str(word) for word in words], input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return command


@pytest.fixture(autouse=True)
def the_log_as_it_was() -> Iterator[None]:
    """A command that serves sets up the log, on a stream that is closed when the test is over."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before
