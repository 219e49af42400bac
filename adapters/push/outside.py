"""Only push services out on the Internet are called: the address comes from a browser, so from anybody, and
must not make us knock at doors of our own network.

Looked at is the number that is connected to, after its name was resolved, so that no name can mean something
else a moment later. Nothing is followed, no proxy of the environment is asked.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from aiohttp import ClientSession, ClientTimeout, TCPConnector, ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

#: the whole of one call, and until its connection stands, seconds; connections at once
CALL_S, CONNECT_S, MOST = 10.0, 5.0, 32
#: where push services listen; elsewhere only in networks that the admin named
_PORT = 443
#: IPv4 behind IPv6: RFC 6052
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_Number = ipaddress.IPv4Address | ipaddress.IPv6Address


class Forbidden(OSError):
    """What an address leads to is none of the public Internet's."""


class Outside:
    """What may be called: the public Internet, and these networks."""

    def __init__(self, networks: Sequence[str] = ()) -> None:
        self._networks = tuple(ipaddress.ip_network(one) for one in networks)

    def named(self, number: str) -> bool:
        """Whether it is in one of the networks that the admin named."""
        found = ipaddress.ip_address(number)
        return any(found in one for one in self._networks)

    def allows(self, number: str) -> bool:
        """Whether it may be connected to."""
        return self.named(number) or all(
            # IPv6 had a range for one's own site once, which Python calls global
            one.is_global and not one.is_multicast and not getattr(one, "is_site_local", False)
            for one in _meant(ipaddress.ip_address(number))
        )

    def check(self, endpoint: str) -> None:
        """Raise Forbidden for an address that is not to be called, as far as it shows before its name is
        resolved.
        """
        parts = urlsplit(endpoint)
        try:
            host, port = parts.hostname or "", parts.port
        except ValueError as wrong:
            raise Forbidden(str(wrong)) from wrong
        number = _number(host)
        if number is not None and self.named(str(number)):
            return
        if parts.scheme != "https" or not host or parts.username is not None:
            raise Forbidden("no https")
        if port not in (None, _PORT) and (number is not None or not self._networks):
            raise Forbidden("not the port of a push service")
        if number is None and host.replace(".", "").isdigit():
            # "127.1", "2130706433": aiohttp takes it for a number and asks no resolver, so nor ours; the
            # system then reads it as one of our own. Older versions of aiohttp connect to it
            raise Forbidden("not written as a number is")
        if number is not None and not self.allows(str(number)):
            raise Forbidden("not on the Internet")

    def session(self) -> ClientSession:
        """Connections to what is allowed."""
        return ClientSession(
            connector=TCPConnector(resolver=_Resolver(self), limit=MOST, limit_per_host=8),
            timeout=ClientTimeout(total=CALL_S, sock_connect=CONNECT_S),
            auto_decompress=False,
        )


class _Resolver(AbstractResolver):
    """The machine's own, without what is not allowed."""

    def __init__(self, outside: Outside) -> None:
        self._outside, self._machine = outside, ThreadedResolver()

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        found = await self._machine.resolve(host, port, family)  # type: ignore[arg-type]  # its enum is this number
        allowed = [
            one
            for one in found
            if (self._outside.allows(one["host"]) and port == _PORT) or self._outside.named(one["host"])
        ]
        if not allowed:
            raise Forbidden("not on the Internet")
        return allowed

    async def close(self) -> None:
        await self._machine.close()


def _number(host: str) -> _Number | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _meant(number: _Number) -> list[_Number]:
    """An address, and the IPv4 addresses that it may stand for."""
    if isinstance(number, ipaddress.IPv4Address):
        return [number]
    inner: list[_Number | None] = [number.ipv4_mapped, number.sixtofour, *(number.teredo or ())]
    if number in _NAT64:
        inner.append(ipaddress.IPv4Address(int(number) & 0xFFFFFFFF))
    return ([] if number.ipv4_mapped else [number]) + [one for one in inner if one is not None]
