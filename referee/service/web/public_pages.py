"""What web pages are made of (`referee.ports.Pages`), out of the store and the words."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from referee.ports import Served
from referee.store import CalendarEntry, Person, Store, StoreFull, Tx
from referee.text import Words
from referee.text.rendering.sites import Site

from ..calendar import ical
from ..calendar.commands import changes, refresh, whose
from ..core import tokens
from ..core.unit_of_work import ServiceSettings, Sitting
from ..notices import commands
from ..play.replay import Rows, unrolled
from .site import Shelf, Showing, all_pages
from .site.history import unread

log = logging.getLogger(__name__)
#: how long the store may take to answer whether it is there, seconds
_PATIENCE = 5.0


class Pages:
    """Given to the web door.

    `broken` is set once a loop of the referee has ended; `sitting` and `woke` are as the desk's.
    """

    def __init__(
        self,
        store: Store,
        words: Words,
        settings: ServiceSettings,
        clock_ms: Callable[[], int],
        broken: asyncio.Event,
        sitting: Callable[[Tx], Sitting],
        woke: Callable[[Sitting], None],
    ) -> None:
        self._store, self._words, self._clock_ms, self._broken = store, words, clock_ms, broken
        self._sitting, self._woke = sitting, woke
        root = urlsplit(settings.base_url).path
        self._site = Site(words.own, root)
        self._shelf, self._digging = Shelf(), asyncio.Lock()
        self._showing = Showing(all_pages(self._shelf), self._site, words, settings, root)

    async def sound(self) -> bool:
        """Whether the referee runs and its store answers."""
        if self._broken.is_set():
            return False
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._store.read(lambda tx: tx.get(Person, 0))
        except (TimeoutError, StoreFull):
            return False
        return True

    async def calendar(self, token: str) -> bytes | None:
        """A person's calendar file; written down first where something has changed since it was last told."""
        now = self._clock_ms()

        def look(tx: Tx) -> tuple[Person, bool] | None:
            person = whose(tx, token)
            return None if person is None else (person, bool(changes(tx, int(person.id or 0), now)))

        found = await self._store.read(look, patient=True)
        if found is None:
            return None
        person, news = found
        if news:
            try:
                await self._store.write(lambda tx: refresh(tx, int(person.id or 0), now))
            except StoreFull:
                log.warning("a calendar could not be brought up to date: the disk is full")
        return await self._store.read(lambda tx: self._file(tx, person), patient=True)

    async def subscription(self, token: str) -> dict[str, Any] | None:
        """What a link of a mail would end."""
        return told(await self._store.read(lambda tx: commands.by_token(tx, token)))

    async def unsubscribe(self, token: str) -> dict[str, Any] | None:
        """End it; the second time changes nothing."""

        def act(tx: Tx) -> tuple[Sitting, commands.Scope | None]:
            sitting = self._sitting(tx)
            return sitting, commands.unsubscribed(sitting, token)

        sitting, scope = await self._store.write(act)
        self._woke(sitting)
        return told(scope)

    def page(self, name: str, language: str = "en", **facts: Any) -> str:
        """A page's HTML."""
        return self._site.page(name, language, **facts)

    async def shown(self, name: str, language: str, wanted: Mapping[str, str]) -> Served | None:
        """A page that anybody may see."""
        now = self._clock_ms()

        def look(tx: Tx) -> Rows | Served | None:
            rows = (
                unread(tx, self._shelf, wanted)
                if name == "history" or (name == "table_picture" and wanted.get("what") == "course")
                else None
            )
            return self._showing.show(tx, now, name, language, wanted) if rows is None else rows

        found = await self._store.read(look, visitor=True)
        if isinstance(
            found, Rows
        ):  # a game to be played again: not in the reader, where all other pages would wait for it
            async with self._digging:  # one at a time, whoever asks for how many
                if self._shelf.known(int(found.game.id or 0)) is None:
                    self._shelf.put(int(found.game.id or 0), await asyncio.to_thread(unrolled, found))
            found = await self._store.read(
                lambda tx: self._showing.show(tx, now, name, language, wanted), visitor=True
            )
        return found

    def asset(self, kept: str) -> Served | None:
        """A file that pages are dressed with."""
        found = self._site.assets.file(kept)
        return None if found is None else Served(*found)

    def _file(self, tx: Tx, person: Person) -> bytes:
        entries = tx.all(CalendarEntry, person_id=person.id, order="due_ms,id")
        return ical.written(self._words, person, entries, tokens.secret(tx))


def told(scope: commands.Scope | None) -> dict[str, Any] | None:
    """{what: game, digest or all; game: its number or None; language: the person's}, for whoever words it."""
    return (
        None
        if scope is None
        else {
            "what": scope.code,
            "game": None if scope.seat is None else scope.seat.game_id,
            "language": scope.person.language,
        }
    )
