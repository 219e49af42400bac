"""Who may look at figures: anyone who calls from one of the configured networks, or knows the token."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Sequence

from aiohttp import web

from referee.connections import address_of

from .client_limits import SIGNS, caller


class MetricsAccess:
    """`networks` as "10.0.0.0/8"; `token` goes into the header "Authorization: Bearer …", "" for none."""

    def __init__(self, networks: Sequence[str], token: str = "", *, proxied: bool = False) -> None:
        self._networks = [ipaddress.ip_network(one) for one in networks]
        self._token, self._proxied = token.encode(), proxied

    def let(self, request: web.Request) -> bool:
        """Whether this caller may.

        A web server before us that we were not told of makes everybody look near: then only the token counts.
        """
        said = request.headers.get("Authorization", "")
        if (
            self._token
            and said[:7].lower() == "bearer "
            # a header's bytes need not be UTF-8
            and hmac.compare_digest(said[7:].strip().encode(errors="surrogateescape"), self._token)
        ):
            return True
        if any(name in request.headers for name in SIGNS) and not (
            self._proxied and SIGNS[0] in request.headers
        ):
            return False
        address = address_of(caller(request, proxied=self._proxied))
        if address is None or (address.is_loopback and _rebound(request)):
            return False
        return any(address in network for network in self._networks)


def _rebound(request: web.Request) -> bool:
    """Whether a browser of this machine may ask for a stranger's page, whose name leads here by now: who
    asks by hand says an address, "localhost" or a name of the house, without dots.
    """
    behind = any(sign in request.headers for sign in SIGNS)
    return not behind and "." in request.host and address_of(request.host) is None
