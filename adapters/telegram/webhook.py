"""Being called by Telegram: one route, a secret, and 200 only after the commit."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from referee import connections, wirejson
from referee.wirelog import silent

from .bot_connection import KINDS, BotConnection
from .intake import Intake
from .settings import Settings

if TYPE_CHECKING:
    from aiohttp import web

SECRET = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header, not a secret
LARGEST_BODY = 2**20
LOOK_EVERY_S = 60.0
#: connections at once, in all and of one caller; until a request has come, until what it carries has, how
#: long a refused one is waited for, seconds
MOST, EACH = 128, 32
IDLE_S, BODY_S, LINGER_S = 75.0, 30.0, 2.0
log = logging.getLogger(__name__)


class Webhook:
    """The listening side; `port` is the real one once it listens."""

    def __init__(self, settings: Settings, wire: BotConnection, intake: Intake) -> None:
        self._settings = settings
        self._wire = wire
        self._intake = intake
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None
        #: Telegram has one connection at a time, and perhaps a new one before the old one is gone
        self.guests = connections.Connections(connections.share(0.1, MOST), EACH)
        self.port = settings.port

    async def listen(self) -> None:
        """Open the port.  Raises OSError when it can't be had: that is the admin's to mend."""
        from aiohttp import web

        app = web.Application(client_max_size=LARGEST_BODY)
        app.router.add_post(urlsplit(self._settings.webhook_url).path or "/", self._called)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=silent("adapters.telegram.wire"),
            shutdown_timeout=1.0,
            keepalive_timeout=IDLE_S,
            lingering_time=LINGER_S,
        )
        connections.nameless()
        await self._runner.setup()
        assert self._runner.server is not None
        self._server = await connections.listen(
            self.guests,
            cast("Callable[[], asyncio.Protocol]", self._runner.server),
            self._settings.listen,
            self._settings.port,
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def prepare(self) -> None:
        """Tell Telegram where to call.

        One connection: with more, a player's messages could overtake each other.
        """
        await self._wire.bot.set_webhook(
            self._settings.webhook_url,
            secret_token=self._settings.webhook_secret.get_secret_value(),
            allowed_updates=KINDS,
            max_connections=1,
            drop_pending_updates=False,
        )

    async def turn(self, *, patient: bool = True) -> None:
        """Look after the webhook: wait (unless not `patient`), then set it again if somebody took it away."""
        await asyncio.sleep(LOOK_EVERY_S if patient else 0)
        info = await self._wire.bot.get_webhook_info()
        if info.url != self._settings.webhook_url:
            log.warning("the webhook was set elsewhere; setting it again")
            await self.prepare()
        elif info.last_error_message and info.pending_update_count:
            log.warning(
                "Telegram can't reach the webhook: %s (%d waiting)",
                info.last_error_message,
                info.pending_update_count,
            )

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._runner is not None:
            await self._runner.cleanup()

    async def _called(self, request: web.Request) -> web.Response:
        from aiohttp import web
        from telegram.error import TelegramError

        shown = request.headers.get(SECRET, "")
        secret = self._settings.webhook_secret.get_secret_value()
        # a header's bytes need not be UTF-8
        if not hmac.compare_digest(shown.encode(errors="surrogateescape"), secret.encode()):
            log.warning("a call to the webhook without the secret, from %s", request.remote)
            return web.Response(status=403)
        try:
            async with asyncio.timeout(BODY_S):
                update = wirejson.loads(await request.read())
        except TimeoutError:
            return web.Response(status=408)
        except (ValueError, RecursionError):
            return web.Response(status=400)
        if not isinstance(update, dict):
            return web.Response(status=400)
        try:
            await self._intake.take([update])
        except OSError as error:
            log.error("not acknowledged, nothing could be written: %s", error)
            return web.Response(status=503)
        except TelegramError:
            return web.Response(
                status=503
            )  # our own name is not known yet: Telegram is away for us, it will call again
        return web.Response()
