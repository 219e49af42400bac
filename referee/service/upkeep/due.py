"""The book is kept small, a little at every sweep: what was said long ago is forgotten, games that have been
over for a while are packed, and the room goes back to the disk.
"""

from __future__ import annotations

from referee.policy import DAY_MS

from ..core.due import CHORES, PeriodicTask
from ..core.unit_of_work import UnitOfWork
from ..inbound.parking import Parking
from ..people.identity import LIFE_MS
from . import packing, retention

#: pieces of one sweep: some five games of half a dozen pieces
_PIECES = 30

#: pages given back in one transaction, and what stays for new rows: this number, or this part of the file
_PAGES, _SPARE, _SHARE = 50, 500, 20


def _forget(uow: UnitOfWork) -> bool:
    span = uow.settings.words_days * DAY_MS
    if uow.settings.parking is not None:
        Parking(uow.settings.parking).forget(uow.now_ms - span)
    more = span < LIFE_MS and retention.tidy(uow.tx, uow.now_ms - span)
    return retention.drop(uow.tx, uow.now_ms - max(span, LIFE_MS)) or more


def _comments(uow: UnitOfWork) -> bool:
    return retention.comments(uow.tx, uow.now_ms - uow.settings.comments_days * DAY_MS)


def _long_ago(uow: UnitOfWork) -> int:
    return uow.now_ms - uow.settings.pack_days * DAY_MS


def _room(uow: UnitOfWork) -> bool:
    """As long as more is spare than new rows will need soon."""
    spare, pages = uow.tx.spare_pages()
    if spare <= max(_SPARE, pages // _SHARE):
        return False
    uow.tx.give_back(_PAGES)
    return True


CHORES.add("old words", PeriodicTask(lambda settings: settings.words_days > 0, _forget), __name__)
CHORES.add("old comments", PeriodicTask(lambda settings: settings.comments_days > 0, _comments), __name__)
CHORES.add(
    "old games",
    PeriodicTask(
        lambda settings: settings.pack_days > 0,
        packing.work,
        _PIECES,
        lambda uow: packing.ahead(uow.tx, _long_ago(uow)),
    ),
    __name__,
)
CHORES.add(
    "old deadlines",
    PeriodicTask(lambda settings: settings.pack_days > 0, lambda uow: packing.rung(uow.tx, _long_ago(uow))),
    __name__,
)
CHORES.add("spare room", PeriodicTask(lambda settings: settings.pack_days > 0, _room, _PIECES), __name__)
