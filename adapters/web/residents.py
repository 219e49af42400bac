"""Whoever is signed in: all that the door needs for them, in one hand."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from referee.ports import OwnPages, Pages

from . import keys, own
from .callers import Callers
from .proof import Pace


class Residents:
    """Their pages, and how much each of their browsers sends."""

    def __init__(self, mine: OwnPages, clock_ms: Callable[[], int]) -> None:
        self._mine, self._pace = mine, Pace(clock_ms)

    def routes(self, pages: Pages, callers: Callers) -> list[web.RouteDef]:
        """All addresses that are theirs."""
        return [*keys.routes(pages, self._mine, callers), *own.routes(pages, self._mine, self._pace)]
