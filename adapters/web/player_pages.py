"""`/me` and `/me/17`: somebody's own tables, and one of them as its seat sees it, with forms to answer.

What is sent from a form goes where chat goes. The browser is then sent to the page with the answer (303), so
that a reload sends nothing again.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from referee.ids import GameId, QuestionNo
from referee.ports import OwnPages, Pages, Visitor, subscription_of

from .client_limits import ClientLimits
from .form_checks import BrowserLimits, from_ours
from .guard import body
from .public_pages import LEAGUE, served
from .sign_in import cookie_of, keep, own_page

#: the key of a table's page, or the code of an invitation to it
_KEY = re.compile(r"(-[a-z2-7]{16}|[A-Za-z2-7]{8})")
_WAY = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){0,9}")
_FIELDS = 20
GAME = "/me/{game:[1-9][0-9]{0,8}}"
STEP = GAME + "/step/{step:[1-9][0-9]{0,5}}"
#: address -> the page behind it, of those that are about no table; below it `/preview` tells what would come
#: of words
OTHERS = {"/me/l": "my_leagues", "/me" + LEAGUE: "my_league", "/me" + LEAGUE + "/office": "office"}
#: the page that tells it
PREVIEW = "preview"
Shown = Callable[[web.Request, Visitor], Awaitable[web.StreamResponse]]


def number(text: str, digits: int) -> int:
    """A number out of an address or a form, 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else 0


def game_of(request: web.Request) -> GameId:
    """The table that an address names, 0 for none."""
    return GameId(int(request.match_info.get("game", "0")))


def asked(request: web.Request) -> tuple[str, QuestionNo, list[int]]:
    """What an address says of the answers that are to be seen: what was sent before, the question, the
    entries of it that were followed.
    """
    way = request.query.get("way", "")
    return (
        request.query.get("since", "")[:80],
        QuestionNo(number(request.query.get("q", ""), 9)),
        [int(one) for one in way.split(".")] if _WAY.fullmatch(way) else [],
    )


def key_of(request: web.Request) -> str:
    """What an address says of why somebody without a seat may see the table, "" for nothing."""
    said = request.query.get("key", "")
    return said if _KEY.fullmatch(said) else ""


def routes(pages: Pages, own: OwnPages, pace: BrowserLimits, callers: ClientLimits) -> list[web.RouteDef]:
    """Both pages, the form for a new table, and what is sent from them.

    403 for anyone who is not signed in and for what no form of ours sent, 413 for too much at once.
    """
    mine = _PlayerPages(pages, own, pace, callers)
    return [
        web.get("/me", mine.signed_in(mine.tables)),
        web.get("/me/worker.js", mine.worker),
        web.get("/me/stats", mine.signed_in(mine.statistics)),
        web.get("/me/data", mine.signed_in(mine.data)),
        web.get("/me/new", mine.signed_in(mine.new_table)),
        web.get(GAME, mine.signed_in(mine.seat)),
        web.get(GAME + "/seat.svg", mine.signed_in(mine.picture)),
        web.get(GAME + "/history", mine.signed_in(mine.step)),
        web.get(STEP, mine.signed_in(mine.step)),
        *(web.get(address, mine.signed_in(mine.other(name))) for address, name in OTHERS.items()),
        *(web.post(address, mine.send) for address in OTHERS),
        *(web.post(f"{address}/{PREVIEW}", mine.preview(name)) for address, name in OTHERS.items()),
        web.post("/me", mine.send),
        web.post("/me/new", mine.send),
        web.post("/me/out", mine.send),
        web.post("/me/push", mine.send),
        web.post(GAME, mine.send),
        web.post(STEP, mine.send),
    ]


class _PlayerPages:
    """What answers at each of the addresses."""

    def __init__(self, pages: Pages, own: OwnPages, pace: BrowserLimits, callers: ClientLimits) -> None:
        self._pages, self._own, self._pace, self._callers = pages, own, pace, callers

    def signed_in(self, show: Shown) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """`show` for anyone who is signed in, and for others how to get there."""

        async def shown(request: web.Request) -> web.StreamResponse:
            visitor = await self._own.visitor(cookie_of(request))
            if visitor is None:
                # anyone who comes from another site has their cookie with them only when they come again from
                # a page of ours
                elsewhere = request.headers.get("Sec-Fetch-Site") not in ("same-origin", "none")
                key = f"?key={key_of(request)}" if key_of(request) else ""
                return own_page(
                    self._pages,
                    request,
                    None,
                    "signed_out",
                    403,
                    again=f"{request.path}{key}" if elsewhere and request.method == "GET" else "",
                    contacts=self._own.contacts(),
                    written=await self._written(request),
                )
            return await show(request, visitor)

        return shown

    async def worker(self, request: web.Request) -> web.Response:
        """What their browser runs for these pages alone, signed in or not; an old one asks for a new one."""
        found = self._pages.worker()
        if found is None:
            raise web.HTTPNotFound
        headers = {
            "Cache-Control": "no-cache",
            "Content-Security-Policy": "default-src 'none'; connect-src 'self'",
            "Service-Worker-Allowed": f"{self._own.root}/me",
        }
        return served(found, headers)

    async def tables(self, request: web.Request, visitor: Visitor) -> web.Response:
        """All their tables."""
        page = number(request.query.get("page", "1"), 6)
        facts = await self._own.tables(visitor, request.query.get("since", "")[:80], page)
        if facts is None:
            raise web.HTTPNotFound
        return own_page(self._pages, request, visitor, "me", **facts)

    async def statistics(self, request: web.Request, visitor: Visitor) -> web.Response:
        """How they did."""
        return own_page(self._pages, request, visitor, "my_stats", **await self._own.statistics(visitor))

    async def data(self, request: web.Request, visitor: Visitor) -> web.Response:
        """All that is kept about them, to be saved: now and then, not forty times a minute."""
        if self._pace.too_much(visitor.session, worth=10):
            return own_page(self._pages, request, visitor, "too_often", 429)
        file = await self._own.data(visitor)
        return web.Response(
            body=file.body,
            content_type=file.media_type,
            headers={"Content-Disposition": f'attachment; filename="{file.name}"'},
        )

    async def new_table(self, request: web.Request, visitor: Visitor) -> web.Response:
        """The form for a table of their own."""
        since = asked(request)[0]
        found = await self._own.new_table(visitor, since)
        if found["opened"]:  # it was sent twice, and the first one opened the table
            where = f"{self._own.root}/me/{found['opened']}?{urlencode({'since': since})}"
            return web.Response(status=303, headers={"Location": where})
        return own_page(self._pages, request, visitor, "new_table", **found)

    async def seat(self, request: web.Request, visitor: Visitor) -> web.Response:
        """One table as their seat sees it, or as it gathers."""
        key, since = key_of(request), asked(request)[0]
        found = await self._own.seat(visitor, game_of(request), *asked(request), key)
        if found is None and since:  # anyone who has just left reads the answer among their tables
            return web.Response(
                status=303, headers={"Location": f"{self._own.root}/me?{urlencode({'since': since})}"}
            )
        if found is None:
            raise self._callers.lost(request) if key else web.HTTPNotFound()
        return own_page(self._pages, request, visitor, found.pop("page"), **found)

    async def step(self, request: web.Request, visitor: Visitor) -> web.Response:
        """A step of it, once it is over; before, there is only what everybody sees."""
        asked = request.match_info.get("step") or request.query.get("step", "")
        found = await self._own.step(
            visitor, game_of(request), number(asked, 6), request.query.get("since", "")[:80]
        )
        if found is None:
            raise web.HTTPNotFound
        return own_page(self._pages, request, visitor, "step", **found)

    async def picture(self, request: web.Request, visitor: Visitor) -> web.Response:
        """The same as a picture."""
        theme = "dark" if request.query.get("theme") == "dark" else "light"
        found = await self._own.picture(visitor, game_of(request), *asked(request), theme)
        if found is None:
            raise web.HTTPNotFound
        return web.Response(text=found, content_type="image/svg+xml")

    def other(self, name: str) -> Shown:
        """A page that is about no table."""

        async def show(request: web.Request, visitor: Visitor) -> web.Response:
            wanted = {**{key: value[:80] for key, value in request.query.items()}, **request.match_info}
            found = await self._own.other(visitor, name, wanted, request.query.get("since", "")[:80])
            if found is None:
                raise web.HTTPNotFound
            return own_page(self._pages, request, visitor, name, **found)

        return show

    def preview(self, name: str) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """What would come of words that are sent from there: each is as much work as doing it."""

        async def tried(request: web.Request, visitor: Visitor) -> web.Response:
            fields = await self._fields(request, visitor)
            if isinstance(fields, web.Response):
                return fields
            if self._pace.too_much(visitor.session):
                return self._unheard(request, visitor, fields, "too_often", 429)
            wanted, text = dict(request.match_info), fields.get("order", "")
            found = await self._own.preview(visitor, name, wanted, fields.get("form", ""), text)
            if found is None:
                return self._refused(request, visitor)
            return own_page(self._pages, request, visitor, PREVIEW, **found)

        async def asked(request: web.Request) -> web.StreamResponse:
            if not from_ours(request, self._own.origin):
                return self._refused(request, None)
            return await self.signed_in(tried)(request)

        return asked

    async def _written(self, request: web.Request) -> str:
        """The words of a form that comes too late to be heard: where that is said they can be copied."""
        try:
            return fields_of((await body(request)).decode("utf-8", "replace")).get("order", "")
        except (web.HTTPRequestEntityTooLarge, ValueError):
            return ""

    async def _fields(self, request: web.Request, visitor: Visitor) -> dict[str, str] | web.Response:
        """What a form sent, or what is answered where that can't be read."""
        try:
            return fields_of((await body(request)).decode("utf-8", "replace"))
        except web.HTTPRequestEntityTooLarge:
            return own_page(self._pages, request, visitor, "too_much", 413)
        except ValueError:  # more fields than any form of ours has
            return self._refused(request, visitor)

    async def send(self, request: web.Request) -> web.StreamResponse:
        """What a form of ours sends."""
        if not from_ours(request, self._own.origin):
            return self._refused(request, None)
        return await self.signed_in(self._sent)(request)

    async def _sent(self, request: web.Request, visitor: Visitor) -> web.Response:
        fields = await self._fields(request, visitor)
        if isinstance(fields, web.Response):
            return fields
        if request.path.endswith("/me/out"):
            return await self._sign_out(request, visitor, fields)
        if self._pace.too_much(visitor.session):
            return self._unheard(request, visitor, fields, "too_often", 429)
        if request.path.endswith("/me/push"):
            return await self._push(request, visitor, fields)
        return await self._say(request, visitor, fields)

    async def _sign_out(
        self, request: web.Request, visitor: Visitor, fields: Mapping[str, str]
    ) -> web.Response:
        which = fields.get("which", "")
        if which != "others":  # the number of a browser; 0 is none
            which = str(number(which, 9)) if which else ""
        stays = await self._own.sign_out(visitor, fields.get("form", ""), which)
        if stays is None:
            return self._refused(request, visitor)
        if stays:
            return web.Response(status=303, headers={"Location": f"{self._own.root}/me#signed-in"})
        response = own_page(self._pages, request, visitor, "goodbye", everywhere=not which)
        keep(response, self._own, "")
        response.headers["Clear-Site-Data"] = '"storage"'  # the table that the browser kept
        return response

    async def _push(self, request: web.Request, visitor: Visitor, fields: Mapping[str, str]) -> web.Response:
        """Their browser is to be told, or no more; asked for by a script, or by the button alone."""
        wanted = subscription_of(fields)
        if wanted is None and fields.get("endpoint"):
            raise web.HTTPBadRequest
        if not await self._own.push(visitor, fields.get("form", ""), wanted):
            return self._refused(request, visitor)
        return web.Response(status=303, headers={"Location": f"{self._own.root}/me"})

    async def _say(self, request: web.Request, visitor: Visitor, fields: Mapping[str, str]) -> web.Response:
        """Their words or their button, and where its answer will be."""
        game = game_of(request)
        try:
            sent = await self._own.say(
                visitor,
                fields.get("form", ""),
                fields.get("order", ""),
                button=fields.get("key", ""),
                game_id=game,
                question=QuestionNo(number(fields.get("question", ""), 9)),
            )
        except OSError:
            return self._unheard(request, visitor, fields, "broken", 503)
        if sent is None:
            return self._refused(request, visitor, fields.get("order", ""))
        if await self._own.visitor(cookie_of(request)) is None:  # they signed out by word, or are gone
            response = own_page(self._pages, request, visitor, "gone")
            keep(response, self._own, "")
            return response
        name, opened = sent
        table = f"/{opened or game}" if opened or game else ""
        if not opened and (step := request.match_info.get("step")):
            table += f"/step/{step}"
        key = f"&key={key_of(request)}" if game and key_of(request) else ""
        stays = request.path.startswith("/me/l") or request.path == "/me/new"
        page = request.path if stays and not table else f"/me{table}"
        # who has no mouse goes on reading, and tabbing, behind the answer, not at the top of the page
        where = f"{self._own.root}{page}?since={name}{key}#answer"
        return web.Response(status=303, headers={"Location": where})

    def _unheard(
        self, request: web.Request, visitor: Visitor, fields: Mapping[str, str], name: str, status: int
    ) -> web.Response:
        """Nothing came of it: their words, with the form that they were in, to be sent once more."""
        carried = {key: fields[key] for key in ("form", "question") if key in fields}
        written = fields.get("order", "")
        return own_page(self._pages, request, visitor, name, status, written=written, carried=carried)

    def _refused(self, request: web.Request, visitor: Visitor | None, written: str = "") -> web.Response:
        """It was sent from no form that we made for them; words of theirs can be copied."""
        at = self._own.origin + self._own.root
        return own_page(self._pages, request, visitor, "refused", 403, at=at, written=written)


def fields_of(text: str) -> dict[str, str]:
    """What a form sent; an order may be chosen in several parts, which are its words in that order. A part
    that may be left out has its own first word in its name: `order-because` is "because", and what was
    written there.

    Raises ValueError for too many fields.
    """
    sent = parse_qsl(text, keep_blank_values=True, max_num_fields=_FIELDS)
    parts = [
        f"{name.removeprefix('order').removeprefix('-')} {value.strip()}".strip()
        for name, value in sent
        if (name == "order" or name.startswith("order-")) and value.strip()
    ]
    return {**dict(sent), "order": " ".join(parts)}
