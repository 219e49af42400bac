"""Theater: when all have picked, its owner may exchange characters with another player, both
unseen.  Where everybody has two, the owner says which to give, and chance which to take."""

from __future__ import annotations

from ... import chance
from ...declared import Habits, Lesson, Question, Reply, Told
from ...facts import Move, Refusal, Seat, move_of
from ...flow.draft import exchange
from ...flow.standing import has_name
from ...model import Frame, Option, State
from ...seams import District
from ...shapes import Shape

PASS = Move("pass")


class Exchange(Frame):
    """The owner is asked before the first rank is called."""

    __slots__ = ("seat",)
    code = "theater"
    verbs = frozenset({"exchange", "pass"})

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        mine = g.players[self.seat].characters
        others = [seat for seat, other in enumerate(g.players) if seat != self.seat and other.characters]
        if len(mine) == 1:
            return [*(move_of("exchange", (seat,)) for seat in others), PASS]
        return [*(move_of("exchange", (name, "with", seat)) for name in mine for seat in others), PASS]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move == PASS:
            g.tell("theater_unused", seat=self.seat)
            return
        other = move.args[-1]
        one, two = g.players[self.seat], g.players[other]
        given = move.args[0] if len(move.args) > 1 else one.characters[0]
        taken = two.characters[chance.below(g.seed, len(two.characters), "Theater", g.round)]
        exchange(g, self.seat, given, other, taken)
        g.sealed = True
        g.tell("theater", seat=self.seat, other=other)
        g.tell("character_came", self.seat, character=taken, given=given)
        g.tell("character_came", other, character=given, given=taken)

    def why_not(self, g: State, move: Move) -> Refusal:
        mine = g.players[self.seat].characters
        shape = "exchange <P>" if len(mine) == 1 else "exchange <C> with <P>"
        if not Shape(shape).fits(move.args):
            return Refusal("malformed", verb=move.verb, expected=[shape, "pass"])
        if len(move.args) > 1 and move.args[0] not in mine:
            return Refusal("not-offered", card=move.args[0])
        return Refusal("no-target", target=move.args[-1], why="self")

    def dull(self, g: State) -> Move:
        return PASS


class Theater(District):
    name, cost = "Theater", 6
    shapes = (Shape("exchange <P>", ("with <P>", (0,))), Shape("exchange <C> with <P>"), Shape("pass"))
    declares = (
        Told("theater", "seat, other: they have exchanged characters"),
        Told("theater_unused", "seat"),
        Told("character_came", "private, to both: character, given: the one given for it"),
        Question(
            "theater",
            ("theater",),
            ("exchange",),
            "pass",
            off_turn=True,
            apart=True,
            forms=("exchange", "exchange <P>", "exchange <C> with <P>"),
            offers=("exchange never", "exchange ask me"),
            place=5,
        ),
        Reply("theater", ("pass",)),
        Habits("exchange never", place=3),
        Lesson("asked", what="theater"),
        Lesson("done", "you-changed", "theater", role="other", place=17),
    )

    def drafted(self, g: State) -> None:
        for seat in range(len(g.players)):
            if has_name(g, seat, self.name):
                g.stack.append(Exchange(seat))
