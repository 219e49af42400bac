"""A table that gathers, as somebody who is signed in sees it: who sits there, what they may do about it, whom
they may bring along. What they do is sent as the words that chat knows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import segno
from markupsafe import Markup

from referee import rules
from referee.rules import Refusal
from referee.search import OFFERED
from referee.states import GATHERING, GameStatus
from referee.store import Game, Person, Seat
from referee.text import clean

from ...core.unit_of_work import settings_of, talk_mode
from ...people import officials
from ...people.onlookers import is_public
from ...play import hooks
from ...tables.public_view import cast_of_table
from ..fingerprint import Audience, mark
from ..site.invitation import invites
from ..site.page_cache import PageContext
from ..site.table import about
from ..site.visibility import path_of, visible_table


def may_look(look: PageContext, game: Game, key: str) -> bool:
    """Whether somebody without a seat may see a table that gathers: where everybody may, and with the key of
    its page or the code of its invitation.
    """
    if game.status not in GATHERING:
        return False
    return invites(game, key) or visible_table(look.tx, {"game": str(game.id), "key": key}) is not None


def lobby_page_facts(
    look: PageContext, person: Person, game: Game, mine: Seat | None, key: str
) -> dict[str, Any]:
    """What the page is filled with: about the table as on its public page, and what the reader may do:
    join (the order, "" where they can't), ready, start, bots (how many fit), levels (of which), leave, host.
    """
    tx, table = look.tx, settings_of(game)
    seats = tx.all(Seat, game_id=game.id, order="no")
    free, gathers = max(0, table["seats"] - len(seats)), game.status in GATHERING
    host = officials.same(tx, game.creator_id, person.id)
    ours = host and gathers and not _laid_by_others(game)
    missing = [clean(seat.name, 60) for seat in seats if not seat.ready]
    code = table.get("code", "") if mine is not None or invites(game, key) else ""
    open_to_me = table["entry"] != "invite" or bool(code)
    creator = tx.get(Person, game.creator_id)
    return {
        **about(look, game, seats, {}),
        **{"cast": rules.EDITIONS[game.edition].cast, "uniques": [], **cast_of_table(game, table)},
        **invitation(look, game, code, asked=mine is not None and gathers and free > 0),
        "page": "lobby",
        "path": look.root + path_of(tx, game),
        "zone": person.zone,
        "me_seat": None if mine is None else mine.no,
        "key": key,
        "creator": "" if creator is None else clean(creator.name, 60),
        "wanted": table["seats"],
        "entry": table["entry"],
        "seed_hash": game.seed_hash,
        "live": _live(look, game, mine, person),
        "free": free,
        "missing": missing,
        "host": ours,
        "join": (f"join {code}" if code else f"join #{game.id}")
        if mine is None and free and game.status == GameStatus.LOBBY and open_to_me
        else "",
        "ready": bool(mine is not None and mine.ready),
        "start": ours and not missing and len(seats) >= rules.EDITIONS[game.edition].least,
        "bots": free if ours else 0,
        "levels": OFFERED,
        "leave": mine is not None and gathers and not _laid_by_others(game),
        "word": "" if mine is None else clean(mine.word, 80),
        "talk": talk_mode(game),
        "public": is_public(tx, game),
    }


def _laid_by_others(game: Game) -> bool:
    """Whether it is a table of a league, which nobody there begins, fills or leaves by a button."""
    try:
        hooks.may_change_lobby(game, "league-gathers")
    except Refusal:
        return True
    return False


def _live(look: PageContext, game: Game, mine: Seat | None, person: Person) -> str:
    """Where the page hears that it has changed: as its seat, or as everybody."""
    if mine is None:
        seen, where = mark(look.tx, look.states, Audience(game.id)), path_of(look.tx, game)
    else:
        seen, where = mark(look.tx, look.states, Audience(game.id, mine.no, person.id)), f"/me/{game.id}"
    return f"{look.root}{where}/events?seen={seen}"


def invitation(look: PageContext, game: Game, code: str, *, asked: bool) -> dict[str, Any]:
    """{invite: the address that one sends to others, qr: the same as a drawing}; both "" where nobody is
    asked for.
    """
    path = f"/i/{game.id}-{code}" if code else path_of(look.tx, game)
    address = f"{look.settings.base_url}{path}" if asked and look.settings.base_url else ""
    return {"invite": address, "qr": Markup(drawn(address)) if address else ""}  # noqa: S704  # lines only


@lru_cache(maxsize=256)
def drawn(address: str) -> str:
    """An address as a QR code, an `<svg>` in a page whose place says what it is."""
    code = segno.make(address, error="m", micro=False)
    lines = code.svg_inline(omitsize=True, border=3, svgclass="qr", lineclass=None)
    return lines.replace("<svg ", '<svg aria-hidden="true" ', 1)
