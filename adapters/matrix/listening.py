"""The sync loop: what happened since the bookmark, and the bookmark with it.

The homeserver's sync token moves only together with what it told, in one `receive`; until that has
returned, the same token is asked again and the same events come again.  matrix-nio's own loop
moves its token before anybody has seen the events, so it is not used.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import nio

from adapters.matrix import reading
from adapters.matrix.doors import Doors
from adapters.matrix.hearing import CHANNEL, Hearing
from adapters.matrix.line import WHOLE, Line, Trouble
from adapters.matrix.rooms import Rooms
from referee.ports import Fate, Inbound, Reception

log = logging.getLogger(__name__)

_FILTER = {"presence": {"types": []},
           "room": {"timeline": {"limit": 50}, "ephemeral": {"types": []}, "account_data": {"types": []}}}
_PAGE = 100
#: a bookmark without news is written this seldom: it only shortens the next catching up
_IDLE_MS = 60_000
_SLOWEST_S = 15.0


class Listener:
    """Hears for one account.  `heard_ms` is when the homeserver last answered; `tried` is set after the first round, good or bad."""

    def __init__(self, line: Line, rooms: Rooms, hearing: Hearing, clock_ms: Callable[[], int]) -> None:
        self.line = line
        self.rooms = rooms
        self.hearing = hearing
        self.clock_ms = clock_ms
        self.heard_ms = 0
        self.tried = asyncio.Event()
        self._since = ""
        self._saved_ms = 0
        self._saved_invited = ""
        self._whole = True                 # the next sync must tell every room's whole state
        self._doors = Doors(line, rooms, hearing, clock_ms)

    async def run(self, reception: Reception) -> None:
        """For ever."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._doors.enter())
            both.create_task(self._listen(reception))

    async def _listen(self, reception: Reception) -> None:
        failures = 0
        while True:
            try:
                if not self.line.ready:
                    await self.line.enter()
                    await self.rooms.load()
                    await self._keys()
                if not self._since:
                    self._since = await reception.bookmark(CHANNEL, "since") or ""
                    self._doors.recall(await reception.bookmark(CHANNEL, "invited"))
                await self._round(reception)
                failures = 0
                continue
            except Trouble as trouble:
                log.warning("matrix: %s", trouble)
                pause = trouble.receipt.retry_ms / 1000 if trouble.code == "M_LIMIT_EXCEEDED" else 0.0
                if trouble.receipt.fate is Fate.FAILED:
                    pause = _SLOWEST_S     # a wrong token stays wrong: don't hammer
            except OSError as trouble:
                log.error("matrix: not on disk, will be fetched again: %s", trouble)
                pause = 0.0
            except Exception:              # nio and a stranger's events meet here: one bad round must not end the channel
                log.exception("matrix: a round failed and is tried again")
                pause = 0.0
            finally:
                self.tried.set()
            failures += 1
            await asyncio.sleep(max(pause, min(0.1 * 2 ** min(failures, 10), _SLOWEST_S)))

    async def _round(self, reception: Reception) -> None:
        client = self.line.client
        client.next_batch = ""             # else nio leaves an answer it has seen before undecrypted
        poll_ms = 0 if self._whole else int(self.line.settings.poll_s * 1000)
        answer = await self.line.ask(
            client.sync(timeout=poll_ms, since=self._since or None, full_state=self._whole, sync_filter=_FILTER),
            self.line.settings.timeout_s * (WHOLE if self._whole else 1) + poll_ms / 1000)
        self.heard_ms = self.clock_ms()
        self._whole = False
        self._account(answer)
        await self.rooms.synced()
        batch = await self._batch(answer)
        self._doors.note(answer.rooms.invite)
        invited = self._doors.waiting()
        idle = self._since and not batch and invited == self._saved_invited
        if not idle or self.heard_ms - self._saved_ms > _IDLE_MS:
            await reception.receive(batch, channel=CHANNEL, cursor={"since": answer.next_batch, "invited": invited})
            self._saved_ms, self._saved_invited = self.heard_ms, invited
        self._since = answer.next_batch
        await self._keys()

    def _account(self, answer: Any) -> None:
        """Which rooms are direct may have been changed by another session of the account."""
        for data in answer.account_data_events:
            if isinstance(data, nio.UnknownAccountDataEvent) and data.type == "m.direct":
                self.rooms.told(reading.section(data.content))

    # events

    async def _batch(self, answer: Any) -> list[Inbound]:
        """What the rooms told, oldest first in each.  Before the first bookmark there is only history."""
        batch: list[Inbound] = []
        for room, info in answer.rooms.leave.items():
            self.line.client.rooms.pop(room, None)  # nio keeps rooms we are no longer in
            told = [one for event in [*info.state, *info.timeline.events] if (one := self.hearing.left(room, event.source))]
            batch += told[-1:]
            self._doors.forget(room)
        if not self._since:
            return batch
        for room, info in answer.rooms.join.items():
            events = [event.source for event in info.timeline.events]
            if info.timeline.limited:
                events = await self._earlier(room, info.timeline.prev_batch, events) + events
            for event in reading.since_we_came(events, self.line.me, private=self._private(room)):
                self._doors.follow(event)
                one = await self.hearing.hear(room, event)
                if one is not None:
                    batch.append(one)
        return batch

    async def _earlier(self, room: str, start: str, newer: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The events that a limited timeline left out: back to the bookmark, or to where we came in."""
        private = self._private(room)
        found: list[dict[str, Any]] = []
        while start and not self._reaches_back(found + newer, private):
            page = await self.line.ask(self.line.client.room_messages(
                room, start=start, end=self._since, direction=nio.MessageDirection.back, limit=_PAGE))
            found = [event.source for event in reversed(page.chunk)] + found
            start = page.end if page.chunk else ""
        return found

    def _reaches_back(self, events: list[dict[str, Any]], private: bool) -> bool:
        """Whether the events begin no later than our coming."""
        meant = reading.since_we_came(events, self.line.me, private=private)
        first = reading.membership(meant[0]) if meant else None
        return first is not None and first[0] == self.line.me and first[2] == ("invite" if private else "join")

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
        except (Trouble, OSError) as trouble:
            log.warning("matrix: keys are exchanged later: %s", trouble)
