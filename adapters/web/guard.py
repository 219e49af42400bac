"""Around every answer: the headers that keep a page to itself, and pages for what went wrong."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Middleware

from referee.connections import SERVER
from referee.ports import Monitor, Pages

from .client_limits import ClientLimits

log = logging.getLogger(__name__)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

#: on everything that leaves
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": SERVER,
}
#: what a page may load and do: our own files and forms, nothing inline and nothing from elsewhere
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "manifest-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
#: the same for the one page that Telegram's web client may show in a frame (see telegram_app.py)
APP_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors https://web.telegram.org")
#: where somebody's own pages are. A form on a page with "no-referrer" would not say where it comes from, and
#: these must (see form_checks.py)
OWN = "/me"
#: what may be the name of a language, and how many of them are looked at
_LANGUAGE, _LANGUAGES = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}"), 8
#: what an address says after "?" to have pages in another language, and the cookie in which the browser keeps
#: it: that, and nothing of anybody
LANG = "lang"
_KEPT_S = 365 * 86_400
#: how long what is sent with a request may take to come, seconds; it is 64 kB at most
BODY_S = 15.0
#: status -> its page
FAULTS = {
    400: "wrong_way",
    403: "not_for_you",
    404: "not_found",
    405: "wrong_way",
    408: "wrong_way",
    413: "wrong_way",
    429: "slow_down",
    500: "broken",
    503: "broken",
}


async def body(request: web.Request) -> bytes:
    """What was sent with a request, all of it or none: anyone who dawdles is not waited for.

    Raises HTTPRequestTimeout, HTTPRequestEntityTooLarge, HTTPBadRequest.
    """
    try:
        async with asyncio.timeout(BODY_S):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    # what does not unpack, and a caller who is gone in its midst: nothing of ours is broken
    except (web.RequestPayloadError, ConnectionResetError):
        raise web.HTTPBadRequest from None


def page(
    pages: Pages, request: web.Request, name: str, status: int = 200, language: str = "", **facts: object
) -> web.Response:
    """An answer that is a page, in this language, else in the one that its reader asks for."""
    response = web.Response(
        text=pages.page(name, language or language_of(request), **facts),
        content_type="text/html",
        status=status,
    )
    response.headers["Content-Security-Policy"] = POLICY
    return response


def language_of(request: web.Request) -> str:
    """The languages that a reader would have, commas between, the most wanted first: what the address says,
    what was said before, what the browser asks for.
    """
    said = (
        request.query.get(LANG, ""),
        request.cookies.get(LANG, ""),
        *_accepted(request.headers.get("Accept-Language", "")[:400]),
    )
    return ",".join(dict.fromkeys(one for one in said if _LANGUAGE.fullmatch(one)))


def _accepted(header: str) -> list[str]:
    """The languages of the header in the order of their weights; what can't be read has none."""
    found: list[tuple[float, str]] = []
    for one in header.split(",")[:_LANGUAGES]:
        name, _, weight = one.replace(" ", "").partition(";q=")
        found.append(
            (
                -float(weight) if re.fullmatch(r"[01](?:\.[0-9]{0,3})?", weight) else 0.0 if weight else -1.0,
                name,
            )
        )
    return [name for weight, name in sorted(found, key=lambda one: one[0]) if weight < 0]


def _keep(request: web.Request, response: web.StreamResponse) -> None:
    """Let the browser keep the language that the address asks for."""
    said = request.query.get(LANG, "")
    if (
        _LANGUAGE.fullmatch(said)
        and isinstance(response, web.Response)
        and response.content_type == "text/html"
    ):
        response.set_cookie(LANG, said, max_age=_KEPT_S, path="/", httponly=True, samesite="Lax")


def guard(pages: Pages, callers: ClientLimits, watch: Monitor | None = None) -> Middleware:
    """The middleware: whatever happens, an answer with our headers, and nothing of the address in the log.

    Nobody is answered many times at once; `watch` hears how long it took.
    """

    async def counted(request: web.Request, handler: Handler) -> web.StreamResponse:
        who = callers.enter(request)
        try:
            return await handler(request)
        finally:
            callers.leave(who)

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = time.perf_counter()
        try:
            response = await counted(request, handler)
        except web.HTTPException as fault:
            response = page(pages, request, FAULTS.get(fault.status, "not_found"), fault.status)
            if "Allow" in fault.headers:
                response.headers["Allow"] = fault.headers["Allow"]
        except OSError as error:  # a full disk, a database that is away: no fault of the page
            log.error("a page could not be made: %s", error)
            response = page(pages, request, "broken", 503)
        except Exception:  # whatever broke behind a page, its reader gets an answer, and the referee goes on
            log.exception("a page could not be made")
            response = page(pages, request, "broken", 500)
        _keep(request, response)
        if request.path == OWN or request.path.startswith(f"{OWN}/"):
            response.headers["Referrer-Policy"] = "same-origin"
        for name, value in {"Content-Security-Policy": "default-src 'none'", **HEADERS}.items():
            response.headers.setdefault(name, value)
        if response.headers["Content-Security-Policy"] == APP_POLICY:
            del response.headers["X-Frame-Options"]  # which can name nobody: older browsers would obey it
        if watch is not None and isinstance(
            response, web.Response
        ):  # a stream lasts as long as its listener does
            resource = request.match_info.route.resource
            watch.took("none" if resource is None else resource.canonical, time.perf_counter() - began)
        return response

    return guarded
