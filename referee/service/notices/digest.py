"""One letter over all of a person's games: each day at their own hour, or once the quiet hours are over.

When the next one goes stands in a row; it is claimed by moving it on, so that it goes once, no matter who was
down meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from referee import rules
from referee.ids import PersonId
from referee.plans import Stop
from referee.policy import Span
from referee.policy.days import next_hour
from referee.states import ALIVE, DeadlineKind, GameStatus, OutboxState
from referee.store import DailyLetter, Deadline, Game, Outbox, Person, Seat, Tx
from referee.text import Words
from referee.text.rendering.plans import stopped

from ..core import outbox
from ..core.letter_rows import notes, read
from ..core.letters import Facts, Notice, traits
from ..core.unit_of_work import StateCache, UnitOfWork, names
from ..deadlines import clock_state
from . import delivery_rules

_EVERY_DAY = tuple(range(7))
#: after one letter the next one waits so long at least, also when its reader travels
_APART_MS = 12 * 3_600_000
_MOST = 10
#: letters that are due within so long of each other are due at one time
_SAME_MS = 600_000


class DigestFacts(Facts):
    """Why it comes (daily, quiet) and since when (UTC ms) what happened is news; at which minute of the day
    it comes; what is said in the letters that it stands for; why plans stopped, by game.
    """

    kind = "digest"
    why: str
    after: int
    minute: int | UnsetType = UNSET
    notices: Sequence[Notice] | UnsetType = UNSET
    stops: Mapping[str, Notice] | UnsetType = UNSET


class _Only(msgspec.Struct):
    """What of a letter's facts only it can tell, whatever its kind."""

    notices: Sequence[Notice] = ()
    stopped: Notice | None = None


def next_ms(person: Person, minute: int, after_ms: int) -> int:
    """The first moment from then on at which it is that minute of the day where the person lives."""
    return next_hour(minute / 60, _EVERY_DAY, person.zone, after_ms)


def set_hour(uow: UnitOfWork, person: Person, minute: int) -> DailyLetter | None:
    """Have a daily letter at that minute of the day; -1: none any more.  Returns its row."""
    tx = uow.tx
    row = tx.one(DailyLetter, person_id=person.id)
    if minute < 0:
        tx.drop(DailyLetter, person_id=person.id)
        return None
    told = uow.now_ms if row is None else row.told_ms
    due = next_ms(person, minute, uow.now_ms if row is None else max(uow.now_ms, row.told_ms + _APART_MS))
    if row is None:
        tx.add(DailyLetter, person_id=person.id, minute=minute, due_ms=due, told_ms=told)
    else:
        tx.set(DailyLetter, row.id, minute=minute, due_ms=due)
    uow.wakes.add("clock")
    return tx.one(DailyLetter, person_id=person.id)


def reschedule_digest(uow: UnitOfWork, person_id: PersonId | None) -> None:
    """Somebody lives in another zone now: their hour is another moment."""
    row, person = uow.tx.one(DailyLetter, person_id=person_id), uow.tx.get(Person, person_id)
    if row is not None and person is not None:
        set_hour(uow, person, row.minute)


def put_right(uow: UnitOfWork, never: Sequence[Span]) -> None:
    """The clock was ahead: letters come on the next day again, and not when it will be as late as it said."""
    for row in uow.tx.all(DailyLetter, order="id"):
        person = uow.tx.get(Person, row.person_id)
        if person is not None and row.told_ms > uow.now_ms:
            due = next_ms(person, row.minute, uow.now_ms)
            uow.tx.set(DailyLetter, row.id, told_ms=uow.now_ms, due_ms=due)
    uow.wakes.add("clock")


def send_daily(uow: UnitOfWork, row: DailyLetter) -> bool:
    """The hour has come: queue the letter and set the next.  False when somebody was quicker."""
    person = uow.tx.get(Person, row.person_id)
    if person is None:
        uow.tx.drop(DailyLetter, person_id=row.person_id)
        return False
    after = next_ms(person, row.minute, uow.now_ms + _APART_MS)
    if not uow.tx.change(DailyLetter, {"id": row.id, "due_ms": row.due_ms}, due_ms=after, told_ms=uow.now_ms):
        return False
    outbox.to_person(
        uow,
        row.person_id,
        DigestFacts(why="daily", after=row.told_ms, minute=row.minute),
        collapse=f"digest:{row.person_id}",
    )
    return True


def held_letters(tx: Tx, row: Outbox, now_ms: int) -> list[Outbox]:
    """The letters that waited together with this one and are better told in one: those of several games, or
    of a person who wants it so; [] else.
    """
    if not _waits(row) or row.person_id is None or not gathered(row):
        return []
    found = [
        one
        for one in tx.all(
            Outbox, channel=row.channel, address=row.address, state=OutboxState.QUEUED, order="id"
        )
        if one.person_id == row.person_id and one.not_before_ms <= now_ms and not one.letter and gathered(one)
    ]
    found = [one for one in found if _waits(one)]
    return found if notes(row).mode == "digest" or len({one.game_id for one in found}) > 1 else []


def _waits(row: Outbox) -> bool:
    """Whether a letter was held back, and nobody waits for it."""
    return bool(notes(row).held) and not read(row, Facts).reply


def gathered(row: Outbox) -> bool:
    """Whether that letter can stand for this one; others leave by themselves, and what confirms an order."""
    unasked = traits(row.kind).unasked
    return unasked is not None and unasked.gathered and not outbox.confirms(row)


def gather(uow: UnitOfWork, rows: Sequence[Outbox]) -> None:
    """One letter in place of all those; what only they could tell goes along."""
    said: list[Notice] = []
    stops: dict[str, Notice] = {}
    taken = []
    for row in rows:
        if uow.tx.change(
            Outbox,
            {"id": row.id, "state": OutboxState.QUEUED, "data": row.data},
            state=OutboxState.DROPPED,
            error=delivery_rules.GATHERED,
        ):
            only = read(row, _Only)
            said += only.notices
            if only.stopped is not None:
                stops[str(row.game_id)] = only.stopped
            taken.append(row)
    first = taken[0] if taken else None
    if first is not None and (said or stops or not just_told(uow, first)):
        outbox.queue(
            uow,
            DigestFacts(why="quiet", after=min(row.created_ms for row in taken), notices=said, stops=stops),
            channel=first.channel,
            address=first.address,
            person_id=first.person_id,
            collapse=f"digest:{first.person_id}",
        )


def just_told(uow: UnitOfWork, row: Outbox) -> bool:
    """Whether the daily letter goes at this very time, for which this one waited: it is one letter, whichever
    of both bells rings first.
    """
    daily = uow.tx.one(DailyLetter, person_id=row.person_id)
    if daily is not None and daily.due_ms <= uow.now_ms:
        send_daily(uow, daily)  # what is queued now folds into it
    return daily is not None and uow.now_ms - _SAME_MS <= daily.told_ms and daily.told_ms > row.created_ms


def digest_contents(
    tx: Tx, words: Words, states: StateCache, person: Person, facts: DigestFacts, now_ms: int
) -> tuple[dict[str, Any], dict[str, int]]:
    """What the letter says, and up to which event each seat (by its number in the store) is told with it.

    No games: there is nothing to say.
    """
    shown: list[dict[str, Any]] = []
    upto: dict[str, int] = {}
    worth = bool(facts.notices)
    found = tx.seats_of(person.id, ALIVE)
    found += [
        (seat, game)
        for seat, game in tx.seats_of(person.id, (GameStatus.OVER,))
        if game.ended_ms >= facts.after and seat.told < game.event_no
    ]
    for seat, game in found:
        if delivery_rules.level_of(person, seat) == "off" and seat.notify:
            continue
        stop = (facts.stops or {}).get(str(game.id))
        one = game_entry(tx, words, states, person, seat, game, stop, now_ms)
        shown.append(one)
        upto[str(seat.id)] = game.event_no
        worth = (
            worth
            or one["asked"]
            or bool(one["news"])
            or (game.status == GameStatus.MUSTERING and not seat.ready)
            or game.status == GameStatus.OVER
        )
    shown.sort(key=lambda one: (not one["asked"], one["due_ms"] or 0, one["number"]))
    return {
        "games": shown if worth else [],
        "hour": "" if facts.minute is UNSET else f"{facts.minute // 60:02}:{facts.minute % 60:02}",
    }, upto


def game_entry(
    tx: Tx,
    words: Words,
    states: StateCache,
    person: Person,
    seat: Seat,
    game: Game,
    stop: Notice | None,
    now_ms: int,
) -> dict[str, Any]:
    """One game, from its seat's own view."""
    one: dict[str, Any] = {
        "number": game.id,
        "tag": f"#{game.id}",
        "edition": game.edition,
        "status": game.status,
        "round": game.round,
        "ready": bool(seat.ready),
        "asked": False,
        "question": "",
        "example": "",
        "due_ms": None,
        "waiting": [],
        "away": [],
        "news": [],
        "more": 0,
        "result": "",
        "stopped": "",
    }
    if not game.snapshot or game.status not in (GameStatus.RUNNING, GameStatus.FROZEN, GameStatus.OVER):
        return one
    seats = tx.all(Seat, game_id=game.id, order="no")
    view = rules.view(states.of(game), seat.no)
    events = [(e.name, json.loads(e.facts)) for e in tx.events_since(game, seat.told, seat.no)]
    lines = words.news(events, person.language, names(seats), seat.no)
    one |= {"news": lines[-_MOST:], "more": max(0, len(lines) - _MOST)}
    if game.status == GameStatus.OVER:
        one["result"] = _result(words, person.language, seats, seat, view["result"])
        return one
    ask = (
        view.get("ask")
        if game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(",")
        else None
    )
    if ask is None:
        waiting = [seats[w["seat"]] for w in view["waiting"]]
        one |= {"waiting": [each.name for each in waiting], "away": _away(game, waiting, now_ms)}
        return one
    due = tx.one(Deadline, game_id=game.id, seat=seat.no, kind=DeadlineKind.ANSWER, done_ms=0)
    one |= {
        "asked": True,
        "question": ask["kind"],
        "example": _example(words.offers(ask, view, person.language)),
        "due_ms": None if due is None else due.due_ms,
    }
    if stop is not None:
        one["stopped"] = stopped(words, Stop(stop.code, stop.facts), view, person.language)
    return one


def _result(words: Words, language: str, seats: list[Seat], seat: Seat, result: Mapping[str, Any]) -> str:
    """Who won, and with how many points."""
    return words.phrase(
        "lines.result",
        language,
        names=names(seats),
        me=seat.no,
        me_seat=seat.no,
        winners=list(result["winners"]),
        points=max(row["score"] for row in result["scores"]),
    )


def _away(game: Game, seats: Sequence[Seat], now_ms: int) -> list[dict[str, Any]]:
    """Those of these seats that are on vacation: name, until_ms."""
    known = clock_state.read_clocks(game).seats
    return [
        {"name": seat.name, "until_ms": end}
        for seat in seats
        if seat.no in known
        for start, end in known[seat.no].vacations
        if start <= now_ms < end
    ]


def _example(offered: list[dict[str, Any]]) -> str:
    """An order that answers, of those which a question offers."""
    plain = next((one["order"] for one in offered if not one["leads"]), "")
    return str(plain or offered[0]["example"])


def entries(games: Iterable[Mapping[str, Any]], words: Words, language: str) -> list[dict[str, Any]]:
    """An entry for each game that asks: pressed, or its number said, it shows the question."""
    asking = [one for one in games if one["asked"] or (one["status"] == "mustering" and not one["ready"])]
    found = []
    for n, one in enumerate(asking, 1):
        order = f"status {one['tag']}"
        label = words.phrase("button-show", language, tag=one["tag"])
        found.append({"n": n, "order": order, "mailto": words.mailto(order, order), "label": label})
    return found
