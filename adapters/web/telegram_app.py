"""`/me/app`: a page that Telegram opens inside itself, and that signs its reader in by what Telegram says of
them.

Telegram hands that over behind the "#" of the address, which no server is told; a script of ours sends it as
a form. Telegram's web client shows the page in a frame, whose cookies no browser keeps: there the form opens
a tab of its own. It is our only page that may be framed, and shows nothing of anybody.
"""

from __future__ import annotations

from urllib.parse import parse_qs

from aiohttp import web

from referee.ports import OwnPages, Pages

from .browser_names import browser_of
from .client_limits import ClientLimits
from .form_checks import from_ours
from .guard import APP_POLICY, body, page
from .sign_in import cookie_of, keep, own_page

CHANNEL, PATH = "telegram", "/me/app"
_FIELDS = 5


def routes(pages: Pages, own: OwnPages, callers: ClientLimits) -> list[web.RouteDef]:
    """The page, and what its form does: 303 to the table, 403 for what Telegram did not say, just now and to
    this bot.
    """

    async def look(request: web.Request) -> web.Response:
        response = page(pages, request, "telegram_app", game=_number(request.query.get("game", "")))
        response.headers["Content-Security-Policy"] = APP_POLICY
        return response

    async def enter(request: web.Request) -> web.Response:
        if not from_ours(request, own.origin):
            return own_page(pages, request, None, "refused", 403, at=own.origin + own.root)
        try:
            fields = parse_qs((await body(request)).decode("utf-8", "replace"), max_num_fields=_FIELDS)
        except ValueError:
            fields = {}
        browser = browser_of(request, "Telegram" if "inside" in fields else "")
        entry = await own.enter_app(CHANNEL, fields.get("data", [""])[0], cookie_of(request), browser)
        if entry.trouble:
            if callers.wrong(request):
                raise web.HTTPTooManyRequests
            return own_page(pages, request, None, "telegram_refused", 403, trouble=entry.trouble)
        game = _number(fields.get("game", [""])[0])
        response = web.Response(
            status=303, headers={"Location": f"{own.root}/me/{game}" if game else f"{own.root}/me"}
        )
        if entry.cookie:
            keep(response, own, entry.cookie)
        return response

    return [web.get(PATH, look), web.post(PATH, enter)]


def _number(said: str) -> str:
    """A table's number, "" for none."""
    return said if said.isascii() and said.isdigit() and len(said) <= 9 and said[0] != "0" else ""
