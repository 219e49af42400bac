"""A house that is set up where something is already: secrets of before, a file in a folder's place."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_init_anew_keeps_the_key_of_the_browsers_and_closes_the_secrets(run: Run, home: Path) -> None:
    """As its own refusal advises: move the file away.

    With another key every player would have to ask anew.
    """
    run(
        "init",
        "--channel",
        "telegram",
        "--set",
        "telegram.token=123456789:AAabcdefghijklmnopqrstuvwxyz012345",
    )
    path = home / "config" / "citadels-referee" / "referee.toml"
    key, token = (path.parent / "secrets" / name for name in ("web__push_key", "telegram__token"))
    before = key.read_text()
    path.rename(path.with_suffix(".old"))
    token.chmod(0o644)
    other = "123456789:BBabcdefghijklmnopqrstuvwxyz012345"
    assert run("init", "--channel", "telegram", "--set", f"telegram.token={other}").exit_code == 0
    assert key.read_text() == before
    assert token.read_text() == f"{other}\n"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


@pytest.mark.parametrize("command", ["serve", "play --store"])
def test_a_folder_that_can_not_be_made_is_told_in_words(run: Run, tmp_path: Path, command: str) -> None:
    """A file stands where the folder of the database should."""
    (tmp_path / "taken").write_text("")
    book, config = tmp_path / "taken" / "book.db", tmp_path / "referee.toml"
    config.write_text(f'[store]\nurl = "sqlite:///{book}"\n[terminal]\n')
    told = run(*command.split(), *([book] if "--store" in command else ["--config", config]))
    assert told.exit_code == 1
    assert f"The database sqlite:///{book} could not be opened: " in told.stderr
