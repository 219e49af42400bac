"""One table as a stranger sees it now: the cities, whom it waits for, what happened lately; before the game
who sits there, after it the score.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from typing import Any

from referee import rules
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, GameEvent, Person, Seat
from referee.text import policy_line
from referee.text.folding import clean
from referee.text.rendering.news import paragraphs

from ...cards.card_help import in_game
from ...core.unit_of_work import names, settings_of
from ...deadlines import clock_state, season_pauses
from ...pictures.png import drawn_here
from ...play.records import proof
from ...play.table_league import told_status
from ...tables.public_view import cast_of_table
from ..fingerprint import Audience, mark
from .characters import character_row
from .hooks import league_of
from .page_cache import PageContext, PageSpec, Wanted
from .visibility import path_of, visible_table

#: this many public events are looked at for what happened lately, and this many paragraphs of them are told
_EVENTS, _LATEST, _MINUTE = 24, 6, 60_000


def version(look: PageContext, wanted: Wanted) -> Hashable | None:
    """What changes when the page does: the table's own counters, who sits there, the deadline, and the minute
    that it is.
    """
    game = visible_table(look.tx, wanted)
    if game is None:
        return None
    seats = tuple(
        (seat.name, seat.bot, seat.ready, seat.person_id is None)
        for seat in look.tx.all(Seat, game_id=game.id, order="no")
    )
    running = game.status == GameStatus.RUNNING
    return (
        game.event_no,
        game.status,
        game.settings,
        clock_state.paused(clock_state.read_clocks(game)),
        seats,
        clock_due_ms(look, game) if running else None,
        look.now_ms // _MINUTE if running else 0,
        path_of(look.tx, game),
        league_of(look, game) is None,
    )


def clock_due_ms(look: PageContext, game: Game) -> int | None:
    """When the table's clock answers, as it is told in rooms."""
    found = look.tx.one(Deadline, game_id=game.id, kind=DeadlineKind.ANSWER, done_ms=0)
    return None if found is None or clock_state.paused(clock_state.read_clocks(game)) else found.due_ms


def table_page_facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """game, path, seats, view, latest (paragraphs), due_ms, zone, policy, preview (whether there is a picture
    for those who are shown a link); and of a finished one seed, seed_hash, words, proof.
    """
    game = visible_table(look.tx, wanted)
    if game is None:
        return None
    seats = look.tx.all(Seat, game_id=game.id, order="no")
    known = mark(look.tx, look.states, Audience(game.id))
    found = {
        **about(look, game, seats, wanted),
        "live": f"{look.root}/t/{game.id}{wanted.get('key', '')}/events?seen={known}",
        "due_ms": clock_due_ms(look, game) if game.status == GameStatus.RUNNING else None,
        "seen": known,
        "preview": bool(game.snapshot) and drawn_here(look.settings),
    }
    if not game.snapshot:
        creator = look.tx.get(Person, game.creator_id)
        table = settings_of(game)
        return found | {
            "creator": "" if creator is None else clean(creator.name, 60),
            "wanted": table["seats"],
            "entry": table["entry"],
            "seed_hash": game.seed_hash,
            "view": None,
            "latest": [],
            "join": _join(look, game, len(seats), wanted),
            **{"cast": rules.EDITIONS[game.edition].cast, "uniques": [], **cast_of_table(game, table)},
        }
    # the last public ones: of events for single seats a page for everybody does not even tell the number
    last = look.tx.last_events(game, None, _EVENTS)
    found |= {
        "view": rules.view(look.states.of(game), None),
        "latest": event_paragraphs(look, last, names(seats))[-_LATEST:],
    }
    found["cast"], found["uniques"] = in_game(look.states, game)
    found["characters"] = character_row(found["view"], found["cast"])
    if game.status == GameStatus.OVER:
        found |= {
            "seed": game.seed,
            "seed_hash": game.seed_hash,
            "words": [clean(seat.word, 80) for seat in seats],
            "proof": proof(look.tx, look.states, look.now_ms, game),
        }
    return found


def _join(look: PageContext, game: Game, taken: int, wanted: Wanted) -> str:
    """Where somebody who is signed in may sit down; "" where nobody may, or only by an invitation."""
    table, key = settings_of(game), wanted.get("key", "")
    if game.status != GameStatus.LOBBY or table["entry"] != "open" or taken >= table["seats"]:
        return ""
    return f"{look.root}/me/{game.id}{f'?key={key}' if key else ''}"


def about(look: PageContext, game: Game, seats: list[Seat], wanted: Wanted) -> dict[str, Any]:
    """What every page of a table has: the game, its address (the one that was asked for), who sits there, the
    policy in a line.
    """
    policy = clock_state.policy_of(game)
    return {
        "game": {
            "id": game.id,
            "edition": game.edition,
            "status": told_status(game),
            "round": game.round,
            "paused": season_pauses.stands(game, look.now_ms),
            "looked": len(settings_of(game).get("looked", ())),
        },
        "path": f"{look.root}/t/{game.id}{wanted.get('key', '')}",
        "names": names(seats),
        "zone": policy.zone,
        "policy": policy_line(look.words, policy, look.language, bank_ms=None),
        "seats": [
            {
                "name": seat.name,
                "bot": seat.bot,
                "ready": bool(seat.ready),
                "empty": not seat.bot and seat.person_id is None,
            }
            for seat in seats
        ],
        "league": league_of(look, game),
        "me_seat": None,
    }


def event_paragraphs(look: PageContext, events: list[GameEvent], players: list[str]) -> list[str]:
    """Public events as paragraphs, as everybody reads them."""
    called = tuple(players)
    lines = [
        (one.name, look.event(one.game_id, one.no, one.name, json.loads(one.facts), called)) for one in events
    ]
    return paragraphs((name, line) for name, line in lines if line)


PAGES = {"table": PageSpec(("game", "key"), version, table_page_facts)}
