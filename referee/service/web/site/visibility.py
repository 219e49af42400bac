"""Which tables a stranger may see: those that anybody may join, and those that some group watches.

A table by invitation that no group watches has an address with a key that nobody guesses.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping

from referee.ids import GameId
from referee.store import Game, Tx

from ...core import tokens
from ...people.onlookers import is_public

_KEY_BYTES = 10


def key_of(tx: Tx, game_id: GameId) -> str:
    """What follows the number in the address of a table that is not for everybody: 16 signs."""
    mac = hmac.digest(tokens.secret(tx), b"page" + game_id.to_bytes(8, "big"), hashlib.sha256)[:_KEY_BYTES]
    return base64.b32encode(mac).decode().lower()


def path_of(tx: Tx, game: Game) -> str:
    """The address of a table on our own site: "/t/17", with its key where it needs one."""
    number = game.id
    return f"/t/{number}" if is_public(tx, game) else f"/t/{number}-{key_of(tx, number)}"


def visible_table(tx: Tx, wanted: Mapping[str, str]) -> Game | None:
    """The table that an address names, if the person who has that address may see it."""
    number = GameId(int(wanted["game"]))
    game = tx.get(Game, number)
    if game is None:
        return None
    key = wanted.get("key", "")
    opens = hmac.compare_digest(key, f"-{key_of(tx, number)}") if key else is_public(tx, game)
    return game if opens else None
