"""What happens by the clock is declared by the rooms, once, and known when the service starts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from referee.service import rooms
from referee.service.bots import desk
from referee.service.core import due
from referee.service.core.registry import Registry
from referee.service.deadlines import clock_state
from referee.service.play import seat_offers
from referee.states import DeadlineKind
from referee.store import Deadline, Game
from tests.house.files import nodes, python
from tests.service.playing import table
from tests.service.rig import House


def kinds_of_rows() -> Iterator[str]:
    """The kinds that the service's code gives to new rows of `Deadline`, in words."""
    for path in python("referee/service"):
        for node in nodes(path):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "add"
                and node.args
                and ast.unparse(node.args[0]) == "Deadline"
            ):
                kind = next(one.value for one in node.keywords if one.arg == "kind")
                yield DeadlineKind[kind.attr] if isinstance(kind, ast.Attribute) else seat_offers.KIND


def test_every_kind_that_is_set_says_what_happens() -> None:
    rooms.load()
    found = set(kinds_of_rows())
    assert len(found) >= 5
    thought = {*desk.IN_HAND, *desk.IN_HAND.values()}  # the kind is handed on
    assert found | clock_state.OF_QUESTIONS | thought == set(due.KINDS)


def test_a_second_one_of_the_same_name_is_refused_with_both_modules() -> None:
    known = Registry[int]("the kind of deadline")
    known.add("vote", 1, "here")
    with pytest.raises(ValueError, match="'vote' is declared in here and in there"):
        known.add("vote", 2, "there")
    assert known["vote"] == 1
    assert known.get("other") is None
    rooms.load()
    with pytest.raises(ValueError, match=r"decisions\.votes"):
        due.due("vote")(lambda uow, game, row: None)


async def test_a_row_that_breaks_is_passed_over_by_those_beside_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, ["telegram:ana", "matrix:@bea:hs"])

    def breaks(*_: object) -> None:
        raise RuntimeError("on purpose")

    kinds = Registry[due.DeadlineSpec]("the kind of deadline")
    rung: list[int] = []
    kinds.add("bad", due.DeadlineSpec(breaks), __name__)
    kinds.add("good", due.DeadlineSpec(lambda uow, game, row: rung.append(row.seat)), __name__)
    monkeypatch.setattr("referee.service.schedule.ringing.KINDS", kinds)
    now = house.clock()

    def rows_of(kind: str, seats: range) -> list[dict[str, object]]:
        return [
            {"game_id": game, "seat": no, "question": 0, "kind": kind, "due_ms": now - 9 + no} for no in seats
        ]

    waiting = [*rows_of("good", range(4)), *rows_of("bad", range(4, 5)), *rows_of("good", range(5, 8))]
    house.store.write_now(lambda tx: tx.add_all(Deadline, waiting))
    fired = await house.referee.scheduler.ring()
    # in their order, each once; where rows are taken one by one, the game has frozen before the last three
    assert rung == ([0, 1, 2, 3] if house.store.shared else [0, 1, 2, 3, 5, 6, 7])
    assert fired == len(rung) + 1
    frozen = house.store.read_now(lambda tx: tx.get(Game, game))
    assert frozen is not None
    assert frozen.status == "frozen"
    assert not house.store.read_now(lambda tx: tx.count(Deadline, done_ms=0))
