"""One game looked through: whether what the database says of it fits together, from the seed to the open
question.

Nothing is changed. A live game that passes can be played on: its state loads, its journal leads from the deal
to that state, its record reads back, each seat that is asked has a person and a deadline, or stands still
for a reason.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee import rules
from referee.ids import NO_GAME, GameId, SeatNo
from referee.plans import PlanError
from referee.plans import load as load_plan
from referee.policy import PolicyError
from referee.rules import AuditError, Refusal, SetupError, StateError, audit, chance, record
from referee.states import ALIVE, DeadlineKind, GameStatus
from referee.store import (
    DamagedPack,
    Game,
    GameEvent,
    Journal,
    PackedGame,
    Person,
    Seat,
    SeatPlan,
    Tx,
    Undo,
    sound,
)

from ..core.unit_of_work import UnitOfWork, encoded, settings_of, setup_of
from ..deadlines import bot_questions, clock_state
from ..play import records, rulings

#: games that go on, or are to begin
LIVE = ALIVE
#: of these there is a position
DEALT = (GameStatus.RUNNING, GameStatus.FROZEN)


class AuditFlaw(NamedTuple):
    """What does not fit.

    `code` names the sentence for the admin; `why` says where, for anyone who mends it, and never what cards
    or orders are there: anyone who reads it may play.
    """

    game: GameId
    code: str
    why: str = ""


def flaws(uow: UnitOfWork, number: GameId, *, finished: bool = False) -> list[AuditFlaw]:
    """What is wrong with a game; [] for a sound one, and for one that is over. `finished`: these are looked
    through as well, played again from their records.
    """
    game = uow.tx.get(Game, number)
    if game is None:
        return []
    try:
        found = _found(uow, game) if game.status in LIVE else _over(uow, game) if finished else ()
        return [AuditFlaw(number, code, why) for code, why in found]
    except DamagedPack:
        return [AuditFlaw(number, "pack")]
    except Exception as error:
        # whatever breaks over one game, it is a finding, and the others are looked at, too
        return [AuditFlaw(number, "broken", where(error))]


def damaged(tx: Tx, after: GameId, most: int) -> tuple[list[AuditFlaw], GameId]:
    """Packs of the next games behind this one whose checksum does not fit, and how far it got (0: all)."""
    rows = tx.all(PackedGame, after={"game_id": after}, order="game_id", limit=most)
    found = [AuditFlaw(row.game_id, "pack") for row in rows if not sound(row.data)]
    return found, rows[-1].game_id if len(rows) == most else NO_GAME


def where(error: Exception) -> str:
    """What broke and where, without what it says: that may be hidden from who reads it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}, {Path(last.filename).name}:{last.lineno}"


def _over(uow: UnitOfWork, game: Game) -> Iterator[tuple[str, str]]:
    """Whether the record of a game that was played to its end verifies, and leads to the result that stands
    in the book.
    """
    if game.status != GameStatus.OVER:
        return
    state = rules.load(json.loads(game.snapshot))
    seats = uow.seats(game.id)
    yield from _played(game, seats, uow.tx.standing_orders(game), state)
    try:
        record.verify(records.record_text(uow.tx, game.id))
    except record.RecordError as error:
        yield "record", f"line {error.line}"


def _found(uow: UnitOfWork, game: Game) -> Iterator[tuple[str, str]]:
    tx = uow.tx
    seats = tx.all(Seat, game_id=game.id, order="no")
    people = [seat.person_id for seat in seats if seat.person_id is not None]
    if [seat.no for seat in seats] != list(range(len(seats))) or len(set(people)) != len(people):
        yield "seats", ""
    if len(tx.all(Person, id=tuple(people))) != len(people):
        yield "people", ""
    if game.seed_hash and game.seed and game.seed_hash != chance.commit(bytes.fromhex(game.seed)):
        yield "seed", ""
    if game.status in DEALT:
        yield from _dealt(uow, game, seats)


def _dealt(uow: UnitOfWork, game: Game, seats: list[Seat]) -> Iterator[tuple[str, str]]:
    tx = uow.tx
    try:
        state = rules.load(json.loads(game.snapshot))
    except (StateError, ValueError) as error:
        yield "state", error.code if isinstance(error, StateError) else ""
        return
    try:
        audit(state)
    except AuditError as error:
        yield "rules", error.code
    lines = tx.all(Journal, game_id=game.id, undone=0, order="no")
    yield from _played(game, seats, lines, state)
    yield from _numbers(tx, game, seats)
    yield from _asked(uow, game, seats, state)
    for row in tx.all(SeatPlan, game_id=game.id):
        try:
            load_plan(json.loads(row.data))
        except (PlanError, ValueError):
            yield "plan", f"seat {row.seat}"  # what somebody plans is nobody's business
    for old in tx.all(Undo, game_id=game.id):
        try:
            rules.load(json.loads(old.snapshot))
        except (StateError, ValueError):
            yield "undo", f"order {old.no}"


def _played(game: Game, seats: list[Seat], lines: list[Journal], state: Any) -> Iterator[tuple[str, str]]:
    """Whether the journal leads from the seed to the state, and whether it makes a record that reads back."""
    setup, words = setup_of(game, seats), [seat.word for seat in seats]
    seed = bytes.fromhex(game.seed)
    entries: list[record.Entry] = []
    try:
        now = rules.new_game(setup, chance.mix(seed, words)).state
        for one in rulings.orders(game, seats, lines):
            if isinstance(one, record.Ruled):
                now = rules.ruled(now, one.ruling).state
            else:
                entries.append(record.Entry(*one, now.round))
                now = rules.play(now, *one).state
    except (Refusal, SetupError) as error:
        failed = max(0, len(entries) - 1)
        yield "journal", f"about order {lines[failed].no}, {error.code}" if lines else error.code
        return
    if encoded(rules.as_kept(now, state)) != encoded(state):
        yield "replay", ""
    made = record.Record(
        setup,
        chance.commit(seed),
        tuple(words),
        tuple(entries),
        choice=settings_of(game).get("choice") or None,
    )
    try:
        if [(one.seat, one.move) for one in record.read(record.write(made)).entries] != [
            (one.seat, one.move) for one in entries
        ]:
            yield "record", ""
    except record.RecordError as error:
        yield "record", f"line {error.line}"


def _numbers(tx: Tx, game: Game, seats: list[Seat]) -> Iterator[tuple[str, str]]:
    """Whether the last numbers used are those that the game's row says."""
    last_line = tx.all(Journal, game_id=game.id, order="-no", limit=1)
    last_event = tx.all(GameEvent, game_id=game.id, order="-no", limit=1)
    if (last_line and last_line[0].no > game.move_no) or (last_event and last_event[0].no > game.event_no):
        yield "numbers", ""
    if any(seat.told > game.event_no for seat in seats):
        yield "told", ""


def _asked(uow: UnitOfWork, game: Game, seats: list[Seat], state: Any) -> Iterator[tuple[str, str]]:
    """Whether those are asked whom the rules ask, and each has a deadline, or stands still for a reason."""
    waiting = rules.asks(state)
    asked = [SeatNo(int(no)) for no in game.asked.split(",") if no]
    if sorted(asked) != sorted(one.seat for one in waiting) or not waiting:
        yield "asked", ""
        return
    if game.question != waiting[0].number:
        yield "question", f"{game.question}, {waiting[0].number}"
    if game.status != GameStatus.RUNNING:
        return  # it stands still until an admin lets it go on
    try:
        policy = clock_state.policy_of(game)
    except PolicyError as error:
        yield "policy", str(error)
        return
    tx = uow.tx
    table, rows = clock_state.known(uow, game), clock_state.running(uow, game.id)
    answers = {row.seat for row in rows if row.kind == DeadlineKind.ANSWER}
    nobody_waits = clock_state.when_away(game, seats) is clock_state.WhenAway.STAYS
    bots = {row.seat for row in rows if row.kind in bot_questions.KINDS and row.question == game.question}
    for no in asked:
        if seats[no].bot:
            if no not in bots:
                yield "deadline", f"seat {no}"
            continue
        if nobody_waits:
            continue
        person = None if seats[no].person_id is None else tx.get(Person, seats[no].person_id)
        rings = [kind for kind, _ in clock_state.rings(policy, table, table.seat(no), person, uow.now_ms)]
        if "answer" in rings and no not in answers:
            yield "deadline", f"seat {no}"
