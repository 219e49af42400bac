"""Who is let in: the gate, which weighs in memory, and the database behind it.

What the gate does not know of an address is looked up here; here it is told, too, who must be silent for a
while and who may write again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from referee.ids import PersonId
from referee.ports import Inbound, What
from referee.store import Blocked, Meta, Outbox, Store, Tx

from ..core import outbox, tokens
from ..core.counters import Tally
from ..core.settings import ServiceSettings
from ..core.unit_of_work import UnitOfWork
from ..notices import reachability
from ..people.letter_facts import NoticeFacts, notice
from . import rate_limiter


class Admission:
    """One for each reception: its `gate`, told what is in the database when it must know."""

    def __init__(
        self, store: Store, settings: ServiceSettings, clock_ms: Callable[[], int], tally: Tally
    ) -> None:
        self._store, self._clock_ms, self._tally = store, clock_ms, tally
        self.gate = rate_limiter.RateLimiter(settings)

    async def refused(self, batch: Sequence[Inbound]) -> dict[int, rate_limiter.LimiterVerdict]:
        """Which of them are not let through, by their place."""
        now = self._clock_ms()
        wanted = self.gate.strangers(batch, now)
        if wanted or self.gate.read_ms is None:
            await self.learn(wanted)
        found = ((n, self.gate.weigh(one, now)) for n, one in enumerate(batch))
        refused = {n: verdict for n, verdict in found if verdict is not None}
        for n, verdict in refused.items():
            if not verdict.keep:
                self._tally.let_go[batch[n].channel] += 1
        return refused

    async def learn(self, wanted: Sequence[Inbound] = ()) -> None:
        """Read whom the gate shuts out, and whose those addresses are."""
        self.gate.learn(await self._store.read(lambda tx: look_up(tx, wanted)), self._clock_ms())

    async def refresh(self) -> None:
        """Read again whom the gate shuts out, if that was read a while ago: the command line changes it,
        too.
        """
        read_ms = self.gate.read_ms
        if read_ms is None or not 0 <= self._clock_ms() - read_ms < rate_limiter.LIST_MS:
            await self.learn()

    def stale(self) -> None:
        """Another process has changed whom the gate shuts out: it is read again before the next message is
        weighed.
        """
        self.gate.read_ms = None

    def spent(self, came: Inbound, milliseconds: float) -> None:
        """A message was handled, and cost so much of the processor's time."""
        self.gate.spent(came, milliseconds, self._clock_ms())


def look_up(tx: Tx, wanted: Sequence[Inbound]) -> rate_limiter.LimiterLookup:
    """The list of blocked addresses, whose those addresses are, what those mails answer or bring back."""
    senders, answers, returned = dict[tuple[str, str], PersonId | None](), dict[str, str](), dict[str, str]()
    for one in wanted:
        if one.what is What.BOUNCED:
            if number := reachability.returned_letter(tokens.known(tx), one):
                returned[one.key] = str(number)
            continue
        whose = tx.whose(one.channel, one.address)
        senders[one.channel, one.address] = None if whose is None else whose[0].id
        if one.token:
            number = tokens.letter_of(tokens.known(tx), one.token)
            letter = None if number is None else tx.get(Outbox, number)
            answers[one.token] = (
                "" if letter is None or letter.channel != one.channel else letter.address.casefold()
            )
    restored = tx.get(Meta, rate_limiter.RESTORED)
    return rate_limiter.LimiterLookup(
        frozenset((row.channel, row.address.casefold()) for row in tx.all(Blocked)),
        senders,
        answers,
        0 if restored is None else int(json.loads(restored.value)["at_ms"]),
        frozenset((one.channel, one.address) for one in wanted if one.facts.get("sender") == "pass"),
        returned,
    )


def slow_down(uow: UnitOfWork, one: Inbound, verdict: rate_limiter.LimiterVerdict) -> None:
    """Tell somebody, where they spoke, that they wrote too much, or to a database that is no more."""
    if verdict.why == rate_limiter.OLD:
        _say(uow, one, verdict.person_id, notice("before-restore", quoted=verdict.quote))
        return
    _say(uow, one, verdict.person_id, notice("too-fast", quoted=verdict.quote, minutes=verdict.minutes))


def listens_again(uow: UnitOfWork, what: rate_limiter.DroppedMessages) -> None:
    """Tell somebody that they may write again, and what was not acted upon.

    Nobody who wrote by a mail that proves nothing is told.
    """
    if what.person_id is not None or not rate_limiter.by_mail(what.last):
        _say(uow, what.last, what.person_id, notice("not-acted", count=what.missed, quotes=what.quotes))


def _say(uow: UnitOfWork, one: Inbound, person_id: PersonId | None, what: NoticeFacts) -> None:
    if one.place is not None:
        outbox.queue(uow, replace(what, to=one.name), channel=one.channel, place=one.place)
        return
    # nobody was looked up where messages are not counted
    found = uow.tx.whose(one.channel, one.address) if person_id is None else None
    outbox.queue(
        uow,
        replace(what, reply=True),
        channel=one.channel,
        address=one.address,
        person_id=person_id if found is None else found[0].id,
    )
