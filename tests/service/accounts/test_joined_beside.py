"""Accounts are joined in one process while one of the two sits down at the other's table in another."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import pytest

from referee.ids import GameId, PersonId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.service.accounts import join, merge
from referee.service.core.speaker import Speaker
from referee.service.tables import lobby
from referee.service.upkeep.workers import desk
from referee.store import AccountJoin, Address, Person, Seat, Store, Tx

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")
NOW = 1_790_000_000_000
ANA, BEA = PersonId(1), PersonId(2)


def prepared(tx: Tx) -> GameId:
    """Ana and Bea have both said that they are one; Bea has opened a table."""
    for name in ("Ana", "Bea"):
        number = tx.add(Person, name=name)
        tx.add(Address, person_id=number, channel="terminal", address=name, state="green")
    tx.add(
        AccountJoin,
        kept_id=ANA,
        folded_id=BEA,
        kept_at=1,
        folded_at=2,
        kept_word="A",
        folded_word="B",
        kept_yes=1,
        folded_yes=1,
        asked_ms=NOW,
        due_ms=NOW + 1000,
    )
    bea = tx.get(Person, BEA)
    assert bea is not None
    return lobby.create(desk(tx, NOW), bea, None, None, {"seats": 4}).id


def test_nobody_gets_two_seats_at_one_table(
    two: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = two
    game_id, folding, fold = here.write_now(prepared), threading.Event(), merge.fold_person

    def slowly(*given: Any) -> None:
        folding.set()
        sits.join(1)  # as long as that takes, unless it waits for us
        fold(*given)

    def joined(tx: Tx) -> None:
        row, ana, at = tx.one(AccountJoin), tx.get(Person, ANA), tx.get(Address, 1)
        assert row is not None
        assert ana is not None
        assert at is not None
        came = Inbound("terminal", "k1", "Ana", at_ms=NOW)
        join.done(desk(tx, NOW), Speaker(ana, at, None, ""), came, row)

    def sit(tx: Tx) -> None:
        uow = desk(tx, NOW)
        game, ana = lobby.reload(uow, game_id), tx.get(Person, ANA)
        assert ana is not None
        with contextlib.suppress(Refusal):  # they sit there by now
            lobby.join(uow, game, ana, None)

    def sits_down() -> None:
        folding.wait(10)
        there.write_now(sit)

    monkeypatch.setattr(merge, "fold_person", slowly)
    sits = threading.Thread(target=sits_down)
    sits.start()
    here.write_now(joined)
    sits.join()
    assert here.read_now(lambda tx: tx.column(Seat, "person_id", game_id=game_id)) == [ANA]
