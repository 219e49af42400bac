"""What a message says, as far as that can be found out before anything is done: in the desk's transaction,
or, for a long one, before it.

Both ways come here and look under the same keys, so nothing is read twice (reading_budget.py).
"""

from __future__ import annotations

from contextlib import suppress

from referee.ports import Inbound, What
from referee.rules import Refusal, StateError
from referee.states import GameStatus
from referee.store import Person
from referee.text import Reading, Trouble, Wish, commands_elsewhere, read_wish
from referee.text.meter import TooCostly
from referee.text.reading.limits import CHATTER

from ..core import outbox
from ..core.named_policies import NamedPolicies
from ..core.reading_budget import AHEAD_FROM
from ..core.unit_of_work import Sitting
from ..people import first_language
from ..plans import filing


def unheard(came: Inbound) -> bool:
    """Whether it was said in a room, to others, and is too long to be an order: nothing is looked up for
    it.
    """
    return (
        came.what is What.MESSAGE
        and came.place is not None
        and len(came.text) > CHATTER
        and not spoken_to(came)
    )


def spoken_to(came: Inbound) -> bool:
    """Whether a message means us: in private all do, in a room a command, or what mentions us."""
    return came.place is None or bool(came.facts.get("mentioned")) or came.text.lstrip()[:1] in ("/", "!")


def worth_it(came: Inbound) -> bool:
    """Whether a message is long enough to be read ahead."""
    return came.what is What.MESSAGE and len(came.text) > AHEAD_FROM and not unheard(came)


def wished(
    sitting: Sitting, text: str, reading: Reading, *, private: bool, addressed: bool
) -> Wish | Trouble:
    """What a message wants.  Raises TooCostly."""

    def read() -> Wish | Trouble:
        return read_wish(text, reading, private=private, addressed=addressed)

    if reading.ask is not None:  # in a room, by somebody who is asked: what it means depends on that
        with sitting.readings.metered():
            return read()
    return sitting.readings.of(("wish", text, reading.language, private, addressed), read)


def read_ahead(sitting: Sitting, came: Inbound) -> None:
    """Read a message as the desk will, and write nothing: `sitting.readings` knows it then."""
    person = _person(sitting, came)
    language = first_language.of_person(sitting, came) if person is None else person.language
    private, addressed = came.place is None, bool(came.facts.get("mentioned"))
    with suppress(TooCostly, Refusal, StateError):
        begins, asks, words, number, body = filing.looked(sitting, came.text, private, language)
        if begins and not asks and words is None:
            if private and person is not None:
                _plan(sitting, int(person.id or 0), language, number, body)
            return
        reading = Reading(language=language, own=sitting.words.own, policies=NamedPolicies(sitting.tx))
        wished(sitting, came.text, reading, private=private, addressed=addressed)
        for other in commands_elsewhere(came.text, reading):
            wished(
                sitting,
                came.text,
                Reading(other, own=sitting.words.own),
                private=private,
                addressed=addressed,
            )


def _plan(sitting: Sitting, person_id: int, language: str, number: int | None, body: str) -> None:
    """A plan, for the table that it names or the only one that it can be for."""
    mine = [
        (seat, game)
        for seat, game in sitting.tx.seats_of(person_id, (GameStatus.RUNNING,))
        if number in (None, game.id)
    ]
    if len(mine) == 1:
        seat, game = mine[0]
        filing.read(sitting, body, game, sitting.seats(int(game.id or 0)), seat, language)


def _person(sitting: Sitting, came: Inbound) -> Person | None:
    if came.channel == outbox.WEB:
        return (
            sitting.tx.get(Person, int(came.address))
            if came.address.isdecimal() and len(came.address) < 19
            else None
        )
    found = sitting.tx.whose(came.channel, came.address)
    return None if found is None else found[0]
