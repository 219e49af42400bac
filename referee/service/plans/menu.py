"""Planning by taps: draft list, scripts, answers and `ask me if`, one page after the other, in private only.

Each page is a letter, on channels that rewrite always the same one. What has been tapped stands in the letter
itself, so nothing is kept of the way but letters; when a plan has been filed, or the menu was closed, they
are menus no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from referee.ids import NO_LETTER, LetterId
from referee.plans import Plan
from referee.plans.walking import (
    Entry,
    Ground,
    Walk,
    dumped,
    ground,
    loaded,
    numbered,
    onward,
    so_far,
)
from referee.ports import Inbound, What
from referee.states import OutboxState
from referee.store import Address, Game, Outbox, Seat
from referee.text import Words
from referee.text.reading.plan_heads import MENU
from referee.text.rendering.plans import understood

from ..cards.card_help import in_game
from ..core import outbox
from ..core.letter_rows import read
from ..core.unit_of_work import StateCache, UnitOfWork
from ..people.identity import Speaker
from ..people.replies import answer
from ..play import stepwise
from ..play.hooks import lists_allowed
from ..play.letter_facts import PlanFacts, PlanMenuFacts, Walked

_TITLES = {
    "top": "menu-top",
    "prefer": "menu-at-prefer",
    "discard": "menu-at-discard",
    "who": "menu-at-who",
    "script": "menu-at-script",
    "build": "menu-at-build",
    "power": "menu-at-power",
    "answers": "menu-at-answers",
    "answer": "menu-at-answer",
    "asks": "menu-at-asks",
    "withdraw": "menu-at-withdraw",
}


def concerns(speaker: Speaker) -> bool:
    """Whether a pressed button has to do with plans."""
    return (
        speaker.order == "plan"
        or speaker.order.startswith(MENU)
        or (speaker.letter is not None and speaker.letter.kind in (PlanMenuFacts.kind, PlanFacts.kind))
    )


def is_late_press(speaker: Speaker, came: Inbound) -> bool:
    """Whether a button of a menu that is over was pressed."""
    return came.what is What.BUTTON and speaker.letter is not None and speaker.letter.kind == PlanFacts.kind


def walk_of(facts: PlanMenuFacts) -> Walk:
    """Where a page stands."""
    return loaded(msgspec.structs.asdict(facts.walk))


def send_menu(
    uow: UnitOfWork,
    speaker: Speaker,
    game: Game,
    seat: Seat,
    walk: Walk | None = None,
    *,
    revises: LetterId = NO_LETTER,
    at: Address | None = None,
) -> None:
    """Send a page of the menu, `at` an address of theirs, else where they speak."""
    page = PlanMenuFacts(walk=Walked(**dumped(walk or Walk())), revises=revises)
    outbox.to_seat(uow, game, seat, page, at=at or speaker.address, collapse="")


def go(
    uow: UnitOfWork,
    speaker: Speaker,
    came: Inbound,
    game: Game,
    seat: Seat,
    plan: Plan,
    view: Mapping[str, Any],
    words: str,
) -> bool:
    """Follow a tap.

    False where it closes the menu; one of a menu that is over is answered, and a new one begins.
    """
    row = None if is_late_press(speaker, came) else stepwise.seen(uow, speaker)
    if row is None or row.kind != PlanMenuFacts.kind or row.game_id != game.id:
        if words or is_late_press(speaker, came):
            answer(uow, speaker, came, "old-menu")
        send_menu(uow, speaker, game, seat)
        return True
    walk = walk_of(read(row, PlanMenuFacts))
    to = onward(walk, words, plan_ground(uow.states, game, view, plan))
    revises = row.id if came.what is What.BUTTON else NO_LETTER
    if to is None:
        answer(uow, speaker, came, "old-menu")
    elif to.page == "closed":
        return False
    send_menu(uow, speaker, game, seat, to or walk, revises=revises)
    return True


def close_menus(uow: UnitOfWork, speaker: Speaker, game: Game, seat: Seat) -> None:
    """The seat's menus are none any more: numbers mean the question again, and taps on them are late."""
    for row in uow.tx.all(
        Outbox,
        game_id=game.id,
        seat=seat.no,
        person_id=speaker.person.id,
        kind=PlanMenuFacts.kind,
        state=(OutboxState.SENT, OutboxState.SENDING, OutboxState.UNKNOWN),
    ):
        # like those that tell a plan, they ask nothing
        uow.tx.set(Outbox, row.id, kind=PlanFacts.kind)


def plan_ground(states: StateCache, game: Game, view: Mapping[str, Any], plan: Plan) -> Ground:
    """What may be named there."""
    cast, uniques = in_game(states, game)
    return ground(view, cast, uniques, not plan.empty)._replace(lists=lists_allowed(game))


def menu_contents(
    words: Words,
    language: str,
    states: StateCache,
    game: Game,
    view: Mapping[str, Any],
    plan: Plan,
    walk: Walk,
) -> dict[str, Any]:
    """What a page of the menu says: {title, understood (what is filed), lines (what is not yet), line (the
    one being written), options}.
    """
    here = plan_ground(states, game, view, plan)
    title = words.phrase(
        _TITLES[walk.page],
        language,
        character=walk.who,
        question=walk.who and _question(words, language, walk),
        order=walk.verb.split(" ")[0],
    )
    options = []
    for n, one in numbered(walk, here):
        order = f"{MENU} {one.words}" if one.to is not None else one.words
        options.append(
            {
                "n": n,
                "order": order,
                "label": _label(words, language, one, here),
                "note": "",
                "mailto": words.mailto(order, f"#{game.id} plan"),
            }
        )
    filed = (
        understood(words, plan, view, here.cast, language) if walk.page == "top" and not plan.empty else []
    )
    return {
        "title": title,
        "understood": filed,
        "lines": [line for _, line in walk.lines],
        "line": so_far(walk),
        "options": options,
        "page": walk.page,
    }


def _question(words: Words, language: str, walk: Walk) -> str:
    return words.phrase(f"asked-{walk.who}", language) if walk.page == "answer" else ""


def _label(words: Words, language: str, one: Entry, here: Ground) -> str:
    return (
        words.phrase(one.code, language)
        if one.code
        else words.label_of_plan(one.label or one.words, language, here.names)
    )
