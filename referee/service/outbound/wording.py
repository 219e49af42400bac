"""A letter on its way to its words: withheld, gathered with others, dropped, or worded and frozen.

Composing happens on a reader's connection; then the row is claimed with its words in a transaction of its
own, before the wire sees it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from referee.ports import Adapter, Letter
from referee.states import OutboxState
from referee.store import Outbox, Store, Tx
from referee.text import Words

from ..core.composing import ComposeContext
from ..core.letter_rows import Notes, noted
from ..core.settings import ServiceSettings
from ..core.unit_of_work import StateCache, UnitOfWork
from ..notices import delivery_rules, digest
from ..pictures.png import PictureRenderer
from .compose import FinishedLetter, compose
from .outbox_rows import frozen, take, take_again, thawed

#: what is to become of a row: its letter; it waits or is not wanted; those that one letter stands for; it is
#: pointless by now
_Made: TypeAlias = FinishedLetter | delivery_rules.DeliveryHold | list[Outbox] | None


class Wording(NamedTuple):
    """What letters are worded with.  `held`: whether a channel's letters are ours to send at this moment."""

    store: Store
    words: Words
    settings: ServiceSettings
    states: StateCache
    key: bytes
    renderer: PictureRenderer
    clock_ms: Callable[[], int]
    held: Callable[[str], bool]

    async def letter(self, adapter: Adapter, row: Outbox) -> tuple[Outbox, Letter] | None:
        """The letter as it will be sent now and at every retry, and its row as it was claimed: since it was
        looked for, another process may have claimed it and put it back. None when it does not leave now, or
        not from here.
        """
        if row.letter:
            letter = await self.renderer.drawn(thawed(row.letter))
            if not self.held(row.channel):
                return None
            return (row, letter) if await self.store.write(partial(take_again, row=row)) else None
        now = self.clock_ms()
        fresh, made = await self.store.read(
            partial(self._made, row=row, adapter=adapter, now_ms=now), patient=True
        )
        if fresh is None:
            return None
        if isinstance(made, FinishedLetter):
            shown = await self._claimed(fresh, made)
            return None if shown is None else (fresh, shown)
        await self.store.write(partial(self._kept_back, row=fresh, made=made))
        return None

    def _made(self, tx: Tx, row: Outbox, adapter: Adapter, now_ms: int) -> tuple[Outbox | None, _Made]:
        fresh = tx.get(Outbox, row.id)
        if fresh is None or fresh.state != OutboxState.QUEUED:
            return None, None
        said = delivery_rules.check_row(tx, now_ms, fresh)
        if said is not None and said is not delivery_rules.SILENT:
            return fresh, said
        together = digest.held_letters(tx, fresh, now_ms)
        if together:
            return fresh, together
        composing = ComposeContext(
            tx,
            now_ms,
            self.words,
            self.settings,
            self.states,
            adapter.markup,
            adapter.rewrites,
            self.key,
            said is not None,
            self.settings.language,
        )
        return fresh, compose(composing, fresh)

    def _kept_back(self, tx: Tx, row: Outbox, made: _Made) -> None:
        if isinstance(made, delivery_rules.DeliveryHold):
            delivery_rules.withhold(tx, _seen(row), row, made)
        elif isinstance(made, list):
            digest.gather(UnitOfWork(tx, self.clock_ms(), self.words, self.settings, self.states), made)
        else:
            tx.change(Outbox, _seen(row), state=OutboxState.DROPPED, error="pointless by now")

    async def _claimed(self, row: Outbox, made: FinishedLetter) -> Letter | None:
        shown = await self.renderer.drawn(made.letter)
        if not self.held(row.channel):  # wording waits for a database that is away, longer than a lease lasts
            return None
        marks = Notes(since=made.since, seats=made.seats or {}, taught=list(made.lessons))
        values = {
            "state": OutboxState.SENDING,
            # files are kept as they go; a picture as it is drawn from, ten times smaller: the same gives the
            # same again
            "letter": frozen(replace(shown, picture=made.letter.picture)),
            "data": json.dumps(noted(row, marks), ensure_ascii=False),
            "upto": made.upto,
            "question": made.question or row.question,
            "tries": row.tries + 1,
        }
        taken = await self.store.write(
            partial(take, seen=_seen(row), row=row, question=made.question, values=values)
        )
        return shown if taken else None  # not taken: the game has moved on meanwhile, it is worded anew


def _seen(row: Outbox) -> dict[str, Any]:
    """The row as it was when it was worded: whatever changes it meanwhile is not to be overwritten."""
    return {
        "id": row.id,
        "state": OutboxState.QUEUED,
        "data": row.data,
        "question": row.question,
        "expires_ms": row.expires_ms,
        "tries": row.tries,
    }
