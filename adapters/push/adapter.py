"""Handing notices to push services, and what these answer."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import aiohttp

from referee.ports import Fate, Finding, Letter, Limits, Receipt, Reception

from .encryption import FILLED, WrongKeys, b64, encrypted
from .identification import Identification
from .outside import Forbidden, Outside

#: for how long a push service keeps a notice for a browser that is off, seconds
KEPT_S = 12 * 3600
#: one browser gets this many at once, and then one in so long; that many browsers are remembered
BURST, EACH_MS, KNOWN = 5, 20_000, 10_000
#: the longest that a push service may put us off, ms
LATER_MS = 3_600_000
#: statuses that may be others soon; 401 is about our own token, which is wrong as long as a clock is
_SOON = (401, 408, 425, 429)


class PushLimits:
    """How often one browser is told."""

    def __init__(self) -> None:
        self._due: OrderedDict[str, int] = OrderedDict()

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """0 if it may go now (and is counted), else how long to wait."""
        where = letter.address or ""
        free = self._due.pop(where, 0)
        wait = min(free, now_ms + BURST * EACH_MS) - (now_ms + (BURST - 1) * EACH_MS)
        self._due[where] = free if wait > 0 else max(free, now_ms) + EACH_MS
        while len(self._due) > KNOWN:
            self._due.popitem(last=False)
        return max(0, wait)


class PushAdapter:
    """A channel that only sends (`referee.ports.Adapter`)."""

    name = "push"
    markup = "text"
    can_edit = False
    #: a notice has a tag: the same one again takes the first one's place
    idempotent = True
    rewrites = False

    def __init__(self, identification: Identification, outside: Outside, clock_ms: Callable[[], int]) -> None:
        self._identification, self._outside, self._clock_ms = identification, outside, clock_ms
        self.limits: Limits = PushLimits()
        self._session: aiohttp.ClientSession | None = None

    async def start(self, reception: Reception) -> None:
        """Nothing comes in here."""
        self._session = self._session or self._outside.session()

    async def stop(self) -> None:
        """Close what is open."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def check(self) -> list[Finding]:
        """There is no one push service that could be asked."""
        return []

    def healthy(self) -> bool:
        """Always: each browser has a push service of its own."""
        return True

    async def send(self, letter: Letter) -> Receipt:
        """Hand it over.  One browser's trouble is never the channel's: its address may be anybody's."""
        to = letter.facts
        endpoint = str(to.get("endpoint", ""))
        try:
            self._outside.check(endpoint)
            sealed = encrypted(_message(letter), str(to.get("p256dh", "")), str(to.get("auth", "")))
        except (Forbidden, WrongKeys) as wrong:
            return Receipt(Fate.FAILED, reason="rejected", detail=str(wrong))
        session = self._session = self._session or self._outside.session()
        headers = {
            "Authorization": self._identification.header(endpoint, self._clock_ms() // 1000),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT_S),
            "Urgency": "normal",
            "Topic": _topic(letter),
        }
        try:
            async with session.post(endpoint, data=sealed, headers=headers, allow_redirects=False) as answer:
                return _receipt(answer.status, answer.headers.get("Retry-After", ""))
        except aiohttp.InvalidURL as wrong:
            return Receipt(Fate.FAILED, reason="rejected", detail=str(wrong)[:200])
        except aiohttp.ClientConnectorError as error:
            if isinstance(error.os_error, Forbidden):
                return Receipt(Fate.FAILED, reason="rejected", detail=str(error.os_error))
            return _later(f"{type(error.os_error).__name__}")
        except (TimeoutError, aiohttp.ClientError, OSError, ValueError) as error:
            return _later(type(error).__name__)


def _receipt(status: int, retry: str) -> Receipt:
    """What a push service's status means (RFC 8030): most refusals are for ever."""
    if 200 <= status < 300:
        return Receipt(Fate.SENT)
    if status in _SOON or status >= 500:
        seconds = int(retry) if retry.isascii() and retry.isdigit() and len(retry) < 9 else 0
        return _later(f"status {status}", min(seconds * 1000, LATER_MS))
    return Receipt(
        Fate.FAILED, reason="gone" if status in (404, 410) else "rejected", detail=f"status {status}"
    )


def _later(detail: str, retry_ms: int = 0) -> Receipt:
    return Receipt(Fate.LATER, retry_ms=retry_ms, detail=detail, whole=False)


def _message(letter: Letter) -> bytes:
    """What the browser's worker shows (`templates/web/worker.js`)."""
    said: dict[str, Any] = {
        "text": letter.text[:300],
        "at": str(letter.facts.get("at", "")),
        "tag": letter.ref,
        "silent": letter.quiet,
    }
    packed = json.dumps(said, ensure_ascii=False).encode()
    return packed if len(packed) < FILLED else json.dumps({**said, "text": ""}).encode()[: FILLED - 1]


def _topic(letter: Letter) -> str:
    """What a push service knows a table by, so that a newer notice takes an older one's place: nothing."""
    return b64(hashlib.sha256(f"{letter.facts.get('endpoint')} {letter.ref}".encode()).digest())[:32]
