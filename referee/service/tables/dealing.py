"""The deal: the seed is opened to the rules, the first questions are asked."""

from __future__ import annotations

import json
from typing import Any

from referee import rules
from referee.rules import chance
from referee.states import GameStatus
from referee.store import Game, GameEvent
from referee.text import clean

from ..core.unit_of_work import Sitting, settings_of, setup_of
from ..deadlines import clock_state, season_vacation
from ..play import enacting, hooks, moves


def begin(sitting: Sitting, game: Game) -> None:
    """Deal.  The seed is the referee's own with the players' words mixed in, in seat order."""
    assert game.id is not None
    seats = sitting.seats(game.id)
    setup = setup_of(game, seats)
    outcome = rules.new_game(setup, chance.mix(bytes.fromhex(game.seed), [s.word for s in seats]))
    # a table that gathered anew asks no question again under a number that was used
    dealt = rules.asked_anew(outcome.state, game.question + 1) if game.question else outcome.state
    done = moves.Attempt(dealt)
    waiting, events = done.waiting, enacting.Events(sitting, game)
    given = [{"seat": s.no, "word": clean(s.word, 80)} for s in seats if s.word]
    if given:  # nobody saw another's before: whoever speaks last could else try out words
        events.add("words_opened", {"given": given, "seed_hash": game.seed_hash})
    for event in outcome.events:
        events.add(event.name, event.facts, event.to)
    sitting.tx.add_all(GameEvent, events.rows)
    # written down: another version of the referee might choose otherwise
    kept: dict[str, Any] = (
        {"cast": setup.cast, "uniques": setup.uniques} if setup.cast or setup.uniques else {}
    )
    if setup.rulings:
        kept["rulings"] = setup.rulings
    if kept:
        sitting.tx.set(Game, game.id, settings=json.dumps({**settings_of(game), **kept}))
    sitting.tx.set(
        Game,
        game.id,
        status=GameStatus.RUNNING,
        started_ms=sitting.now_ms,
        snapshot=moves.encoded(dealt),
        event_no=events.number,
        question=waiting[0].number,
        asked=",".join(str(a.seat) for a in waiting),
        round=1,
    )
    hooks.game_began(sitting, game, seats)
    clocks = clock_state.read(game)
    if season_vacation.dealt(sitting, game, seats, clocks):
        sitting.tx.set(Game, game.id, clocks=clock_state.written(clocks))
    moves.let_bots(done, seats)
    fresh = sitting.tx.get(Game, game.id)
    assert fresh is not None
    enacting.enact(sitting, fresh, seats, done)
