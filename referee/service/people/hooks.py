"""What is asked of other rooms about who is in charge, and told them of chat rooms."""

from __future__ import annotations

from typing import NamedTuple

from referee.ids import PersonId
from referee.store import Game, Room, Tx

from ..core.hooks import Hook, Question
from ..core.unit_of_work import UnitOfWork


class TableKey(NamedTuple):
    """A key of a table that was given to `person` at `given_ms`."""

    person: PersonId
    given_ms: int


def _opener(tx: Tx, game: Game, act: str) -> list[TableKey]:
    return [TableKey(game.creator_id, game.created_ms)]


def _nobody(uow: UnitOfWork, game: Game, act: str, person_id: PersonId) -> bool:
    return False


def _no(uow: UnitOfWork, game: Game, person_id: PersonId) -> bool:
    return False


#: whether somebody may look at a table that is not for everybody, though they have neither seat nor key there
looks_on: Question[[UnitOfWork, Game, PersonId], bool] = Question("looks on", _no)
#: whether somebody's key does not count at a table for that act, as they have an interest in it
recused: Question[[UnitOfWork, Game, str, PersonId], bool] = Question("recused", _nobody)
#: somebody turned a key there for that act, and it counted
key_turned: Hook[[UnitOfWork, Game, str, PersonId]] = Hook("key turned")
#: who is in charge of a table where that act ("": anything) is concerned, beside the admins of the
#: installation: its opener, unless somebody knows better
keys: Question[[Tx, Game, str], list[TableKey]] = Question("keys", _opener)
#: a chat room (the first) has another id now, under which it was known already (the second)
room_moved: Hook[[UnitOfWork, Room, Room]] = Hook("room moved")
