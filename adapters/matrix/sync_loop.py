"""The sync loop: what happened since the bookmark, and the bookmark with it.

The homeserver's sync token moves only together with what it told, in one `receive`; until that has
returned, the same token is asked again and the same events come again.  matrix-nio's own loop
moves its token before anybody has seen the events, so it is not used.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import nio

from referee import wirejson
from referee.ports import Fate, Inbound, Receipt, Reception, bring, unread
from referee.ports import reading as reading_of

from . import reading
from .connection import WHOLE, MatrixConnection, MatrixError, ResponseTooLarge
from .event_reader import CHANNEL, EventReader
from .heavy_rooms import too_heavy
from .invitations import Invitations
from .room_state import MOST_PEOPLE, drop_crowded, grown
from .rooms import Rooms
from .sync_digest import SyncDigest, digested

log = logging.getLogger(__name__)

#: this many events of a room are told at once; fewer where an answer was too large
_TIMELINE = 50
#: this many earlier events of a room are looked at after a while away, and so often something is asked for
#: before it is passed over
_BACK, _PATIENT = 2_000, 8
_PAGE = 100
#: a bookmark without news is written this seldom: it only shortens the next catching up
_IDLE_MS = 60_000
#: what is older was heard, or is too late to act upon
_NEWS_MS = 86_400_000
_SLOWEST_S = 15.0


def _filter(most: int, without: set[str]) -> dict[str, Any]:
    return {
        "presence": {"types": []},
        "room": {
            "not_rooms": sorted(without),
            "timeline": {"limit": most},
            "ephemeral": {"types": []},
            "account_data": {"types": []},
        },
    }


class SyncLoop:
    """Hears for one account.

    `heard_ms` is when the homeserver last answered; `tried` is set after the first round, good or bad.
    """

    def __init__(
        self, line: MatrixConnection, rooms: Rooms, hearing: EventReader, clock_ms: Callable[[], int]
    ) -> None:
        self.line = line
        self.rooms = rooms
        self.hearing = hearing
        self.clock_ms = clock_ms
        self.heard_ms = 0
        self.tried = asyncio.Event()
        self._since = ""
        self._saved_ms = 0
        self._saved_invited = ""
        self._failures = 0  # rounds that failed, in a row
        self._stuck = 0  # of these the last, that failed though the homeserver had told what there is
        self._told = False  # whether this round's answer has come
        self._refusals = 0  # how often in a row it was refused
        self._most = _TIMELINE  # events of a room that are asked for at once
        self._whole = True  # the next sync must tell every room's whole state
        self._anew = False  # the bookmark is of no use: see `_asked`
        self._doors = Invitations(line, rooms, hearing, clock_ms)
        self._crowded: set[str] = set()  # rooms of too many people, until we are out of them
        self._heavy: set[str] = set()  # rooms that nothing is asked about, until our going is past
        self._left: set[str] = set()  # rooms that we have gone from by now
        self._going: set[asyncio.Task[None]] = set()

    async def run(self, reception: Reception) -> None:
        """For ever."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._doors.enter())
                both.create_task(self._listen(reception))
        finally:
            for going in self._going:
                going.cancel()

    async def _listen(self, reception: Reception) -> None:
        refused = False
        while True:
            self._told = False
            try:
                if not self.line.ready:
                    await self.line.enter()
                    await self.rooms.load()
                    await self._keys()
                if not self._since and not self._anew:
                    self._since = await reception.bookmark(CHANNEL, "since") or ""
                    self._doors.recall(await reception.bookmark(CHANNEL, "invited"))
                await self._round(reception)
                self._failures, self._stuck, refused = 0, 0, False
                continue
            except MatrixError as trouble:
                if trouble.receipt.reason == "unauthorised":  # told once: waiting mends no token
                    log.log(
                        logging.INFO if refused else logging.CRITICAL,
                        "the homeserver refuses the Matrix account's token or password: log in anew, put the "
                        "new one into the configuration or its secrets directory, and start again",
                    )
                    refused = True
                else:
                    log.warning("matrix: %s", trouble)
                pause = trouble.receipt.retry_ms / 1000 if trouble.code == "M_LIMIT_EXCEEDED" else 0.0
                if trouble.receipt.fate is Fate.FAILED:
                    pause = _SLOWEST_S  # a wrong token stays wrong: don't hammer
            except OSError as trouble:
                log.error("matrix: not on disk, will be fetched again: %s", trouble)
                pause = 0.0
            except Exception:  # nio and a stranger's events meet here: one bad round must not end the channel
                log.exception("matrix: a round failed and is tried again")
                pause = 0.0
            finally:
                self.tried.set()
            self._failures, self._stuck = self._failures + 1, self._stuck + 1 if self._told else 0
            await asyncio.sleep(max(pause, min(0.1 * 2 ** min(self._failures, 10), _SLOWEST_S)))

    async def _round(self, reception: Reception) -> None:
        """Ask once, and bring what was told; the token moves on whatever that was."""
        gone = {*self._left}
        try:
            raw = await self._asked()
            self._told = True
        except ResponseTooLarge as large:
            self._most //= 7
            if self._most:
                log.warning("matrix: %s; asking for less", large)
                return
            if await self._lightened():
                return
            raw = b""
            found, token = (
                SyncDigest(
                    left=[unread(CHANNEL, large.head, ref=f"sync {self._since}", reason="sync too large")]
                ),
                wirejson.member(large.head, "next_batch"),
            )
        else:
            found, token = await self._understood(reception, raw)
        if not token:
            raise MatrixError(Receipt(Fate.LATER, retry_ms=5_000, detail="an answer without a token"))
        self._most = _TIMELINE
        self.heard_ms = self.clock_ms()
        self._whole = False
        batch = found.left
        for answer in found.answers:
            self._account(answer)
        await self.rooms.synced()
        for answer in found.answers:
            batch += await self._batch(answer)
            self._invitations(answer)
        invited = self._doors.waiting()
        idle = self._since and not batch and invited == self._saved_invited
        if not idle or self.heard_ms - self._saved_ms > _IDLE_MS:
            await bring(reception, batch, channel=CHANNEL, cursor={"since": token, "invited": invited})
            self._saved_ms, self._saved_invited = self.heard_ms, invited
        self._since, self._anew = token, False
        self._heavy, self._left = self._heavy - gone, self._left - gone
        await self._keys()

    async def _asked(self) -> bytes:
        """The answer to one sync.  A token that stays refused is given up: after a move to another homeserver
        it is nobody's, and would keep us deaf for ever.
        """
        poll_s = 0.0 if self._whole else self.line.settings.poll_s
        query = {"timeout": str(int(poll_s * 1000)), "filter": json.dumps(_filter(self._most, self._heavy))}
        query |= ({"since": self._since} if self._since else {}) | (
            {"full_state": "true"} if self._whole else {}
        )
        refusals, self._refusals = self._refusals, 0
        try:
            return await self.line.fetched(
                "GET",
                "sync",
                seconds=self.line.settings.timeout_s * (WHOLE if self._whole else 1) + poll_s,
                query=query,
            )
        except MatrixError as trouble:
            self._refusals = refusals + 1 if trouble.receipt.reason == "rejected" else 0
            if self._refusals > _PATIENT and self._since:
                log.error("matrix: the homeserver does not know where we were: what is older may be missed")
                self._since, self._whole, self._anew = "", True, True
            raise

    async def _lightened(self) -> bool:
        """Whether an answer that is too large will be smaller without some rooms, which are left."""
        self._most, heavy = 1, set[str]()
        try:
            heavy = await too_heavy(self.line, {*self.line.client.rooms} | self._heavy)
        except MatrixError as trouble:
            if trouble.receipt.fate is Fate.LATER and self._failures < _PATIENT:
                raise
            log.warning("matrix: nobody says which rooms are too large: %s", trouble)
        if heavy:
            log.warning("matrix: rooms whose state is too large to be read are left: %d", len(heavy))
            self._most, self._heavy = _TIMELINE, self._heavy | heavy
            self._go(heavy)
        return bool(heavy)

    def _leave_crowded(self, rooms: set[str]) -> None:
        """Leave rooms of too many people: beside the loop, as a server may take minutes for it."""
        if rooms - self._crowded:
            log.warning("matrix: a room has more than %d people, and is left", MOST_PEOPLE)
        self._crowded |= rooms
        if rooms and not self._going:
            self._go(rooms)

    def _go(self, rooms: set[str]) -> None:
        going = asyncio.create_task(self._leave(rooms))
        self._going.add(going)
        going.add_done_callback(self._going.discard)

    async def _leave(self, rooms: set[str]) -> None:
        for room in rooms:
            try:
                await self.line.raw("POST", "rooms", room, "leave", body={})
                self._left.add(room)
            except MatrixError as trouble:  # tried again when something is told of it
                log.warning("matrix: a room can't be left: %s", trouble)

    async def _understood(self, reception: Reception, raw: bytes) -> tuple[SyncDigest, str]:
        """What the answer tells, and the token that it ends with.

        What processes died of, or what is no JSON, is left unread.
        """
        now, why = self.clock_ms(), "sync killed the process"
        with reading_of(reception, CHANNEL, f"sync {self._since}") as may:
            if may:
                try:
                    told = reading.section(wirejson.loads(raw))
                    crowded = drop_crowded(told, self._crowded)
                    found = await digested(self.line, told, CHANNEL, now)
                    self._leave_crowded(crowded | grown(told, self.line.client.rooms))
                    return found, reading.word(told, "next_batch")
                except (ValueError, RecursionError) as broken:
                    why = f"sync {type(broken).__name__}"
        token = wirejson.member(raw, "next_batch")
        return SyncDigest(
            left=[unread(CHANNEL, raw, ref=f"sync {self._since}", reason=why, at_ms=now)] if token else []
        ), token

    def _invitations(self, answer: Any) -> None:
        try:
            self._doors.note(answer.rooms.invite)
        except Exception:  # a stranger wrote them
            log.exception("matrix: an invitation can't be read")

    def _account(self, answer: Any) -> None:
        """Which rooms are direct may have been changed by another session of the account."""
        for data in answer.account_data_events:
            if isinstance(data, nio.UnknownAccountDataEvent) and data.type == "m.direct":
                self.rooms.told(reading.section(data.content))

    # events

    async def _batch(self, answer: Any) -> list[Inbound]:
        """What the rooms told, oldest first in each.  Before the first bookmark there is only history;
        without one that was of use, the last day may be news, and what is not is known by its key.
        """
        batch: list[Inbound] = []
        for room, info in answer.rooms.join.items():
            told_here = [event.source for event in [*info.state, *info.timeline.events]]
            self.rooms.made(room, told_here)
            self.rooms.unnamed(room, told_here)
        for room, info in answer.rooms.leave.items():
            self.line.client.rooms.pop(room, None)  # nio keeps rooms we are no longer in
            self.rooms.forget(room)
            self._crowded.discard(room)
            told = [
                one
                for event in [*info.state, *info.timeline.events]
                if (one := self.hearing.left(room, event.source))
            ]
            batch += told[-1:]
            self._doors.forget(room)
        if not self._since and not self._anew:
            return batch
        oldest = 0 if self._since else self.clock_ms() - _NEWS_MS
        for room, info in answer.rooms.join.items():
            events = [
                event.source for event in info.timeline.events if reading.moment(event.source) >= oldest
            ]
            if info.timeline.limited and self._since:
                events = await self._earlier(room, info.timeline.prev_batch, events) + events
            for event in reading.since_we_came(events, self.line.me, private=self._private(room)):
                one = await self._heard(room, event)
                if one is not None:
                    batch.append(one)
        return batch

    async def _heard(self, room: str, event: dict[str, Any]) -> Inbound | None:
        """One event; what can't be read, or can't be asked about however often, is to be parked."""
        try:
            self._doors.follow(event)
            return await self.hearing.hear(room, event)
        except (MatrixError, OSError):
            if self._stuck < _PATIENT:
                raise
            why = "event cannot be looked up"
        except Exception as broken:  # a stranger wrote it: it must not keep others' out
            log.exception("matrix: an event can't be read")
            why = f"event {type(broken).__name__}"
        raw = json.dumps(event, default=repr).encode(errors="replace")
        return unread(CHANNEL, raw, ref=reading.word(event, "event_id"), reason=why, at_ms=self.clock_ms())

    async def _earlier(self, room: str, start: str, newer: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The events that a limited timeline left out: back to the bookmark, or to where we came in."""
        private = self._private(room)
        found: list[dict[str, Any]] = []
        while start and len(found) < _BACK and not self._reaches_back(found + newer, private):
            try:
                page = await self.line.ask(
                    self.line.client.room_messages(
                        room, start=start, end=self._since, direction=nio.MessageDirection.back, limit=_PAGE
                    )
                )
            except Exception as trouble:  # nio: of a page without events, anything; it must not keep us deaf
                if self._stuck < _PATIENT:
                    raise
                log.error(
                    "matrix: what was said earlier in a room can't be had, and is passed over: %s",
                    type(trouble).__name__,
                )
                break
            found = [event.source for event in reversed(page.chunk)] + found
            start = page.end if page.chunk else ""
        return found

    def _reaches_back(self, events: list[dict[str, Any]], private: bool) -> bool:
        """Whether the events begin no later than our coming."""
        meant = reading.since_we_came(events, self.line.me, private=private)
        first = reading.membership(meant[0]) if meant else None
        return (
            first is not None and first[0] == self.line.me and first[2] == ("invite" if private else "join")
        )

    def _private(self, room: str) -> bool:
        return self.rooms.private_with(room) is not None or self.rooms.flagged(room) is not None

    # encryption

    async def _keys(self) -> None:
        """The housekeeping of encrypted rooms that nio's own loop would do."""
        client = self.line.client
        if client.olm is None:
            return
        try:
            if client.should_upload_keys:
                await self.line.ask(client.keys_upload())
            if client.should_query_keys:
                await self.line.ask(client.keys_query())
            if client.should_claim_keys:
                await self.line.ask(client.keys_claim(client.get_users_for_key_claiming()))
            await client.send_to_device_messages()
        except (MatrixError, OSError) as trouble:
            log.warning("matrix: keys are exchanged later: %s", trouble)
