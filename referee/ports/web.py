"""What `adapters.web` serves: the public pages, somebody's own, those that stay open, and the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee.ids import NO_GAME, NO_QUESTION, GameId, PersonId, QuestionNo, SessionId

from .push import PushSubscription


@dataclass(frozen=True, slots=True)
class Served:
    """What a browser gets.

    `tag` changes whenever `body` does, "" where nobody may keep it; `name`: a file to be saved under it;
    `moved`: there is nothing here, but at that address.
    """

    body: bytes
    media_type: str = "text/html"
    tag: str = ""
    name: str = ""
    moved: str = ""


class Pages(Protocol):
    """What the web's pages are made of; given to `adapters.web` by the code that puts the referee together.

    Tokens are secrets out of an address.
    """

    async def sound(self) -> bool:
        """Whether the referee runs and its store answers."""

    async def calendar(self, token: str) -> bytes | None:
        """The calendar (RFC 5545, UTF-8) that this token opens; None for a token that opens none."""

    async def subscription(self, token: str) -> dict[str, Any] | None:
        """What this link of a letter would end: {what: game, digest or all; game: its number or None;
        language: the person's}. None for a link that is none of ours.
        """

    async def unsubscribe(self, token: str) -> dict[str, Any] | None:
        """End it, and say what that was; the second time changes nothing."""

    def page(self, name: str, language: str = "en", **facts: Any) -> str:
        """The whole HTML of a page of templates/<language>/pages; raises LookupError for one that is not
        there.
        """

    async def shown(self, name: str, language: str, wanted: Mapping[str, str]) -> Served | None:
        """A page that anybody may see, as it is now; `wanted` is what its address and its query say.

        None where there is none. Raises TimeoutError where too many ask for what takes long.
        """

    def manifest(self, language: str) -> bytes:
        """What makes an app of the pages, JSON (W3C's web app manifest), in this language."""

    def asset(self, kept: str) -> Served | None:
        """A file that pages are dressed with, by the last part of its address."""

    def worker(self) -> Served | None:
        """The script that browsers run while no page of ours is open."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is signed in in a browser: the person, the browser's session, what its forms are signed
    with, their name and language.
    """

    person: PersonId
    session: SessionId
    key: str
    name: str
    language: str


@dataclass(frozen=True, slots=True)
class AppEntry:
    """How it went to sign somebody in by what their channel says.

    `trouble`: forged, stale (too old), used (once before), unknown (nobody that we know), "" none; `cookie`:
    the browser's new secret, "" where they are signed in there already.
    """

    trouble: str = ""
    cookie: str = ""


class OwnPages(Protocol):
    """Somebody's own pages.

    `cookie` is the secret that a browser keeps; a `Visitor` stands for one that was looked at in this
    request. `root` is what our addresses begin with ("" or a path), `origin` the origin of our own pages as a
    browser names it, "" where they have none.
    """

    root: str
    origin: str

    def contacts(self) -> dict[str, tuple[str, str]]:
        """Where anybody can write to the referee: channel -> address, link."""

    async def link(self, token: str) -> dict[str, Any] | None:
        """Whom this link of a letter would sign in: {person, language}.

        None for one that is used up, or none of ours.
        """

    async def sign_in(self, token: str, cookie: str, browser: str) -> tuple[str, GameId] | None:
        """Use it: the browser's new secret, and the number of the table that it leads to (0: all of them).

        `cookie` ends; `browser`: what it is called in the list of those that are signed in.
        """

    async def enter_app(self, channel: str, data: str, cookie: str, browser: str) -> AppEntry:
        """Sign somebody in by `data`, with which a channel vouches for the person who opened our page inside
        it. `cookie`, `browser`: as in `sign_in`.
        """

    async def visitor(self, cookie: str) -> Visitor | None:
        """Whose browser that is; None where nobody is signed in."""

    async def tables(self, visitor: Visitor, since: str, page: int) -> dict[str, Any] | None:
        """What the page of all their tables is filled with, and what was answered to what they sent (`since`:
        its name, as `say` gave it). `page`: of those that have ended; None where there is no such page.
        """

    async def statistics(self, visitor: Visitor) -> dict[str, Any]:
        """What the page about how they did is filled with."""

    async def data(self, visitor: Visitor) -> Served:
        """All that is kept about them, as a file."""

    async def new_table(self, visitor: Visitor, since: str) -> dict[str, Any]:
        """What the form for a new table is filled with, and what was answered to what they sent from there;
        `opened`: the table that came of it, 0 for none.
        """

    async def seat(
        self,
        visitor: Visitor,
        game_id: GameId,
        since: str,
        question: QuestionNo,
        way: Sequence[int],
        key: str = "",
    ) -> dict[str, Any] | None:
        """The same of one table where they sit, or that gathers; None where they don't, and for what they may
        not see. `page` is which page that is.

        `way`: the entries of this question that were followed; `key`: that of the table's page, or the code
        of its invitation.
        """

    async def step(self, visitor: Visitor, game_id: GameId, step: int, since: str) -> dict[str, Any] | None:
        """Step number `step` (0: the last one) of a finished game as their seat saw it; None where there is
        none.  `since`: as for `tables`.
        """

    async def other(
        self, visitor: Visitor, name: str, wanted: Mapping[str, str], since: str
    ) -> dict[str, Any] | None:
        """What a page of their own that is about no table is filled with (`name`: the page's, `wanted`: what
        its address says); None where they have none.  `since`: as for `tables`.
        """

    async def preview(
        self, visitor: Visitor, name: str, wanted: Mapping[str, str], form: str, text: str
    ) -> dict[str, Any] | None:
        """What a page that tells what would come of these words is filled with; nothing is done.

        None for a form that was not made for this browser, and where nothing can be tried.
        """

    async def picture(
        self,
        visitor: Visitor,
        game_id: GameId,
        since: str,
        question: QuestionNo,
        way: Sequence[int],
        theme: str,
    ) -> str | None:
        """The same as a picture, SVG, for a "light" or a "dark" ground; None where there is none, or they
        want none.
        """

    async def say(
        self,
        visitor: Visitor,
        form: str,
        text: str,
        *,
        button: str = "",
        game_id: GameId = NO_GAME,
        question: QuestionNo = NO_QUESTION,
    ) -> tuple[str, GameId] | None:
        """What they wrote, or the key of a button, into the inbox; the same form with the same words acts
        once. Its name, and the table that they sit at since then (0: none); None, and nothing is done, for a
        form that was not made for this browser. Raises OSError when nothing can be written.
        """

    async def push(self, visitor: Visitor, form: str, wanted: PushSubscription | None) -> bool:
        """Tell this browser when it is its player's turn, or (None) no more; False, and nothing is done, for
        a form that was not made for it, and where no notices are sent.
        """

    async def sign_out(self, visitor: Visitor, form: str, which: str) -> bool | None:
        """End browsers of this person: "others", the one of that number, "" all; whether this one is still
        signed in. None, and nothing is done, for a form that was not made for this one.
        """


class Stream(Protocol):
    """One page that is open.  `mark` stands for what it shows: another one whenever that is another."""

    mark: str

    async def changed(self) -> str | None:
        """Wait until its table has changed: the new mark; None when there is nothing more to be told."""

    def close(self) -> None:
        """The page was closed."""


class Live(Protocol):
    """Telling open pages that what they show has changed."""

    async def table(self, wanted: Mapping[str, str]) -> Stream | None:
        """Watch a table as everybody sees it (`wanted` as for `Pages.shown`); None where there is none."""

    async def seat(self, visitor: Visitor, game_id: GameId) -> Stream | None:
        """Watch it as somebody's seat sees it; None where they have none there."""

    async def demo(self) -> Stream | None:
        """Watch the game of bots; None where there is none to be had."""


class Monitor(Protocol):
    """For anyone who watches the machine."""

    async def wrong(self) -> list[str]:
        """What is not as it should be, in stable words; [] when all is well."""

    def open(self) -> list[str]:
        """The channels that this process has open, where it shares them with others."""

    async def figures(self) -> str:
        """All figures in Prometheus' text format.  Raises TimeoutError when the store does not answer."""

    def took(self, address: str, seconds: float) -> None:
        """A page of that address (its pattern) took so long."""
