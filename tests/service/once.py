"""What many tests of a file begin with, played once in a process: the first house plays it, the others are
given its book, its letters and its hour, as after a restart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from itertools import count
from typing import NamedTuple

from referee.ports import Letter
from tests import books
from tests.service.rig import House


class _Kept(NamedTuple):
    """A house that was closed: its book, what each of its wires sent and how many there were, the numbers of
    its messages, its hour, and what its player returned.
    """

    book: bytes
    wires: dict[str, tuple[list[Letter], int]]
    said: int
    at_ms: int
    found: int


_kept: dict[Hashable, _Kept] = {}


async def once(house: House, name: Hashable, play: Callable[[], Awaitable[int]]) -> int:
    """Bring a house of the usual settings, in which nothing has happened, to where `play` leads; what `play`
    returned. The same name is the same play.
    """
    if books.ON_POSTGRES:  # a file is quicker copied than a database
        return await play()
    first = name not in _kept
    found = await play() if first else 0
    await house.close()
    if first:
        wires = {channel: (list(wire.sent), next(wire._n)) for channel, wire in house.wires.items()}
        _kept[name] = _Kept(house.path.read_bytes(), wires, next(house._n), house.clock(), found)
    kept = _kept[name]
    house.path.write_bytes(kept.book)
    house._n, house.clock.at_ms = count(kept.said), kept.at_ms
    for channel, (sent, number) in kept.wires.items():
        house.wires[channel].sent, house.wires[channel]._n = list(sent), count(number)
    await house.open()
    return kept.found
