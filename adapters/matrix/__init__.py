"""Matrix: rooms in which tables sit, and direct rooms in which the referee whispers.

    settings       what the admin says
    connection     login, errors turned into receipts
    writing        a letter as event content
    reading        an event as what it says (pure, believes nothing)
    rooms          who is private with whom
    direct_rooms   the conversation with a person, made if there is none
    invitations    invitations, kept until they are accepted
    event_reader   one event as something for the inbox
    sync_loop      the sync loop, back-fill
    sync_digest    a sync answer as nio takes it in
    room_state     what nio would overlook of rooms in it
    heavy_rooms    rooms that make an answer larger than any that is read
    reactions      which reaction means which answer
    uploads        pictures for the content repository
    limits         the homeserver's rate limit
    adapter        all of it as one channel
    nio_logging    what nio would print of events

matrix-nio costs two thirds of a second to import, so it is imported only when the channel is built.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from referee.ports import Adapter

__all__ = ["Settings", "build"]


def build(settings: Settings, clock_ms: Callable[[], int]) -> Adapter:
    """The Matrix channel.  `clock_ms` tells UTC milliseconds.  Nothing is connected yet."""
    from . import nio_logging
    from .adapter import MatrixAdapter

    nio_logging.install()
    return MatrixAdapter(settings, clock_ms)
