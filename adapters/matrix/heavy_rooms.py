"""Rooms that make an answer larger than any that is read.

Anybody may bring us into a room, and write as much into its state as they like. Their answer would be passed
over, and with it what all others said; at a start it tells of every room, and we would know none.
"""

from __future__ import annotations

from referee.ports import Fate

from . import connection
from .connection import MatrixConnection, MatrixError, ResponseTooLarge


async def too_heavy(line: MatrixConnection, known: set[str]) -> set[str]:
    """Of the rooms that we are in and are not `known`, the largest: without them the others fit into half of
    an answer. Nothing where all fit: then it is not the rooms. Raises MatrixError where that can't be found
    out.
    """
    found = (await line.raw("GET", "joined_rooms")).get("joined_rooms")
    names = [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
    sizes = {room: await _size(line, room) for room in names if room not in known}
    heavy, whole = set[str](), sum(sizes.values())
    for room in sorted(sizes, key=lambda one: sizes[one], reverse=True):
        if whole <= connection.LARGEST // 2:
            break
        heavy.add(room)
        whole -= sizes[room]
    return heavy


async def _size(line: MatrixConnection, room: str) -> int:
    """How many bytes a room's state has."""
    try:
        return len(await line.fetched("GET", "rooms", room, "state"))
    except ResponseTooLarge:
        return connection.LARGEST
    except MatrixError as trouble:
        if trouble.receipt.fate is Fate.LATER:
            raise
        return 0  # we have been put out of it meanwhile
