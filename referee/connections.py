"""Who may connect: that many at once in all, that many of one peer, and nobody who keeps us waiting for ever.

A listening socket hands out file descriptors to every caller, and when none are left nothing in the
process can open anything any more: the other channels' sockets, the database, the log. So each of our
listeners has a number of its own, all of them together leave enough for everything else, and a caller who
comes above it is hung up on at once, without a word and without a line in the log.

Adapters use this (it knows nothing of the referee); a protocol is wrapped and notices nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

try:
    import resource
except ImportError:  # a system that has no such limits
    resource = None  # type: ignore[assignment]  # asked for before it is used

log = logging.getLogger(__name__)
#: what answers call the program that made them
SERVER = "citadels"
#: kept free for everything that is no listener's: the database, logs, calls to servers, child processes
RESERVE = 192
#: as many as a process asks for at its start, where the system lets it
WANTED = 16_384
#: what somebody who reads nothing may leave lying, bytes, and for how long, seconds
UNREAD, UNREAD_S = 1 << 20, 30.0
#: peers that others may stand behind: this machine and private networks (RFC 1918, 4193, 6598, link-local)
NEAR = tuple(
    map(
        ipaddress.ip_network,
        (
            "127.0.0.0/8",
            "::1/128",
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "100.64.0.0/10",
            "fc00::/7",
            "fe80::/10",
        ),
    )
)
_PORT = re.compile(r"^(?:\[([^\[\]]*)\]|([^:\[\]]*))(?::[0-9]*)?$")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def room() -> int:
    """How many file descriptors this process may have open."""
    return WANTED if resource is None else min(WANTED, max(64, resource.getrlimit(resource.RLIMIT_NOFILE)[0]))


def make_room() -> int:
    """Ask the system for as many as it lets us have, and no fewer than we have; how many that is."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with suppress(OSError, ValueError):  # then with what there is
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return room()


def share(part: float, most: int) -> int:
    """A listener's part of what there is beside the reserve, at most that many, at least eight."""
    return max(8, min(most, int((room() - RESERVE) * part)))


def nameless() -> None:
    """Let no answer of aiohttp's tell which Python and which aiohttp of ours made it.

    What it answers to nonsense comes before any application of ours, so that its own word for it is changed.
    """
    from aiohttp import web_response

    vars(web_response)["SERVER_SOFTWARE"] = SERVER


def address_of(name: str) -> Address | None:
    """An IP address, IPv4 also where it is written as IPv6; None for what is none (a unix socket's peer)."""
    bare = _PORT.sub(r"\1\2", name)  # some web servers name the port as well
    try:
        found = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def near(name: str) -> bool:
    """Whether that is a peer behind whom others may stand."""
    found = address_of(name)
    return found is not None and any(found in network for network in NEAR)


def peer(name: str) -> str:
    """One who calls, by address; of IPv6 the network, which one person has all of."""
    found = address_of(name)
    if found is None:
        return name[:64]
    return str(ipaddress.ip_network(f"{found}/64", strict=False)) if found.version == 6 else str(found)


class Connections:
    """Counts one listener's connections.

    `most` in all, `each` of one peer; of a near one half of all, since others may stand behind it.
    """

    def __init__(self, most: int, each: int, *, unread_s: float = UNREAD_S) -> None:
        self.most, self.each, self.unread_s = most, each, unread_s
        self.open: Counter[str] = Counter()
        self.refused = 0

    def enter(self, name: str) -> bool:
        """Count one more; False, and nothing is counted, where that is too many."""
        who = peer(name)
        if self.open.total() >= self.most or self.open[who] >= (
            max(self.each, self.most // 2) if near(name) or not name else self.each
        ):
            self.refused += 1
            return False
        self.open[who] += 1
        return True

    def leave(self, name: str) -> None:
        """One less."""
        who = peer(name)
        self.open[who] -= 1
        if self.open[who] <= 0:
            del self.open[who]

    def guarded(self, make: Callable[[], asyncio.Protocol]) -> Callable[[], asyncio.Protocol]:
        """The same protocol, for those that are let in."""
        return lambda: _WatchedProtocol(self, make)


async def listen(
    connections: Connections, make: Callable[[], asyncio.Protocol], host: str, port: int
) -> asyncio.Server:
    """A TCP server whose connections are counted.  Raises OSError when the port can't be had."""
    return await asyncio.get_running_loop().create_server(connections.guarded(make), host, port)


class _WatchedProtocol(asyncio.Protocol):
    """Between a transport and the protocol that speaks; anyone who is not let in never gets to one."""

    def __init__(self, connections: Connections, make: Callable[[], asyncio.Protocol]) -> None:
        self._connections, self._make = connections, make
        self._inner: asyncio.Protocol | None = None
        self._name = ""
        self._transport: asyncio.WriteTransport | None = None
        self._left = sys.maxsize
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)
        said: Any = transport.get_extra_info("peername")
        self._name = str(said[0]) if isinstance(said, tuple) and said else ""
        if not self._connections.enter(self._name):
            self._transport.abort()
            return
        self._timer = asyncio.get_running_loop().call_later(self._connections.unread_s, self._watch)
        self._inner = self._make()
        self._inner.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._inner is not None:
            self._connections.leave(self._name)
            self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._inner is not None:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._inner is None else self._inner.eof_received()

    def pause_writing(self) -> None:
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._inner is not None:
            self._inner.resume_writing()

    def _watch(self) -> None:
        """Look whether they read: what lies there and has not become less since the last look stays there."""
        assert self._transport is not None
        left = self._transport.get_write_buffer_size()
        if left and left >= self._left:
            self._transport.abort()
            return
        self._left = left or sys.maxsize
        self._timer = asyncio.get_running_loop().call_later(self._connections.unread_s, self._watch)


def mark_of(path: str | Path) -> tuple[int, ...]:
    """By what a unix socket is known from one that another process put in its place.  Raises OSError."""
    found = os.stat(path)
    return found.st_dev, found.st_ino, found.st_mtime_ns


def take_away(path: str | Path, mark: tuple[int, ...]) -> None:
    """Unlink our unix socket; not that of another process, which has the channel by now."""
    with suppress(OSError):  # somebody tidied up before us
        if mark_of(path) == mark:
            os.unlink(path)
