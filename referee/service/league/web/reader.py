"""A reader who is signed in, as the office sees them."""

from __future__ import annotations

from referee.store import Person

from ...core.unit_of_work import UnitOfWork
from ...people import web_sessions
from ...people.identity import Speaker
from ..commands import official
from ..roles import Official


def reader_of(one: UnitOfWork, person: Person) -> Official:
    """The same as if they had said something on their page."""
    return official(one, Speaker(person, web_sessions.page_of(one, person.id), None, ""))
