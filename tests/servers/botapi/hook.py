"""Delivery of updates to the bot's own address: one after the other, again and again until it says 200."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import aiohttp

from . import params
from .errors import bad
from .updates import Updates

SECRET = "X-Telegram-Bot-Api-Secret-Token"


@dataclass
class Hook:
    """Where updates go; `url` is "" while the bot polls.

    Plain http is allowed here, the real server wants https.
    """

    updates: Updates
    url: str = ""
    secret: str = ""
    connections: int = 40
    last_error: str = ""
    last_error_at: int = 0
    delivered: int = 0
    refused: int = 0
    shortest_pause: float = 0.05

    def set(self, given: dict[str, Any]) -> bool:
        url = str(given.get("url") or "")
        secret = str(given.get("secret_token") or "")
        if url and not url.startswith(("https://", "http://127.0.0.1")):
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        if (
            not all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in secret)
            or len(secret) > 256
        ):
            raise bad("secret token contains unallowed characters")
        self.updates.allow(params.structure(given, "allowed_updates"))
        if params.boolean(given, "drop_pending_updates"):
            self.updates.confirm(10**12)
        self.url, self.secret, self.connections = (
            url,
            secret,
            params.integer(given, "max_connections", 40) or 40,
        )
        self.last_error, self.last_error_at = "", 0
        self.updates.wake()
        return True

    def info(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "url": self.url,
            "has_custom_certificate": False,
            "pending_update_count": len(self.updates.pending),
        }
        if self.url:
            out["max_connections"] = self.connections
        if self.updates.allowed is not None:
            out["allowed_updates"] = self.updates.allowed
        if self.last_error:
            out.update(last_error_message=self.last_error, last_error_date=self.last_error_at)
        return out

    async def run(self) -> None:
        """Push what is pending, for ever."""
        pause = self.shortest_pause
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
            with self.updates.watching() as changed:
                while True:
                    changed.clear()
                    waiting = self.updates.waiting(1)
                    if not self.url or not waiting:
                        await changed.wait()
                        continue
                    error = await self._push(session, waiting[0])
                    if not error:
                        self.delivered += 1
                        self.updates.confirm(waiting[0]["update_id"] + 1)
                        pause = self.shortest_pause
                        continue
                    self.refused += 1
                    self.last_error, self.last_error_at = error, int(time.time())
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, 1.0)

    async def _push(self, session: aiohttp.ClientSession, update: dict[str, Any]) -> str:
        headers = {SECRET: self.secret} if self.secret else {}
        try:
            async with session.post(self.url, json=update, headers=headers) as answer:
                return (
                    ""
                    if answer.status == 200
                    else f"Wrong response from the webhook: {answer.status} {answer.reason}"
                )
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            return f"Connection failed: {type(error).__name__}"
