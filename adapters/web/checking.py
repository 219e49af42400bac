"""What ``referee doctor`` finds about the web pages."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress
from urllib.parse import urlsplit

from referee.ports import Finding

from .guard import HEADERS

_PATIENCE_S, _LONGEST = 10.0, 65_536
_NEAR = ("localhost", "127.0.0.1", "::1")


async def findings(
    listen: str, base_url: str, *, proxied: bool = False, token: str = "", push: bool = True
) -> list[Finding]:
    """A real call where somebody listens.

    Codes: web-free, web-serving, web-proxied (ok); web-no-address, web-plain, web-closed, web-proxied-off,
    web-proxied-on, web-no-push (warn); web-taken, web-nowhere (bad). Nothing where there are no pages.
    `token` is that of the figures; `push`: whether there is a key of notices.
    """
    if not listen:
        return [Finding("warn", "web-closed", {"base_url": base_url})] if base_url else []
    found = [await _port(listen)]
    if not base_url:
        found.append(Finding("warn", "web-no-address", {"listen": listen}))
    elif urlsplit(base_url).scheme == "http" and urlsplit(base_url).hostname not in _NEAR:
        found.append(Finding("warn", "web-plain", {"base_url": base_url}))
    elif not push:
        found.append(Finding("warn", "web-no-push"))
    if found[0].code == "web-serving":
        found += await _before(listen, base_url, proxied=proxied, token=token)
    return found


async def _before(listen: str, base_url: str, *, proxied: bool, token: str) -> list[Finding]:
    """Whether `proxied` fits with what the running referee sees: it is called under its public address, and
    asked then what it saw of that and of others' calls lately. Nothing where it does not tell us.
    """
    import aiohttp

    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_PATIENCE_S)) as session:
        if base_url:
            with suppress(
                aiohttp.ClientError, OSError, TimeoutError
            ):  # whether others reach it is not what is asked here
                async with session.get(f"{base_url}/") as answer:
                    await answer.read()
        try:
            async with session.get(f"http://{_reached(listen)}/readyz", headers=headers) as answer:
                said = (await answer.content.read(_LONGEST)).decode("utf-8", "replace").splitlines()
        except (aiohttp.ClientError, OSError, TimeoutError):
            return []
    odd = [Finding("warn", "web-proxied-off", {"listen": listen})] if "proxied-off" in said else []
    odd += [Finding("warn", "web-proxied-on", {"listen": listen})] if "proxied-on" in said else []
    return odd or ([Finding("ok", "web-proxied", {"listen": listen})] if proxied else [])


def _reached(listen: str) -> str:
    """Where this machine reaches what listens there."""
    name, _, port = listen.rpartition(":")
    return {"0.0.0.0": f"127.0.0.1:{port}", "[::]": f"[::1]:{port}"}.get(name, listen)  # noqa: S104  # compared, not bound


async def _port(listen: str) -> Finding:
    """Whether the port is free, or our own, or somebody else's."""
    name, _, port = listen.rpartition(":")
    host = name.strip("[]")
    try:
        with socket.create_server(
            (host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        ):
            return Finding("ok", "web-free", {"listen": listen})
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            ours = await _ours(listen)
            return Finding(
                "ok" if ours else "bad", "web-serving" if ours else "web-taken", {"listen": listen}
            )
        return Finding("bad", "web-nowhere", {"listen": listen, "detail": str(error)})


async def _ours(listen: str) -> bool:
    """Whether it is a referee that answers there."""
    import aiohttp

    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_PATIENCE_S)) as session,
            session.get(f"http://{_reached(listen)}/healthz") as answer,
        ):
            return answer.headers.get("Server") == HEADERS["Server"]
    except (aiohttp.ClientError, OSError, TimeoutError):
        return False
