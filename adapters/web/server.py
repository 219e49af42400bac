"""The door itself: which rooms lie behind it, and opening and closing it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from aiohttp import web

from referee import connections
from referee.ports import Monitor, Pages
from referee.wirelog import silent

from . import app_files, assets, calendars, figures, health, public_pages, unsubscribe
from .client_limits import ClientLimits
from .event_streams import EventStreams
from .guard import guard
from .metrics_access import MetricsAccess
from .signed_in import SignedInPages

LARGEST_BODY = 64 * 1024
#: connections at once, in all at most, and of one caller; a browser has six, and one for each page that is
#: open
MOST, EACH = 4_000, 100
#: until a request has come, or the next one, and how long the rest of a refused one is waited for, seconds
IDLE_S, LINGER_S = 15.0, 2.0


class WebServer:
    """Listens on one port; `port` is the real one once it does."""

    def __init__(
        self,
        host: str,
        port: int,
        pages: Pages,
        callers: ClientLimits,
        watch: Monitor | None,
        insiders: MetricsAccess,
        residents: SignedInPages | None = None,
        streams: EventStreams | None = None,
    ) -> None:
        self._host, self.port, self._pages, self._callers = host, port, pages, callers
        self._watch, self._insiders, self._residents, self._streams = watch, insiders, residents, streams
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None
        #: who is connected; half of what the process may have open is theirs at most
        self.guests = connections.Connections(connections.share(0.5, MOST), EACH)
        if streams is not None:
            # a web server before us has half of the connections, and must be able to ask for a page as well
            streams.most = self.guests.most * 3 // 8

    async def start(self) -> None:
        """Open the port.  Raises OSError when it can't be had: that is the admin's to mend."""
        app = web.Application(
            client_max_size=LARGEST_BODY, middlewares=[guard(self._pages, self._callers, self._watch)]
        )
        for routes in (
            health.routes(self._pages),
            assets.routes(self._pages),
            app_files.routes(self._pages),
            calendars.routes(self._pages, self._callers),
            unsubscribe.routes(self._pages, self._callers),
            public_pages.routes(self._pages, self._callers),
        ):
            app.add_routes(routes)
        if self._watch is not None:
            app.add_routes(figures.routes(self._watch, self._insiders, self._callers))
        if self._residents is not None:
            app.add_routes(self._residents.routes(self._pages, self._callers))
        if self._streams is not None:
            app.add_routes(self._streams.routes())
        # no log of who asked for what: the addresses are secrets
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=silent("adapters.web.wire"),
            shutdown_timeout=1.0,
            keepalive_timeout=IDLE_S,
            lingering_time=LINGER_S,
        )
        connections.nameless()
        await self._runner.setup()
        assert self._runner.server is not None
        self._server = await connections.listen(
            self.guests, cast("Callable[[], asyncio.Protocol]", self._runner.server), self._host, self.port
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close it; what is under way may end within a second."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._streams is not None:
            self._streams.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
