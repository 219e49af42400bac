"""Around every answer: the headers that keep a page to itself, and pages for what went wrong."""
from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Middleware

from referee.ports import Pages, Watch

log = logging.getLogger(__name__)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

#: on everything that leaves
HEADERS = {
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Robots-Tag": "noindex",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()", "Server": "citadels",
}
#: what a page may load and do: our own files and forms, nothing inline and nothing from elsewhere
POLICY = ("default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
          "frame-ancestors 'none'; base-uri 'none'")
#: where somebody's own pages are.  A form on a page with "no-referrer" would not say where it comes from, and these must (see proof.py)
OWN = "/me"
#: status -> its page
FAULTS = {400: "wrong_way", 403: "not_for_you", 404: "not_found", 405: "wrong_way", 413: "wrong_way", 429: "slow_down", 500: "broken", 503: "broken"}


def page(pages: Pages, request: web.Request, name: str, status: int = 200, language: str = "", **facts: object) -> web.Response:
    """An answer that is a page, in this language, else in the one that the reader's program asks for."""
    response = web.Response(text=pages.page(name, language or language_of(request), **facts), content_type="text/html", status=status)
    response.headers["Content-Security-Policy"] = POLICY
    return response


def language_of(request: web.Request) -> str:
    """The language that a reader's program asks for first."""
    return request.headers.get("Accept-Language", "").partition(",")[0].partition(";")[0].strip()[:35]


def guard(pages: Pages, watch: Watch | None = None) -> Middleware:
    """The middleware: whatever happens, an answer with our headers, and nothing of the address in the log.  `watch` hears how long it took."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = time.perf_counter()
        try:
            response = await handler(request)
        except web.HTTPException as fault:
            response = page(pages, request, FAULTS.get(fault.status, "not_found"), fault.status)
            if "Allow" in fault.headers:
                response.headers["Allow"] = fault.headers["Allow"]
        except Exception:  # whatever broke behind a page, its reader gets an answer, and the referee goes on
            log.exception("a page could not be made")
            response = page(pages, request, "broken", 500)
        if request.path == OWN or request.path.startswith(f"{OWN}/"):
            response.headers["Referrer-Policy"] = "same-origin"
        for name, value in {"Content-Security-Policy": "default-src 'none'", **HEADERS}.items():
            response.headers.setdefault(name, value)
        if watch is not None and isinstance(response, web.Response):     # a stream lasts as long as its listener does
            resource = request.match_info.route.resource
            watch.took("none" if resource is None else resource.canonical, time.perf_counter() - began)
        return response

    return guarded
