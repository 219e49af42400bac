"""A plan: what a player wants answered in their place, as plain data.

Filed ahead by one seat: which characters to take in the selection, what to do in a turn as which character,
how to answer what is asked outside one's own turn, and when to be asked after all. Nothing here looks at a
game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

SCHEMA = 1
#: the only words that stand for a card by its worth
VALUES = ("dearest", "cheapest", "any")
#: a value word as an argument of an order, told apart from a card of that name
_MARK = "*"
#: who "I" is in a condition
ME = -1
#: what may befall the planner, in `ask me if …`
EVENTS = ("robbed", "bewitched", "threatened", "warranted", "changed")
#: what is compared with a number
NUMBERS = ("gold", "hand", "city", "round", "cost")

#: until when an entry holds: the number of its round, None for "until withdrawn"
Scope = int | None


class Order(NamedTuple):
    """One order as a `Move` has it, where an argument may be a value word (see `value`).  `bare`: "end!"."""

    verb: str
    args: tuple[Any, ...] = ()
    bare: bool = False


class Step(NamedTuple):
    """The first of `orders` that is legal; `attempt`: none of them is needed ("try")."""

    orders: tuple[Order, ...]
    attempt: bool = False


class Fact(NamedTuple):
    """One thing that holds or not.

    gold, hand, city, round, cost: compared by `operator` with a number. crown: `value` is a seat or `ME`;
    holds: a district in my hand; faceup: a character; card: the districts that the one in question may be;
    event: one of `EVENTS`: operator "is" or "not".
    """

    kind: str
    operator: str
    value: Any


#: all of them must hold; () holds always
Condition = tuple[Fact, ...]


class Draft(NamedTuple):
    """A preference list: the first of `characters` that is on offer; then, if `dull`, the least harmful one.

    `verb`: what is done with it, "pick", or "discard" where two play.
    """

    characters: tuple[str, ...]
    dull: bool = False
    condition: Condition = ()
    round: Scope = None
    verb: str = "pick"


class Script(NamedTuple):
    """What to do in a turn as one of `characters`; () for all that have no script of their own."""

    characters: tuple[str, ...]
    steps: tuple[Step, ...]
    round: Scope = None


class Standing(NamedTuple):
    """An answer to a kind of question: `order` always, never, if the condition holds (else the refusal), or
    "ask".
    """

    question: str
    order: Order
    use: str
    condition: Condition = ()
    round: Scope = None


class AskIf(NamedTuple):
    """Nothing is answered by the plan while this holds."""

    condition: Condition
    round: Scope = None


class Plan(NamedTuple):
    """`free`: whether free benefits that were forgotten are taken before `end`; None: not said.

    `cancels`: what a message withdraws (see `merging`), empty in a plan that is kept.
    """

    drafts: tuple[Draft, ...] = ()
    scripts: tuple[Script, ...] = ()
    standing: tuple[Standing, ...] = ()
    asks: tuple[AskIf, ...] = ()
    free: bool | None = None
    cancels: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it would never answer or change anything."""
        return not (
            self.drafts or self.scripts or self.standing or self.asks or self.cancels or self.free is not None
        )


def worded(word: str) -> str:
    """A value word as an argument."""
    return _MARK + word


def value(arg: Any) -> str:
    """The value word that an argument is, "" for none."""
    return arg[1:] if isinstance(arg, str) and arg[:1] == _MARK and arg[1:] in VALUES else ""


def live(plan: Plan, now: int) -> Plan:
    """What of a plan holds in round `now`: entries for that round before those that stay."""

    def kept(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*(e for e in entries if e.round == now), *(e for e in entries if e.round is None))

    return plan._replace(
        drafts=ordered(kept(plan.drafts)),
        scripts=kept(plan.scripts),
        standing=kept(plan.standing),
        asks=kept(plan.asks),
    )


def pruned(plan: Plan, now: int) -> Plan:
    """The same plan without what was for rounds before `now`."""

    def kept(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(e for e in entries if e.round is None or e.round >= now)

    return plan._replace(
        drafts=kept(plan.drafts),
        scripts=kept(plan.scripts),
        standing=kept(plan.standing),
        asks=kept(plan.asks),
    )


def ordered(drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """Lists in the order in which they are looked at: for a round before those that stay, with a condition
    before the one without.
    """
    return tuple(sorted(drafts, key=lambda d: (d.round is None, d.round or 0, not d.condition)))
