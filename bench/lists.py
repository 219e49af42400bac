"""What the list of tables costs in a full house: 10,000 of them, of which some gather and some are by
invitation; pages with any number, each asked for when what was made before is too old.

    python -m bench.lists [games]

Processor time, as nothing waits here: the database is read in this process.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench._goals import Sheet
from bench.desk import quantile
from bench.house import Wire, now_ms
from bench.start import furnish
from referee import main as program
from referee.config import Configuration, RefereeSettings, StoreSettings
from referee.service.web.site.tables import FRESH_MS, SIZE
from referee.store import Store, Tx

GAMES, MOST_MS = 10_000, 20.0


def mixed(path: Path) -> None:
    """One of twenty gathers, each third is by invitation, and half of those is watched by a room."""
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(
            """
            UPDATE game SET status = 'lobby' WHERE id % 20 = 7;
            UPDATE game SET page = 'watched' WHERE id % 3 = 0;
            INSERT INTO room (channel, place, name, language, state) VALUES ('bench', '-1', '', 'en', 'open');
            INSERT INTO game_room (game_id, room_id, wire_id, told)
                SELECT id, last_insert_rowid(), '', 0 FROM game WHERE id % 6 = 0;
            """
        )


def main(games: int = GAMES) -> None:
    program.settled_in()
    with tempfile.TemporaryDirectory() as name:
        url = furnish(Path(name), games, 0)
        mixed(Path(name) / "bench.db")
        store = Store.open(url, read_only=True)
        settings = Configuration(Path(), Path(), StoreSettings(url=url), RefereeSettings(), {})
        cache = program.referee(store, [Wire()], settings).pages.cache
        now = now_ms()
        pages = games * 7 // 10 // SIZE
        asked = [{"page": str(1 + n * 7 % pages)} for n in range(100)] + [
            {"show": "gathering"},
            {"show": "over"},
        ]

        def look(tx: Tx) -> tuple[list[float], list[float], int]:
            made, kept, largest = [], [], 0
            for n, wanted in enumerate([{}, *asked]):
                for took in (made, kept):
                    begun = time.thread_time()
                    page = cache.show(tx, now + n * FRESH_MS, "tables", "en", wanted)
                    took.append(time.thread_time() - begun)
                    assert page is not None
                    largest = max(largest, len(page.body))
            return made[1:], kept[1:], largest  # the first compiles the templates

        made, kept, largest = store.read_now(look)
        store.close_now()
    print(
        f"lists   {games} tables, any page number: p50 {quantile(made, 0.5):5.1f} ms  p99 "
        f"{quantile(made, 0.99):5.1f} ms; kept {quantile(kept, 0.99):.2f} ms; "
        f"at most {largest / 1000:.1f} kB"
    )
    with Sheet("lists") as sheet:
        sheet.say(f"a page of {games} tables, p99", quantile(made, 0.99), "ms", most=MOST_MS)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
