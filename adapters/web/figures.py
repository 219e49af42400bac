"""`/readyz`: whether all is well, `/metrics`: the figures.

What exactly is wrong, and the figures, are for insiders only.
"""

from __future__ import annotations

from aiohttp import web

from referee.ports import Monitor

from .client_limits import ClientLimits
from .metrics_access import MetricsAccess


def routes(watch: Monitor, insiders: MetricsAccess, callers: ClientLimits) -> list[web.RouteDef]:
    """200 or 503; the figures, or 403 for anyone who is no insider."""

    async def readyz(request: web.Request) -> web.Response:
        wrong = await watch.wrong()
        lines = [
            "not ready" if wrong else "ready",
            *(
                [*wrong, *(f"open {name}" for name in watch.open()), *callers.odd()]
                if insiders.let(request)
                else ()
            ),
        ]
        return web.Response(text="\n".join(lines) + "\n", status=503 if wrong else 200)

    async def metrics(request: web.Request) -> web.Response:
        if not insiders.let(request):
            raise web.HTTPForbidden
        try:
            text = await watch.figures()
        except TimeoutError:
            raise web.HTTPServiceUnavailable from None
        return web.Response(
            body=text.encode(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        )

    return [web.get("/readyz", readyz), web.get("/metrics", metrics)]
