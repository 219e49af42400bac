"""What a long message says, found out before the writer is entered (on a reader's thread), so that nobody
waits for it.

Its readings are taken along: what the inbox worker reads then is known already
(`core.unit_of_work.Readings`).
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from referee.ids import GameId, PersonId
from referee.ports import Inbound, What
from referee.rules import Refusal, StateError
from referee.states import GameStatus
from referee.store import Person
from referee.text import Reading, Words, commands_elsewhere, read_intent
from referee.text.meter import TooCostly

from ..core import outbox
from ..core.named_policies import NamedPolicies
from ..core.unit_of_work import UnitOfWork
from ..people import first_language
from ..plans import filing
from .dispatch import unheard

#: a line that takes every reader to its end
_SAMPLE = "#1 new classic 4 seats 24h no bank no quiet remind 25% with 1 bots"
#: shorter messages are read where they are handled: that costs less than looking who wrote them
_AHEAD_FROM = 80


def warm(words: Words) -> None:
    """Read a line in every language, unmetered: a lexicon is made of its folder when it is first used, which
    takes longer than a message may, and the first person to write after a start is not to blame for that.
    """
    for language in words.languages:
        _warm(language, words.own)


@lru_cache(maxsize=32)
def _warm(language: str, own: tuple[Path, ...]) -> None:
    """Once a process: what is made of a folder stays."""
    read_intent(_SAMPLE, Reading(language, own=own), private=True)


def worth_it(came: Inbound) -> bool:
    """Whether a message is long enough to be read ahead."""
    return came.what is What.MESSAGE and len(came.text) > _AHEAD_FROM and not unheard(came)


def read_ahead(uow: UnitOfWork, came: Inbound) -> None:
    """Read a message as the inbox worker will, and write nothing: `uow.readings` knows it then."""
    person = _person(uow, came)
    language = first_language.of_person(uow, came) if person is None else person.language
    private, addressed = came.place is None, bool(came.facts.get("mentioned"))
    with suppress(TooCostly, Refusal, StateError):
        head = uow.readings.plan_head(came.text, private, language, uow.words.own)
        if head.begins and not head.asks and head.chosen is None:
            if private and person is not None:
                _plan(uow, person.id, language, head.number, head.body)
            return
        reading = Reading(language=language, own=uow.words.own, policies=NamedPolicies(uow.tx))
        uow.readings.intent(came.text, reading, private=private, addressed=addressed)
        for other in commands_elsewhere(came.text, reading):
            elsewhere = Reading(other, own=uow.words.own)
            uow.readings.intent(came.text, elsewhere, private=private, addressed=addressed)


def _plan(uow: UnitOfWork, person_id: PersonId, language: str, number: GameId | None, body: str) -> None:
    """A plan, for the table that it names or the only one that it can be for."""
    mine = [
        (seat, game)
        for seat, game in uow.tx.seats_of(person_id, (GameStatus.RUNNING,))
        if number in (None, game.id)
    ]
    if len(mine) == 1:
        seat, game = mine[0]
        filing.parse_plan(uow, body, game, uow.seats(game.id), seat, language)


def _person(uow: UnitOfWork, came: Inbound) -> Person | None:
    if came.channel == outbox.WEB:
        return (
            uow.tx.get(Person, PersonId(int(came.address)))
            if came.address.isdecimal() and len(came.address) < 19
            else None
        )
    found = uow.tx.whose(came.channel, came.address)
    return None if found is None else found[0]
