"""What ``referee doctor`` finds about the web pages."""
from __future__ import annotations

import errno
import socket
from urllib.parse import urlsplit

from referee.ports import Finding

from .guard import HEADERS

_PATIENCE_S = 10.0
_NEAR = ("localhost", "127.0.0.1", "::1")


async def findings(listen: str, base_url: str) -> list[Finding]:
    """A real call where somebody listens.  Codes: web-free, web-serving (ok); web-no-address, web-plain, web-closed (warn); web-taken,
    web-nowhere (bad).  Nothing where there are no pages."""
    if not listen:
        return [Finding("warn", "web-closed", {"base_url": base_url})] if base_url else []
    found = [await _port(listen)]
    if not base_url:
        found.append(Finding("warn", "web-no-address", {"listen": listen}))
    elif urlsplit(base_url).scheme == "http" and urlsplit(base_url).hostname not in _NEAR:
        found.append(Finding("warn", "web-plain", {"base_url": base_url}))
    return found


async def _port(listen: str) -> Finding:
    """Whether the port is free, or our own, or somebody else's."""
    name, _, port = listen.rpartition(":")
    host = name.strip("[]")
    try:
        with socket.create_server((host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return Finding("ok", "web-free", {"listen": listen})
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            ours = await _ours(listen)
            return Finding("ok" if ours else "bad", "web-serving" if ours else "web-taken", {"listen": listen})
        return Finding("bad", "web-nowhere", {"listen": listen, "detail": str(error)})


async def _ours(listen: str) -> bool:
    """Whether it is a referee that answers there."""
    import aiohttp

    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_PATIENCE_S)) as session, session.get(f"http://{listen}/healthz") as answer:
            return answer.headers.get("Server") == HEADERS["Server"]
    except (aiohttp.ClientError, OSError, TimeoutError):
        return False
