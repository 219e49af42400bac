"""`/u/<token>`: no more letters.

Looking at the page ends nothing (programs look at links, too); its button does, and so does the mail
program's own, which sends the same POST without asking (RFC 8058).
"""

from __future__ import annotations

from aiohttp import web

from referee.ports import Pages

from .client_limits import ClientLimits
from .guard import LANG, body, page


def routes(pages: Pages, callers: ClientLimits) -> list[web.RouteDef]:
    """The form, and what it does."""

    async def ask(request: web.Request) -> web.Response:
        return await answer(request, act=False)

    async def act(request: web.Request) -> web.Response:
        await body(request)  # "List-Unsubscribe=One-Click", or nothing: the token says all
        return await answer(request, act=True)

    async def answer(request: web.Request, *, act: bool) -> web.Response:
        token = request.match_info["token"]
        found = await (pages.unsubscribe(token) if act else pages.subscription(token))
        if found is None:
            raise callers.lost(request)
        # the letter's, unless the reader has just asked for another
        language = "" if LANG in request.query else str(found.get("language", ""))
        return page(
            pages, request, "unsubscribed" if act else "unsubscribe", **{**found, "language": language}
        )

    path = "/u/{token:[A-Za-z0-9_-]{16,80}}"
    return [web.get(path, ask), web.post(path, act)]
