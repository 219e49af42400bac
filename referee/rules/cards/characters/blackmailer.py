"""Blackmailer, rank 2: two markers facedown on two characters, one of them with a flower.

A threatened player gathers first of all, and then bribes with half the gold, or refuses.
After a refusal the marker may be shown: the flower takes all the gold.  A marker that was
answered lies there no longer; once the flower was shown, the other one does not either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...abilities import Ability
from ...acts import hand_over
from ...declared import Habits, Lesson, Question, Reply, Told, Use
from ...facts import NO_FIGURES, Family, Figures, Move, Refusal, Seat
from ...flow.call import is_spared, player_of, useless_last
from ...flow.turn import Turn
from ...markers import dealt_anew, drawn, seen
from ...model import Frame, Option, State
from ...seams import Character
from ...shapes import Shape

if TYPE_CHECKING:
    from random import Random

#: round drawer: {"seat": who is paid, "named": both, by rank, "on": those that still lie there,
#: "flowered": one of the named, "shown": whether everybody knows which}
THREATS = "Blackmailer"
COUNT = 2
BRIBE, REFUSE, REVEAL, PASS = Move("bribe"), Move("refuse"), Move("reveal"), Move("pass")


def targets(g: State) -> tuple[str, ...]:
    """The characters that a threat may lie on, by rank; the Blackmailer's own is a bluff (ruling 50)."""
    least = 2 if g.holds(50) else 3
    return tuple([c.name for c in g.rules.callings if c.rank >= least and not is_spared(g, c.name)])


class Threaten(Ability):
    """The first one named has the flower; the table sees two alike."""

    key = "threaten"
    shapes = (Shape("threaten <C>+"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        out.append(Family("threaten", useless_last(g, targets(g), turn.powers), COUNT, COUNT, ordered=True))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        named, known = move.args[0], targets(g)
        for name in named:
            if name not in known:
                rank = g.rules.characters[name].rank
                mine = rank == 2 and not g.holds(50)
                why = "self" if mine else "rank-1" if rank == 1 else "spared"
                return Refusal("no-target", target=name, why=why)
        twice = [name for name in named if named.count(name) > 1]
        if twice:
            return Refusal("no-target", target=twice[0], why="twice")
        return Refusal("count", least=COUNT, most=COUNT)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        chosen = move.args[0]
        lay(g, turn.seat, tuple([name for name in targets(g) if name in chosen]), chosen[0])
        g.tell("threats", seat=turn.seat, characters=list(g.round_drawer[THREATS]["on"]))
        g.tell("threat_flowered", turn.seat, character=chosen[0])


def lay(g: State, seat: Seat, on: tuple[str, ...], flowered: str | None) -> None:
    g.round_drawer[THREATS] = {"seat": seat, "named": on, "on": on, "flowered": flowered, "shown": False}


def answered(g: State, character: str, *, shown: bool) -> bool:
    """Take the character's marker off; whether it had the flower, which counts if it is shown."""
    threats = g.round_drawer[THREATS]
    flower = bool(threats["flowered"] == character)
    left = () if shown and flower else tuple([name for name in threats["on"] if name != character])
    g.round_drawer[THREATS] = {**threats, "on": left, "shown": threats["shown"] or shown}
    return flower


class Threat(Frame):
    """The threatened player's answer, before anything else in that turn."""

    __slots__ = ("seat",)
    code = "threat"
    verbs = frozenset({"bribe", "refuse"})

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [BRIBE, REFUSE]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        by = g.round_drawer[THREATS]["seat"]
        if move == REFUSE:
            g.tell("bribe_refused", seat=self.seat, other=by)
            g.stack.append(Lift(by, self.seat))
            return
        gold = self.bribe(g)
        hand_over(g, self.seat, by, gold)
        answered(g, g.top(Turn).powers, shown=False)
        g.tell("bribed", seat=self.seat, other=by, gold=gold)

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("malformed", verb=move.verb, expected=["bribe", "refuse"])

    def dull(self, g: State) -> Move:
        """The sure loss."""
        return BRIBE

    def bribe(self, g: State) -> int:
        return g.players[self.seat].gold // 2

    def figures(self, g: State, move: Move) -> Figures:
        return Figures(price=self.bribe(g)) if move == BRIBE else NO_FIGURES

    def shows(self, g: State) -> dict[str, Any]:
        return {"threat": {"seat": g.round_drawer[THREATS]["seat"], "bribe": self.bribe(g)}}


class Lift(Frame):
    """Whether to show a marker that was not bribed away, the flower or the other one alike."""

    __slots__ = ("seat", "victim")
    code = "reveal"
    verbs = frozenset({"reveal", "pass"})

    def __init__(self, seat: Seat, victim: Seat) -> None:
        self.seat, self.victim = seat, victim

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [REVEAL, PASS]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        character = g.top(Turn).powers
        flower = answered(g, character, shown=move == REVEAL)
        if move == PASS:
            g.tell("threat_dropped", seat=self.seat, victim=self.victim)
            return
        g.sealed = True
        gold = g.players[self.victim].gold if flower else 0
        hand_over(g, self.victim, self.seat, gold)
        g.tell(
            "threat_shown",
            seat=self.seat,
            victim=self.victim,
            character=character,
            flowered=flower,
            gold=gold,
        )

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("malformed", verb=move.verb, expected=["reveal", "pass"])

    def dull(self, g: State) -> Move:
        return PASS


class Blackmailer(Character):
    name, rank, dullness = "Blackmailer", 2, 5
    abilities = (Threaten(),)
    shapes = tuple(map(Shape, ("bribe", "refuse", "reveal", "pass")))
    fields = ("threats",)
    declares = (
        Told("threats", "seat, characters: the two threatened, by rank"),
        Told("threat_flowered", "private: character"),
        Told("threatened", "seat, other: who is paid"),
        Told("bribed", "seat, other, gold"),
        Told("bribe_refused", "seat, other"),
        Told("threat_dropped", "seat, victim: the marker was not shown"),
        Told("threat_shown", "seat, victim, character, flowered: whether it was the flower; gold"),
        Use("threaten", "mark", place=2),
        Question(
            "threat",
            ("threat",),
            ("bribe",),
            "refuse",
            of_others=True,
            compares="<=",
            prices=(1, 2, 3),
            place=2,
        ),
        Question("reveal", ("reveal",), ("reveal",), "pass", off_turn=True, apart=True, place=3),
        Reply("threat", ("bribe",)),
        Reply("reveal", ("reveal",)),
        Habits("reveal always", place=5),
        Lesson("as", verbs=("threaten",)),
        Lesson("asked", what="threat"),
        Lesson("asked", what="reveal"),
    )

    def pressed(self, g: State, character: str) -> bool:
        """Not as the Blackmailer: nothing comes of a marker on that token, and it stays where it lies."""
        threats = g.round_drawer.get(THREATS)
        return threats is not None and character in threats["on"] and character != self.name

    def gathered(self, g: State, seat: Seat) -> None:
        character = g.top(Turn).powers
        if not self.pressed(g, character):
            return
        if seat == g.round_drawer[THREATS]["seat"]:  # one's own second character
            answered(g, character, shown=False)
            return
        g.tell("threatened", seat=seat, other=g.round_drawer[THREATS]["seat"])
        g.stack.append(Threat(seat))

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        """threats: {character: "facedown", or "flowered" | "blank" for who knows}."""
        return {"threats": seen(g.round_drawer.get(THREATS), "flowered", viewer)}

    def redealt(self, g: State, viewer: Seat, rng: Random) -> None:
        threats = g.round_drawer.get(THREATS)
        anew = dealt_anew(threats, "flowered", threats["named"] if threats else (), viewer, rng)
        if anew:
            g.round_drawer[THREATS] = anew

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        by, faces = player_of(g, self.name), list(drawn(value).values())
        known = targets(g)
        if by is None or not {*value} <= {*known} or not 0 < len(value) <= COUNT:
            raise ValueError("somebody must hold the Blackmailer, and name one or two who may be threatened")
        if faces.count("flowered") > 1 or not {*faces} <= {"flowered", "blank"}:
            raise ValueError("one has the flower, the other is blank")
        flowered = next((name for name, face in value.items() if face == "flowered"), None)
        lay(g, by, tuple([name for name in known if name in value]), flowered)
