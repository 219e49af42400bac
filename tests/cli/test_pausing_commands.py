"""`referee games --pause 1` and `--resume 1`: a table stands still and goes on, told to those who play."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from referee.store import GameEvent, Store
from tests.cli.conftest import Run


def test_a_table_pauses_and_goes_on(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "p.db"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "referee",
            "play",
            "--pipe",
            "--bots",
            "1",
            "--name",
            "Ana",
            "--store",
            str(book),
        ],
        input="1\n",
        text=True,
        capture_output=True,
        timeout=120,
        check=True,
        cwd=tmp_path,
    )
    (tmp_path / "r.toml").write_text(f"[store]\nurl = 'sqlite:///{book}'\n")
    config = ("-c", tmp_path / "r.toml")
    assert run("games", "--resume", 1, *config).exit_code == 1
    assert run("games", "--pause", 9, *config).exit_code == 1
    assert "all its clocks stand still" in run("games", "--pause", 1, *config).output
    assert run("games", "--pause", 1, *config).exit_code == 1
    assert run("games", "--resume", 1, *config).exit_code == 0
    store = Store.open(f"sqlite:///{book}")
    assert [
        one.name
        for one in store.read_now(lambda tx: tx.all(GameEvent, order="no"))
        if one.name in ("paused", "unpaused")
    ] == ["paused", "unpaused"]
    store.close_now()
