"""The receiving process is killed in the middle of traffic, again and again: nothing said is lost, nothing is
doubled.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.adapters.conformance import until
from tests.servers.botapi import BotApi

KILLS = 3


async def test_sigkill_loses_and_doubles_nothing(tmp_path: Path) -> None:
    chance = random.Random(11)
    api = await BotApi().start()
    ann = api.user("Ann", started=True)
    path = tmp_path / "inbox.db"
    said: list[str] = []

    def kept() -> list[str]:
        if not path.exists():
            return []
        with closing(sqlite3.connect(path)) as file:
            if not file.execute("SELECT 1 FROM sqlite_master WHERE name = 'inbox'").fetchone():
                return []
            return [str(text) for (text,) in file.execute("SELECT text FROM inbox ORDER BY n")]

    async def talk(count: int) -> None:
        for _ in range(count):
            said.append(f"order {len(said)}")
            ann.say(said[-1])
            await asyncio.sleep(chance.random() * 0.01)

    for life in range(KILLS + 1):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.adapters.telegram_victim", api.url, api.token, str(path)]
        ) as victim:
            try:
                await talk(10)
                if life < KILLS:
                    seen = len(kept())
                    await until(lambda seen=seen: len(kept()) > seen, 60)  # type: ignore[misc]  # binds the number of this round
                    await talk(chance.randrange(1, 40))
                else:
                    await until(lambda: len(kept()) >= len(said), 60)
            finally:
                victim.kill()
    assert kept() == said
    assert len(said) >= 10 * (KILLS + 1)
    await api.stop()
