"""The seams hold for cards that the classic edition does not have: a toy edition of sketches
plays whole games under the same laws, and no line of the flow knows it.

The cards here are not the real ones; they only pull at every seam that nothing classic pulls at.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.rules import Move, Refusal, Setup, asks, editions, legal, play
from referee.rules.abilities import Ability
from referee.rules.acts import gain
from referee.rules.chance import counted
from referee.rules.editions.classic import Classic
from referee.rules.facts import Seat
from referee.rules.flow.build import Build
from referee.rules.flow.table import lay_out, random_move, settle, step
from referee.rules.flow.turn import Turn
from referee.rules.game import rulebook
from referee.rules.model import Frame, Option, State
from referee.rules.rulebook import Plan
from referee.rules.scenario.position import lay
from referee.rules.seams import Character, District
from referee.rules.shapes import Shape
from tests.rules import laws

PLAYERS = ["Ana", "Bea", "Cy", "Dan"]


class Stop(Frame):
    """A question with two answers, put to `seat` by `card`."""

    __slots__ = ("card", "seat")
    code = "toy stop"
    verbs = frozenset({"yes", "pass"})
    hushed = True

    def __init__(self, seat: Seat, card: str) -> None:
        self.seat, self.card = seat, card

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [Move("yes"), Move("pass")]

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("malformed", verb=move.verb, expected=["yes", "pass"])

    def dull(self, g: State) -> Move:
        return Move("pass")

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move == Move("yes") and self.card == "Toy Judge":
            build = g.top(Build)
            gain(g, build.seat, build.paid or 0)
            build.city = self.seat


class Bewitch(Ability):
    key = "toy bewitch"
    shapes = (Shape("hex <C>"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if turn.gathered:
            out += [Move("hex", (c.name,)) for c in g.rules.callings if c.rank > 1]

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("gather-first", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        g.round_drawer["Toy Witch"] = (move.args[0], turn.seat)
        turn.closing = 1


class ToyWitch(Character):
    """Takes the turn of the one named, who may only gather."""

    name, rank, limit = "Toy Witch", 1, 0
    abilities = (Bewitch(),)

    def turns(self, g: State, seat: Seat, character: str) -> list[Turn] | None:
        named, witch = g.round_drawer.get("Toy Witch", (None, None))
        if named != character:
            return None
        return [Turn(seat, character, brief=True), Turn(witch, character, gathered=True)]


class ToyJudge(Character):
    """May take what others build and pay for; is asked at the end of their turns, too."""

    name, rank = "Toy Judge", 2

    def building(self, g: State) -> None:
        seat, build = g.holder(self.name), g.top(Build)
        if seat not in (None, build.seat):
            g.stack.append(Stop(seat, self.name))

    def gathered(self, g: State, seat: Seat) -> None:
        holder = g.holder(self.name)
        if holder is not None and holder != seat and not g.top(Turn).brief:
            g.stack.append(Stop(holder, "gathered"))

    def turn_over(self, g: State, seat: Seat) -> None:
        gain(g, seat, 1)


class ToyTrader(Character):
    name, rank = "Toy Trader", 6

    def counted(self, district: District) -> bool:
        return district.type != "trade"


class ToyFactory(District):
    name, cost = "Toy Factory", 2

    def price(self, g: State, seat: Seat, district: District, price: int) -> int:
        return max(0, price - 1)


class ToyQuarry(District):
    name, cost = "Toy Quarry", 2

    def twins(self, g: State, seat: Seat, district: District) -> bool:
        return True


class ToyMonument(District):
    name, cost, spaces = "Toy Monument", 2, 2

    def forbidden(self, g: State, seat: Seat) -> bool:
        return len(g.players[seat].city) >= 5


class ToyVault(District):
    name, cost = "Toy Vault", 0

    def forbidden(self, g: State, seat: Seat) -> bool:
        return True

    def hand_score(self, g: State, seat: Seat) -> int:
        return 3


class ToyMuseum(District):
    """Swallows each card that its owner builds; takes a gold of everybody who builds."""

    name, cost = "Toy Museum", 1

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        for owner, player in enumerate(g.players):
            if self.name in g.names(player.city) and player.hand:
                kept = g.game_drawer.get(self.name, ())
                g.game_drawer[self.name] = (*kept, g.own(owner).hand.pop())
                if player.gold:
                    g.own(owner).gold -= 1
                    g.game_drawer["toy coins"] = g.game_drawer.get("toy coins", 0) + 1

    def round_over(self, g: State) -> None:
        for seat, player in enumerate(g.players):
            if self.name in g.names(player.city):
                g.stack.append(Stop(seat, self.name))

    def stores(self, g: State) -> tuple[int, ...]:
        return tuple(g.game_drawer.get(self.name, ()))

    def purse(self, g: State) -> int:
        return int(g.game_drawer.get("toy coins", 0))

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        return {"museum": len(self.stores(g))}

    def redealt(self, g: State, viewer: Seat, rng: Random) -> None:
        cards = list(g.cards)
        mine = list(self.stores(g))
        rng.shuffle(mine)
        g.cards = tuple(cards)
        if mine:
            g.game_drawer[self.name] = tuple(mine)


class ToyTheater(District):
    name, cost = "Toy Theater", 1
    shapes = (Shape("yes"), Shape("pass"))

    def drafted(self, g: State) -> None:
        for seat, player in enumerate(g.players):
            if self.name in g.names(player.city):
                g.stack.append(Stop(seat, self.name))

    def round_over(self, g: State) -> None:
        self.drafted(g)


class Toy(Classic):
    name = "toy"
    characters = (
        ToyWitch(),
        ToyJudge(),
        *(c for c in Classic.characters if c.rank not in (1, 2, 6)),
        ToyTrader(),
    )
    cast = tuple(c.name for c in characters)
    districts = (
        *(row for row in Classic.districts if row[0].name not in ("Graveyard", "Library")),
        (ToyFactory(), 1),
        (ToyQuarry(), 1),
        (ToyMonument(), 1),
        (ToyVault(), 1),
        (ToyMuseum(), 1),
        (ToyTheater(), 1),
    )
    uniques = tuple(d.name for d, _ in districts if d.type == "unique")
    order = {"revealed": ("King",)}  # noqa: RUF012 - a manifest, as in Classic

    def plan(self, players: int, cast: int) -> Plan:
        if players == 3:
            return Plan(
                0, (("pick", 0), ("pick", 1), ("pick", 2), ("random", 0), ("pick", 0), ("pick", 1)), True
            )
        return super().plan(players, cast)


@pytest.fixture(autouse=True)
def toy_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions, "EDITIONS", {**editions.EDITIONS, "toy": Toy()})
    editions._rulebook.cache_clear()


def start(players: int, number: int) -> State:
    setup = Setup("toy", laws.NAMES[:players])
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = None
    settle(g)
    return g


@pytest.mark.parametrize("players", range(2, 8))
def test_whole_games_under_the_laws(players: int) -> None:
    held = (
        laws.everything_in_its_place,
        laws.written_and_read,
        laws.the_original_notices_nothing,
        laws.dull_answers_are_legal,
    )
    depths = set()
    for number in range(12):
        rng = Random(number)
        g = start(players, number)
        while g.stack:
            depths.add(tuple(f.code for f in g.stack))
            for law in held:
                if rng.random() < 0.05:
                    law(g, rng)
            step(g, random_move(g, rng))
        laws.everything_in_its_place(g, rng)
    assert ("round", "toy stop") in depths
    if players > 3:  # with fewer the Museum is hardly ever built in so few games
        assert ("round", "moment", "toy stop") in depths  # the Theater waits for its answer
    assert ("round", "call", "turn", "build", "toy stop") in depths
    assert ("round", "call", "turn", "turn", "toy stop") in depths or (
        "round",
        "call",
        "turn",
        "turn",
    ) in depths


def drawn(at: str, seats: dict[str, Any], **given: Any) -> State:
    return lay({"edition": "toy", "players": PLAYERS, "given": {"at": at, "seats": seats, **given}})


def do(state: State, *orders: tuple[int, Move]) -> State:
    for seat, move in orders:
        state = play(state, seat, move).state
    return state


def test_one_takes_the_turn_of_another() -> None:
    state = drawn(
        "call 1",
        {
            "Ana": {"character": "Toy Witch", "city": ["Manor"], "gold": 0},
            "Bea": {"character": "King", "city": ["Palace", "Castle"]},
        },
    )
    state = do(state, (0, Move("gold")), (0, Move("hex", ("King",))))
    assert (asks(state)[0].seat, state.called, state.crown) == (1, 4, 1)
    assert set(legal(state, 1)) == {Move("gold"), Move("cards")}
    state = do(state, (1, Move("gold")))
    assert asks(state)[0].seat == 0
    assert set(legal(state, 0)) == {Move("income"), Move("end")}
    state = do(state, (0, Move("income")), (0, Move("end")))
    # two gold gathered, one for the Manor, and one at the end of each of the two turns
    assert (state.round, state.players[0].gold) == (2, 2 + 1 + 2)


def test_a_build_ends_in_another_city() -> None:
    state = drawn(
        "call 3",
        {
            "Ana": {"character": "Magician", "gold": 2, "hand": ["Market"]},
            "Bea": {"character": "Toy Judge", "gold": 0},
        },
    )
    state = do(state, (0, Move("gold")), (1, Move("pass")), (0, Move("build", ("Market",))))
    assert asks(state)[0].seat == 1
    state = do(state, (1, Move("yes")))
    assert [state.names(p.city) for p in state.players[:2]] == [[], ["Market"]]
    assert (state.players[0].gold, asks(state)[0].seat) == (4, 0)


def test_price_twins_limits_and_spaces() -> None:
    state = drawn(
        "call 6",
        {
            "Ana": {
                "character": "Toy Trader",
                "gold": 6,
                "hand": ["Market", "Tavern", "Manor", "Manor", "Toy Vault", "Toy Monument"],
                "city": ["Toy Factory", "Toy Quarry", "Manor"],
            }
        },
    )
    state = do(state, (0, Move("gold")), (0, Move("build", ("Market",))), (0, Move("build", ("Tavern",))))
    assert state.players[0].gold == 6 + 2 - 1 - 0
    assert Move("build", ("Manor",)) in legal(state, 0)
    assert Move("build", ("Toy Vault",)) not in legal(state, 0)
    with pytest.raises(Refusal, match="cannot-build"):
        play(state, 0, Move("build", ("Toy Monument",)))
    state = do(state, (0, Move("build", ("Manor",))))
    with pytest.raises(Refusal, match="limit"):
        play(state, 0, Move("build", ("Manor",)))


def test_one_card_may_complete_two_places_and_the_hand_may_score() -> None:
    state = drawn(
        "call 6",
        {
            "Ana": {
                "character": "Toy Trader",
                "gold": 3,
                "hand": ["Toy Monument", "Toy Vault"],
                "city": ["Manor", "Castle", "Temple", "Church"],
            },
            "Bea": {"city": ["Toy Monument", "Manor", "Castle", "Temple", "Church", "Docks"]},
        },
    )
    assert state.completed == (1,)
    state = do(state, (0, Move("gold")), (0, Move("build", ("Toy Monument",))), (0, Move("end")))
    assert state.result is not None
    assert state.result["scores"][0]["points"]["unique"] == 3
