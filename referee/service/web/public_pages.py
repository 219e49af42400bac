"""What web pages are made of (`referee.ports.Pages`), out of the store and the words."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from referee.ids import NOBODY
from referee.ports import Served
from referee.store import CalendarEntry, Person, Store, StoreFull, Tx
from referee.text import Words
from referee.text.rendering.sites import Site

from ..calendar import hooks as calendar_hooks
from ..calendar import ical
from ..calendar.commands import changes, refresh, whose
from ..core import tokens
from ..core.settings import ServiceSettings
from ..core.unit_of_work import UnitOfWork
from ..notices import commands
from ..pictures.png import PNG, PictureRenderer, drawn_here
from ..play.replay import GameRows
from .demo import Demo
from .site import HistoryCache, PageCache, all_pages
from .site.history import rows_to_unroll
from .site.page_cache import tagged

log = logging.getLogger(__name__)
#: how long the store may take to answer whether it is there, seconds
_PATIENCE = 5.0
#: this many pictures of tables may be waited for at once
_DRAWING = 4
#: the pages that show the game of bots
_WITH_DEMO = ("home", "demo", "demo_cards")
#: the page that is drawn of the picture of another name
_PNG, _SVG = "table_png", "table_picture"


class PublicPages:
    """Given to the web door.

    `broken` is set once a loop of the referee has ended; `uow` and `woke` are as the inbox worker's.
    """

    def __init__(
        self,
        store: Store,
        words: Words,
        settings: ServiceSettings,
        clock_ms: Callable[[], int],
        broken: asyncio.Event,
        uow: Callable[[Tx], UnitOfWork],
        woke: Callable[[UnitOfWork], None],
    ) -> None:
        self._store, self._words, self._clock_ms, self._broken = store, words, clock_ms, broken
        self._uow, self._woke = uow, woke
        base = urlsplit(settings.base_url)
        self._root = root = base.path
        origin = f"{base.scheme}://{base.netloc}" if base.netloc else ""
        self._site, self._settings = Site(words.own, root, origin), settings
        self._renderer, self._drawing = PictureRenderer(), 0
        self.demo = Demo()
        self._shelf = HistoryCache()
        self.cache = PageCache(all_pages(self._shelf, self.demo), self._site, words, settings, root)

    async def sound(self) -> bool:
        """Whether the referee runs and its store answers."""
        if self._broken.is_set():
            return False
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._store.read(lambda tx: tx.get(Person, NOBODY))
        except (TimeoutError, StoreFull):
            return False
        return True

    async def calendar(self, token: str) -> bytes | None:
        """A person's calendar file; written down first where something has changed since it was last told."""
        now = self._clock_ms()

        def look(tx: Tx) -> tuple[Person, bool] | None:
            person = whose(tx, token)
            return None if person is None else (person, bool(changes(tx, person.id, now)))

        found = await self._store.read(look, patient=True)
        if found is None:
            return None
        person, news = found
        if news:
            try:
                await self._store.write(lambda tx: refresh(tx, person.id, now))
            except StoreFull:
                log.warning("a calendar could not be brought up to date: the disk is full")
        return await self._store.read(lambda tx: self._file(tx, person), patient=True)

    async def subscription(self, token: str) -> dict[str, Any] | None:
        """What a link of a mail would end."""
        return unsubscribe_facts(await self._store.read(lambda tx: commands.by_token(tx, token)))

    async def unsubscribe(self, token: str) -> dict[str, Any] | None:
        """End it; the second time changes nothing."""

        def act(tx: Tx) -> tuple[UnitOfWork, commands.NoticeScope | None]:
            uow = self._uow(tx)
            return uow, commands.unsubscribed(uow, token)

        uow, scope = await self._store.write(act)
        self._woke(uow)
        return unsubscribe_facts(scope)

    def page(self, name: str, language: str = "en", **facts: Any) -> str:
        """A page's HTML."""
        return self._site.page(name, language, **facts)

    async def shown(self, name: str, language: str, wanted: Mapping[str, str]) -> Served | None:
        """A page that anybody may see."""
        if name == _PNG:
            return await self._drawn(language, wanted)
        if name in _WITH_DEMO:
            await self.demo.position()
        now = self._clock_ms()

        def look(tx: Tx) -> GameRows | Served | None:
            past = name == "history" or (name == "table_picture" and wanted.get("what") == "course")
            ended = name == "table" or (name == "table_picture" and wanted.get("what") == "chances")
            rows = rows_to_unroll(tx, self._shelf, wanted, ended=ended) if past or ended else None
            return self.cache.show(tx, now, name, language, wanted) if rows is None else rows

        found = await self._store.read(look, visitor=True)
        if isinstance(
            found, GameRows
        ):  # a game to be played again: not in the reader, where all other pages would wait for it
            await self._shelf.play_again(found)
            found = await self._store.read(
                lambda tx: self.cache.show(tx, now, name, language, wanted), visitor=True
            )
        return found

    async def _drawn(self, language: str, wanted: Mapping[str, str]) -> Served | None:
        """A table's picture as PNG, for programs that show no SVG; drawn once for each picture."""
        if not drawn_here(self._settings):
            return None
        svg = await self.shown(_SVG, language, {**wanted, "theme": "light"})
        if svg is None:
            return None
        if self._drawing >= _DRAWING:
            raise TimeoutError("too many pictures are waited for")
        self._drawing += 1
        try:
            made = await self._renderer.file("table.svg", svg.body)
        finally:
            self._drawing -= 1
        return None if made is None else tagged(made, PNG)

    def manifest(self, language: str) -> bytes:
        """What makes an app of the pages (W3C's web app manifest)."""
        spoken = self._words.language(language)
        icons = [
            {"src": self._site.assets.address(f"app-{size}.png"), "sizes": f"{size}x{size}", "type": PNG}
            for size in (192, 512)
        ]
        said = {
            "id": f"{self._root}/me",
            "name": self._words.phrase("lines.app_name", spoken),
            "short_name": "Citadels",
            "description": self._words.phrase("lines.app_about", spoken),
            "lang": spoken.replace("_", "-"),
            "start_url": f"{self._root}/me",
            "scope": f"{self._root}/",
            "display": "standalone",
            "background_color": "#f6f3ec",
            "theme_color": "#8a3b14",
            "icons": [{**one, "purpose": use} for one in icons for use in ("any", "maskable")],
        }
        return json.dumps(said, ensure_ascii=False).encode()

    def close(self) -> None:
        """Nothing more is drawn."""
        self._renderer.close()

    def asset(self, kept: str) -> Served | None:
        """A file that pages are dressed with."""
        found = self._site.assets.file(kept)
        return None if found is None else Served(*found)

    def worker(self) -> Served | None:
        """What browsers run while no page is open."""
        found = self._site.assets.named("worker.js")
        return None if found is None else Served(*found)

    def _file(self, tx: Tx, person: Person) -> bytes:
        entries = tx.all(CalendarEntry, person_id=person.id, order="due_ms,id")
        return ical.calendar_file(
            self._words, person, entries, tokens.secret(tx), calendar_hooks.calendar_spans(tx, person.id)
        )


def unsubscribe_facts(scope: commands.NoticeScope | None) -> dict[str, Any] | None:
    """{what: game, digest or all; game: its number or None; language: the person's}, for anyone who words
    it."""
    return (
        None
        if scope is None
        else {
            "what": scope.code,
            "game": None if scope.seat is None else scope.seat.game_id,
            "language": scope.person.language,
        }
    )
