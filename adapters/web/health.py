"""`/healthz`: whether the referee runs, for anyone who watches the machine."""

from __future__ import annotations

from aiohttp import web

from referee.ports import Pages


def routes(pages: Pages) -> list[web.RouteDef]:
    """200 and ok, or 503 and broken; nothing else is told."""

    async def healthz(request: web.Request) -> web.Response:
        sound = await pages.sound()
        return web.Response(text="ok\n" if sound else "broken\n", status=200 if sound else 503)

    return [web.get("/healthz", healthz)]
