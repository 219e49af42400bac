"""Filing, showing and withdrawing plans: read line by line, echoed as understood to the seat's own addresses,
nothing half-armed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from referee import rules
from referee.plans import Plan, dump, filed, load, merge, pruned, refiled
from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import AddressState
from referee.store import Game, Seat, SeatPlan
from referee.text import NotUnderstood
from referee.text.reading.plan_heads import MOST
from referee.text.reading.plans import read_plan
from referee.text.rendering.plans import stopped, understood

from ..core import outbox
from ..core.unit_of_work import UnitOfWork, json_text, names
from ..people import autoreplies, table_roles
from ..people.identity import Speaker
from ..people.letter_facts import PromptFacts
from ..play import moves, seat_plans, table_league
from ..play.hooks import lists_allowed
from ..play.letter_facts import PlanFacts, PlanTrouble
from . import menu

#: two plans from two addresses within so long crossed each other
CROSSED_MS = 5_000


def speaker_seat(uow: UnitOfWork, speaker: Speaker, game: Game) -> Seat:
    """The speaker's seat in a running game.  Raises Refusal."""
    seat = next((s for s in uow.seats(game.id) if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    table_roles.running(game)
    return seat


def walked(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game, seat: Seat, words: str) -> None:
    """A tap in the menu; where that closes it, what is filed is shown."""
    row = uow.plans(game.id).get(seat.no)
    plan = Plan() if row is None else seat_plans.plan_of(row)
    if not menu.go(uow, speaker, came, game, seat, plan, rules.view(uow.states.of(game), seat.no), words):
        menu.close_menus(uow, speaker, game, seat)
        tell_plan(uow, speaker, game, seat, plan, (), pressed=came.what is What.BUTTON)


def parse_plan(
    uow: UnitOfWork, text: str, game: Game, seats: list[Seat], seat: Seat, language: str
) -> Plan | tuple[NotUnderstood, ...]:
    """The plan that a message files for that seat, or what is wrong with it.  Raises TooCostly."""

    def now() -> Plan | tuple[NotUnderstood, ...]:
        state = uow.states.of(game)
        plain = moves.reading(state, None, names(seats), language, numbers=False, own=uow.words.own)
        return read_plan(text, replace(plain, view=rules.view(state, seat.no)))

    return uow.readings.of(("plan", text, language, game.id, game.move_no, game.question, seat.no), now)


def file(
    uow: UnitOfWork,
    speaker: Speaker,
    came: Inbound,
    game: Game,
    seats: Sequence[Seat],
    seat: Seat,
    text: str,
) -> None:
    """Read a plan, lay it over the one that there is, and let it answer what is asked now."""
    new = parse_plan(uow, text, game, list(seats), seat, speaker.person.language)
    view = rules.view(uow.states.of(game), seat.no)
    if (autoreplies.is_repeat if isinstance(new, Plan) else autoreplies.note_unreadable)(uow, speaker, came):
        return
    if not isinstance(new, Plan):
        tell_plan(uow, speaker, game, seat, None, new)
        return
    quote = " ".join(text[:200].split())
    if new.drafts and not lists_allowed(game):
        told = table_league.read_league(game)
        facts = {"league": "" if told is None else told["name"]}
        tell_plan(uow, speaker, game, seat, None, (NotUnderstood("league-no-lists", quote, facts=facts),))
        return
    row = uow.plans(game.id).get(seat.no)
    old = pruned(Plan() if row is None else seat_plans.plan_of(row), view["round"])
    both = merge(old, new)
    if size(both) > max(MOST, size(old)):
        tell_plan(
            uow, speaker, game, seat, None, (NotUnderstood("plan-too-long", quote, facts={"most": MOST}),)
        )
        return
    place = f"{speaker.address.channel}:{speaker.address.address}"
    if row is not None and crosses(uow, row, place) and loses_orders(old, both):
        tell_plan(uow, speaker, game, seat, None, (NotUnderstood("plan-crossed", quote),), everywhere=True)
        return
    memory = filed(both, view) if row is None else refiled(new, both, view, seat_plans.memory_of(row, view))
    values: dict[str, Any] = {
        "data": json_text(dump(both)),
        "memory": json_text(memory),
        "round": view["round"],
        "filed_ms": uow.now_ms,
        "place": place,
    }
    if row is None:
        uow.tx.add(SeatPlan, game_id=game.id, seat=seat.no, **values)
    else:
        uow.tx.set(SeatPlan, row.id, **values)
    act_upon(uow, speaker, came, game, seat, both._replace(cancels=new.cancels))


def act_upon(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game, seat: Seat, plan: Plan) -> None:
    """Let what is filed now answer what is asked, and show it to its seat."""
    state = uow.states.of(game)
    was = seat_plans.pending(uow.tx, game, seat.no)
    armed = seat_plans.arm(uow, game, state, rules.asks(state), uow.plans(game.id), only=seat.no)
    menu.close_menus(uow, speaker, game, seat)
    pressed = came.what is What.BUTTON
    tell_plan(uow, speaker, game, seat, plan, (), everywhere=True, armed=armed, pressed=pressed)
    if was and seat.no not in armed.quiet:  # nothing has asked the player yet
        outbox.to_seat(uow, game, seat, PromptFacts(), at=speaker.address, question=game.question)


def size(plan: Plan) -> int:
    """How many lines a plan has, with each step on one of its own: what was filed by many messages is no
    longer than one may be.
    """
    steps = sum(len(one.steps) for one in plan.scripts)
    return steps + len(plan.drafts) + len(plan.standing) + len(plan.asks)


def crosses(uow: UnitOfWork, row: SeatPlan, place: str) -> bool:
    """Whether a plan from that address is on its way at the same time as the one that is filed, from
    another.
    """
    return row.place != place and uow.now_ms - row.filed_ms < CROSSED_MS


def loses_orders(old: Plan, both: Plan) -> bool:
    """Whether something that was filed is not there any more."""
    return any(
        one not in after for before, after in zip(old[:4], both[:4], strict=True) for one in before
    ) or old.free not in (None, both.free)


def tell_plan(
    uow: UnitOfWork,
    speaker: Speaker,
    game: Game,
    seat: Seat,
    plan: Plan | None,
    troubles: Sequence[NotUnderstood],
    *,
    everywhere: bool = False,
    armed: seat_plans.ArmedPlans | None = None,
    pressed: bool = False,
) -> None:
    """The plan as it is understood, or what is wrong with each line: to the person who wrote it (in place of
    the menu that they pressed), and what was filed to all their addresses.
    """
    state, language, words = uow.states.of(game), speaker.person.language, uow.words
    view = rules.view(state, seat.no)
    mine = {"names": names(uow.seats(game.id)), "me_seat": seat.no, "me": seat.no}
    wrong = [
        PlanTrouble(
            words.phrase(one.code, language, **{**mine, **one.facts}),
            one.quote,
            () if one.facts.get("near") else one.suggestions,
        )
        for one in troubles
    ]
    stop = None if armed is None else armed.stops.get(seat.no)
    soon = seat_plans.pending(uow.tx, game, seat.no) if armed is None else seat.no in armed.quiet
    said = PlanFacts(
        understood=[]
        if plan is None
        else understood(
            words, load(json.loads(json_text(dump(plan)))), view, rules.rulebook(state).cast, language
        ),
        troubles=wrong,
        filed=everywhere and not wrong,
        soon=soon and not wrong,
        stopped="" if stop is None else stopped(words, stop, view, language),
    )
    green = [
        one
        for one in outbox.addresses(uow, speaker.person.id)
        if one.id != speaker.address.id and one.state == AddressState.GREEN
    ]
    pressed_on = speaker.letter if pressed and not wrong else None
    instead = 0 if pressed_on is None else pressed_on.id
    mine_said = msgspec.structs.replace(said, revises=instead)
    outbox.to_seat(uow, game, seat, mine_said, at=speaker.address, collapse="")
    for at in green if everywhere else ():
        outbox.to_seat(uow, game, seat, said, at=at, collapse="")
