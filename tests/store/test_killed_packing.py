"""Killed with SIGKILL while it packs games and unpacks them: each is whole, in rows or in its pack, never
both.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from referee.store import Deal, Game, GameEvent, Journal, PackedGame, Person, Store, Tx
from tests.seeds import some

ROOT = Path(__file__).parents[2]
GAMES = 8


def filled(tx: Tx) -> None:
    """Games with orders, events of all kinds, and a deal that was given up."""
    who, dice = tx.add(Person, name="Ann"), random.Random(3)
    for number in range(1, GAMES + 1):
        game = tx.add(Game, creator_id=who, status="over", ended_ms=5)
        for no in range(1, 200):
            by = dice.choice(("person", "bot", "clock", "plan"))
            cause = no - 1 if by == "plan" else None
            tx.add(
                Journal, game_id=game, no=no, seat=no % 4, question=no, order=f"gold {number}", by=by,
                at_ms=no * 7, undone=no % 3, cause=cause,
            )  # fmt: skip
            to, facts = None if no % 5 else no % 4, f'{{"n":"ç{no}"}}'
            tx.add(GameEvent, game_id=game, no=no, to_seat=to, name="took_gold", facts=facts, at_ms=no)
        tx.add(Deal, game_id=game, no=1, seat=2, seed="ab", record=f"a record of {number}\n", at_ms=3)


def seen(tx: Tx) -> list[list[Any]]:
    """What was played in each game, without the rows' own numbers."""
    found = []
    for game in tx.all(Game, order="id"):
        rows = [*tx.orders_of(game), *tx.events_of(game), *tx.deals_of(game)]
        found.append([row._replace(id=0) for row in rows])
    return found


def in_rows(tx: Tx) -> list[tuple[int, int, bool]]:
    """Of each game: rows of the journal, packs, whether it says that it is packed."""
    return [
        (
            tx.count(Journal, game_id=game.id),
            tx.count(PackedGame, game_id=game.id),
            bool(game.packed_ms),
        )
        for game in tx.all(Game, order="id")
    ]


@pytest.mark.parametrize("lives", [some(40)])
def test_a_game_is_whole_whenever_the_process_dies(tmp_path: Path, lives: int) -> None:
    url = f"sqlite:///{tmp_path}/book.db"
    store = Store.open(url)
    store.write_now(filled)
    before = store.read_now(seen)
    dice, both = random.Random(4), set[bool]()
    for _ in range(lives):
        with subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("packing_child.py")), url],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"begun\n"
            for _ in range(dice.randrange(GAMES)):  # by its steps: a slow machine does none in a given time
                assert child.stdout.readline() == b"swapped\n"
            time.sleep(dice.uniform(0.0, 0.02))  # somewhere in the next one
            child.send_signal(signal.SIGKILL)
        store.close_now()
        store = Store.open(url)
        assert not store.read_now(lambda tx: tx.flaws())
        assert store.read_now(seen) == before
        for rows, packs, said in store.read_now(in_rows):
            assert (rows, packs) == ((0, 1) if said else (199, 0))
            both.add(said)
    assert both == {True, False}
    store.close_now()
