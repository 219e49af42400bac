"""What every loop of the running referee works with, and what a command line has instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from .unit_of_work import ServiceSettings, Sitting, States

if TYPE_CHECKING:
    from referee.store import Store, Tx
    from referee.text import Words

    from .alarms import Alarm


@dataclass(frozen=True, slots=True)
class Context:
    """Made once, and handed to whoever needs it.

    `clock_ms` is UTC wall time in milliseconds, `states` the games at hand in the store's writer, `woke` must
    be called with every `Sitting` once its transaction is over.
    """

    store: Store
    words: Words
    settings: ServiceSettings
    clock_ms: Callable[[], int]
    states: States
    woke: Callable[[Sitting], None]
    alarm: Alarm

    def sitting(self, tx: Tx) -> Sitting:
        """The desk for one transaction, in a job of the store's writer."""
        return Sitting(tx, self.clock_ms(), self.words, self.settings, self.states)


class Shell(NamedTuple):
    """What the command line has: the words, the settings, the hour in UTC milliseconds, and the language that
    its user reads.
    """

    words: Words
    settings: ServiceSettings
    now_ms: int
    language: str = "en"

    def sitting(self, tx: Tx) -> Sitting:
        """The desk for one transaction, with no game at hand."""
        return Sitting(tx, self.now_ms, self.words, self.settings, States())
