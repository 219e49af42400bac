"""Somebody sits down in one process while a table begins in another."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from referee.ids import PersonId
from referee.service.core.unit_of_work import settings_of
from referee.service.tables import lobby
from referee.service.upkeep.workers import desk
from referee.store import Game, Person, Seat, Store, Tx
from tests import books

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")
NOW = 1_790_000_000_000


def person(tx: Tx, number: int) -> Person:
    found = tx.get(Person, PersonId(number))
    assert found is not None
    return found


def opened(tx: Tx) -> str:
    """Two of four sit at a table by invitation, and are ready: its code."""
    uow = desk(tx, NOW)
    for name in ("Ana", "Bea", "Cy"):
        tx.add(Person, name=name)
    game = lobby.create(uow, person(tx, 1), None, None, {"seats": 4, "entry": "invite"})
    code = settings_of(game)["code"]
    lobby.join(uow, game, person(tx, 2), None, code)
    tx.change(Seat, {"game_id": game.id}, ready=1)
    return code


def test_who_comes_by_a_code_as_the_table_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = books.address(tmp_path / "shared", postgres=True)
    here, there = Store.open(url), Store.open(url, guest=True)
    code, sitting, sit = here.write_now(opened), threading.Event(), lobby.sit

    def slowly(*given: Any) -> str:
        sitting.set()
        starts.join(1)  # as long as that takes, unless it waits for us
        return sit(*given)

    def comes(tx: Tx) -> None:
        uow = desk(tx, NOW)
        lobby.join(uow, lobby.invited(uow, code), person(tx, 3), None, code)

    def start() -> None:
        sitting.wait(10)
        there.write_now(lambda tx: lobby.start(desk(tx, NOW), lobby.reload(desk(tx, NOW), 1), key=True))

    monkeypatch.setattr(lobby, "sit", slowly)
    starts = threading.Thread(target=start)
    starts.start()
    here.write_now(comes)
    starts.join()
    [game], seats = here.read_now(lambda tx: (tx.all(Game), tx.count(Seat)))
    there.close_now()
    here.close_now()
    assert seats == 3
    assert not game.snapshot or len(json.loads(game.snapshot)["players"]) == seats, "as many as were dealt in"
