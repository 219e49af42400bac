"""An account is deleted in one process while the same person sits down at a table in another."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from referee.ids import GameId, PersonId
from referee.service.accounts import deletion
from referee.service.tables import lobby
from referee.service.upkeep.workers import desk
from referee.store import Address, Person, Seat, Store, Tx

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")
NOW = 1_790_000_000_000
ANA, BEA = PersonId(1), PersonId(2)


def prepared(tx: Tx) -> GameId:
    """Ana has two addresses; Bea has opened a table."""
    for name in ("Ana", "Bea"):
        number = tx.add(Person, name=name)
        tx.add(Address, person_id=number, channel="terminal", address=name, state="green")
    tx.add(Address, person_id=ANA, channel="telegram", address="7", state="green")
    bea = tx.get(Person, BEA)
    assert bea is not None
    return lobby.create(desk(tx, NOW), bea, None, None, {"seats": 4}).id


def deleted(tx: Tx) -> None:
    ana, at = tx.get(Person, ANA), tx.get(Address, 1)
    assert ana is not None
    assert at is not None
    deletion.delete_account(desk(tx, NOW), ana, at)


def sat_down(tx: Tx, game_id: GameId) -> None:
    """As a message does: whose the address is is found out first."""
    found = tx.whose("telegram", "7")
    if found is not None:
        uow = desk(tx, NOW)
        lobby.join(uow, lobby.reload(uow, game_id), *found)


def test_nobody_whose_account_is_gone_has_a_seat(
    two: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = two
    game_id, looked, forget = here.write_now(prepared), threading.Event(), deletion.forget_rows

    def slowly(*given: Any) -> None:
        """Their seats have been looked for."""
        looked.set()
        sits.join(1)  # as long as that takes, unless it waits for us
        forget(*given)

    def sits_down() -> None:
        looked.wait(10)
        there.write_now(lambda tx: sat_down(tx, game_id))

    monkeypatch.setattr(deletion, "forget_rows", slowly)
    sits = threading.Thread(target=sits_down)
    sits.start()
    here.write_now(deleted)
    sits.join()
    assert here.read_now(lambda tx: tx.whose("telegram", "7")) is None
    assert here.read_now(lambda tx: tx.column(Seat, "person_id", game_id=game_id)) == [BEA]
