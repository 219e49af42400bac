"""Telling open pages that their table has changed: each hears when what it shows is another than before, and
nothing else.

What a stream says, and when, follows from the view of whom it is for: after each commit the views that
somebody watches are looked at, once for all who watch the same, and only those are told whose own has
changed. A secret order of another seat makes no sound.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from referee.ids import GameId, PersonId
from referee.ports import Visitor
from referee.store import Game, Seat, Store, Tx

from ..core.unit_of_work import StateCache, UnitOfWork
from ..people.web_sessions import SIGNED_OUT
from .demo import Demo, DemoStream
from .fingerprint import Audience, mark
from .site.visibility import visible_table

log = logging.getLogger(__name__)
#: commits within so long are looked at together; without any it is looked all the same (another process may
#: write), seconds
_GATHER, _LOOK = 0.15, 5.0
#: what other processes are told: something happened at that table
GAME = "game "


class LiveStream:
    """One listener.  `mark` stands for what it knows of."""

    def __init__(self, mark: str, gone: Callable[[LiveStream], None]) -> None:
        self.mark = mark
        self._bell, self._ended, self._gone = asyncio.Event(), False, gone

    async def changed(self) -> str | None:
        """Wait until there is something new: its mark; None when there will be nothing any more."""
        await self._bell.wait()
        self._bell.clear()
        return None if self._ended else self.mark

    def tell(self, mark: str | None) -> None:
        """There is something new, or (None) nothing more to come."""
        self._ended = self._ended or mark is None
        self.mark = mark or self.mark
        self._bell.set()

    def close(self) -> None:
        """Nobody listens any more."""
        self._gone(self)


class LiveUpdates:
    """All that watch, by audience (`referee.ports.Live`)."""

    def __init__(self, store: Store, demo: Demo) -> None:
        self._store, self._demo = store, demo
        self._states = StateCache(64)  # of the store's visitors' reader
        self._marks: dict[Audience, str] = {}
        self._streams: dict[Audience, set[LiveStream]] = {}
        self._seen: dict[GameId, tuple[Any, ...]] = {}
        self._hinted: set[GameId] = set()
        self._bell = asyncio.Event()

    @property
    def listeners(self) -> int:
        """How many watch."""
        return sum(map(len, self._streams.values()))

    def woke(self, uow: UnitOfWork) -> None:
        """Something was written."""
        for word in uow.wakes:
            if word.startswith(SIGNED_OUT):
                self.dismiss(PersonId(int(word.removeprefix(SIGNED_OUT))))
        if self._streams:
            number = uow.about.get("game")
            if isinstance(number, int):
                self._hinted.add(GameId(number))
            self._bell.set()

    def heard(self, words: Collection[str]) -> None:
        """Another process has written something."""
        for word in words:
            if word.startswith(SIGNED_OUT):
                self.dismiss(PersonId(int(word.removeprefix(SIGNED_OUT))))
            elif word.startswith(GAME) and self._streams:
                self._hinted.add(GameId(int(word.removeprefix(GAME))))
        if self._streams:
            self._bell.set()

    async def table(self, wanted: Mapping[str, str]) -> LiveStream | None:
        """Watch a table as everybody sees it; None for one that is not there for everybody."""

        def look(tx: Tx) -> tuple[Audience, str | None] | None:
            game = visible_table(tx, wanted)
            return None if game is None else (Audience(game.id), self._mark(tx, Audience(game.id)))

        return self._listen(await self._store.read(look, visitor=True))

    async def seat(self, visitor: Visitor, game_id: GameId) -> LiveStream | None:
        """Watch it as somebody's seat does; None where they have none."""

        def look(tx: Tx) -> tuple[Audience, str | None] | None:
            seat = tx.one(Seat, game_id=game_id, person_id=visitor.person)
            return (
                None
                if seat is None
                else (
                    Audience(game_id, seat.no, visitor.person),
                    self._mark(tx, Audience(game_id, seat.no, visitor.person)),
                )
            )

        return self._listen(await self._store.read(look, visitor=True))

    async def demo(self) -> DemoStream | None:
        """Watch the game of bots; None where as many do as may."""
        return await self._demo.listen()

    def signed_out(self, person_id: PersonId) -> None:
        """Somebody has signed out by a button of their pages: no process tells more of theirs."""
        self.dismiss(person_id)
        self._store.ring((f"{SIGNED_OUT}{person_id}",))

    def dismiss(self, person_id: PersonId) -> None:
        """Somebody has signed out: nothing of theirs is told here any more."""
        for one in [one for one in self._streams if one.person == person_id and one.seat is not None]:
            self._over(one)

    async def run(self) -> None:
        """Look for ever."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK if self._streams else None):
                    await self._bell.wait()
            await asyncio.sleep(_GATHER)
            self._bell.clear()
            await self.round()

    async def round(self) -> None:
        """Look at what is watched, where it may have changed, and tell whom it concerns."""
        watched, hinted = list(self._streams), self._hinted
        self._hinted = set()
        if not watched:
            return

        def look(tx: Tx) -> tuple[dict[Audience, str | None], dict[GameId, tuple[Any, ...]]]:
            games = [tx.get(Game, number) for number in {one.game for one in watched}]
            seen = {game.id: _counters(game) for game in games if game is not None}
            moved = {number for number, now in seen.items() if self._seen.get(number) != now} | hinted
            return {one: self._mark(tx, one) for one in watched if one.game in moved}, seen

        try:
            found, seen = await self._store.read(look, visitor=True)
        except Exception:  # one page less that refreshes itself must not end the referee
            log.exception("what open pages show could not be looked at")
            self._hinted |= hinted  # nobody has been told of that yet: the next look is for it, too
            return
        still = {one.game for one in self._streams}
        self._seen |= {number: now for number, now in seen.items() if number in still}
        for audience, now in found.items():
            if now is None:
                self._over(audience)
            elif self._marks.get(audience) not in (None, now):
                self._marks[audience] = now
                for stream in self._streams.get(audience, ()):
                    stream.tell(now)

    def _mark(self, tx: Tx, audience: Audience) -> str | None:
        return mark(tx, self._states, audience)

    def _listen(self, found: tuple[Audience, str | None] | None) -> LiveStream | None:
        if found is None or found[1] is None:
            return None
        audience, now = found[0], str(found[1])
        if not self._streams:
            self._bell.set()  # from now on it is looked also when nobody rings
        known = self._streams.setdefault(audience, set())
        if known and self._marks[audience] != now:
            self._bell.set()  # others have not heard of it yet
        else:
            self._marks[audience] = now

        def gone(stream: LiveStream) -> None:
            known.discard(stream)
            if not known and self._streams.get(audience) is known:
                del self._streams[audience], self._marks[audience]
                if all(one.game != audience.game for one in self._streams):
                    self._seen.pop(audience.game, None)

        stream = LiveStream(now, gone)
        known.add(stream)
        return stream

    def _over(self, audience: Audience) -> None:
        for stream in tuple(self._streams.get(audience, ())):
            stream.tell(None)


def _counters(game: Game) -> tuple[Any, ...]:
    """What of its row is another whenever something has happened at a table."""
    return game.event_no, game.question, game.asked, game.status, game.clocks, game.settings
