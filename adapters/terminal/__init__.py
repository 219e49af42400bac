"""The terminal: a seat at the keyboard of the machine on which the referee runs.

A unix socket that only its owner may open, one JSON object a line.  The address of a person
is the name given when attaching.  There are no rooms, no buttons and no edits here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from referee.ports import Adapter


class Settings(BaseModel):
    """The section [terminal]."""

    model_config = ConfigDict(strict=True, extra="forbid")

    socket: Path | None = Field(
        default=None,
        description="The unix socket at which `referee seat` attaches; only its owner may open it. "
        "Left out: terminal.sock in the platform's data directory.",
    )


def socket_path(settings: Settings) -> Path:
    """Where the socket is: the one set, else one of this user's own."""
    if settings.socket is not None:
        return settings.socket.expanduser()
    from platformdirs import user_data_path

    # not the runtime directory: that differs between a service and a login of the same user
    return user_data_path("citadels-referee") / "terminal.sock"


def build(settings: Settings, clock_ms: Callable[[], int]) -> Adapter:
    """The adapter, not yet listening."""
    from .server import TerminalAdapter

    return TerminalAdapter(socket_path(settings), clock_ms)
