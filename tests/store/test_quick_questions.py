"""What spares the desk a wait: rows made new without another look, and long reading jobs in a queue of their
own.
"""

from __future__ import annotations

import asyncio
import threading

import pytest

from referee.states import GameStatus
from referee.store import Game, Person, Store, Tx


def test_a_renewed_row_is_what_a_look_would_have_shown(store: Store) -> None:
    def job(tx: Tx) -> tuple[Person, Person | None]:
        ann = tx.get(Person, tx.add(Person, name="Ann"))
        assert ann is not None
        return tx.renew(Person, ann, name="Anna", zone="Europe/Lisbon"), tx.get(Person, ann.id)

    renewed, looked_up = store.write_now(job)
    assert renewed == looked_up
    assert (renewed.name, renewed.zone) == ("Anna", "Europe/Lisbon")


def test_a_row_that_is_gone_is_not_renewed(store: Store) -> None:
    def job(tx: Tx) -> None:
        ann = tx.get(Person, tx.add(Person, name="Ann"))
        assert ann is not None
        tx.drop(Person, id=ann.id)
        tx.renew(Person, ann, name="Anna")

    with pytest.raises(LookupError, match="person"):
        store.write_now(job)
    assert store.read_now(lambda tx: tx.count(Person)) == 0


async def test_a_patient_job_holds_up_no_other_reader(store: Store) -> None:
    await store.write(lambda tx: tx.add(Person, name="Ann"))
    go_on = threading.Event()

    def long(tx: Tx) -> int:
        assert go_on.wait(10), "the quick question waited behind the long one"
        return tx.count(Person)

    slow = asyncio.create_task(store.read(long, patient=True))
    await asyncio.sleep(0)
    assert await store.read(lambda tx: tx.count(Person)) == 1
    assert not slow.done()
    go_on.set()
    assert await slow == 1


def test_tables_are_found_by_a_word_of_their_settings(store: Store) -> None:
    def job(tx: Tx) -> tuple[list[int], list[int]]:
        ann = tx.add(Person, name="Ann")
        for status, said in (
            ("lobby", "ABCDEFGH"),
            ("running", "ABCDEFGH"),
            ("over", "ABCDEFGH"),
            ("lobby", "X"),
        ):
            tx.add(Game, creator_id=ann, status=status, settings=f'{{"code": "{said}"}}')
        alive = (GameStatus.LOBBY, GameStatus.RUNNING)
        return tx.games_set(alive, "ABCDEFGH"), tx.games_set(alive, "ABCDEFG")

    assert store.write_now(job) == ([1, 2], [])
