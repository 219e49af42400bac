"""What the web door asks for when somebody looks at their own pages (`referee.ports.OwnPages`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from referee import ports
from referee.ids import NO_GAME, NO_QUESTION, EventNo, GameId, QuestionNo
from referee.ports import Adapter, AppEntry, AppVerifier, Inbound, PushSubscription, Served, Visitor, What
from referee.states import ALIVE
from referee.store import Game, Outbox, Person, Seat, Store, Tx, WebSession
from referee.text import Words, clean

from ...core import tokens
from ...core.outbox import WEB
from ...core.settings import ServiceSettings
from ...core.unit_of_work import Shell, StateCache
from ...inbound.reception import Reception
from ...people import web_sessions
from .. import push_notices
from ..fingerprint import Audience, mark
from ..live import LiveUpdates
from ..site.page_cache import PageContext
from . import forms, last_seen, lobby, my_data, new_table, other_pages, picture, replies, seat, tables
from .page_channel import PageChannel
from .replaying import SeatReplays

#: how often an answer is looked for, seconds
_AGAIN = 0.02


class OwnPages:
    """Given to the web door with the public pages.

    `patience`: how long an answer is waited for before the page is shown without it, seconds.
    """

    patience = 2.0

    def __init__(
        self,
        store: Store,
        words: Words,
        settings: ServiceSettings,
        clock_ms: Callable[[], int],
        reception: Reception,
        counter: PageChannel,
        live: LiveUpdates,
        adapters: Sequence[Adapter],
    ) -> None:
        self._store, self._words, self._settings, self._clock_ms = store, words, settings, clock_ms
        self._reception, self._counter, self._live = reception, counter, live
        self._verifiers = {one.name: one for one in adapters if isinstance(one, AppVerifier)}
        self._reachable = [one for one in adapters if isinstance(one, ports.Reachable)]
        self._replays = SeatReplays(store)
        self._states = StateCache(64)  # of the store's visitors' reader, like those of the public pages
        base = urlsplit(settings.base_url)
        self.root, self.origin = base.path, f"{base.scheme}://{base.netloc}" if base.netloc else ""
        self._key = b""

    def contacts(self) -> dict[str, tuple[str, str]]:
        """Where anybody can write to the referee: channel -> address, link."""
        return {one.name: found for one in self._reachable if (found := one.contact())[0]}

    async def link(self, token: str) -> dict[str, Any] | None:
        """Whom a link signs in."""
        now = self._clock_ms()

        def look(tx: Tx) -> Person | None:
            row = web_sessions.link_of(tx, token, now)
            return None if row is None else tx.get(Person, row.person_id)

        person = await self._store.read(look)
        return None if person is None else {"person": clean(person.name, 60), "language": person.language}

    async def sign_in(self, token: str, cookie: str, browser: str) -> tuple[str, GameId] | None:
        """Use a link."""
        now = self._clock_ms()
        return await self._store.write(lambda tx: web_sessions.sign_in(tx, token, cookie, now, browser))

    async def enter_app(self, channel: str, data: str, cookie: str, browser: str) -> AppEntry:
        """Sign somebody in by what their channel says."""
        verifier, now = self._verifiers.get(channel), self._clock_ms()
        account = None if verifier is None else verifier.verified(data)
        if account is None:
            return AppEntry("forged")
        return await self._store.write(
            lambda tx: web_sessions.enter_app(tx, channel, account, cookie, now, browser)
        )

    async def visitor(self, cookie: str) -> Visitor | None:
        """Whose browser this is."""
        now = self._clock_ms()

        def look(tx: Tx) -> tuple[WebSession, Person] | None:
            row = web_sessions.session_of(tx, cookie, now)
            person = None if row is None else tx.get(Person, row.person_id)
            return None if row is None or person is None else (row, person)

        found = await self._store.read(look)
        if found is None:
            return None
        row, person = found
        number = row.id
        if web_sessions.idle(row, now):
            await last_seen.note(self._store, lambda tx: web_sessions.used(tx, number, now))
        return Visitor(
            person=row.person_id,
            session=number,
            key=row.token_hash,
            name=clean(person.name, 60),
            language=person.language,
        )

    async def tables(self, visitor: Visitor, since: str, page: int) -> dict[str, Any] | None:
        """All of somebody's tables."""
        now = self._clock_ms()

        def look(tx: Tx) -> dict[str, Any] | None:
            person = tx.get(Person, visitor.person)
            assert person is not None
            here, sent = self._look(tx, now, visitor), forms.sent_before(since)
            said = replies.answers(tx, visitor, sent)
            found = tables.tables_page_facts(here, person, visitor.session, page)
            return found and {
                **found,
                "push_key": self._settings.push_key,
                "pushed": push_notices.subscribed(tx.get(WebSession, visitor.session)) is not None,
                "now_ms": now,
                **self._about(tx, visitor, now, said, sent),
            }

        return await self._store.read(look, visitor=True)

    async def statistics(self, visitor: Visitor) -> dict[str, Any]:
        """How somebody did."""
        return await my_data.statistics_of(self._store, visitor.person)

    async def data(self, visitor: Visitor) -> Served:
        """All that is kept about somebody."""
        return await my_data.data_file(self._store, self._words, visitor.person, self._clock_ms())

    async def new_table(self, visitor: Visitor, since: str) -> dict[str, Any]:
        """The form for a new table."""
        now, sent = self._clock_ms(), forms.sent_before(since)

        def look(tx: Tx) -> dict[str, Any]:
            said = replies.answers(tx, visitor, sent)
            chosen = new_table.choices(replies.written(tx, visitor, sent))
            return {**chosen, "opened": replies.opened(said), **self._about(tx, visitor, now, said, sent)}

        return await self._store.read(look, visitor=True)

    async def seat(
        self,
        visitor: Visitor,
        game_id: GameId,
        since: str,
        question: QuestionNo,
        way: Sequence[int],
        key: str = "",
    ) -> dict[str, Any] | None:
        """One table from their seat; before the deal its lobby, also without a seat."""
        now = self._clock_ms()

        def look(tx: Tx) -> tuple[dict[str, Any], EventNo | None] | None:
            here = self._look(tx, now, visitor)
            found = seat.seat_of(here, visitor.person, game_id)
            lobby_facts = self._lobby(here, visitor, game_id, since, key, None if found is None else found[1])
            if lobby_facts is not None:
                return lobby_facts, None
            session, person = tx.get(WebSession, visitor.session), tx.get(Person, visitor.person)
            if found is None or session is None or person is None:
                return None
            game, mine = found
            sent = forms.sent_before(since)
            said = replies.answers(tx, visitor, sent, game_id)
            facts, shown = seat.seat_page_facts(
                here,
                session,
                person,
                game,
                mine,
                way if question == game.question else (),
                replies.step_of(said, game),
            )
            known = mark(tx, self._states, Audience(game_id, mine.no, visitor.person))
            facts |= picture.picture_facts(
                self.root, person, game, since if sent is not None else "", facts["way"], known or ""
            )
            return {
                **facts,
                "page": "seat",
                "live": f"{self.root}/me/{game_id}/events?seen={known}",
                "now_ms": now,
                **self._about(tx, visitor, now, said, sent, game_id),
            }, shown

        found = await self._store.read(look, visitor=True)
        if found is None:
            return None
        facts, shown = found
        if shown is not None:
            await last_seen.note(
                self._store, lambda tx: last_seen.keep_look(tx, visitor.session, game_id, shown, now)
            )
        return facts

    def _lobby(
        self, here: PageContext, visitor: Visitor, game_id: GameId, since: str, key: str, mine: Seat | None
    ) -> dict[str, Any] | None:
        """The page of a table before the deal; None for any other, and for one that is not theirs to see."""
        tx, game, sent = here.tx, here.tx.get(Game, game_id), forms.sent_before(since)
        person = tx.get(Person, visitor.person)
        if game is None or person is None or game.snapshot:
            return None
        if mine is None and not lobby.may_look(here, game, key):
            return None
        said = replies.answers(tx, visitor, sent, game_id)
        about = self._about(tx, visitor, here.now_ms, said, sent, game_id)
        return {**lobby.lobby_page_facts(here, person, game, mine, key), "now_ms": here.now_ms, **about}

    async def step(self, visitor: Visitor, game_id: GameId, step: int, since: str) -> dict[str, Any] | None:
        """A step of a finished game as their seat saw it."""
        now, sent = self._clock_ms(), forms.sent_before(since)

        def about(tx: Tx) -> dict[str, Any]:
            said = replies.answers(tx, visitor, sent, game_id)
            return {"now_ms": now, **self._about(tx, visitor, now, said, sent, game_id)}

        return await self._replays.step(
            visitor.person, game_id, step, lambda tx: self._look(tx, now, visitor), about
        )

    async def other(
        self, visitor: Visitor, name: str, wanted: Mapping[str, str], since: str
    ) -> dict[str, Any] | None:
        """A page of another room."""
        now, sent = self._clock_ms(), forms.sent_before(since)

        def look(tx: Tx) -> dict[str, Any] | None:
            found = other_pages.filled(self._look(tx, now, visitor), visitor, name, wanted)
            said = replies.answers(tx, visitor, sent)
            return found and {**found, "now_ms": now, **self._about(tx, visitor, now, said, sent)}

        return await self._store.read(look, visitor=True)

    async def preview(
        self, visitor: Visitor, name: str, wanted: Mapping[str, str], form: str, text: str
    ) -> dict[str, Any] | None:
        """What would come of words said there."""
        if await self._form(visitor, form) is None:
            return None
        now = self._clock_ms()
        unit = Shell(self._words, self._settings, now).uow
        found = await other_pages.tried(self._store, unit, visitor, name, wanted, text)
        about = await self._store.read(lambda tx: self._about(tx, visitor, now, [], None), visitor=True)
        return found and {**found, "text": text, "now_ms": now, **about}

    async def picture(
        self,
        visitor: Visitor,
        game_id: GameId,
        since: str,
        question: QuestionNo,
        way: Sequence[int],
        theme: str,
    ) -> str | None:
        """What the page of that seat shows, as a picture."""
        now = self._clock_ms()

        def look(tx: Tx) -> str | None:
            here = self._look(tx, now, visitor)
            found, person = seat.seat_of(here, visitor.person, game_id), tx.get(Person, visitor.person)
            if found is None or person is None or not picture.wanted(person, found[0]):
                return None
            game, mine = found
            sent = forms.sent_before(since)
            said = replies.answers(tx, visitor, sent, game_id)
            return picture.seat_svg(
                here,
                game,
                mine.no,
                way if question == game.question else (),
                replies.step_of(said, game),
                theme,
            )

        return await self._store.read(look, visitor=True)

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
        """Bring in what somebody wrote or pressed, and wait a little for the answer."""
        shown = await self._form(visitor, form)
        if shown is None:
            return None
        sent = forms.sent(shown, f"{button}\0{game_id}\0{text}")
        facts: dict[str, Any] = {"session": visitor.session}
        before = await self._seated(visitor)
        if game_id:
            facts |= {"game": game_id, "question": question}
            await seat.keep_explained(
                self._store,
                lambda tx: self._look(tx, self._clock_ms(), visitor),
                visitor.person,
                game_id,
                question,
            )
        await self._reception.receive(
            [
                Inbound(
                    channel=WEB,
                    key=sent.key(visitor),
                    address=str(visitor.person),
                    text=text,
                    payload=button,
                    what=What.BUTTON if button else What.MESSAGE,
                    at_ms=self._clock_ms(),
                    facts=facts,
                )
            ],
            channel=WEB,
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(self.patience):
                while await self._store.read(  # noqa: ASYNC110 - the post rings nobody
                    lambda tx: replies.pending(tx, visitor.session, self._clock_ms())
                ):
                    await asyncio.sleep(_AGAIN)
        fresh = await self._seated(visitor) - before
        return sent.name, fresh.pop() if len(fresh) == 1 else NO_GAME

    async def _seated(self, visitor: Visitor) -> set[GameId]:
        """The tables that are not at an end where somebody sits."""
        return await self._store.read(
            lambda tx: {game.id for _, game in tx.seats_of(visitor.person, ALIVE)}, visitor=True
        )

    async def push(self, visitor: Visitor, form: str, wanted: PushSubscription | None) -> bool:
        """Tell a browser when it is its player's turn, or no more."""
        if not self._settings.push_key or await self._form(visitor, form) is None:
            return False
        await self._store.write(lambda tx: push_notices.keep(tx, visitor.session, wanted))
        return True

    async def sign_out(self, visitor: Visitor, form: str, which: str) -> bool | None:
        """End one, others or all of somebody's browsers."""
        if await self._form(visitor, form) is None:
            return None
        stays = await self._store.write(
            lambda tx: web_sessions.end_some(tx, visitor.person, visitor.session, which)
        )
        self._live.signed_out(visitor.person)  # those that are still signed in listen again at once
        return stays

    def _look(self, tx: Tx, now_ms: int, visitor: Visitor) -> PageContext:
        return PageContext(
            tx,
            now_ms,
            self._words,
            self._words.language(visitor.language),
            self._states,
            self._settings,
            self.root,
        )

    def _about(
        self,
        tx: Tx,
        visitor: Visitor,
        now_ms: int,
        said: list[Outbox],
        sent: forms.SubmittedForm | None,
        here: GameId = NO_GAME,
    ) -> dict[str, Any]:
        answers = [replies.reply_facts(self._counter, row, here) for row in said]
        return {
            "me": visitor.name,
            "form": forms.token(tokens.secret(tx), visitor, now_ms),
            "replies": [one for one in answers if one is not None],
            "again": replies.refused_words(tx, visitor, sent, said),
        }

    async def _form(self, visitor: Visitor, form: str) -> forms.ReturnedForm | None:
        if not self._key:
            self._key = await self._store.read(tokens.secret)
        return forms.open_form(self._key, visitor, form)
