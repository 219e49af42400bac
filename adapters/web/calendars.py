"""`/calendar/<token>.ics`: the file that a calendar program subscribes to."""

from __future__ import annotations

from aiohttp import web

from referee.ports import Pages

from .client_limits import ClientLimits


def routes(pages: Pages, callers: ClientLimits) -> list[web.RouteDef]:
    """The file, 404 for a token that opens none, 429 for anyone who tries too many."""

    async def calendar(request: web.Request) -> web.Response:
        file = await pages.calendar(request.match_info["token"])
        if file is None:
            raise callers.lost(request)
        return web.Response(
            body=file,
            content_type="text/calendar",
            charset="utf-8",
            headers={"Content-Disposition": 'inline; filename="citadels.ics"'},
        )

    return [web.get("/calendar/{token:[A-Za-z0-9_-]{16,80}}.ics", calendar)]
