"""One page for a stranger: asked for, looked whether it has changed, made anew only then.

All of it happens in the store's reader for visitors: the loop, which serves the channels, is not held up by
making pages, and no lock is needed around what was made before.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from referee.ids import EventNo, GameId
from referee.ports import Served
from referee.store import Tx
from referee.text import Words
from referee.text.rendering.sites import Site

from ...core.settings import ServiceSettings
from ...core.unit_of_work import StateCache

#: so much of what was made is kept (bytes)
ROOM = 8 * 1024 * 1024
#: and this many sentences
SAID = 20_000
#: the one theme of pictures that an address may ask for
DARK = "dark"
#: what an address says behind its "?" of which part of a page is to be seen
PARTS = ("show", "page", "round", "step")


class SentenceCache:
    """What happened, as everybody reads it: an event never changes, so it is worded once."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[Any, ...], str] = OrderedDict()

    def of(
        self,
        look: PageContext,
        game_id: GameId,
        number: EventNo,
        name: str,
        facts: Mapping[str, Any],
        players: tuple[str, ...],
    ) -> str:
        """The sentence of event `number` of a game, "" for what needs no telling."""
        place = (game_id, number, look.language, players)
        said = self._said.get(place)
        if said is None:
            said = self._said[place] = look.words.event(name, facts, look.language, players)
            while len(self._said) > SAID:
                self._said.popitem(last=False)
        return said


class PageContext(NamedTuple):
    """What a page is filled from: an open transaction, the hour, the words, the reader's language, states and
    sentences that belong to this reader (None: none are kept).
    """

    tx: Tx
    now_ms: int
    words: Words
    language: str
    states: StateCache
    settings: ServiceSettings
    root: str
    kept: SentenceCache | None = None

    def event(
        self, game_id: GameId, number: EventNo, name: str, facts: Mapping[str, Any], players: tuple[str, ...]
    ) -> str:
        """The sentence of an event of a game as everybody reads it, "" for what needs no telling."""
        return (self.kept or SentenceCache()).of(self, game_id, number, name, facts, players)


Wanted = Mapping[str, str]


class PageSpec(NamedTuple):
    """How one page is filled.

    `takes`: what of its address and query it heeds. `version` is different whenever the page would be, and
    None where there is no such page. `facts` are what its template is given; a page that is a file has `file`
    (its name, its text, and its media type if it is not plain text) instead; one without a name is shown, not
    saved; a page that has moved has the fact `moved`.
    """

    takes: tuple[str, ...]
    version: Callable[[PageContext, Wanted], Hashable | None]
    facts: Callable[[PageContext, Wanted], dict[str, Any] | None] | None = None
    file: Callable[[PageContext, Wanted], tuple[str, str] | tuple[str, str, str] | None] | None = None


class PageCache:
    """Makes pages, and remembers the last ones."""

    def __init__(
        self, pages: Mapping[str, PageSpec], site: Site, words: Words, settings: ServiceSettings, root: str
    ) -> None:
        self._pages, self._site, self._words, self._settings, self._root = pages, site, words, settings, root
        self._states, self._sentences = StateCache(64), SentenceCache()
        self._made: OrderedDict[tuple[Any, ...], tuple[Hashable, Served]] = OrderedDict()
        self._bytes = 0

    def show(self, tx: Tx, now_ms: int, name: str, language: str, wanted: Wanted) -> Served | None:
        """The page as it is now, or None.  Called in one thread only."""
        page = self._pages.get(name)
        if page is None:
            return None
        look = PageContext(
            tx,
            now_ms,
            self._words,
            self._words.language(language),
            self._states,
            self._settings,
            self._root,
            self._sentences,
        )
        heeded = {
            key: wanted[key]
            for key in page.takes
            if key in wanted and (key != "theme" or wanted[key] == DARK)
        }  # any other word is light: one page, not one for each word
        version = page.version(look, heeded)
        if version is None:
            return None
        place = (name, look.language, *sorted(heeded.items()))
        before = self._made.get(place)
        if before is not None and before[0] == version:
            self._made.move_to_end(place)
            return before[1]
        made = self._make(look, name, page, heeded)
        if made is not None:
            self._keep(place, version, made)
        return made

    def _make(self, look: PageContext, name: str, page: PageSpec, wanted: Wanted) -> Served | None:
        if page.file is not None:
            file = page.file(look, wanted)
            return (
                None
                if file is None
                else tagged(file[1].encode(), file[2] if len(file) > 2 else "text/plain", file[0])
            )
        facts = page.facts(look, wanted) if page.facts is not None else {}
        if facts is None:
            return None
        if facts.get("moved"):
            return Served(b"", moved=f"{look.root}{facts['moved']}")
        # the same part in another language
        part = urlencode({key: wanted[key] for key in PARTS if key in wanted})
        made = self._site.page(name, look.language, now_ms=look.now_ms, part=part, **facts)
        return tagged(made.encode(), "text/html")

    def _keep(self, place: tuple[Any, ...], version: Hashable, made: Served) -> None:
        older = self._made.pop(place, None)
        self._bytes += len(made.body) - (0 if older is None else len(older[1].body))
        self._made[place] = version, made
        while self._bytes > ROOM:
            _, (_, gone) = self._made.popitem(last=False)
            self._bytes -= len(gone.body)


def tagged(body: bytes, media_type: str, name: str = "") -> Served:
    """What a browser gets, with the mark by which it knows whether it has it."""
    return Served(body, media_type, hashlib.blake2s(body, digest_size=12).hexdigest(), name)
