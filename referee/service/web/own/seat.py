"""One table as its seat sees it: hand, question, what happened since the last look, the plan, the clocks.

Everything comes from the seat's own view, its own events and public rows, as in a letter to that seat.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee import rules
from referee.ids import EventNo, GameId, PersonId, QuestionNo, SeatNo
from referee.rules import Ask
from referee.states import DeadlineKind, GameStatus, ProposalState
from referee.store import Deadline, Game, Person, Proposal, Seat, SeatPlan, Store, Tx, WebSession
from referee.text import MenuStep, clean, policy_line, sheet, so_far
from referee.text.rendering.cards import card
from referee.text.rendering.plans import understood

from ...cards.card_help import in_game
from ...core.unit_of_work import names, settings_of, talk_mode
from ...deadlines import clock_state
from ...play import enacting, hooks, seat_plans
from ...reviews.commands import may_ask
from ...teaching import advice, due_lessons, lesson_state
from ..site.characters import character_row
from ..site.page_cache import PageContext
from ..site.table import about, clock_due_ms
from ..site.visibility import path_of
from . import last_seen
from .final_orders import FinalOrders
from .placing import NOTHING_PLACED, placed

#: this many paragraphs of news are told
_NEWS = 40


def seat_of(look: PageContext, person_id: PersonId, game_id: GameId) -> tuple[Game, Seat] | None:
    """A person's seat at a table; None for a table where they have none, or that is not there."""
    game = look.tx.get(Game, game_id)
    seat = None if game is None else look.tx.one(Seat, game_id=game_id, person_id=person_id)
    return None if game is None or seat is None else (game, seat)


def seat_page_facts(
    look: PageContext,
    session: WebSession,
    person: Person,
    game: Game,
    seat: Seat,
    way: Sequence[int],
    path: tuple[Any, ...],
) -> tuple[dict[str, Any], EventNo | None]:
    """What the page is filled with, and the last event that it tells (None: that is written down already).

    `way`: the entries of a big question that were followed, else `path`: the place that was asked for by
    writing it.
    """
    tx = look.tx
    seats = tx.all(Seat, game_id=game.id, order="no")
    players, no = names(seats), seat.no
    found = about(look, game, seats, {}) | blank(look, person, game, seat)
    view = rules.view(look.states.of(game), no)
    looked = last_seen.note_look(session.looks, game.id, game.event_no, look.now_ms)
    seen = game.event_no if looked.looks else None
    cast = in_game(look.states, game)[0]
    found |= {
        "view": view,
        "characters": character_row(view, cast),
        "hand": [card(name, view["edition"]) for name in view["hand"]],
        **news(look, game, no, players, looked.since),
    }
    if game.status != GameStatus.RUNNING:
        found["review"] = f"review #{game.id}" if may_ask(game, seat, look.settings.bots.process) else ""
        return found | {"again_by": hooks.played_again(tx, game, person.id)}, seen
    found["votes"] = [
        vote_facts(look, row, no, players)
        for row in tx.all(Proposal, game_id=game.id, state=ProposalState.OPEN, order="id")
        if row.due_ms > look.now_ms
    ]
    found |= _asked(look, game, no, view, cast, question(look, game, no, view, players, way, path))
    found["hand"].sort(key=lambda one: one["name"] not in found["places"]["hand"])  # what can be played first
    found["undo"] = enacting.last_undoable(tx, game, no) is not None
    if found["ask"] and not found["step"]:
        found["lessons"] = due_lessons.open_now(
            tx, game, seat, view, [one["order"] for one in found["options"]]
        )
    found["hint"] = advice.open_for(tx, game, seat)
    if found["guided"]:
        found["due_ms"] = None  # nobody is in a hurry there
    row = tx.one(SeatPlan, game_id=game.id, seat=no)
    if row is not None:
        found["plan"] = understood(look.words, seat_plans.plan_of(row), view, cast, look.language)
        found["soon"] = seat_plans.pending(tx, game, no)
    return found, seen


def _asked(
    look: PageContext,
    game: Game,
    no: SeatNo,
    view: Mapping[str, Any],
    cast: Sequence[str],
    asked: dict[str, Any],
) -> dict[str, Any]:
    """What is asked, with the places where its answers hang; until when the others are waited for, where that
    is nothing.
    """
    if not asked:
        return {"due_ms": clock_due_ms(look, game)}
    final = FinalOrders(look.states.of(game), no)
    return asked | placed(look.words, look.language, view, cast, asked["options"], asked["place"], final)


def blank(look: PageContext, person: Person, game: Game, seat: Seat) -> dict[str, Any]:
    """A seat's page before anything is asked: whose it is, how the table plays, and places for the rest."""
    settings, bank = settings_of(game), clock_state.read_clocks(game).seat(seat.no).bank
    return {
        "zone": person.zone,
        "me_seat": seat.no,
        "path": look.root + path_of(look.tx, game),
        "question": game.question,
        "talk": talk_mode(game),
        "policy": policy_line(
            look.words, clock_state.policy_of(game), look.language, bank_ms=bank if bank >= 0 else None
        ),
        "view": None,
        "hand": [],
        "news": [],
        "more": 0,
        "ask": None,
        "options": [],
        "step": "",
        "way": "",
        "due_ms": None,
        "plan": [],
        "soon": False,
        "votes": [],
        "teaching": lesson_state.mode_of(seat.lessons),
        "guided": bool(settings.get("learn")),
        "lessons": [],
        "undo": False,
        "hint": False,
        "characters": [],
        "again_by": hooks.PlayedAgain(),
        "review": "",
        **NOTHING_PLACED,
    }


def news(look: PageContext, game: Game, no: SeatNo, players: list[str], since: EventNo) -> dict[str, Any]:
    """What happened after event number `since`: {news: the last paragraphs of it, more: how many are left
    out}.
    """
    happened = [(one.name, json.loads(one.facts)) for one in look.tx.events_since(game, since, no)]
    told = look.words.news(happened, look.language, players, no)
    return {"news": told[-_NEWS:], "more": max(0, len(told) - _NEWS)}


def explained(look: PageContext, game: Game, seat: Seat, question: QuestionNo) -> str | None:
    """The memory of a seat whose player has read on the page what explains this question; None where there is
    nothing to remember.
    """
    if not seat.lessons or game.question != question or str(seat.no) not in game.asked.split(","):
        return None
    view = rules.view(look.states.of(game), seat.no)
    new = due_lessons.lessons_for_seat(
        look.tx,
        game,
        seat,
        view,
        [one["order"] for one in look.words.offers(view["ask"], view, look.language)],
    )
    return lesson_state.remembered(seat.lessons, [name for _, name in new], question) if new else None


async def keep_explained(
    store: Store,
    look: Callable[[Tx], PageContext],
    person_id: PersonId,
    game_id: GameId,
    question: QuestionNo,
) -> None:
    """Remember that somebody who answers on the page has read what it explained, also where no letter said
    the same.
    """

    def read(tx: Tx) -> tuple[Seat, str] | None:
        here = look(tx)
        held = seat_of(here, person_id, game_id)
        told = None if held is None else explained(here, *held, question)
        return None if held is None or told is None else (held[1], told)

    found = await store.read(read, visitor=True)
    if found is not None:
        row, told = found
        await store.write(lambda tx: tx.change(Seat, {"id": row.id, "lessons": row.lessons}, lessons=told))


def question(
    look: PageContext,
    game: Game,
    no: SeatNo,
    view: dict[str, Any],
    players: list[str],
    way: Sequence[int],
    path: tuple[Any, ...],
) -> dict[str, Any]:
    """What is asked of a seat now and what it may answer; {} where nothing is."""
    if game.status != GameStatus.RUNNING or str(no) not in game.asked.split(","):
        return {}
    return question_of_seat(
        look,
        game,
        no,
        view,
        next(one for one in rules.asks(look.states.of(game)) if one.seat == no),
        players,
        way,
        path,
    )


def vote_facts(look: PageContext, row: Proposal, no: SeatNo, players: list[str]) -> dict[str, Any]:
    """What the table is to decide: {line, number, due_ms, mine (yes, no, or none said yet), about_me,
    asked_by_me}.
    """
    facts = {"seat": row.seat, "by": "", "number": row.id, "act": row.act, **json.loads(row.facts)}
    if row.seat is None:
        person = look.tx.get(Person, row.person_id)
        facts["by"] = "" if person is None else clean(person.name, 60)
    said = json.loads(row.answers).get(str(no))
    return {
        "line": look.words.event("proposed", facts, look.language, players, no),
        "number": row.id,
        "due_ms": row.due_ms,
        "mine": "" if said is None else "yes" if said else "no",
        "about_me": facts.get("player") == no,
        "asked_by_me": row.seat == no,
    }


def question_of_seat(
    look: PageContext,
    game: Game,
    no: SeatNo,
    view: dict[str, Any],
    ask: Ask,
    players: list[str],
    way: Sequence[int],
    path: tuple[Any, ...],
) -> dict[str, Any]:
    """The question: its kind, its answers, until when."""
    path = followed(ask, way) if way else path
    due = look.tx.one(Deadline, game_id=game.id, seat=no, kind=DeadlineKind.ANSWER, done_ms=0)
    known = due is not None and not clock_state.paused(clock_state.read_clocks(game))
    return {
        "ask": {"kind": ask.kind},
        "due_ms": due.due_ms if due is not None and known else None,
        "place": path,
        "step": so_far(path, players) if path else "",
        "options": look.words.offers(view["ask"], view, look.language, path),
        "way": ".".join(map(str, way)) if path else "",
    }


def followed(ask: Ask, way: Sequence[int]) -> tuple[Any, ...]:
    """The place that entries lead to, one after the other; () where one of them leads nowhere."""
    path: tuple[Any, ...] = ()
    for number in way:
        entries = sheet(ask.moves, ask.families, path) if path else sheet(ask.moves, ask.families)
        one = entries[number - 1] if 0 < number <= len(entries) else None
        if not isinstance(one, MenuStep):
            return ()
        path = one.path
    return path
