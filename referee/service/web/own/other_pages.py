"""Pages that other rooms have for somebody who is signed in: filled, and tried ahead (see hooks.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.ports import Visitor
from referee.store import Person, Store, Tx, WebSession

from ...core.unit_of_work import UnitOfWork
from ...people import web_sessions
from ...people.identity import Speaker
from ..site.page_cache import PageContext
from . import hooks


class _Undone(Exception):
    """Takes back what was tried, and carries what came of it out of the transaction."""

    def __init__(self, facts: dict[str, Any] | None) -> None:
        super().__init__("tried, and taken back")
        self.facts = facts


def filled(
    look: PageContext, visitor: Visitor, name: str, wanted: Mapping[str, str]
) -> dict[str, Any] | None:
    """What that page is filled with for this reader; None where they have no such page."""
    page, person = hooks.MORE.get(name), look.tx.get(Person, visitor.person)
    if page is None or person is None:
        return None
    found = page.facts(look, person, {key: wanted[key] for key in page.takes if key in wanted})
    return found and {**found, "zone": person.zone or "UTC"}


async def tried(
    store: Store,
    unit: Callable[[Tx], UnitOfWork],
    visitor: Visitor,
    name: str,
    wanted: Mapping[str, str],
    text: str,
) -> dict[str, Any] | None:
    """What would come of words said on that page; None where nothing can be tried there.

    They are said in a transaction of their own, a `unit` of work at no game, and all of it is taken back.
    """
    page = hooks.MORE.get(name)
    preview = None if page is None else page.preview
    if preview is None:
        return None

    def said(tx: Tx) -> None:
        session, person, uow = tx.get(WebSession, visitor.session), tx.get(Person, visitor.person), unit(tx)
        if session is not None and person is not None and session.expires_ms > uow.now_ms:
            speaker = Speaker(person, web_sessions.page_of(uow, person.id), None, "")
            found = preview(uow, speaker, wanted, text)
            raise _Undone(found and {**found, "zone": person.zone or "UTC"})

    try:
        await store.write(said)
    except _Undone as undone:
        return undone.facts
    return None
