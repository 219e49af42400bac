"""Who asks for addresses that lead nowhere, and how we know who asks.

Tokens are far too long to be guessed; counting is so that guessing costs us nothing. Anyone who has a right
one is let in whatever others did: only wrong ones are counted, and only the person who brings another wrong
one hears that it was too many. So it does little harm where everybody looks like one, because a web server
stands before us that we were not told of.
"""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import Callable

from aiohttp import web

from referee.connections import near, peer

log = logging.getLogger(__name__)
#: this many wrong addresses within so long
MOST, WITHIN_MS = 30, 600_000
#: this many callers are remembered, the last ones
_KEPT = 4096
#: this many requests of one caller may be answered at once
AT_ONCE = 64
#: what a web server before us says of who calls
SIGNS = ("X-Forwarded-For", "Forwarded", "Via")
#: for how long it is remembered what was seen of one, and how long an address it may name
SEEN_MS, _LONGEST = 3_600_000, 64


def caller(request: web.Request, *, proxied: bool) -> str:
    """Who calls: as the connection says it, or the web server before us, which is believed where it is near.

    Of a row of them only the last is our own web server's word; the others anybody may have written.
    """
    remote = request.remote or ""
    if not proxied or not near(remote):
        return remote
    said = ",".join(request.headers.getall("X-Forwarded-For", ())).rpartition(",")[2].strip()
    return said[:_LONGEST] or remote


class ClientLimits:
    """Counts wrong tokens, and requests under way, by caller; remembers what it saw of a web server before
    us.
    """

    def __init__(self, clock_ms: Callable[[], int], *, proxied: bool = False) -> None:
        self._clock_ms, self.proxied = clock_ms, proxied
        self._wrong: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._under_way: Counter[str] = Counter()
        self._seen: dict[str, int] = {}

    def wrong(self, request: web.Request) -> bool:
        """This one led nowhere; whether that was once too often.

        Not where a web server that we were not told of makes all look like one.
        """
        if self._disguised(request):
            return False
        who, now = self.who(request), self._clock_ms()
        since, count = self._wrong.pop(who, (now, 0))
        self._wrong[who] = (since, count + 1) if now - since < WITHIN_MS else (now, 1)
        while len(self._wrong) > _KEPT:
            self._wrong.popitem(last=False)
        return self._wrong[who][1] > MOST

    def lost(self, request: web.Request) -> web.HTTPException:
        """The answer to a token that opens nothing."""
        return web.HTTPTooManyRequests() if self.wrong(request) else web.HTTPNotFound()

    def enter(self, request: web.Request) -> str:
        """One more request is under way; its caller, for `leave`.  Raises HTTPTooManyRequests."""
        self._look(request)
        name = caller(request, proxied=self.proxied)
        who = peer(name)
        if self._under_way[who] >= AT_ONCE and not near(name):
            raise web.HTTPTooManyRequests
        self._under_way[who] += 1
        return who

    def leave(self, who: str) -> None:
        """It is answered."""
        self._under_way[who] -= 1
        if self._under_way[who] <= 0:
            del self._under_way[who]

    def odd(self) -> list[str]:
        """What does not fit with `proxied`, of what was seen lately: "proxied-off" (a web server stands
        before us, and we don't listen to it), "proxied-on" (somebody calls from outside without one).
        """
        now = self._clock_ms()
        return sorted(name for name, at in self._seen.items() if now - at < SEEN_MS)

    def who(self, request: web.Request) -> str:
        """The caller's address; of IPv6 the network."""
        return peer(caller(request, proxied=self.proxied))

    def _look(self, request: web.Request) -> None:
        if self._disguised(request):
            self._saw(
                "proxied-off",
                (
                    "a web server stands before the pages, but [web] proxied is false: "
                    "all who call look like one"
                ),
            )
        elif self.proxied and not near(request.remote or ""):
            self._saw("proxied-on", "[web] proxied is true, but somebody calls the pages past the web server")

    def _disguised(self, request: web.Request) -> bool:
        """Whether this evidently comes through a web server that we were not told of."""
        return (
            not self.proxied and near(request.remote or "") and any(name in request.headers for name in SIGNS)
        )

    def _saw(self, name: str, words: str) -> None:
        now = self._clock_ms()
        if now - self._seen.get(name, -SEEN_MS) >= SEEN_MS:
            log.warning(words)
        self._seen[name] = now
