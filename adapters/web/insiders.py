"""Who may look at figures: whoever calls from one of the configured networks, or knows the token."""
from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Sequence

from aiohttp import web

from .callers import caller


class Insiders:
    """`networks` as "10.0.0.0/8"; `token` goes into the header "Authorization: Bearer …", "" for none."""

    def __init__(self, networks: Sequence[str], token: str = "", *, proxied: bool = False) -> None:
        self._networks = [ipaddress.ip_network(one) for one in networks]
        self._token, self._proxied = token.encode(), proxied

    def let(self, request: web.Request) -> bool:
        """Whether this caller may.  A web server before us that we were not told of makes everybody look near: then only the token counts."""
        said = request.headers.get("Authorization", "")
        if self._token and said[:7].lower() == "bearer " and hmac.compare_digest(said[7:].strip().encode(), self._token):
            return True
        if not self._proxied and any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "Via")):
            return False
        try:
            address = ipaddress.ip_address(caller(request, proxied=self._proxied))
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self._networks)
