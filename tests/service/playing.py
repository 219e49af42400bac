"""Playing whole games through the rig, as people would: by typing what the letter offers."""

from __future__ import annotations

import json
import random
from typing import Any

from referee import rules
from referee.bots import BOTS
from referee.rules.notation import order_text
from referee.store import Game, GameEvent, Journal, Seat
from tests.service.rig import House

#: a day for each answer, at every hour and without a bank: tests that are about something else can reckon
#: with it
FLAT = "24h no bank no quiet no nights no vacation remind 25%"


async def table(
    house: House, people: list[str], *, bots: int = 0, command: str = "new classic", hours: str = FLAT
) -> int:
    """A running game of these people ("telegram:ana", …) and so many bots.

    A miss in its first round counts like any other, unless `hours` says "restart".
    """
    hours = hours if "restart" in hours else f"{hours} no restart"
    extra = f" with {bots} bots" if bots else ""
    first, *rest = people
    await greet(house, first)
    await house.say(first, f"{command} {len(people) + bots} seats {hours}{extra}")
    game = house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0]
    for who in rest:
        await greet(house, who)
        await house.say(who, f"join #{game.id}")
    for who in people:
        await house.say(who, f"ready #{game.id}")
    assert running(house, game.id or 0).status == "running"
    return int(game.id or 0)


async def greet(house: House, who: str) -> None:
    """A mail address is believed only with the token of a letter that went there."""
    if who.startswith("mail:") and not house.letters(who):
        await house.say(who, "hello", vouched=False)
        assert house.letters(who)


def running(house: House, game_id: int) -> Game:
    found = house.store.read_now(lambda tx: tx.get(Game, game_id))
    assert found is not None
    return found


def asked(house: House, game_id: int) -> int:
    """The seat that is asked now."""
    return _whose(running(house, game_id))


def seated(house: House, game_id: int) -> tuple[Game, list[str]]:
    """The game, and what its seats are called: one look, since a whole game is hundreds of them."""
    found, seats = house.store.read_now(
        lambda tx: (tx.get(Game, game_id), tx.all(Seat, game_id=game_id, order="no"))
    )
    assert found is not None
    return found, [one.name for one in seats]


def state(house: House, game_id: int) -> rules.State:
    return rules.load(json.loads(running(house, game_id).snapshot))


def legal(house: House, game_id: int) -> list[str]:
    """The canonical orders that the asked seat may give now."""
    return _legal(*seated(house, game_id))


def _legal(game: Game, names: list[str]) -> list[str]:
    ask = rules.asks(rules.load(json.loads(game.snapshot)))[0]
    return [order_text(move, names) for move in ask.moves]


async def turn_to(house: House, game_id: int, people: list[str], seat: int) -> None:
    """Play until this seat is asked anew, after somebody else."""
    while asked(house, game_id) == seat:
        await house.say(people[seat], legal(house, game_id)[0])
    while asked(house, game_id) != seat:
        await house.say(people[asked(house, game_id)], legal(house, game_id)[0])


def greedy(house: House, game: int, typed: int) -> str:
    """The order that a bot would give now, when that many have been typed."""
    return greedily(*seated(house, game), typed)


def greedily(game: Game, names: list[str], typed: int) -> str:
    """The same of what was looked at already."""
    now = rules.load(json.loads(game.snapshot))
    (ask,) = rules.asks(now)
    move = BOTS["greedy"].choose(rules.view(now, ask.seat), random.Random(f"{game.id} {typed}"))
    if move not in ask.moves and move.verb not in [one.verb for one in ask.families]:
        move = ask.moves[0]  # rules that bots don't know
    return order_text(move, names)


def _whose(game: Game) -> int:
    return int(game.asked.split(",")[0])


async def to_the_end(house: House, game_id: int, people: list[str], most: int = 3000) -> int:
    """Orders as a bot would give them, typed, until the game is over: two thirds as many as at random.

    Returns how many were typed.
    """
    for n in range(most):
        game, names = seated(house, game_id)
        if game.status != "running":
            return n
        await house.say(people[_whose(game)], greedily(game, names, n))
    raise AssertionError("the game never ends")


async def at_random(house: House, game_id: int, people: list[str], seed: int = 1, most: int = 3000) -> int:
    """Random legal orders, typed, until the game is over.  Returns how many were typed."""
    dice = random.Random(seed)
    for n in range(most):
        game, names = seated(house, game_id)
        if game.status != "running":
            return n
        await house.say(people[_whose(game)], dice.choice(_legal(game, names)))
    raise AssertionError("the game never ends")


async def ring(house: House) -> int:
    """The clocks ring for what is due; says how many did."""
    fired = await house.referee.scheduler.ring()
    await house.settle()
    return fired


def happened(house: House, game: int) -> list[str]:
    """The names of all that happened at that table."""
    return [
        event.name for event in house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, order="no"))
    ]


def told(house: House, game: int) -> list[str]:
    """The names of what happened there and everybody may know."""
    return [
        row.name
        for row in house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, order="no"))
        if row.to_seat is None
    ]


def event(house: House, game: int, name: str) -> dict[str, Any]:
    """The facts of the newest event of that name."""
    row = house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, name=name, order="-no", limit=1))[0]
    found: dict[str, Any] = json.loads(row.facts)
    return found


def lines(house: House, game: int) -> list[Journal]:
    """The journal."""
    return house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no"))


def rows(house: House, entity: Any, /, **equals: Any) -> list[Any]:
    """All rows of that kind that are so."""
    return house.store.read_now(lambda tx: tx.all(entity, **equals))
