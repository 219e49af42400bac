"""A process that packs games, and puts them back into rows, until it is killed: started by
test_killed_packing.
"""

from __future__ import annotations

import sys
from functools import partial

from referee.store import Game, Store, Tx


def swapped(tx: Tx, number: int) -> None:
    """Pack the game that stands in rows, unpack the one that does not."""
    game = tx.get(Game, number)
    assert game is not None
    if game.packed_ms:
        tx.unpack(game)
        return
    pack = tx.packable(number)
    assert pack is not None
    tx.pack(pack, 1)


if __name__ == "__main__":
    store = Store.open(sys.argv[1], guest=True)
    print("begun", flush=True)
    number = 0
    while True:
        number = number % 8 + 1
        store.write_now(partial(swapped, number=number))
        print("swapped", flush=True)
