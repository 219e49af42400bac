"""Whether something that a browser sends was meant by the person who sits before it: nothing is done for
another site's page.

Two things are asked for, and either would do: the browser says that the request comes from a page of ours
(`Sec-Fetch-Site`, `Origin`), and the form carries a token that was made for this very browser.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from aiohttp import web

from referee.ids import SessionId

#: this many things may be sent from one browser within so long
MOST, WITHIN_MS = 40, 60_000
_KEPT = 4096


def from_ours(request: web.Request, origin: str) -> bool:
    """Whether a browser says that a page of ours sent this.

    One that says nothing at all is none that we know of.
    """
    site, said = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in (None, "same-origin"):
        return False
    return said == origin if said is not None else site is not None


class BrowserLimits:
    """How much one browser sends."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._sent: OrderedDict[SessionId, tuple[int, int]] = OrderedDict()

    def too_much(self, session: SessionId, worth: int = 1) -> bool:
        """Count one, or one that is `worth` several; whether that is more than a person would send."""
        now = self._clock_ms()
        since, count = self._sent.pop(session, (now, 0))
        since, count = (since, count + worth) if now - since < WITHIN_MS else (now, worth)
        self._sent[session] = since, count
        while len(self._sent) > _KEPT:
            self._sent.popitem(last=False)
        return count > MOST
