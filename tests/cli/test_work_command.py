"""`referee work`: no channels and none of their secrets, and nothing to do beside a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_beside_a_file_there_is_nothing_to_help_with(run: Run, home: Path) -> None:
    (home / "r.toml").write_text(f"[store]\nurl = 'sqlite:///{home}/referee.db'\n[terminal]\n")
    told = run("work", "-c", home / "r.toml")
    assert told.exit_code == 2
    assert "Several need PostgreSQL" in told.stderr
    assert "referee store copy" in told.stderr
    assert not (home / "referee.db").exists()


def test_an_address_without_its_driver_is_told_without_its_password(run: Run, home: Path) -> None:
    (home / "r.toml").write_text("[store]\nurl = 'postgresql://referee:hunter2@127.0.0.1:1/none'\n")
    told = run("work", "-c", home / "r.toml")
    assert told.exit_code == 2
    assert "postgresql://referee:***@127.0.0.1:1/none" in told.stderr
    assert "hunter2" not in told.output


@pytest.mark.parametrize("section", ["[telegram]\npoll_s = 3\n", "[matrix]\n", "[mail]\naddress = 7\n"])
def test_what_channels_lack_is_none_of_its_business(run: Run, home: Path, section: str) -> None:
    (home / "r.toml").write_text(f"[store]\nurl = 'postgresql+psycopg://referee@127.0.0.1:1/none'\n{section}")
    told = run("work", "-c", home / "r.toml")
    assert told.exit_code == 1  # it gets as far as the server, which is not there
    assert "could not be opened" in told.stderr
    assert run("serve", "-c", home / "r.toml").exit_code == 2


def test_its_own_sections_are_looked_at_all_the_same(run: Run, home: Path) -> None:
    (home / "r.toml").write_text(
        "[store]\nurl = 'postgresql+psycopg://referee@127.0.0.1:1/none'\n[referee]\nmove_hour = 3\n"
    )
    told = run("work", "-c", home / "r.toml")
    assert told.exit_code == 2
    assert "move_hours" in told.stderr
