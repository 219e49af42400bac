"""Who asks for addresses that lead nowhere: whoever does that often is not served for a while.

Tokens are far too long to be guessed; this is so that guessing costs us nothing.
"""
from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable

from aiohttp import web

#: so many wrong addresses within so long
MOST, WITHIN_MS = 30, 600_000
#: so many callers are remembered, the last ones
_KEPT = 4096


def caller(request: web.Request, *, proxied: bool) -> str:
    """Who calls, as the connection says it, or the web server before us."""
    said = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() if proxied else ""
    return said or request.remote or ""


class Callers:
    """Counts wrong tokens by caller."""

    def __init__(self, clock_ms: Callable[[], int], *, proxied: bool = False) -> None:
        self._clock_ms, self._proxied = clock_ms, proxied
        self._wrong: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def tiresome(self, request: web.Request) -> bool:
        """Whether this caller asked for too many already."""
        since, count = self._wrong.get(self._who(request), (0, 0))
        return count >= MOST and self._clock_ms() - since < WITHIN_MS

    def wrong(self, request: web.Request) -> None:
        """This one led nowhere."""
        who, now = self._who(request), self._clock_ms()
        since, count = self._wrong.pop(who, (now, 0))
        self._wrong[who] = (since, count + 1) if now - since < WITHIN_MS else (now, 1)
        while len(self._wrong) > _KEPT:
            self._wrong.popitem(last=False)

    def _who(self, request: web.Request) -> str:
        """The caller's address; of IPv6 the network, which one person has all of."""
        name = caller(request, proxied=self._proxied)
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name[:64]
        return str(ipaddress.ip_network(f"{address}/64", strict=False)) if address.version == 6 else str(address)
