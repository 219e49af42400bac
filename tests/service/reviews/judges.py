"""A finished game whose decisions are judged by a list of what each cost."""

from __future__ import annotations

import msgspec

from referee import rules
from referee.ids import GameId
from referee.rules import Move
from referee.search.search import Compared
from referee.search.thinking import Thought
from referee.service.bots.thinker import NoThought
from referee.service.core.unit_of_work import StateCache
from referee.service.reviews import past
from referee.store import Game, GameReview, Tx
from tests.service.rig import House

ANA, BEA = "telegram:ana", "matrix:@bea:hs"
PEOPLE = [ANA, BEA]
GAME = GameId(1)
#: what a decision cost, by its place among the person's own: how many of a hundred games before and after
Costs = dict[int, tuple[int, int]]


class Judge:
    """Judges instead of the search, by a list of what each decision cost; remembers what it was asked."""

    def __init__(self, house: House, costs: Costs) -> None:
        self.costs, self.asked, self.tired = costs, list[Thought](), set[int]()
        instead(house.referee.bots.thinker, "compared", self.compared)

    async def compared(self, thought: Thought) -> Compared:
        place = len(self.asked)
        self.asked.append(thought)
        if place in self.tired:
            raise NoThought("cpu")
        assert thought.given is not None
        better, given = self.costs.get(place, (50, 50))
        return Compared(other(thought), better / 100, given / 100, 0.001)


def other(thought: Thought) -> Move:
    """An answer that was not given."""
    assert thought.given is not None
    asks = rules.asks(rules.load(msgspec.json.decode(thought.position)))
    moves = next(one.moves for one in asks if one.seat == thought.seat)
    return next((one for one in moves if one != thought.given.move), moves[0])


def instead(thing: object, name: str, by: object) -> None:
    vars(thing)[name] = by


def own(house: House, seat: int = 0) -> list[past.OwnDecision]:
    def look(tx: Tx) -> list[past.OwnDecision]:
        game = tx.get(Game, GAME)
        assert game is not None
        return past.decisions(tx, StateCache(), house.clock(), game, seat)

    return house.store.read_now(look)


def row(house: House) -> GameReview | None:
    found = house.store.read_now(lambda tx: tx.all(GameReview, order="id"))
    return found[0] if found else None


async def said(house: House, who: str, what: str) -> str:
    """All that somebody is sent when they have said that."""
    before = len(house.letters(who))
    await house.say(who, what)
    return "\n".join(one.text for one in house.letters(who)[before:])
