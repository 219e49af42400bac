"""The web door: pages and files over HTTP, in the referee's own process.

It speaks HTTP and knows no game. What a page says comes from `referee.ports.Pages`, and somebody's own pages
from `OwnPages`; a secret stands in an address, or in the one cookie of whoever is signed in; no page asks
anything of a third party. TLS is for the web server that stands before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.ports import Live, OwnPages, Pages, Watch

    from .door import Door

__all__ = ["build"]


#: from where figures may be looked at without a token: this machine
NEAR = ("127.0.0.0/8", "::1/128")


def build(
    listen: str,
    pages: Pages,
    clock_ms: Callable[[], int],
    *,
    proxied: bool = False,
    watch: Watch | None = None,
    insiders: Sequence[str] = NEAR,
    token: str = "",
    own: OwnPages | None = None,
    live: Live | None = None,
) -> Door:
    """The door, not yet open.

    `listen` is "host:port" (port 0: any that is free); `proxied`: the last entry of X-Forwarded-For says who
    calls. `watch`: what is told to those who call from the networks `insiders` or know the `token`. `own`:
    the pages of whoever is signed in, None where nobody can be; `live`: what tells open pages that they have
    changed.
    """
    from .callers import Callers
    from .door import Door
    from .insiders import Insiders
    from .residents import Residents
    from .streams import Streams

    host, _, port = listen.rpartition(":")
    return Door(
        host.strip("[]"),
        int(port),
        pages,
        Callers(clock_ms, proxied=proxied),
        watch,
        Insiders(insiders, token, proxied=proxied),
        None if own is None else Residents(own, clock_ms),
        None if live is None else Streams(live, own, proxied=proxied),
    )
