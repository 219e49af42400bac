"""The line to the homeserver: logging in, and every answer that is an error turned into a receipt.

matrix-nio returns errors instead of raising them, retries for ever by default, and raises
aiohttp's errors when told not to.  Here every call either gives its answer or raises `MatrixError`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import aiohttp
import nio

from referee import wirejson
from referee.ports import Fate, Receipt

from .reading import section, word
from .settings import Settings

log = logging.getLogger(__name__)

# nio writes whole events into its debug log, and pieces of them into its warnings
logging.getLogger("nio").setLevel(logging.ERROR)

#: how many times longer the state of all rooms may take than any other answer
WHOLE = 4
#: what logging in anew may mend, and what it does not: the account may read, and write nowhere
_LOGGED_OUT = ("M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED")
SILENCED = ("M_USER_SUSPENDED", "M_CONSENT_NOT_GIVEN")


class MatrixError(Exception):
    """The homeserver did not do it; `receipt` says what that means for a letter, `code` is its errcode,
    `status` HTTP's. `perhaps`: it may have done it, and its answer got lost.
    """

    def __init__(self, receipt: Receipt, code: str = "", status: int = 0, *, perhaps: bool = False) -> None:
        super().__init__(" ".join(one for one in (receipt.fate, receipt.reason, receipt.detail) if one))
        self.receipt = receipt
        self.code = code
        self.status = status
        self.perhaps = perhaps


def verdict(code: str, status: int, retry_ms: int = 0) -> MatrixError:
    """What an errcode and an HTTP status (0 if unknown) mean for a letter."""

    def trouble(
        fate: Fate, reason: str = "", wait_ms: int = 0, whole: bool | None = None, perhaps: bool = False
    ) -> MatrixError:
        return MatrixError(
            Receipt(fate, reason=reason, retry_ms=wait_ms, detail=f"{status} {code}".strip(), whole=whole),
            code,
            status,
            perhaps=perhaps,
        )

    if code == "M_LIMIT_EXCEEDED" or status == 429:
        return trouble(Fate.LATER, wait_ms=retry_ms or 5_000, whole=True)
    if code in (*_LOGGED_OUT, *SILENCED):
        return trouble(Fate.FAILED, "unauthorised")
    if code == "M_RESOURCE_LIMIT_EXCEEDED":  # the server has too many users, or is closed for a while
        return trouble(Fate.LATER, wait_ms=60_000, whole=True)
    if code == "M_FORBIDDEN":
        return trouble(Fate.FAILED, "not-a-member")
    if code == "M_TOO_LARGE" or status == 413:
        return trouble(Fate.FAILED, "too-long")
    if code == "M_NOT_FOUND":
        return trouble(Fate.FAILED, "gone")
    if not code or code == "M_UNRECOGNIZED" or status >= 500:
        # a proxy's error page or wrong route, or a server in trouble: what was sent is recognised when sent
        # again
        return trouble(Fate.LATER, wait_ms=10_000, perhaps=not 400 <= status < 500)
    return trouble(Fate.FAILED, "rejected")


def _away(trouble: Exception) -> bool | None:
    """Whether nobody answers there at all; that one answer takes too long does not say so."""
    return True if isinstance(trouble, (aiohttp.ClientConnectorError, ConnectionError)) else None


#: bytes of one answer that are read
LARGEST = 64_000_000


class ResponseTooLarge(Exception):
    """An answer is larger than any that can be read; `head` is how it begins."""

    def __init__(self, head: bytes) -> None:
        super().__init__(f"an answer of more than {LARGEST} bytes")
        self.head = head


async def _body(answer: aiohttp.ClientResponse) -> bytes:
    """Raises ResponseTooLarge."""
    got = bytearray()
    async for chunk in answer.content.iter_chunked(1 << 18):
        got += chunk
        if len(got) > LARGEST:
            answer.close()
            raise ResponseTooLarge(bytes(got[: 1 << 16]))
    return bytes(got)


class Client(nio.AsyncClient):  # type: ignore[misc]  # nio ships no types: its classes are Any
    """nio's client with a deadline on every request (nio gives none to a full sync)."""

    async def send(
        self,
        method: str,
        path: str,
        data: Any = None,
        headers: dict[str, str] | None = None,
        trace_context: Any = None,
        timeout: float | None = None,  # noqa: ASYNC109  # nio's signature
    ) -> aiohttp.ClientResponse:
        # the first sync of an account in many rooms is slow to make
        seconds = timeout or self.config.request_timeout * (WHOLE if "full_state=true" in path else 1)
        # later than the one of `ask`: where a request is stopped in the moment in which two deadlines pass,
        # aiohttp takes the stop for one of them
        answer: aiohttp.ClientResponse = await super().send(
            method, path, data, headers, trace_context, aiohttp.ClientTimeout(total=2 * seconds)
        )
        return answer

    def _handle_timeline_event(self, event: Any, room_id: str, room: Any, encrypted_rooms: set[str]) -> Any:
        """As nio's, but what is sealed changes nothing of the room: its state is what everybody can read, and
        anybody may seal what claims to be some.
        """
        if not isinstance(event, nio.MegolmEvent) or self.olm is None:
            return super()._handle_timeline_event(event, room_id, room, encrypted_rooms)
        event.room_id = room_id
        opened = self.olm._decrypt_megolm_no_error(event)
        return None if opened is None or "state_key" in opened.source else opened

    async def parse_body(self, transport_response: aiohttp.ClientResponse) -> dict[Any, Any]:
        """As nio's, of whatever events hold."""
        try:
            return section(wirejson.loads(await _body(transport_response)))
        except ValueError:  # a proxy's page
            return {}


class MatrixConnection:
    """One logged-in connection.  `ready` once the homeserver has said who we are."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ready = False
        if settings.store_path is not None and settings.e2e:
            settings.store_path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.client: Any = Client(
            settings.homeserver.rstrip("/"),
            settings.user,
            device_id=settings.device_id,
            store_path=str(settings.store_path) if settings.e2e else None,
            config=nio.AsyncClientConfig(
                max_limit_exceeded=0,
                max_timeouts=0,
                request_timeout=settings.timeout_s,
                encryption_enabled=settings.e2e,
                store_sync_tokens=False,
            ),
        )
        self.me = settings.user

    async def ask(self, call: Awaitable[Any], seconds: float = 0) -> Any:
        """nio's answer to `call`; `MatrixError` if it is an error or none came in `seconds`."""
        try:
            async with asyncio.timeout(seconds or self.settings.timeout_s):
                answer = await call
        except (TimeoutError, OSError, aiohttp.ClientError, json.JSONDecodeError) as trouble:
            # nothing is lost by sending again: transaction ids make it the same event
            raise MatrixError(
                Receipt(Fate.LATER, retry_ms=5_000, detail=type(trouble).__name__, whole=_away(trouble)),
                perhaps=not isinstance(trouble, aiohttp.ClientConnectorError),
            ) from None
        except nio.ProtocolError as trouble:
            raise MatrixError(
                Receipt(Fate.LATER, retry_ms=5_000, detail=f"{type(trouble).__name__}: {trouble}")
            ) from None
        if isinstance(answer, nio.ErrorResponse):
            status = answer.transport_response.status if answer.transport_response is not None else 0
            raise self._seen(verdict(str(answer.status_code or ""), status, answer.retry_after_ms or 0))
        return answer

    async def raw(
        self, method: str, *path: str, body: dict[str, Any] | None = None, **query: str
    ) -> dict[str, Any]:
        """A call of the client-server API that nio has no name for, `path` in unescaped parts; the JSON of
        its answer.
        """
        try:
            return section(wirejson.loads(await self.fetched(method, *path, body=body, query=query) or b"{}"))
        except (ValueError, ResponseTooLarge) as strange:
            raise MatrixError(Receipt(Fate.LATER, retry_ms=5_000, detail=type(strange).__name__)) from None

    async def fetched(
        self,
        method: str,
        *path: str,
        body: dict[str, Any] | None = None,
        seconds: float = 0,
        query: Mapping[str, str] | None = None,
    ) -> bytes:
        """The answer as it came.  `MatrixError` for one that is an error; ResponseTooLarge."""

        async def call() -> tuple[int, bytes]:
            where = "/".join(quote(part, safe="") for part in path) + (
                f"?{urlencode(query)}" if query else ""
            )
            headers = {
                "Authorization": f"Bearer {self.client.access_token}",
                "Content-Type": "application/json",
            }
            answer = await self.client.send(
                method,
                f"/_matrix/client/v3/{where}",
                None if body is None else json.dumps(body),
                headers,
                timeout=seconds or None,
            )
            async with answer:
                return answer.status, await _body(answer)

        status: int
        raw: bytes
        status, raw = await self.ask(call(), seconds)
        if status >= 400:
            try:
                got = section(wirejson.loads(raw or b"{}"))
            except ValueError:  # a proxy's page
                got = {}
            retry = got.get("retry_after_ms")
            raise self._seen(verdict(word(got, "errcode"), status, retry if isinstance(retry, int) else 0))
        return raw

    async def digest(self, told: dict[str, Any]) -> Any:
        """What a sync told, as nio takes it in.  Raises whatever nio does of what strangers wrote into it."""
        self.client.next_batch = ""  # else nio leaves an answer it has seen before undecrypted
        answer = nio.SyncResponse.from_dict(told)
        if not isinstance(answer, nio.SyncResponse):
            raise ValueError(f"no sync: {answer}")
        await self.client.receive_response(answer)
        return answer

    def _seen(self, trouble: MatrixError) -> MatrixError:
        """An expired login is not final where there is a password: the loop logs in again."""
        if trouble.code in _LOGGED_OUT and self.ready and self.settings.password is not None:
            self.ready = False
            return MatrixError(
                Receipt(Fate.LATER, retry_ms=2_000, detail=trouble.receipt.detail, whole=True),
                trouble.code,
                trouble.status,
            )
        return trouble

    async def enter(self) -> None:
        """Log in, or find out whose token it is."""
        settings = self.settings
        if settings.access_token is not None:
            self.client.access_token = settings.access_token.get_secret_value()
            who = await self.ask(self.client.whoami())
            if who.user_id != settings.user:
                raise MatrixError(
                    Receipt(Fate.FAILED, reason="unauthorised", detail="the token is another account's")
                )
            self.client.restore_login(
                who.user_id, who.device_id or settings.device_id, self.client.access_token
            )
        else:
            assert settings.password is not None
            try:
                await self.ask(
                    self.client.login(settings.password.get_secret_value(), device_name="Citadels referee")
                )
            except MatrixError as trouble:
                if trouble.code == "M_FORBIDDEN":  # elsewhere it means a room, here the password
                    detail = trouble.receipt.detail
                    raise MatrixError(Receipt(Fate.FAILED, reason="unauthorised", detail=detail)) from None
                raise
        self.ready = True

    async def say(self, room: str, content: dict[str, Any], tx_id: str, kind: str = "m.room.message") -> str:
        """Send an event; its id."""
        answer = await self.ask(
            self.client.room_send(room, kind, content, tx_id=tx_id, ignore_unverified_devices=True)
        )
        return str(answer.event_id)

    async def event(self, room: str, event_id: str) -> dict[str, Any]:
        """An event as the homeserver has it now, decrypted if need be."""
        found = await self.raw("GET", "rooms", room, "event", event_id)
        if found.get("type") != "m.room.encrypted" or self.client.olm is None:
            return found
        sealed = nio.Event.parse_event(found)
        if not isinstance(sealed, nio.MegolmEvent):
            return found
        sealed.room_id = room
        opened = self.client.olm.decrypt_event(sealed, room)
        return found if opened is None else {**opened.source, "unsigned": found.get("unsigned", {})}

    async def close(self) -> None:
        self.ready = False
        await self.client.close()
        if self.client.store is not None:
            self.client.store.database.close()


async def reached(
    line: MatrixConnection, check: Callable[[MatrixConnection], Awaitable[None]]
) -> MatrixError | None:
    """Enter, do `check`, leave; what went wrong, or None.  For `referee doctor`."""
    try:
        await line.enter()
        await check(line)
    except MatrixError as trouble:
        return trouble
    finally:
        await line.close()
    return None
