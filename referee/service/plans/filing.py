"""Filing, showing and withdrawing plans: read line by line, echoed as understood to the seat's own addresses,
nothing half-armed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from referee import rules
from referee.plans import Plan, dump, filed, load, merge, pruned
from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import AddressState
from referee.store import Game, Seat, SeatPlan
from referee.text import Reading, Trouble
from referee.text.reading.courtesy import without_courtesies
from referee.text.reading.plan_heads import plan_asked
from referee.text.reading.plans import plan_begins, read_plan
from referee.text.rendering.plans import stopped, understood

from ..core import league_facts, outbox
from ..core.letters import Facts
from ..core.unit_of_work import Sitting, names, written
from ..people import autoreplies, table_roles
from ..people.identity import Speaker
from ..play import moves, seat_plans
from ..play.hooks import lists_allowed
from . import menu

#: two plans from two addresses within so long crossed each other
CROSSED_MS = 5_000
#: what was found out about messages no longer than this is remembered: they come again and again
_SHORT = 60
_PREFIX = re.compile(r"^\s*[/!]?(?:#\s?(?P<no>\d{1,9})\b[:,]?\s*)?[/!]?")
_SUFFIX = re.compile(r"\s#(?P<no>\d{1,9})\s*$")


def looked(
    sitting: Sitting, text: str, private: bool, language: str
) -> tuple[bool, bool, str | None, int | None, str]:
    """The same as `looked_at`; what it found out about short texts is remembered.  Raises TooCostly."""
    if len(text) <= _SHORT:
        return looked_at(text, private, language, sitting.words.own)
    return sitting.readings.of(
        ("look", text, private, language),
        lambda: looked_at.__wrapped__(text, private, language, sitting.words.own),
    )


@lru_cache(maxsize=4096)
def looked_at(
    text: str, private: bool, language: str, own: tuple[Any, ...]
) -> tuple[bool, bool, str | None, int | None, str]:
    """Whether words are a plan or about one; whether they ask for it, what they choose in its menu; the
    game's number, and the words without it.
    """
    bare = Reading(language=language, own=own)
    number, body = addressed(without_courtesies(text, bare.lexicon) if private else text)
    asks, words = plan_asked(body, bare), menu.tapped(body)
    return asks or words is not None or plan_begins(body, bare), asks, words, number, body


def addressed(text: str) -> tuple[int | None, str]:
    """The number of a game before the words or behind them, and the words."""
    found = _PREFIX.match(text)
    number, body = (found["no"], text[found.end() :].strip()) if found else (None, text.strip())
    if number is None and "\n" not in body and (late := _SUFFIX.search(body)):
        number, body = late["no"], body[: late.start()]
    return (None if number is None else int(number)), body


def seated(sitting: Sitting, speaker: Speaker, game: Game) -> Seat:
    """The speaker's seat in a running game.  Raises Refusal."""
    seat = next((s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    table_roles.running(game)
    return seat


def walked(sitting: Sitting, speaker: Speaker, came: Inbound, game: Game, seat: Seat, words: str) -> None:
    """A tap in the menu; where that closes it, what is filed is shown."""
    row = seat_plans.of(sitting, game.id).get(seat.no)
    plan = Plan() if row is None else seat_plans.plan_of(row)
    if not menu.go(
        sitting, speaker, came, game, seat, plan, rules.view(sitting.states.of(game), seat.no), words
    ):
        menu.over(sitting, speaker, game, seat)
        tell(sitting, speaker, game, seat, plan, (), pressed=came.what is What.BUTTON)


def read(
    sitting: Sitting, text: str, game: Game, seats: list[Seat], seat: Seat, language: str
) -> Plan | tuple[Trouble, ...]:
    """The plan that a message files for that seat, or what is wrong with it.  Raises TooCostly."""

    def now() -> Plan | tuple[Trouble, ...]:
        state = sitting.states.of(game)
        plain = moves.reading(state, None, names(seats), language, numbers=False, own=sitting.words.own)
        return read_plan(text, replace(plain, view=rules.view(state, seat.no)))

    return sitting.readings.of(("plan", text, language, game.id, game.move_no, game.question, seat.no), now)


def file(
    sitting: Sitting,
    speaker: Speaker,
    came: Inbound,
    game: Game,
    seats: Sequence[Seat],
    seat: Seat,
    text: str,
) -> None:
    """Read a plan, lay it over the one that there is, and let it answer what is asked now."""
    new = read(sitting, text, game, list(seats), seat, speaker.person.language)
    view = rules.view(sitting.states.of(game), seat.no)
    if (autoreplies.again if isinstance(new, Plan) else autoreplies.lost)(sitting, speaker, came):
        return
    if not isinstance(new, Plan):
        tell(sitting, speaker, game, seat, None, new)
        return
    quote = " ".join(text[:200].split())
    if new.drafts and not lists_allowed(game):
        facts = {"league": (league_facts.mine(game) or {})["name"]}
        tell(sitting, speaker, game, seat, None, (Trouble("league-no-lists", quote, facts=facts),))
        return
    row = seat_plans.of(sitting, game.id).get(seat.no)
    old = pruned(Plan() if row is None else seat_plans.plan_of(row), view["round"])
    both = merge(old, new)
    place = f"{speaker.address.channel}:{speaker.address.address}"
    if row is not None and crosses(sitting, row, place) and lost(old, both):
        tell(sitting, speaker, game, seat, None, (Trouble("plan-crossed", quote),), everywhere=True)
        return
    values: dict[str, Any] = {
        "data": written(dump(both)),
        "memory": written(filed(both, view)),
        "round": view["round"],
        "filed_ms": sitting.now_ms,
        "place": place,
    }
    if row is None:
        sitting.tx.add(SeatPlan, game_id=game.id, seat=seat.no, **values)
    else:
        sitting.tx.set(SeatPlan, row.id, **values)
    act_upon(sitting, speaker, came, game, seat, both._replace(cancels=new.cancels))


def act_upon(sitting: Sitting, speaker: Speaker, came: Inbound, game: Game, seat: Seat, plan: Plan) -> None:
    """Let what is filed now answer what is asked, and show it to its seat."""
    state = sitting.states.of(game)
    was = seat_plans.pending(sitting.tx, game, seat.no)
    armed = seat_plans.arm(sitting, game, state, rules.asks(state), seat_plans.of(sitting, game.id))
    menu.over(sitting, speaker, game, seat)
    pressed = came.what is What.BUTTON
    tell(sitting, speaker, game, seat, plan, (), everywhere=True, armed=armed, pressed=pressed)
    if was and seat.no not in armed.quiet:  # nothing has asked the player yet
        outbox.to_seat(sitting, game, seat, "prompt", at=speaker.address, question=game.question)


def crosses(sitting: Sitting, row: SeatPlan, place: str) -> bool:
    """Whether a plan from that address is on its way at the same time as the one that is filed, from
    another.
    """
    return row.place != place and sitting.now_ms - row.filed_ms < CROSSED_MS


def lost(old: Plan, both: Plan) -> bool:
    """Whether something that was filed is not there any more."""
    return any(
        one not in after for before, after in zip(old[:4], both[:4], strict=True) for one in before
    ) or old.free not in (None, both.free)


class PlanFacts(Facts):
    """A plan as it was understood (sentences), or what is wrong with its lines {line, quote, suggestions} and
    nothing filed; whether it was filed just now, whether it will answer what is asked now, why it does not;
    the letter whose place this takes (0: none).
    """

    kind = "plan"
    understood: list[str]
    troubles: list[dict[str, Any]]
    filed: bool
    soon: bool
    stopped: str
    revises: int = 0


def tell(
    sitting: Sitting,
    speaker: Speaker,
    game: Game,
    seat: Seat,
    plan: Plan | None,
    troubles: Sequence[Trouble],
    *,
    everywhere: bool = False,
    armed: seat_plans.Armed | None = None,
    pressed: bool = False,
) -> None:
    """The plan as it is understood, or what is wrong with each line: to whoever wrote it (in place of the
    menu that they pressed), and what was filed to all their addresses.
    """
    state, language, words = sitting.states.of(game), speaker.person.language, sitting.words
    view = rules.view(state, seat.no)
    mine = {"names": names(sitting.seats(int(game.id or 0))), "me_seat": seat.no, "me": seat.no}
    wrong = [
        {
            "line": words.phrase(one.code, language, **{**mine, **one.facts}),
            "quote": one.quote,
            "suggestions": () if one.facts.get("near") else one.suggestions,
        }
        for one in troubles
    ]
    stop = None if armed is None else armed.stops.get(seat.no)
    soon = seat_plans.pending(sitting.tx, game, seat.no) if armed is None else seat.no in armed.quiet
    said = PlanFacts(
        understood=[]
        if plan is None
        else understood(
            words, load(json.loads(written(dump(plan)))), view, rules.rulebook(state).cast, language
        ),
        troubles=wrong,
        filed=everywhere and not wrong,
        soon=soon and not wrong,
        stopped="" if stop is None else stopped(words, stop, view, language),
    )
    green = [
        one
        for one in outbox.addresses(sitting, int(speaker.person.id or 0))
        if one.id != speaker.address.id and one.state == AddressState.GREEN
    ]
    pressed_on = speaker.letter if pressed and not wrong else None
    instead = 0 if pressed_on is None else int(pressed_on.id or 0)
    mine_said = msgspec.structs.replace(said, revises=instead)
    outbox.to_seat(sitting, game, seat, mine_said, at=speaker.address, collapse="")
    for at in green if everywhere else ():
        outbox.to_seat(sitting, game, seat, said, at=at, collapse="")
