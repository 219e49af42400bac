"""The person who is signed in: all that the door needs for them, in one hand."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from referee.ports import OwnPages, Pages

from . import player_pages, sign_in, telegram_app
from .client_limits import ClientLimits
from .form_checks import BrowserLimits


class SignedInPages:
    """Their pages, and how much each of their browsers sends."""

    def __init__(self, mine: OwnPages, clock_ms: Callable[[], int]) -> None:
        self._mine, self._pace = mine, BrowserLimits(clock_ms)

    def routes(self, pages: Pages, callers: ClientLimits) -> list[web.RouteDef]:
        """All addresses that are theirs."""
        return [
            *sign_in.routes(pages, self._mine, callers),
            *telegram_app.routes(pages, self._mine, callers),
            *player_pages.routes(pages, self._mine, self._pace, callers),
        ]
