"""The HTTP side: one route for all methods, the long poll, and planned faults."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from . import params
from .about import ABOUT
from .errors import Refusal, conflict, flooded
from .faults import Fault, Faults
from .hook import Hook
from .methods import MESSAGES, Given
from .photos import PHOTOS
from .world import World

METHODS = {**MESSAGES, **PHOTOS, **ABOUT}


@dataclass(frozen=True)
class Call:
    """One request as it came: `method` in small letters."""

    method: str
    given: Given = field(repr=False)
    at: float


@dataclass
class Web:
    """Answers requests about a `World`.  `calls` keeps them all, in order."""

    world: World
    hook: Hook
    faults: Faults
    calls: list[Call] = field(default_factory=list)

    def application(self) -> web.Application:
        app = web.Application(client_max_size=60 * 2**20)
        app.router.add_route("*", "/bot{token}/{method}", self.answer)
        return app

    async def answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"].lower()
        try:
            if request.match_info["token"] != self.world.token:
                raise Refusal(401, "Unauthorized")
            given = await params.read(request)
            self.calls.append(Call(method, given, self.world.clock()))
            fault = self.faults.next(method)
            if fault and not fault.after:
                return await self._strike(fault, request)
            result = await self._call(method, given)
            if fault:
                return await self._strike(fault, request)
            return web.json_response({"ok": True, "result": result})
        except Refusal as refusal:
            return web.json_response(refusal.envelope(), status=refusal.code)

    async def _call(self, method: str, given: Given) -> Any:
        if method == "getupdates":
            return await self._get_updates(given)
        with self.world.lock:
            if method == "setwebhook":
                return self.hook.set(given)
            if method == "deletewebhook":
                return self.hook.set({"drop_pending_updates": given.get("drop_pending_updates")})
            if method == "getwebhookinfo":
                return self.hook.info()
            if method not in METHODS:
                raise Refusal(404, "Not Found: method not found")
            return METHODS[method](self.world, given)

    async def _strike(self, fault: Fault, request: web.Request) -> web.StreamResponse:
        if fault.how == "hang":
            await asyncio.sleep(3600)
        if fault.how == "drop" or fault.how == "hang":
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        if fault.how == "page":
            words = f"<html><body><h1>{fault.status}</h1>This site is blocked.</body></html>"
            return web.Response(status=fault.status, text=words, content_type="text/html")
        if fault.status == 429:
            raise flooded(1)
        names = {
            502: "Bad Gateway",
            500: "Internal Server Error",
            503: "Service Unavailable",
            504: "Gateway Timeout",
        }
        return web.json_response(
            {"ok": False, "error_code": fault.status, "description": names.get(fault.status, "Error")},
            status=fault.status,
        )

    async def _get_updates(self, given: Given) -> list[dict[str, Any]]:
        updates = self.world.updates
        if self.hook.url:
            raise conflict(
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete "
                "the webhook first"
            )
        updates.allow(params.structure(given, "allowed_updates"))
        updates.confirm(params.integer(given, "offset"))
        limit = min(100, max(1, params.integer(given, "limit", 100) or 100))
        loop = asyncio.get_running_loop()
        end = loop.time() + min(50, params.integer(given, "timeout", 0) or 0)
        updates.poll += 1
        mine = updates.poll
        updates.wake()
        with updates.watching() as changed:
            while True:
                changed.clear()
                if updates.poll != mine:
                    raise conflict(
                        "terminated by other getUpdates request; make sure that only one bot "
                        "instance is running"
                    )
                if self.hook.url:
                    raise conflict("terminated by setWebhook request")
                batch = updates.waiting(limit)
                left = end - loop.time()
                if batch or left <= 0:
                    return batch
                try:
                    await asyncio.wait_for(changed.wait(), left)
                except TimeoutError:
                    continue
