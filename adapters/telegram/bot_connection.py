"""The library's Bot, made quiet and given our own connections.

python-telegram-bot's `Bot` alone: no Application, no Updater (it acknowledges updates that are
only in memory), no JobQueue (it makes a second scheduler), no rate limiter (see `pace`).
"""

from __future__ import annotations

import asyncio
import logging
import os
from typing import TYPE_CHECKING, Any

from referee import wirejson

from .settings import Settings

if TYPE_CHECKING:
    from telegram import Bot

KINDS = ["message", "callback_query", "my_chat_member"]
CONNECTIONS = 32
#: how long a question that is under way may take when all is closed, seconds
CLOSE_S = 2.0
#: a bot can be renamed: its name is asked for again after so long, seconds
NAME_S = 3600.0
#: a page by which any server on the way says that a picture is too large (see `receipts.is_no_picture`)
TOO_LARGE = 413
# their debug lines carry the token (in addresses) and the words of letters
CHATTY = ("httpx", "httpcore", "telegram")


class BotConnection:
    """A Bot and its pool of connections.  Usable at once, from one event loop."""

    def __init__(self, settings: Settings) -> None:
        # must be said before the library makes its first RetryAfter: without it every 429 warns of
        # deprecation
        os.environ.setdefault("PTB_TIMEDELTA", "1")
        for name in CHATTY:
            if logging.getLogger(name).getEffectiveLevel() < logging.WARNING:
                logging.getLogger(name).setLevel(logging.WARNING)
        import httpx
        from telegram import Bot
        from telegram.error import NetworkError, TelegramError
        from telegram.request import HTTPXRequest

        self._under_way = under_way = set[asyncio.Future[None]]()

        class Request(HTTPXRequest):
            async def do_request(self, *what: Any, **how: Any) -> tuple[int, bytes]:
                """Known until it is answered, so that nothing is closed before."""
                answered = asyncio.get_running_loop().create_future()
                under_way.add(answered)
                try:
                    status, said = await super().do_request(*what, **how)
                finally:
                    under_way.discard(answered)
                    answered.cancel()
                if 300 <= status < 500 and status != TOO_LARGE and not _from_telegram(said):
                    refused = f"{status}, and not by Telegram"
                    raise NetworkError(refused) from httpx.ProxyError(refused)
                return status, said

            @staticmethod
            def parse_json_payload(payload: bytes) -> Any:
                """Whatever stands in it: one odd update must not make the whole answer unreadable."""
                try:
                    return wirejson.loads(payload)
                except (ValueError, RecursionError) as broken:
                    raise TelegramError("Invalid server response") from broken

        # one pool for all: the library's second one is for its own get_updates, which is not used here (see
        # `polling`)
        self._pool = Request(
            connection_pool_size=CONNECTIONS,
            connect_timeout=min(5.0, settings.timeout_s),
            read_timeout=settings.timeout_s,
            write_timeout=settings.timeout_s,
            pool_timeout=settings.timeout_s,
            proxy=settings.proxy or None,
        )
        self.bot: Bot = Bot(
            settings.token.get_secret_value(),
            base_url=settings.base_url + "/bot",
            get_updates_request=self._pool,
            request=self._pool,
        )
        self.username = ""
        self._named_s = 0.0
        self.open = True

    async def meet(self) -> str:
        """The bot's own name, asked for where it is not known."""
        if not self.username:
            self._named_s = asyncio.get_running_loop().time()
            self.username = (await self.bot.get_me()).username or ""
        return self.username

    async def meet_again(self) -> None:
        """Ask for the bot's name where that was long ago."""
        now = asyncio.get_running_loop().time()
        if now - self._named_s >= NAME_S:
            self._named_s = now
            self.username = (await self.bot.get_me()).username or self.username

    async def close(self) -> None:
        """Close, when what is under way is answered, or after two seconds: of a letter that is cut off nobody
        knows whether it is there, and a connection that is being made then would stay open.
        """
        self.open = False
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=CLOSE_S)
        await self._pool.shutdown()


def _from_telegram(said: bytes) -> bool:
    """Whether a refusal is Telegram's.  The page of a firewall or of a web server in front of it says nothing
    of the chat, nor of our token: the call has not arrived.
    """
    try:
        found = wirejson.loads(said)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "ok" in found
