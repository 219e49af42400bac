"""`/me` and `/me/17`: somebody's own tables, and one of them as its seat sees it, with forms to answer.

What is sent from a form goes where chat goes. The browser is then sent to the page with the answer (303), so
that a reload sends nothing again.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

from aiohttp import web

from referee.ports import OwnPages, Pages, Visitor

from .guard import body
from .keys import cookie_of, keep, own_page
from .proof import Pace, from_ours

_WAY = re.compile(r"^[0-9]{1,3}(\.[0-9]{1,3}){0,9}$")
_FIELDS = 20
GAME = "/me/{game:[1-9][0-9]{0,8}}"
Shown = Callable[[web.Request, Visitor], Awaitable[web.StreamResponse]]


def number(text: str, digits: int) -> int:
    """A number out of an address or a form, 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else 0


def game_of(request: web.Request) -> int:
    """The table that an address names, 0 for none."""
    return int(request.match_info.get("game", "0"))


def asked(request: web.Request) -> tuple[str, int, list[int]]:
    """What an address says of the answers that are to be seen: what was sent before, the question, the
    entries of it that were followed.
    """
    way = request.query.get("way", "")
    return (
        request.query.get("since", "")[:80],
        number(request.query.get("q", ""), 9),
        [int(one) for one in way.split(".")] if _WAY.match(way) else [],
    )


def routes(pages: Pages, own: OwnPages, pace: Pace) -> list[web.RouteDef]:
    """Both pages, and what is sent from them.

    403 for whoever is not signed in and for what no form of ours sent, 413 for too much at once.
    """

    def signed_in(show: Shown) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def shown(request: web.Request) -> web.StreamResponse:
            visitor = await own.visitor(cookie_of(request))
            if visitor is None:
                # whoever comes from another site has their cookie with them only when they come again from a
                # page of ours
                elsewhere = request.headers.get("Sec-Fetch-Site") not in ("same-origin", "none")
                return own_page(
                    pages,
                    request,
                    None,
                    "signed_out",
                    403,
                    again=request.path if elsewhere and request.method == "GET" else "",
                )
            return await show(request, visitor)

        return shown

    async def tables(request: web.Request, visitor: Visitor) -> web.Response:
        return own_page(
            pages, request, visitor, "me", **await own.tables(visitor, request.query.get("since", "")[:80])
        )

    async def seat(request: web.Request, visitor: Visitor) -> web.Response:
        found = await own.seat(visitor, game_of(request), *asked(request))
        if found is None:
            raise web.HTTPNotFound
        return own_page(pages, request, visitor, "seat", **found)

    async def picture(request: web.Request, visitor: Visitor) -> web.Response:
        found = await own.picture(
            visitor,
            game_of(request),
            *asked(request),
            "dark" if request.query.get("theme") == "dark" else "light",
        )
        if found is None:
            raise web.HTTPNotFound
        return web.Response(text=found, content_type="image/svg+xml")

    async def send(request: web.Request) -> web.StreamResponse:
        if not from_ours(request, own.origin):
            return own_page(pages, request, None, "refused", 403, at=own.origin + own.root)
        return await signed_in(sent)(request)

    async def sent(request: web.Request, visitor: Visitor) -> web.Response:
        try:
            fields = dict(
                parse_qsl(
                    (await body(request)).decode("utf-8", "replace"),
                    keep_blank_values=True,
                    max_num_fields=_FIELDS,
                )
            )
        except web.HTTPRequestEntityTooLarge:
            return own_page(pages, request, visitor, "too_much", 413)
        except ValueError:  # more fields than any form of ours has
            return own_page(pages, request, visitor, "refused", 403, at=own.origin + own.root)
        form, game = fields.get("form", ""), game_of(request)
        if request.path.endswith("/me/out"):
            if not await own.sign_out(visitor, form):
                return own_page(pages, request, visitor, "refused", 403, at=own.origin + own.root)
            response = own_page(pages, request, visitor, "goodbye")
            keep(response, own, "")
            return response
        if pace.too_much(visitor.session):
            return own_page(pages, request, visitor, "too_often", 429)
        try:
            sent = await own.say(
                visitor,
                form,
                fields.get("order", ""),
                button=fields.get("key", ""),
                game_id=game,
                question=number(fields.get("question", ""), 9),
            )
        except OSError:
            return own_page(pages, request, visitor, "broken", 503)
        if sent is None:
            return own_page(pages, request, visitor, "refused", 403, at=own.origin + own.root)
        return web.Response(
            status=303, headers={"Location": f"{own.root}/me{f'/{game}' if game else ''}?since={sent}"}
        )

    return [
        web.get("/me", signed_in(tables)),
        web.get(GAME, signed_in(seat)),
        web.get(GAME + "/seat.svg", signed_in(picture)),
        web.post("/me", send),
        web.post("/me/out", send),
        web.post(GAME, send),
    ]
