"""`/manifest.webmanifest`: what makes an app of the pages, in the language that its address asks for."""

from __future__ import annotations

from aiohttp import web

from referee.ports import Pages

from .guard import language_of

#: its words and its pictures change with a new version only
_KEPT = "public, max-age=86400"


def routes(pages: Pages) -> list[web.RouteDef]:
    """The file, for everybody."""

    async def manifest(request: web.Request) -> web.Response:
        return web.Response(
            body=pages.manifest(language_of(request)),
            content_type="application/manifest+json",
            headers={"Cache-Control": _KEPT, "Vary": "Accept-Language, Cookie"},
        )

    return [web.get("/manifest.webmanifest", manifest)]
