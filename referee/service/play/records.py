"""A stored game as a record: made from the journal by playing it again, so that what is given out is known to
verify.

Under it stand the head of its chain and the installation's signature (`signing`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime

from referee.ids import GameId
from referee.rules import record
from referee.states import GameStatus
from referee.store import Game, Seat, Tx

from ..core.cache import lately
from ..core.unit_of_work import StateCache, settings_of, setup_of
from . import rulings, signature

log = logging.getLogger(__name__)


def record_text(tx: Tx, game_id: GameId) -> str:
    """The game record; the seed is in it only once the game is over.

    Secret while the game runs: it holds everybody's orders, and who knows all but one of them could find that
    one by the head. Raises LookupError when there is nothing to record.
    """
    game = tx.get(Game, game_id)
    if game is None:
        raise LookupError(f"there is no game {game_id}")
    if not game.snapshot:
        raise LookupError(f"game {game_id} has not begun")
    seats = tx.all(Seat, game_id=game_id, order="no")
    setup = setup_of(game, seats)
    orders = rulings.orders(game, seats, tx.standing_orders(game))
    held = record.of_game(
        setup, bytes.fromhex(game.seed), [s.word for s in seats], orders, settings_of(game).get("choice")
    )
    return signature.signed(tx, record.write(held, looks(game, seats)))


def looks(game: Game, seats: list[Seat]) -> Iterator[str]:
    """Remarks at the end of a record: when an admin saw hidden cards, whose, and the reason that was
    given.
    """
    for one in settings_of(game).get("looked", ()):
        at = datetime.fromtimestamp(one["at_ms"] / 1000, UTC).strftime("%Y-%m-%dT%H:%MZ")
        whose = "all" if one["of"] is None else seats[one["of"]].name
        yield f"looked at: {whose}, {at}, by {one['by'] or 'admin'}: {one['because']}"


def proof(tx: Tx, states: StateCache, now_ms: int, game: Game) -> dict[str, str]:
    """{head, key, fingerprint}: what lets anybody check the record of a finished game later; empty for a game
    that is not over, and for one whose record does not come about (its rules are from another time: the audit
    tells).
    """
    if game.status != GameStatus.OVER:
        return {}

    def made() -> dict[str, str]:
        try:
            text = record_text(tx, game.id)
            held = record.parted(text)[1]
        except Exception:  # a page and a letter must come also where the record does not
            log.exception("game %s has no record", game.id)
            return {}
        return (
            {}
            if held is None or not held.key
            else {"head": held.head, "key": held.key, "fingerprint": signature.fingerprint(held.key)}
        )

    return lately(states, now_ms, ("proof", game.id, game.event_no, game.settings), made)


def deal_text(tx: Tx, game_id: GameId, no: int) -> str:
    """The record of a deal that a table gave up in its first round, with its seed.

    Raises LookupError where there is none.
    """
    game = tx.get(Game, game_id)
    deal = None if game is None else next((one for one in tx.deals_of(game) if one.no == no), None)
    if deal is None:
        raise LookupError(f"game {game_id} has no deal {no} that was given up")
    return deal.record
