"""E-mail: letters with one-tap answers out, replies of any mail program in.

How an admin sets it up: docs/admins/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.ports import Adapter

    from .settings import Settings

__all__ = ["Settings", "build"]


def build(settings: Settings, clock_ms: Callable[[], int]) -> Adapter:
    """The adapter; connects to nothing until started.  `clock_ms` gives UTC milliseconds."""
    from .adapter import MailAdapter

    return MailAdapter(settings, clock_ms)


def __getattr__(name: str) -> Any:
    """`Settings`, when they are asked for: the process that reads mails has no use for what they need (see
    `reader_process`).
    """
    if name != "Settings":
        raise AttributeError(name)
    from .settings import Settings

    return Settings
