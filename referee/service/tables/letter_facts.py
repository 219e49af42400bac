"""The facts of the letters about tables; what they say is looked up when they leave."""

from __future__ import annotations

from ..core.letters import Facts


class LobbyFacts(Facts):
    """Who sits at a table that has not begun; the name of one who has just sat down."""

    kind = "lobby"
    joined: str = ""


class StatusFacts(Facts):
    """Where a table stands."""

    kind = "status"


class WhoFacts(Facts):
    """Who sits at a table."""

    kind = "who"


class GamesFacts(Facts):
    """The reader's tables."""

    kind = "games"
