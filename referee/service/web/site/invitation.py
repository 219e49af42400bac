"""`/i/17-CODE`: a table by invitation for somebody who was sent its address: who sits there, and how to join.

Once it is full or has begun the address leads to the table's own page.
"""

from __future__ import annotations

import hmac
from collections.abc import Hashable
from typing import Any

from referee.ids import GameId
from referee.states import GameStatus
from referee.store import Game, Tx

from ...core.unit_of_work import settings_of
from . import table
from .page_cache import PageContext, PageSpec, Wanted
from .visibility import key_of, path_of


def invites(game: Game, code: str) -> bool:
    """Whether that is the code of the table's invitation."""
    known = settings_of(game).get("code", "")
    return bool(known) and hmac.compare_digest(known.encode(), code.upper().encode())


def invited_table(tx: Tx, wanted: Wanted) -> Game | None:
    """The table that an invitation's address names, if its code is right."""
    game = tx.get(Game, GameId(int(wanted["game"])))
    return game if game is not None and invites(game, wanted.get("code", "")) else None


def by_key(tx: Tx, game: Game) -> dict[str, str]:
    """What the address of the same table would say that has the key of its page."""
    return {"game": str(game.id), "key": f"-{key_of(tx, game.id)}"}


def invitation_version(look: PageContext, wanted: Wanted) -> Hashable | None:
    """That of the table's own page."""
    game = invited_table(look.tx, wanted)
    return None if game is None else table.version(look, by_key(look.tx, game))


def invitation_page_facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """Those of the table's own page, and the code."""
    game = invited_table(look.tx, wanted)
    if game is None:
        return None
    if game.status != GameStatus.LOBBY:
        return {"moved": path_of(look.tx, game)}
    found = table.table_page_facts(look, by_key(look.tx, game))
    if found is None:
        return None
    code, free = settings_of(game)["code"], len(found["seats"]) < found["wanted"]
    return {**found, "code": code, "join": f"{look.root}/me/{game.id}?key={code}" if free else ""}


PAGES = {"invitation": PageSpec(("game", "code"), invitation_version, invitation_page_facts)}
