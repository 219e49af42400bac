"""One referee in a database of its own, with a clock that obeys: the real store, handlers, plans and clocks.

Nothing is worded unless that is wanted, since nobody reads it: `SimulatedReferee` takes every letter out of
the outbox as the outbox worker would, drops what the outbox worker would drop, and marks the rest as sent;
what follows from a delivery (a clock that starts late) follows here, too. So a letter counts once it would
have left: two that fold into one while they wait are one.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from referee.ports import Fate, Finding, Inbound, Letter, Limits, Receipt, Reception
from referee.service import ForTesting, Referee, ServiceSettings
from referee.service.core import tokens
from referee.service.core.letter_rows import read
from referee.service.core.unit_of_work import Shell, UnitOfWork
from referee.service.notices import delivery_rules, digest
from referee.service.outbound.outbox_rows import expired
from referee.service.people.letter_facts import PromptFacts
from referee.service.play.seat_page import pointless
from referee.states import GameStatus, InboxState, OutboxState
from referee.store import Alert, Game, Inbox, Meta, Outbox, Seat, Store, Tx
from referee.text import Words

from .watch import LawBroken

T = TypeVar("T")
CHANNEL = "pace"
#: this many letters are taken at once
_BATCH = 100
#: letters that may have become pointless while they waited, or make others so
_PASSING = frozenset({"prompt", "reminder", "hand", "muster", "over"})
_MANY = 1_000_000
#: the installation's secret, of which plans draw how long they wait: the same trial gives the same games
_SECRET = "00" * 32


class SimulatedChannel:
    """The channel of simulated people: every letter arrives at once, and is only remembered until it was
    counted.
    """

    name, markup = CHANNEL, "text"
    can_edit = idempotent = True
    rewrites = False

    def __init__(self) -> None:
        self.limits: Limits = self
        self.sent: list[Letter] = []
        self._n = itertools.count(1)

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        return 0

    async def start(self, reception: Reception) -> None:
        pass

    async def send(self, letter: Letter) -> Receipt:
        self.sent.append(letter)
        return Receipt(Fate.SENT, wire_id=letter.edits or f"w{next(self._n)}")

    async def stop(self) -> None:
        pass

    async def check(self) -> list[Finding]:
        return []

    def healthy(self) -> bool:
        return True


class SimulatedReferee:
    """`told` is called with every letter that leaves, as its row of the outbox.  `now_ms` is the hour."""

    def __init__(
        self,
        folder: Path,
        now_ms: int,
        *,
        worded: bool,
        seeds: Callable[[int], bytes],
        told: Callable[[Outbox], None],
    ) -> None:
        self.now_ms = now_ms
        self._told, self._worded = told, worded
        self._n = itertools.count(1)
        self.wire = SimulatedChannel()
        self.store = Store.open(f"sqlite:///{folder}/pace.db", durable=False)
        self.store.write_now(lambda tx: tx.put(Meta, name="secret", value=_SECRET))
        settings = ServiceSettings(
            shy=(),
            games_per_person=_MANY,
            testing=ForTesting(bell=False, breaker=False, seeds=seeds, reading_ms=_MANY, forecasts=False),
        )
        self._settings, self._words = settings, Words(())
        self.referee = Referee(
            self.store, self._words, [self.wire], clock_ms=lambda: self.now_ms, settings=settings
        )

    async def open(self) -> None:
        """Ready to hear and to ring."""
        await self.referee.outbox_worker.recover()
        await self.referee.scheduler.start()
        await self.referee.reception.worker.round()

    async def close(self) -> None:
        """Everything must have been handled, and nothing broken.  Raises LawBroken."""
        left, alerts = await self.read(
            lambda tx: (tx.count(Inbox, state=(InboxState.NEW, InboxState.SHUNTED)), tx.all(Alert, limit=3))
        )
        await self.referee.scheduler.stop()
        await self.store.close()
        if left or alerts:
            raise LawBroken("unhandled", messages=left, alerts=[f"{one.code} {one.facts}" for one in alerts])

    async def read(self, job: Callable[[Tx], T]) -> T:
        """Look something up, where the inbox worker itself looks: its decoded games can be used."""
        return await self.store.write(job)

    def uow(self, tx: Tx) -> UnitOfWork:
        """The unit of work, within a job of `read`."""
        return UnitOfWork(tx, self.now_ms, self._words, self._settings, self.referee.states)

    @property
    def office(self) -> Shell:
        """What its console speaks to."""
        return Shell(self._words, self._settings, self.now_ms)

    async def say(self, address: str, name: str, text: str) -> None:
        """Somebody writes, and whatever follows from it happens."""
        came = Inbound(CHANNEL, f"k{next(self._n)}", address, text=text, name=name, at_ms=self.now_ms)
        await self.referee.reception.receive([came], channel=CHANNEL)
        await self.send()

    async def ring(self) -> int:
        """Act upon every deadline that is due; how many fired."""
        fired = await self.referee.scheduler.ring()
        await self.send()
        return fired

    async def send(self) -> None:
        """Every letter that may go leaves."""
        while await self._worded_round() if self._worded else await self.store.write(self._counted):
            pass

    def _counted(self, tx: Tx) -> int:
        """What the outbox worker does with letters, but for the words."""
        now = self.now_ms
        rows = tx.outbox_due(now, _BATCH)
        for due in rows:
            row = tx.get(Outbox, due.id)  # another of these may have taken it along
            if row is None or row.state != OutboxState.QUEUED:
                continue
            seen = {"id": row.id, "state": "queued"}
            said = None if row.expires_ms and row.expires_ms < now else delivery_rules.check_row(tx, now, row)
            if row.expires_ms and row.expires_ms < now:
                tx.set(Outbox, row.id, **expired(row))
            elif said is not None and said is not delivery_rules.SILENT:
                delivery_rules.withhold(tx, seen, row, said)
            elif together := digest.held_letters(tx, row, now):
                digest.gather(self.uow(tx), together)
            elif (filled := _as_sent(tx, row)) is None:
                tx.change(Outbox, seen, state=OutboxState.DROPPED)
            else:
                sent = tx.renew(Outbox, row, state=OutboxState.SENDING, tries=row.tries + 1, **filled)
                self.referee.outbox_worker.record(tx, sent, Receipt(Fate.SENT))
                self._told(sent)
        return len(rows)

    async def _worded_round(self) -> int:
        await self.referee.outbox_worker.round()
        running = list(self.referee.outbox_worker.in_hand)
        if running:
            await asyncio.gather(*running)
        sent, self.wire.sent[:] = [one.id for one in self.wire.sent], []

        def rows(tx: Tx) -> list[Outbox]:
            key = tokens.known(tx)
            return tx.all(
                Outbox, id=tuple(number for one in sent if (number := tokens.wire_of(key, one)) is not None)
            )

        for row in await self.read(rows):
            self._told(row)
        due = await self.read(lambda tx: tx.outbox_due(self.now_ms, 1))
        return len(running) or len(due)


def _as_sent(tx: Tx, row: Outbox) -> dict[str, Any] | None:
    """What the outbox worker would write into the row with the words: the question that it asks, and up to
    which event it tells; None where there is nothing to say any more.
    """
    game = tx.get(Game, row.game_id) if row.kind in _PASSING else None
    if game is None:
        return {}
    if row.kind == "muster":
        waits = game.status == GameStatus.MUSTERING and tx.count(
            Seat, game_id=game.id, person_id=row.person_id, ready=0
        )
        return {} if waits else None
    if row.kind == "over":
        return {"upto": game.event_no if row.seat is not None else 0}
    facts = read(row, PromptFacts)
    if pointless(row, game, facts):
        return None
    if row.kind != "prompt":
        return {}
    asks = game.status == GameStatus.RUNNING and str(row.seat) in game.asked.split(",")
    if not (asks or facts.echo or facts.trouble):
        seat = tx.one(Seat, game_id=game.id, no=row.seat)
        if seat is None or not tx.events_since(game, seat.told, row.seat):
            return None
    return {"upto": game.event_no, "question": game.question if asks else row.question}
