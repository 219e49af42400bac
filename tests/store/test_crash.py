"""Killed anywhere: what the store said is on disk is on disk, and nothing is there by halves."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from referee.store import Inbox, Store

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("lives", [40, pytest.param(1000, marks=pytest.mark.soak)])
def test_every_acknowledged_row_survives_every_kill(tmp_path: Path, lives: int) -> None:
    """One book through many lives, each ended by SIGKILL after a random number of answers and a moment
    more.
    """
    url = f"sqlite:///{tmp_path}/book.db"
    Store.open(url).close_now()  # the lives are short: none should end while alembic is being imported
    chance = random.Random(20)
    heard: list[str] = []
    command = [sys.executable, str(Path(__file__).with_name("crash_child.py")), url]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as zygote:
        assert zygote.stdin is not None
        assert zygote.stdout is not None
        for life in range(lives):
            zygote.stdin.write("live\n")
            zygote.stdin.flush()
            pid, wanted, mine = 0, chance.randrange(120), 0
            for line in zygote.stdout:
                word = line.strip()
                if word == "dead":
                    break
                if word.startswith("pid "):
                    pid = int(word[4:])
                else:
                    assert word.startswith(f"{life}.")
                    heard.append(word)
                    mine += 1
                if pid and mine >= wanted:
                    time.sleep(chance.uniform(0, 0.004))
                    os.kill(pid, signal.SIGKILL)
                    pid, wanted = 0, 1 << 30  # what it had said before it died is still in the pipe
        zygote.stdin.close()
    assert zygote.returncode == 0
    assert len(heard) > lives * 20

    store = Store.open(url)
    left = set(store.read_now(lambda tx: tx.column(Inbox, "key", channel="left")))
    right = set(store.read_now(lambda tx: tx.column(Inbox, "key", channel="right")))
    store.close_now()
    assert set(heard) <= left
    assert left == right
    with closing(sqlite3.connect(tmp_path / "book.db")) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
