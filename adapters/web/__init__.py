"""The web door: pages and files over HTTP, in the referee's own process.

It speaks HTTP and knows no game. What a page says comes from `referee.ports.Pages`, and somebody's own pages
from `OwnPages`; a secret stands in an address, or in the one cookie of the person who is signed in; no page
asks anything of a third party. TLS is for the web server that stands before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.ports import Live, Monitor, OwnPages, Pages

    from .server import WebServer

__all__ = ["build"]


#: from where figures may be looked at without a token: this machine
NEAR = ("127.0.0.0/8", "::1/128")


def build(
    listen: str,
    pages: Pages,
    clock_ms: Callable[[], int],
    *,
    proxied: bool = False,
    watch: Monitor | None = None,
    insiders: Sequence[str] = NEAR,
    token: str = "",
    own: OwnPages | None = None,
    live: Live | None = None,
) -> WebServer:
    """The door, not yet open.

    `listen` is "host:port" (port 0: any that is free); `proxied`: the last entry of X-Forwarded-For says who
    calls. `watch`: what is told to those who call from the networks `insiders` or know the `token`. `own`:
    the pages of the person who is signed in, None where nobody can be; `live`: what tells open pages that
    they have changed.
    """
    from .client_limits import ClientLimits
    from .event_streams import EventStreams
    from .metrics_access import MetricsAccess
    from .server import WebServer
    from .signed_in import SignedInPages

    host, _, port = listen.rpartition(":")
    return WebServer(
        host.strip("[]"),
        int(port),
        pages,
        ClientLimits(clock_ms, proxied=proxied),
        watch,
        MetricsAccess(insiders, token, proxied=proxied),
        None if own is None else SignedInPages(own, clock_ms),
        None if live is None else EventStreams(live, own, proxied=proxied),
    )
