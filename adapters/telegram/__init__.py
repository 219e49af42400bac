"""Telegram: a bot that hears its groups and its players and writes to both.

Found by the entry point ``referee.adapters``.  The library is loaded by `build`, not before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from referee.ports import Adapter

__all__ = ["Settings", "build"]


def build(settings: Settings, clock_ms: Callable[[], int]) -> Adapter:
    """The channel, ready to start.  `clock_ms` gives UTC milliseconds."""
    from .adapter import TelegramAdapter

    return TelegramAdapter(settings, clock_ms)
