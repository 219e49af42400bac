"""Matrix: rooms in which tables sit, and direct rooms in which the referee whispers.

    settings   what the admin says            line       the connection: login, errors turned into receipts
    writing    a letter as event content      reading    an event as what it says (pure, believes nothing)
    rooms      who is private with whom       whispering the conversation with a person, made if there is none
    doors      invitations                    hearing    one event as something for the inbox
    listening  the sync loop, back-fill       offers     which reaction means which answer
    limits     the homeserver's patience      adapter    all of it as one channel
    unprinted  what nio would print of events

matrix-nio costs two thirds of a second to import, so it is imported only when the channel is built.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from adapters.matrix.settings import Settings

if TYPE_CHECKING:
    from referee.ports import Adapter

__all__ = ["Settings", "build"]


def build(settings: Settings, clock_ms: Callable[[], int]) -> Adapter:
    """The Matrix channel.  `clock_ms` tells UTC milliseconds.  Nothing is connected yet."""
    from adapters.matrix import unprinted
    from adapters.matrix.adapter import MatrixAdapter

    unprinted.install()
    return MatrixAdapter(settings, clock_ms)
