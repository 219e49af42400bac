"""The pages that anybody may see: which address shows which, and how a browser may keep them.

To add one: a line in `ADDRESSES`, a filler in `referee.service.web.site`, a template in
templates/<language>/pages (docs/players/pages.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from referee.ports import Pages, Served

from .client_limits import ClientLimits
from .guard import POLICY, language_of

#: a table: its number, and its key where it is not shown to everybody
TABLE = "/t/{game:[1-9][0-9]{0,8}}{key:(-[a-z2-7]{16})?}"
#: an invitation to a table: its number, and the code
INVITATION = "/i/{game:[1-9][0-9]{0,8}}-{code:[A-Za-z2-7]{8}}"
#: a league and one of its seasons, by their numbers
LEAGUE = "/l/{league:[1-9][0-9]{0,8}}"
SEASON = LEAGUE + "/season/{season:[1-9][0-9]{0,3}}"
#: address -> the page behind it
ADDRESSES = {
    "/": "home",
    "/demo": "demo",
    "/demo/cards": "demo_cards",
    "/tables": "tables",
    TABLE: "table",
    TABLE + "/history": "history",
    TABLE + "/step/{step:[0-9]{1,6}}": "history",
    TABLE + "/cards": "cards",
    TABLE + "/record.txt": "record",
    TABLE + "/{what:table|score|course|chances}.svg": "table_picture",
    INVITATION: "invitation",
    TABLE + "/{what:table}.png": "table_png",
    "/l": "leagues",
    LEAGUE: "league",
    LEAGUE + "/schedule": "league_schedule",
    LEAGUE + "/strength": "league_strength",
    LEAGUE + "/hall": "league_hall",
    LEAGUE + ".ics": "league_calendar",
    SEASON: "league",
    SEASON + "/schedule": "league_schedule",
    SEASON + "/{what:standings|progress}-{division:[0-9]{1,4}}.svg": "league_picture",
    SEASON + "/{sheet:standings|results|schedule}.csv": "league_sheet",
    SEASON + "/season.json": "league_document",
    "/p/{person:[1-9][0-9]{0,8}}": "player",
}
_LONGEST = 100


def served(found: Served, headers: Mapping[str, str]) -> web.Response:
    """What was found, as a browser gets it."""
    charset = None if found.media_type == "image/png" else "utf-8"
    return web.Response(body=found.body, content_type=found.media_type, charset=charset, headers=headers)


def routes(pages: Pages, callers: ClientLimits) -> list[web.RouteDef]:
    """200, 304 where the browser has it already, 301 to where it is now; 404 for what is not there or not for
    everybody.
    """

    def route(address: str, name: str) -> web.RouteDef:
        async def show(request: web.Request) -> web.Response:
            guess = bool(request.match_info.get("key") or request.match_info.get("code"))
            wanted = {**{key: value[:_LONGEST] for key, value in request.query.items()}, **request.match_info}
            try:
                found = await pages.shown(name, language_of(request), wanted)
            except TimeoutError:
                raise web.HTTPServiceUnavailable from None
            if found is None:
                raise callers.lost(request) if guess else web.HTTPNotFound()
            if found.moved:
                return web.Response(status=301, headers={"Location": found.moved})
            # kept, but asked for again each time: what a table shows changes with every order
            headers = {
                "Content-Security-Policy": POLICY,
                "Cache-Control": "private, no-cache" if guess else "no-cache",
                "Vary": "Accept-Language, Cookie",
            }
            if found.name:
                headers["Content-Disposition"] = f'attachment; filename="{found.name}"'
            if found.tag:
                headers["ETag"] = f'"{found.tag}"'
                if any(known.value == found.tag for known in request.if_none_match or ()):
                    return web.Response(status=304, headers=headers)
            return served(found, headers)

        return web.get(address, show)

    return [route(address, name) for address, name in ADDRESSES.items()]
