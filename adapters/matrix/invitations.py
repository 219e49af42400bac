"""Invitations: kept until they are accepted, also over a restart.

A homeserver tells of an invitation once, and joining a room on another server can take minutes;
so what waits is part of the bookmark, and the joining is done beside the sync loop.

Anybody may invite us anywhere. So invitations are counted: by who invites, by their server and in all; one
too many is passed over, and the homeserver keeps it. Servers are asked beside each other: one that never
answers holds up nobody else's.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import nio

from referee.ports import Fate

from . import reading
from .connection import MatrixConnection, MatrixError
from .event_reader import EventReader
from .limits import TokenBucket
from .rooms import Rooms

log = logging.getLogger(__name__)

_AGAIN_S = 5.0
#: invitations that are accepted in an hour: of one person, of one server that is not ours, and in all
EACH, SERVER, ALL = 10, 30, 120
#: this many wait at once; then the one that has waited longest is let go
MOST = 50
_REMEMBERED = 1000
#: no room has a longer name (a tombstone may say anything, and what waits stands in each bookmark)
_LONGEST = 255


class InvitationLimits:
    """How many invitations are accepted.  Times are the caller's, in milliseconds."""

    def __init__(self, own_server: str) -> None:
        self._own = own_server
        self._all = _hourly(ALL)
        self._some: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, who: str, now_ms: int) -> bool:
        """Whether one more of that person may be accepted; it is counted."""
        server = who.partition(":")[2]
        buckets = (
            [self._of(who, EACH), self._of(server, ALL)]
            if server == self._own
            else [self._of(who, EACH), self._of(server, SERVER), self._all]
        )
        return all(
            bucket.take(now_ms) == 0 for bucket in buckets
        )  # who has used up their own share takes nothing of everybody's

    def _of(self, name: str, most: int) -> TokenBucket:
        bucket = self._some.setdefault(name, _hourly(most))
        self._some.move_to_end(name)
        while len(self._some) > _REMEMBERED:
            self._some.popitem(last=False)
        return bucket


def _hourly(most: int) -> TokenBucket:
    return TokenBucket(most / 3600, most)


class Invitations:
    """The rooms we are asked into and have not entered yet."""

    def __init__(
        self, line: MatrixConnection, rooms: Rooms, hearing: EventReader, clock_ms: Callable[[], int]
    ) -> None:
        self.line = line
        self.rooms = rooms
        self.hearing = hearing
        self._clock_ms = clock_ms
        self._welcome = InvitationLimits(line.me.partition(":")[2])
        self._invited: dict[str, dict[str, Any]] = {}
        self._news = asyncio.Event()
        self._asked: set[str] = set()  # servers that are being asked to let us in

    def waiting(self) -> str:
        """What is to be written with the bookmark."""
        return json.dumps(self._invited, sort_keys=True)

    def recall(self, written: str | None) -> None:
        """What an earlier process wrote."""
        self._invited = json.loads(written or "{}") | self._invited
        self._news.set()

    def note(self, invitations: dict[str, Any]) -> None:
        """The invitations a sync told."""
        for room, info in invitations.items():
            ours = [
                event
                for event in info.invite_state
                if isinstance(event, nio.InviteMemberEvent) and event.state_key == self.line.me
            ]
            for event in ours[-1:]:  # our server puts it last; what is before it the inviter's server wrote
                # nio takes the content out of this event's source
                direct = reading.section(event.content).get("is_direct") is True
                self._ask(room, event.sender, direct=direct)

    def follow(self, event: dict[str, Any]) -> None:
        """A room that was replaced: go to its successor, if it lets us in without being asked."""
        successor = reading.word(event, "content", "replacement_room")
        room = successor.startswith("!") and len(successor) <= _LONGEST
        replaced = event.get("type") == "m.room.tombstone" and event.get("state_key") == ""
        if replaced and room and successor not in self._invited:
            self._ask(successor, reading.word(event, "sender"), direct=False)

    def _ask(self, room: str, by: str, *, direct: bool) -> None:
        """Let an invitation wait, unless there were too many."""
        if room not in self._invited and not self._welcome.take(by, self._clock_ms()):
            log.warning("matrix: an invitation is passed over: too many within an hour")
            return
        self._invited[room] = {"by": by, "direct": direct}
        while len(self._invited) > MOST:
            del self._invited[next(iter(self._invited))]
        self._news.set()

    def forget(self, room: str) -> None:
        """The invitation was taken back."""
        self._invited.pop(room, None)

    async def enter(self) -> None:
        """Accept what waits, for ever."""
        async with asyncio.TaskGroup() as servers:
            while True:
                await self._news.wait()
                self._news.clear()
                for server in {_server(invitation) for invitation in self._invited.values()} - self._asked:
                    self._asked.add(server)
                    servers.create_task(self._enter_all(server))

    async def _enter_all(self, server: str) -> None:
        """The invitations of one server, one after the other; what is left waits a little."""
        for room, invitation in [
            (room, one) for room, one in self._invited.items() if _server(one) == server
        ]:
            await self._enter(room, invitation)
        if any(_server(one) == server for one in self._invited.values()):
            await asyncio.sleep(_AGAIN_S)
        self._asked.discard(server)
        self._news.set()

    async def _enter(self, room: str, invitation: dict[str, Any]) -> None:
        try:
            if invitation["direct"]:
                await self.rooms.remember(invitation["by"], room)
            self.hearing.inviters[room] = invitation["by"]
            await self.line.raw("POST", "join", room, body={}, server_name=_server(invitation))
        except MatrixError as trouble:
            if trouble.receipt.fate is Fate.LATER:
                log.warning("matrix: an invitation waits: %s", trouble)
                return
            log.warning("matrix: an invitation can't be accepted: %s", trouble)
            self.hearing.inviters.pop(room, None)
        if self._invited.get(room) == invitation:
            del self._invited[room]


def _server(invitation: dict[str, Any]) -> str:
    return str(invitation["by"]).partition(":")[2]
