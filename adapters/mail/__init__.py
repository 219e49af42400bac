"""E-mail: letters with one-tap answers out, replies of any mail program in.

How an admin sets it up: docs/mail.md.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from referee.ports import Adapter

__all__ = ["Settings", "build"]


def build(settings: Settings, clock_ms: Callable[[], int]) -> Adapter:
    """The adapter; connects to nothing until started.  `clock_ms` gives UTC milliseconds."""
    from .adapter import MailAdapter

    return MailAdapter(settings, clock_ms)
