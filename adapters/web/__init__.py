"""The web door: pages and files over HTTP, in the referee's own process.

It speaks HTTP and knows no game.  What a page says comes from `referee.ports.Pages`; a secret stands in an address, never in a
cookie, and no page asks anything of a third party.  TLS is for the web server that stands before it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.ports import Pages

    from .door import Door

__all__ = ["build"]


def build(listen: str, pages: Pages, clock_ms: Callable[[], int], *, proxied: bool = False) -> Door:
    """The door, not yet open.  `listen` is "host:port" (port 0: any that is free); `proxied`: the last entry of X-Forwarded-For says who
    calls."""
    from .callers import Callers
    from .door import Door

    host, _, port = listen.rpartition(":")
    return Door(host.strip("[]"), int(port), pages, Callers(clock_ms, proxied=proxied))
