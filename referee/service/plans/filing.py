"""Filing, showing and withdrawing plans: read line by line, echoed as understood to the seat's own addresses,
nothing half-armed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from referee import rules
from referee.plans import Plan, dump, filed, load, merge, pruned
from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.store import Game, Seat, SeatPlan
from referee.text import Reading, Trouble, Wish
from referee.text.reading.courtesy import without_courtesies
from referee.text.reading.plan_heads import plan_asked
from referee.text.reading.plans import plan_begins
from referee.text.rendering.plans import stopped, understood

from ..core import outbox
from ..core.letters import Facts
from ..core.unit_of_work import Sitting, names, written
from ..inbound import autoreplies, read_ahead, reply_scope
from ..league import hooks
from ..people.identity import Speaker
from ..people.replies import answer
from . import menu, seat_plans

#: two plans from two addresses within so long crossed each other
CROSSED_MS = 5_000
#: what was found out about messages no longer than this is remembered: they come again and again
_SHORT = 60
_PREFIX = re.compile(r"^\s*[/!]?(?:#\s?(?P<no>\d{1,9})\b[:,]?\s*)?[/!]?")
_SUFFIX = re.compile(r"\s#(?P<no>\d{1,9})\s*$")


def heard(sitting: Sitting, speaker: Speaker, came: Inbound, text: str) -> bool:
    """Deal with a message that is a plan, or asks for one's plan; False for any other."""
    begins, asks, words, number, body = looked(sitting, text, came.place is None, speaker.person.language)
    if not begins:
        return False
    if menu.late(speaker, came):
        words = ""
    if came.place is not None:
        if asks:
            return False  # a word for the menu, like any other command
        if came.facts.get("mentioned"):
            answer(sitting, speaker, came, "orders-in-private")
        return bool(came.facts.get("mentioned"))
    sitting.about |= {"wish": "orders", "game": None}  # whoever reads the log learns of no plan
    game = which(sitting, speaker, number)
    reply_scope.check(sitting, speaker, came, Wish("plan", {}), "plan", game)
    sitting.tx.hold(game)
    sitting.about["game"] = game.id
    seat = seated(sitting, speaker, game)
    if asks:
        if not autoreplies.again(sitting, speaker, came):
            menu.offer(sitting, speaker, game, seat)
    elif words is not None:
        walked(sitting, speaker, came, game, seat, words)
    else:
        file(sitting, speaker, came, game, sitting.seats(int(game.id or 0)), seat, body)
    return True


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


def which(sitting: Sitting, speaker: Speaker, number: int | None) -> Game:
    """The table that a plan is for."""
    if number is None and speaker.letter is not None:
        number = speaker.letter.game_id
    if number is not None:
        game = sitting.tx.get(Game, number)
        if game is None:
            raise Refusal("no-game", game=number)
        return game
    mine = [game for _, game in sitting.tx.seats_of(int(speaker.person.id or 0), ("running",))]
    mine = mine or [
        game for _, game in sitting.tx.seats_of(int(speaker.person.id or 0), ("lobby", "mustering", "frozen"))
    ]
    if not mine:
        raise Refusal("no-game", game=None)
    if len(mine) > 1:
        raise Refusal("which-game", games=[game.id for game in mine])
    return mine[0]


def elsewhere(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`plan` in a room: the menu opens in private."""
    if game is None:
        raise Refusal("no-game", game=None)
    seat = seated(sitting, speaker, game)
    menu.offer(
        sitting,
        speaker,
        game,
        seat,
        at=speaker.address if came.place is None else outbox.best(sitting, int(speaker.person.id or 0), seat),
    )
    if came.place is not None:
        answer(sitting, speaker, came, "plan-in-private")


def seated(sitting: Sitting, speaker: Speaker, game: Game) -> Seat:
    """The speaker's seat in a running game.  Raises Refusal."""
    seat = next((s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    if game.status != "running":
        raise Refusal(
            {"over": "game-over", "abandoned": "game-over", "frozen": "frozen"}.get(
                game.status, "not-started"
            ),
            game=game.id,
        )
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
    new = read_ahead.plan_of(sitting, text, game, list(seats), seat, speaker.person.language)
    state = sitting.states.of(game)
    view = rules.view(state, seat.no)
    if (autoreplies.again if isinstance(new, Plan) else autoreplies.lost)(sitting, speaker, came):
        return
    if not isinstance(new, Plan):
        tell(sitting, speaker, game, seat, None, new)
        return
    if new.drafts and not hooks.lists_allowed(game):
        tell(
            sitting,
            speaker,
            game,
            seat,
            None,
            (
                Trouble(
                    "league-no-lists",
                    " ".join(text[:200].split()),
                    facts={"league": (hooks.mine(game) or {})["name"]},
                ),
            ),
        )
        return
    rows = seat_plans.of(sitting, game.id)
    row = rows.get(seat.no)
    old = pruned(Plan() if row is None else seat_plans.plan_of(row), view["round"])
    both = merge(old, new)
    place = f"{speaker.address.channel}:{speaker.address.address}"
    if (
        row is not None
        and row.place != place
        and sitting.now_ms - row.filed_ms < CROSSED_MS
        and lost(old, both)
    ):
        tell(
            sitting,
            speaker,
            game,
            seat,
            None,
            (Trouble("plan-crossed", " ".join(text[:200].split())),),
            everywhere=True,
        )
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
    was = seat_plans.pending(sitting.tx, game, seat.no)
    armed = seat_plans.arm(sitting, game, state, rules.asks(state), seat_plans.of(sitting, game.id))
    menu.over(sitting, speaker, game, seat)
    tell(
        sitting,
        speaker,
        game,
        seat,
        both._replace(cancels=new.cancels),
        (),
        everywhere=True,
        armed=armed,
        pressed=came.what is What.BUTTON,
    )
    if was and seat.no not in armed.quiet:  # nothing has asked the player yet
        outbox.to_seat(sitting, game, seat, "prompt", at=speaker.address, question=game.question)


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
        if one.id != speaker.address.id and one.state == "green"
    ]
    pressed_on = speaker.letter if pressed and not wrong else None
    instead = 0 if pressed_on is None else int(pressed_on.id or 0)
    mine_said = msgspec.structs.replace(said, revises=instead)
    outbox.to_seat(sitting, game, seat, mine_said, at=speaker.address, collapse="")
    for at in green if everywhere else ():
        outbox.to_seat(sitting, game, seat, said, at=at, collapse="")


WISHES: dict[str, Callable[[Sitting, Speaker, Inbound, Wish, Game | None], None]] = {"plan": elsewhere}
