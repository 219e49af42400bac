"""A game played again from what the database holds: its seed, its seats and the journal."""
from __future__ import annotations

import json

from referee import rules
from referee.rules import Setup, State, chance
from referee.rules.notation import read_order
from referee.store import Game, Journal, Seat, Tx


def dealt(tx: Tx, game_id: int) -> State:
    """The first position, with the players' words stirred into the seed."""
    game = tx.get(Game, game_id)
    assert game is not None
    seats = tx.all(Seat, game_id=game_id, order="no")
    setup = Setup(game.edition, tuple(seat.name for seat in seats), json.loads(game.settings)["options"])
    state: State = rules.new_game(setup, chance.mix(bytes.fromhex(game.seed), [seat.word for seat in seats])).state
    return state


def positions(tx: Tx, game_id: int) -> list[State]:
    """Every position of the game, the first and the last among them."""
    state = dealt(tx, game_id)
    names = [seat.name for seat in tx.all(Seat, game_id=game_id, order="no")]
    book = rules.rulebook(state)
    found = [state]
    for move in tx.all(Journal, game_id=game_id, undone=0, order="no"):
        state = rules.play(state, move.seat, read_order(move.order, names, book)).state
        found.append(state)
    return found
