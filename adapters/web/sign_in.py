"""The cookie in which a browser keeps its secret, and the pages around it: `/me/in/<token>` signs somebody
in, `/me/out` out.

Looking at a link does nothing (programs that check mail look at links, too); its button does, once.
"""

from __future__ import annotations

import re

from aiohttp import web

from referee.ports import OwnPages, Pages, Visitor

from .browser_names import browser_of
from .client_limits import ClientLimits
from .form_checks import from_ours
from .guard import LANG, body, page

NAME = "citadels"
#: as long as an unused browser stays signed in
AGE_S = 30 * 86_400
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


def cookie_of(request: web.Request) -> str:
    """The secret that this browser keeps, "" for none that could be ours."""
    said = request.cookies.get(NAME, "")
    return said if _SECRET.fullmatch(said) else ""


def own_page(
    pages: Pages, request: web.Request, visitor: Visitor | None, name: str, status: int = 200, **facts: object
) -> web.Response:
    """A page for one person, in their language where we know them."""
    return page(pages, request, name, status, visitor.language if visitor is not None else "", **facts)


def keep(response: web.Response, own: OwnPages, secret: str) -> None:
    """Let the browser keep a secret; "" makes it forget."""
    response.set_cookie(
        NAME,
        secret,
        max_age=AGE_S if secret else 0,
        path=f"{own.root}/me",
        httponly=True,
        samesite="Strict",
        secure=own.origin.startswith("https:"),
    )


def routes(pages: Pages, own: OwnPages, callers: ClientLimits) -> list[web.RouteDef]:
    """The link's page, and what its button does."""

    async def look(request: web.Request) -> web.Response:
        found = await own.link(request.match_info["token"])
        if found is None:
            return gone(request)
        # the letter's, unless the reader has just asked for another
        language = "" if LANG in request.query else str(found["language"])
        return page(pages, request, "sign_in", **{**found, "language": language})

    async def enter(request: web.Request) -> web.Response:
        if not from_ours(request, own.origin):
            return own_page(pages, request, None, "refused", 403, at=own.origin + own.root)
        await body(request)
        found = await own.sign_in(request.match_info["token"], cookie_of(request), browser_of(request))
        if found is None:
            return gone(request)
        secret, game = found
        response = web.Response(
            status=303, headers={"Location": f"{own.root}/me/{game}" if game else f"{own.root}/me"}
        )
        keep(response, own, secret)
        return response

    def gone(request: web.Request) -> web.Response:
        if callers.wrong(request):
            raise web.HTTPTooManyRequests
        return own_page(pages, request, None, "link_gone", 404)

    path = "/me/in/{token:[A-Za-z0-9_-]{43}}"
    return [web.get(path, look), web.post(path, enter)]
