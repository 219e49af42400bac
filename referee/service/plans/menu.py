"""Planning by taps: draft list, scripts, answers and `ask me if`, one page after the other, in private only.

Each page is a letter, on channels that rewrite always the same one. What has been tapped stands in the letter
itself, so nothing is kept of the way but letters; when a plan has been filed, or the menu was closed, they
are menus no more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from referee.plans import Plan
from referee.plans.walking import (
    Entry,
    Ground,
    Walk,
    dumped,
    entries,
    ground,
    loaded,
    onward,
    so_far,
)
from referee.ports import Inbound, What
from referee.states import OutboxState
from referee.store import Address, Game, Outbox, Seat
from referee.text import Words
from referee.text.rendering.plans import understood

from ..cards.card_help import in_game
from ..core import outbox
from ..core.letters import Facts
from ..core.unit_of_work import Sitting, States
from ..people.identity import Speaker
from ..people.replies import answer
from ..play import stepwise
from ..play.hooks import lists_allowed

KIND = "plan_menu"
#: its letters when it is over: like those that tell a plan, they ask nothing
OVER = "plan"
#: what an entry is called where it is typed: so it can be told from orders
HEAD = "plan menu"
_HEAD = re.compile(rf"^\s*[/!]?{HEAD}\b\s*", re.IGNORECASE)
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
}


def concerns(speaker: Speaker) -> bool:
    """Whether a pressed button has to do with plans."""
    return (
        speaker.order == "plan"
        or speaker.order.startswith(HEAD)
        or (speaker.letter is not None and speaker.letter.kind in (KIND, OVER))
    )


def late(speaker: Speaker, came: Inbound) -> bool:
    """Whether a button of a menu that is over was pressed."""
    return came.what is What.BUTTON and speaker.letter is not None and speaker.letter.kind == OVER


def tapped(text: str) -> str | None:
    """The entry that was chosen, None for what is no entry."""
    found = _HEAD.match(text)
    return None if found is None else text[found.end() :].strip()


class PlanMenuFacts(Facts):
    """Where somebody is in the menu (see `loaded`), and the letter whose place the page takes (0: none)."""

    kind = KIND
    walk: dict[str, Any]
    revises: int = 0


def offer(
    sitting: Sitting,
    speaker: Speaker,
    game: Game,
    seat: Seat,
    walk: Walk | None = None,
    *,
    revises: int = 0,
    at: Address | None = None,
) -> None:
    """Send a page of the menu, `at` an address of theirs, else where they speak."""
    page = PlanMenuFacts(walk=dumped(walk or Walk()), revises=revises)
    outbox.to_seat(sitting, game, seat, page, at=at or speaker.address, collapse="")


def go(
    sitting: Sitting,
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
    row = None if late(speaker, came) else stepwise.seen(sitting, speaker)
    if row is None or row.kind != KIND or row.game_id != game.id:
        if words or late(speaker, came):
            answer(sitting, speaker, came, "old-menu")
        offer(sitting, speaker, game, seat)
        return True
    walk = loaded(json.loads(row.data)["walk"])
    to = onward(walk, words, table(sitting.states, game, view, plan))
    revises = int(row.id or 0) if came.what is What.BUTTON else 0
    if to is None:
        answer(sitting, speaker, came, "old-menu")
    elif to.page == "closed":
        return False
    offer(sitting, speaker, game, seat, to or walk, revises=revises)
    return True


def over(sitting: Sitting, speaker: Speaker, game: Game, seat: Seat) -> None:
    """The seat's menus are none any more: numbers mean the question again, and taps on them are late."""
    for row in sitting.tx.all(
        Outbox,
        game_id=game.id,
        seat=seat.no,
        person_id=speaker.person.id,
        kind=KIND,
        state=(OutboxState.SENT, OutboxState.SENDING, OutboxState.UNKNOWN),
    ):
        sitting.tx.set(Outbox, row.id, kind=OVER)


def table(states: States, game: Game, view: Mapping[str, Any], plan: Plan) -> Ground:
    """What may be named there."""
    cast, uniques = in_game(states, game)
    return ground(view, cast, uniques, not plan.empty)._replace(lists=lists_allowed(game))


def filled(
    words: Words,
    language: str,
    states: States,
    game: Game,
    view: Mapping[str, Any],
    plan: Plan,
    data: Mapping[str, Any],
) -> dict[str, Any]:
    """What a page of the menu says: {title, understood (what is filed), lines (what is not yet), line (the
    one being written), options}.
    """
    walk = loaded(data["walk"])
    here = table(states, game, view, plan)
    title = words.phrase(
        _TITLES[walk.page],
        language,
        character=walk.who,
        question=walk.who and _question(words, language, walk),
        order=walk.verb.split(" ")[0],
    )
    options = []
    for n, one in enumerate(entries(walk, here), 1):
        order = f"{HEAD} {one.words}" if one.to is not None else one.words
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
