"""Magistrate, rank 1: three warrants facedown on three characters, one of them signed.

When the player of the signed one pays to build, the first time in that turn, the Magistrate
may show it: the district goes to his own city for nothing, and the builder has the gold
back.  For a blank one he is asked as well, and can only pass: nobody is to see which is
which.  He is not asked where everybody can see that he could not take that district, nor about what he
builds himself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...abilities import Ability
from ...acts import gain
from ...declared import Habits, Lesson, Question, Reply, Told, Use
from ...facts import Family, Move, Refusal, Seat
from ...flow.build import Build, is_full
from ...flow.call import useless_last
from ...flow.standing import has_name
from ...flow.turn import Turn
from ...markers import dealt_anew, drawn, seen
from ...model import Frame, Option, State
from ...seams import Character
from ...shapes import Shape

if TYPE_CHECKING:
    from random import Random

#: round drawer: {"seat", "on": those with a warrant, by rank, "signed": one of them, "shown":
#: whether everybody has seen it}; turn drawer: whether something has been paid for already
WARRANTS = "Magistrate"
COUNT = 3
CONFISCATE, PASS = Move("confiscate"), Move("pass")


def targets(g: State) -> tuple[str, ...]:
    """The characters that a warrant may lie on, by rank; the Magistrate's own is a bluff (ruling 50)."""
    least = 1 if g.holds(50) else 2
    return tuple([c.name for c in g.rules.callings if c.rank >= least])


class Warrant(Ability):
    """The first one named is signed; the table sees three alike."""

    key = "warrant"
    shapes = (Shape("warrant <C>+"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        out.append(Family("warrant", useless_last(g, targets(g), turn.powers), COUNT, COUNT, ordered=True))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        named = move.args[0]
        for name in named:
            if name not in targets(g):
                return Refusal("no-target", target=name, why="self")
        twice = [name for name in named if named.count(name) > 1]
        if twice:
            return Refusal("no-target", target=twice[0], why="twice")
        return Refusal("count", least=COUNT, most=COUNT)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        chosen = move.args[0]
        on = tuple([name for name in targets(g) if name in chosen])
        g.round_drawer[WARRANTS] = {"seat": turn.seat, "on": on, "signed": chosen[0], "shown": False}
        g.tell("warrants", seat=turn.seat, characters=list(on))
        g.tell("warrant_signed", turn.seat, character=chosen[0])


class Claim(Frame):
    """Whether to show the warrant; the build waits beneath."""

    __slots__ = ("seat",)
    code = "warrant"
    verbs = frozenset({"confiscate", "pass"})
    hushed = True

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def signed(self, g: State) -> bool:
        return bool(g.round_drawer[WARRANTS]["signed"] == g.top(Turn).powers)

    def options(self, g: State) -> list[Option]:
        return [CONFISCATE, PASS] if self.signed(g) else [PASS]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move == PASS:
            g.tell("warrant_passed", seat=self.seat)
            return
        build = g.top(Build)
        back = build.paid or 0
        gain(g, build.seat, back)
        build.city, build.paid = self.seat, None
        g.round_drawer[WARRANTS] = {**g.round_drawer[WARRANTS], "shown": True}
        g.sealed = True
        g.tell(
            "confiscated", seat=self.seat, victim=build.seat, district=g.cards[build.number].name, gold=back
        )

    def why_not(self, g: State, move: Move) -> Refusal:
        if move.verb == "confiscate":
            return Refusal("no-target", target=g.top(Turn).powers, why="blank")
        return Refusal("malformed", verb=move.verb, expected=["confiscate", "pass"])

    def dull(self, g: State) -> Move:
        return PASS

    def shows(self, g: State) -> dict[str, Any]:
        build = g.top(Build)
        return {"claimed": {"seat": build.seat, "district": g.cards[build.number].name, "paid": build.paid}}


class Magistrate(Character):
    name, rank, dullness = "Magistrate", 1, 6
    abilities = (Warrant(),)
    shapes = (Shape("confiscate"), Shape("pass"))
    fields = ("warrants",)
    declares = (
        Told("warrants", "seat, characters: those with a warrant, by rank"),
        Told("warrant_signed", "private: character"),
        Told("under_warrant", "seat, district, paid: a build that waits until the Magistrate has answered"),
        Told("warrant_passed", "seat"),
        Told("confiscated", "seat, victim, district, gold: given back to the builder"),
        Use("warrant", "mark", place=1),
        Question(
            "warrant",
            ("warrant",),
            ("confiscate",),
            "pass",
            off_turn=True,
            apart=True,
            with_card=True,
            compares=">=",
            prices=(3, 4, 5),
            place=1,
        ),
        Reply("warrant", ("confiscate", "pass")),
        Habits("confiscate always", place=4),
        Lesson("as", verbs=("warrant",)),
        Lesson("asked", what="warrant"),
        Lesson("marked", "you-warranted", "warrants", place=6),
        Lesson("done", "you-confiscated", "confiscated", place=7),
    )

    def building(self, g: State) -> None:
        warrants = g.round_drawer.get(WARRANTS)
        if warrants is None or warrants["shown"]:
            return
        turn, build = g.top(Turn), g.top(Build)
        if build.seat == warrants["seat"] and g.holds(48):
            return  # his own build; all see whose it is, so that no question tells nothing
        if turn.powers not in warrants["on"] or build.paid is None or WARRANTS in turn.drawer:
            return
        turn.drawer = {**turn.drawer, WARRANTS: True}
        seat, district = warrants["seat"], g.cards[build.number]
        if has_name(g, seat, district.name) or district.forbidden(g, seat) or is_full(g, seat):
            return
        g.tell("under_warrant", seat=build.seat, district=district.name, paid=build.paid)
        g.stack.append(Claim(seat))

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        """warrants: {character: "facedown", or "signed" | "blank" for who knows}."""
        return {"warrants": seen(g.round_drawer.get(WARRANTS), "signed", viewer)}

    def redealt(self, g: State, viewer: Seat, rng: Random) -> None:
        warrants = g.round_drawer.get(WARRANTS)
        anew = dealt_anew(warrants, "signed", warrants["on"] if warrants else (), viewer, rng)
        if anew:
            g.round_drawer[WARRANTS] = anew

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        holder = g.holder(self.name)
        known = targets(g)
        faces = list(drawn(value).values())
        if holder is None or not {*value} <= {*known} or len(value) > COUNT:
            raise ValueError("somebody must hold the Magistrate, and name up to three characters")
        if faces.count("signed") > 1 or not {*faces} <= {"signed", "blank"}:
            raise ValueError("one is signed, the others blank")
        g.round_drawer[WARRANTS] = {
            "seat": holder,
            "on": tuple([name for name in known if name in value]),
            "signed": next((name for name, face in value.items() if face == "signed"), None),
            "shown": False,
        }
