"""Our own server that speaks Telegram's Bot API over real HTTP, as strict as the real one.

api = await BotApi().start()        # or BotApi().start_thread()
ann = api.user("Ann"); ann.start()
table = api.group("Table", [ann])
... point a bot at api.url with api.token ...
ann.press(ann.sees()[-1], "take gold")
"""

from __future__ import annotations

from .groups import Group
from .people import User
from .screen import SeenButton, SeenMessage
from .server import BotApi
from .things import Query

__all__ = ["BotApi", "Group", "Query", "SeenButton", "SeenMessage", "User", "why_not"]


def why_not() -> str | None:
    """Why this server can't run here; None, for it needs nothing but aiohttp."""
    return None
