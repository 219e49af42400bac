"""The deal: the seed is opened to the rules, the first questions are asked."""

from __future__ import annotations

import json

from referee import rules
from referee.ids import EventNo
from referee.rules import chance
from referee.states import GameStatus
from referee.store import Game
from referee.text import clean

from ..core.unit_of_work import TableEvent, UnitOfWork, encoded, settings_of, setup_of, tell_all
from ..deadlines import clock_state, season_vacation
from ..play import bot_turns, enacting, hooks, moves


def deal_game(uow: UnitOfWork, game: Game) -> None:
    """Deal.  The seed is the referee's own with the players' words mixed in, in seat order."""
    seats = uow.seats(game.id)
    setup = setup_of(game, seats)
    outcome = rules.new_game(setup, chance.mix(bytes.fromhex(game.seed), [s.word for s in seats]))
    # a table that gathered anew asks no question again under a number that was used
    dealt = rules.asked_anew(outcome.state, game.question + 1) if game.question else outcome.state
    done = moves.OrderAttempt(dealt)
    waiting, events = done.waiting, list[TableEvent]()
    given = [{"seat": s.no, "word": clean(s.word, 80)} for s in seats if s.word]
    if given:  # nobody saw another's before: the last to speak could else try out words
        events.append(("words_opened", {"given": given, "seed_hash": game.seed_hash}, None))
    events += [(event.name, event.facts, event.to) for event in outcome.events]
    tell_all(uow, game.id, EventNo(game.event_no + 1), events)
    # written down: another version of the referee might choose otherwise
    settings = settings_of(game)
    if setup.cast or setup.uniques:
        settings["cast"], settings["uniques"] = setup.cast, setup.uniques
    if setup.rulings:
        settings["rulings"] = setup.rulings
    if setup.cast or setup.uniques or setup.rulings:
        uow.tx.set(Game, game.id, settings=json.dumps(settings))
    uow.tx.set(
        Game,
        game.id,
        status=GameStatus.RUNNING,
        started_ms=uow.now_ms,
        snapshot=encoded(dealt),
        event_no=game.event_no + len(events),
        question=waiting[0].number,
        asked=",".join(str(a.seat) for a in waiting),
        round=1,
    )
    hooks.game_began(uow, game, seats)
    clocks = clock_state.read_clocks(game)
    if season_vacation.dealt(uow, game, seats, clocks):
        uow.tx.set(Game, game.id, clocks=clock_state.encode_clocks(clocks))
    bot_turns.let_bots(done, seats)
    fresh = uow.tx.get(Game, game.id)
    assert fresh is not None
    enacting.enact(uow, fresh, seats, done)
