"""Ids are types of their own (`referee/ids.py`): the type checker tells a seat from a game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house.files import ROOT, python, shown, tree

#: what mypy must refuse ends in "# wrong", everything else it must let pass
PLANTED = """
from referee.ids import GameId, LetterId, PersonId, QuestionNo, SeatId, SeatNo
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.deadlines.clock_state import TableTime
from referee.store import Deadline, Game, Journal, Meta, Outbox, Person, Seat, Tx


def kinds(game: GameId, person: PersonId, seat: SeatNo, question: QuestionNo, row: SeatId) -> None:
    game = GameId(17)
    game = 17  # wrong
    game = person  # wrong
    seat = row  # wrong
    seat = question  # wrong
    number: int = game


def store(tx: Tx, game: GameId, person: PersonId, letter: LetterId) -> None:
    tx.get(Game, game)
    tx.get(Game, None)
    tx.get(Game, person)  # wrong
    tx.get(Game, 17)  # wrong
    tx.get(Person, person)
    tx.get(Person, letter)  # wrong
    tx.get(Meta, "secret")
    tx.set(Outbox, letter, state="sent")
    tx.set(Outbox, game, state="sent")  # wrong
    tx.set_all(Outbox, {letter: {"state": "sent"}})
    tx.set_all(Outbox, {game: {"state": "sent"}})  # wrong
    game = tx.add(Game, creator_id=person)
    person = tx.add(Game, creator_id=person)  # wrong
    tx.seats_of(person, ())
    tx.seats_of(game, ())  # wrong


def rows(tx: Tx, seat: Seat, row: Journal, deadline: Deadline, table: Game) -> None:
    tx.get(Game, seat.game_id)
    tx.get(Game, seat.id)  # wrong
    tx.get(Seat, seat.id)
    tx.get(Seat, seat.no)  # wrong
    tx.get(Game, row.question)  # wrong
    tx.events_since(table, seat.told, seat.no)
    tx.events_since(table, seat.told, row.question)  # wrong
    tx.events_since(table, row.no, seat.no)  # wrong
    tx.get(Person, deadline.question)  # wrong


def service(uow: UnitOfWork, table: TableTime, seat: Seat) -> None:
    uow.seats(seat.game_id)
    uow.seats(seat.no)  # wrong
    table.seat(seat.no)
    table.seat(seat.id)  # wrong
"""

#: parameters and fields of these names hold ids
NAMED = re.compile(r"(\w+_)?(id|seat|seat_no|question)")


def test_ids_cannot_be_mixed_up(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(PLANTED)
    wrong = {n for n, line in enumerate(PLANTED.splitlines(), 1) if line.endswith("# wrong")}
    # with the settings and the cache of `make lint`
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty", str(planted)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    refused = {int(n) for n in re.findall(r"(?m)planted\.py:(\d+): error", told.stdout)}
    assert len(wrong) > 15
    assert refused == wrong, told.stdout + told.stderr


def named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The parameters and annotated fields of a file that are called as ids are."""
    for one in ast.walk(node):
        if isinstance(one, ast.arg) and one.annotation is not None and NAMED.fullmatch(one.arg):
            yield one.arg, one.annotation
        elif (
            isinstance(one, ast.AnnAssign)
            and isinstance(one.target, ast.Name)
            and NAMED.fullmatch(one.target.id)
        ):
            yield one.target.id, one.annotation


def test_no_id_is_a_plain_number() -> None:
    found = [
        (shown(path), name, {part.id for part in ast.walk(annotation) if isinstance(part, ast.Name)})
        for path in python("referee/service", "referee/store")
        for name, annotation in named(tree(path))
    ]
    assert len(found) > 300
    assert not [(file, name) for file, name, words in found if "int" in words]
