"""What would come of an act: what is answered, and who would be told.

It is done as it would be, in a transaction that is taken back: so nothing is reckoned in a second way.
"""

from __future__ import annotations

from typing import Any

from referee.ids import PersonId
from referee.rules import Refusal
from referee.store import Person, Room
from referee.text import clean

from ...core.outbox import WEB
from ...core.unit_of_work import Shell, UnitOfWork
from ..console import letter_text
from ..office import dispatch
from ..office.answer import LeagueAnswer, notice
from ..roles import Official
from ..scores.season_book import NAME_MOST

#: this many of those who are told are named
NAMED = 8
#: what a line of the office begins with
_WORD = "league "


def preview(one: UnitOfWork, who: Official, text: str) -> dict[str, Any] | None:
    """answer (as text), `refused`: it can't be done, `two`: it would wait for a second key, `people`: how
    many would get a letter at once, names of the first, rooms in which it would be said.

    None for words that are not said to the office. The caller takes back what this writes.
    """
    if not text.startswith(_WORD):
        return None
    refused = False
    try:
        answer = dispatch.said(one, who, text.removeprefix(_WORD))
    except Refusal as no:
        answer, refused = notice(no.code, **no.facts), True
    people = sorted({person for person, channel, _ in one.told if person is not None and channel != WEB})
    return {
        "answer": _worded(one, who, answer),
        "refused": refused,
        "two": _waits(answer),
        "people": 0 if refused else len(people),
        "names": [] if refused else _names(one, people[:NAMED]),
        "rooms": [] if refused else _rooms(one),
    }


def _waits(answer: LeagueAnswer) -> bool:
    """Whether it was only proposed."""
    notices = getattr(answer.what, "notices", ())
    return any(said.code == "league-proposed" for said in notices)


def _worded(one: UnitOfWork, who: Official, answer: LeagueAnswer) -> str:
    shell = Shell(one.words, one.settings, one.now_ms, who.language)
    return letter_text(one.tx, shell, answer.what, who.zone).strip()


def _names(one: UnitOfWork, people: list[PersonId]) -> list[str]:
    rows = (one.tx.get(Person, person) for person in people)
    return [clean(row.name, NAME_MOST) for row in rows if row is not None]


def _rooms(one: UnitOfWork) -> list[str]:
    places = sorted({(channel, place) for person, channel, place in one.told if person is None and place})
    rows = (one.tx.one(Room, channel=channel, place=place) for channel, place in places)
    return [clean(row.name or row.place, NAME_MOST) for row in rows if row is not None]
