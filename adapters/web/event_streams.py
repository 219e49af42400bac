"""`/t/17/events`, `/me/17/events` and `/demo/events`: server-sent events that tell an open page to ask for
itself again, and nothing else.

A stream ends by itself after a while (browsers come back), when its table has no more to tell, and at once
when the door closes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from aiohttp import web

from referee.connections import peer
from referee.ids import GameId
from referee.ports import Live, OwnPages, Stream

from .client_limits import caller
from .guard import HEADERS
from .public_pages import TABLE
from .sign_in import cookie_of

#: this many streams of one caller at once
MOST_EACH = 24
#: a sign of life each so often, and the end after so long, seconds
BEAT_S, LIFE_S = 20.0, 900.0
#: a browser that lost its stream comes back after so long, milliseconds
BACK_MS = 3000
_TYPE = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
    "Content-Security-Policy": "default-src 'none'",
}


class EventStreams:
    """All streams that are open."""

    def __init__(self, live: Live, own: OwnPages | None, *, proxied: bool) -> None:
        self._live, self._own, self._proxied = live, own, proxied
        self._closing = asyncio.Event()
        self._each: Counter[str] = Counter()
        #: this many at once; the server says it, by the connections that it may have
        self.most = 0

    def routes(self) -> list[web.RouteDef]:
        """All addresses; 403 for anyone who is not signed in, 404 for what is not theirs to see, 429 for too
        many at once. Not for HEAD: a stream has nothing but its body.
        """
        found = {f"{TABLE}/events": self._table, "/demo/events": self._bots}
        if self._own is not None:
            found["/me/{game:[1-9][0-9]{0,8}}/events"] = self._seat
        return [web.get(address, self._serve(find), allow_head=False) for address, find in found.items()]

    def close(self) -> None:
        """End them all."""
        self._closing.set()

    async def _table(self, request: web.Request) -> Stream | None:
        return await self._live.table(request.match_info)

    async def _bots(self, request: web.Request) -> Stream | None:
        return await self._live.demo()

    async def _seat(self, request: web.Request) -> Stream | None:
        visitor = None if self._own is None else await self._own.visitor(cookie_of(request))
        if visitor is None:
            raise web.HTTPForbidden
        return await self._live.seat(visitor, GameId(int(request.match_info["game"])))

    def _serve(
        self, find: Callable[[web.Request], Awaitable[Stream | None]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            who = peer(caller(request, proxied=self._proxied))
            if self._each[who] >= MOST_EACH or self._each.total() >= self.most:
                raise web.HTTPTooManyRequests
            self._each[who] += 1
            try:
                stream = await find(request)
                if stream is None:
                    raise web.HTTPNotFound
                try:
                    return await self._told(request, stream)
                finally:
                    stream.close()
            finally:
                self._each[who] -= 1
                if not self._each[who]:
                    del self._each[who]

        return serve

    async def _told(self, request: web.Request, stream: Stream) -> web.StreamResponse:
        response = web.StreamResponse(headers={**HEADERS, **_TYPE})
        with suppress(ConnectionResetError):  # anyone who closes the page says no goodbye
            await response.prepare(request)
            await response.write(f"retry: {BACK_MS}\n\n".encode())
            if stream.mark != request.query.get("seen", ""):
                await response.write(event(stream.mark))
            async for mark in self._marks(stream):
                await response.write(event(mark) if mark else b":\n\n")
        return response

    async def _marks(self, stream: Stream) -> AsyncIterator[str]:
        """Each new mark; "" now and then; ends when there is nothing more to come."""
        closing = asyncio.ensure_future(self._closing.wait())
        news = asyncio.ensure_future(stream.changed())
        end = asyncio.get_running_loop().time() + LIFE_S
        try:
            while not closing.done() and asyncio.get_running_loop().time() < end:
                await asyncio.wait((closing, news), timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED)
                if not news.done():
                    yield ""
                    continue
                mark = news.result()
                if mark is None:
                    return
                yield mark
                news = asyncio.ensure_future(stream.changed())
        finally:
            closing.cancel()
            news.cancel()


def event(mark: str) -> bytes:
    """One event as it is sent; a mark is letters and digits."""
    return f"data: {mark}\n\n".encode()
