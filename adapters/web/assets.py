"""`/static/<name>-<hash>.<kind>`: style, scripts and the pictures in the tab and of the app.

What is behind such an address never changes.
"""

from __future__ import annotations

from aiohttp import web

from referee.ports import Pages

from .public_pages import served

#: a year: another file has another address
KEEP = "public, max-age=31536000, immutable"


def routes(pages: Pages) -> list[web.RouteDef]:
    """The file, or 404."""

    async def file(request: web.Request) -> web.Response:
        found = pages.asset(request.match_info["kept"])
        if found is None:
            raise web.HTTPNotFound
        return served(found, {"Cache-Control": KEEP})

    return [web.get("/static/{kept:[a-z0-9_-]{1,64}[.][a-z]{1,4}}", file)]
