"""A game played again from what the database holds: its seed, its seats and the journal, with what was taken
back in it.
"""

from __future__ import annotations

from referee import rules
from referee.rules import State, chance
from referee.rules.notation import read_order
from referee.service.core.unit_of_work import setup_of
from referee.store import Game, Journal, Seat, Tx


def dealt(tx: Tx, game_id: int) -> State:
    """The first position, with the players' words stirred into the seed."""
    game = tx.get(Game, game_id)
    assert game is not None
    seats = tx.all(Seat, game_id=game_id, order="no")
    state: State = rules.new_game(
        setup_of(game, seats), chance.mix(bytes.fromhex(game.seed), [seat.word for seat in seats])
    ).state
    return state


def positions(tx: Tx, game_id: int) -> list[State]:
    """Every position that there was, those among them that an undo left again; the first, and at the end the
    present one.

    An undo stands in the journal only as a mark on the order; when it came is told by the number of the next
    question.
    """
    first = tx.all(Journal, game_id=game_id, undone=(0, 1), order="no", limit=1)
    begun = dealt(tx, game_id)  # after a deal that was given up the numbers go on
    past: list[tuple[State, Journal | None]] = [
        (rules.asked_anew(begun, first[0].question) if first else begun, None)
    ]
    found = [past[0][0]]
    names = [seat.name for seat in tx.all(Seat, game_id=game_id, order="no")]
    book = rules.rulebook(found[0])
    for move in tx.all(
        Journal, game_id=game_id, undone=(0, 1), order="no"
    ):  # without deals that were given up
        while past[-1][0].number != move.question:
            _step_back(past)
        past.append((rules.play(past[-1][0], move.seat, read_order(move.order, names, book)).state, move))
        found.append(past[-1][0])
    while (last := past[-1][1]) is not None and last.undone:
        _step_back(past)
    return [*found, past[-1][0]]


def _step_back(past: list[tuple[State, Journal | None]]) -> None:
    """What one undo does: the position before, its question under a number of its own."""
    after, move = past.pop()
    assert move is not None
    assert move.undone, f"question {move.question} was left behind by an order that stands"
    before, order = past[-1]
    past[-1] = rules.asked_anew(before, after.number + 1), order
