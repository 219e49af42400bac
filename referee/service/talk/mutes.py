"""Who hears what is said at a table: what each has muted, and how much one person may say."""

from __future__ import annotations

from typing import Any

from referee.ids import PersonId
from referee.rules import Refusal
from referee.store import Game, Mute, Person, Talker, Tx

from ..core.unit_of_work import UnitOfWork

#: so often within that time, and within a day, one person may speak
SHORT_MOST, SHORT_MS = 8, 300_000
DAY_MOST, DAY_MS = 100, 86_400_000


def counted(uow: UnitOfWork, person: Person) -> None:
    """Somebody speaks: count it.  Raises Refusal where that is too much."""
    tx, now = uow.tx, uow.now_ms
    row = tx.one(Talker, person_id=person.id)
    if row is None:
        tx.add(Talker, person_id=person.id, since_ms=now, spoken=1, day_ms=now, day=1)
        return
    since, spoken = (row.since_ms, row.spoken + 1) if now - row.since_ms < SHORT_MS else (now, 1)
    start, day = (row.day_ms, row.day + 1) if now - row.day_ms < DAY_MS else (now, 1)
    if spoken > SHORT_MOST or day > DAY_MOST:
        left = max(
            SHORT_MS - (now - since) if spoken > SHORT_MOST else 0,
            DAY_MS - (now - start) if day > DAY_MOST else 0,
        )
        raise Refusal("talk-much", minutes=-(-left // 60_000))
    tx.set(Talker, row.id, since_ms=since, spoken=spoken, day_ms=start, day=day)


def hears(uow: UnitOfWork, person_id: PersonId, game: Game, by: Person | None, *, nameless: bool) -> bool:
    """Whether somebody wants to hear this.

    What has no name is not held against anybody: else comparing would tell who it was.
    """
    for row in uow.tx.all(Mute, person_id=person_id, game_id=game.id):
        if row.what == "talk" or (row.what == "whispers" and nameless):
            return False
    return by is None or by.id not in unheard(uow.tx, person_id)


def unheard(tx: Tx, me: PersonId) -> list[PersonId]:
    """Whom somebody does not want to hear, as they said so; never themselves, whatever accounts they have
    joined since.
    """
    rows = tx.all(Mute, person_id=me, what="person", order="id")
    return [row.other_id for row in rows if row.other_id not in (None, me)]


def mute_facts(uow: UnitOfWork, person_id: PersonId) -> dict[str, Any]:
    """What somebody has muted: {names, games, whispers}."""
    rows = uow.tx.all(Mute, person_id=person_id, order="id")
    others = [uow.tx.get(Person, one) for one in unheard(uow.tx, person_id)]
    return {
        "names": [one.name for one in others if one is not None],
        **{
            key: [row.game_id for row in rows if row.what == what]
            for key, what in (("games", "talk"), ("whispers", "whispers"))
        },
    }
