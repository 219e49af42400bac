"""The reckoning after the kills: what was said against what is written, row by row.

The oracle is the desk's own pure half (reading and playing, no store): a referee that was never killed would
have worked the inbox off in its order, so the journal must be exactly what that gives.  Whatever a crash loses,
doubles or tears shows as a difference.  Of the moves only whether one may be taken back is believed; which of them is taken
back by an `undo` is reckoned here.
"""
from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee import rules
from referee.ports import Inbound, What
from referee.rules import record
from referee.service import moves, tokens
from referee.service.desk import decode
from referee.service.office import record_text
from referee.store import Address, Alert, Deadline, Game, GameEvent, Inbox, Journal, Outbox, Seat, Tx
from referee.text import Reading, Wish, read_wish
from tests.e2e.history import dealt

#: a letter may be this long under way, from its last look at the table to its reader's wire (milliseconds, on a busy machine)
UNDER_WAY_MS = 3_000


class Line(NamedTuple):
    """One line of the journal, without its clock."""

    game: int
    seat: int
    question: int
    order: str
    by: str
    inbox: int | None
    undone: int = 0


@dataclass
class Book:
    """What a referee that was never killed would have written: `lines` by game; `withdrawn`, the questions (game, number) that an
    undo took off the table, with its message; `in_vain`, how often each person's undo came too late."""

    lines: dict[int, list[Line]] = field(default_factory=lambda: defaultdict(list))
    withdrawn: dict[tuple[int, int], Inbox] = field(default_factory=dict)
    in_vain: Counter[int] = field(default_factory=Counter)


class Arrival(NamedTuple):
    """A letter's first arrival at its reader."""

    letter: int
    at_ms: int


def everything_heard(tx: Tx, channel: str, keys: Iterable[str]) -> list[str]:
    """Faults: messages that a transport delivered and that are not in the inbox, or not done.  A mail's key is its Message-ID
    and more."""
    rows = {row.key.rpartition(":")[0] if channel == "mail" else row.key: row.state for row in tx.all(Inbox, channel=channel)}
    return [f"{channel} {key}: {rows.get(key, 'lost')}" for key in keys if rows.get(key) != "done"]


def left_behind(tx: Tx) -> list[str]:
    """Faults: work that nobody will do, or that broke."""
    faults = [f"inbox {row.id} {row.state} after {row.tries} tries: {row.error}" for row in tx.all(Inbox) if row.state != "done" or row.tries]
    faults += [f"outbox {row.id} {row.kind} {row.channel} {row.state}: {row.error}" for row in tx.all(Outbox)
               if row.state in ("sending", "failed") or (row.state == "unknown" and row.channel != "telegram")]
    faults += [f"alert {row.code} {row.facts}" for row in tx.all(Alert)]
    for game in tx.all(Game):
        due = {d.seat for d in tx.all(Deadline, game_id=game.id, kind="answer", done_ms=0)}
        asked = {int(seat) for seat in game.asked.split(",") if seat} if game.status == "running" else set()
        if due != asked or game.status == "frozen":
            faults.append(f"game {game.id} {game.status}: deadlines for {due}, asked {asked}")
    return faults


def differences(tx: Tx) -> list[str]:
    """Faults: where the journal is not what the inbox, worked off once and in order, leads to."""
    written = [Line(m.game_id, m.seat, m.question, m.order, m.by, m.inbox_id, m.undone) for m in tx.all(Journal, order="game_id,no")]
    expected = expectation(tx).lines
    faults = []
    for game in {line.game for line in written} | expected.keys():
        mine = [line for line in written if line.game == game]
        at = next((n for n, (a, b) in enumerate(zip(mine, expected[game], strict=False)) if a != b), min(len(mine), len(expected[game])))
        if mine != expected[game]:
            faults.append(f"game {game}, line {at + 1}: written {mine[at:at + 2]}, expected {expected[game][at:at + 2]}")
    return faults


def taken_back(tx: Tx) -> tuple[int, list[str]]:
    """How many orders were taken back, and the faults: undos of which whoever wrote them, or the table, was not told."""
    book, faults = expectation(tx), []
    undone = [line for lines in book.lines.values() for line in lines if line.undone]
    told: Counter[tuple[int, int, str]] = Counter()
    refused: Counter[int] = Counter()
    for row in tx.all(Outbox, kind=("prompt", "notice")):
        data = json.loads(row.data)
        for echo in data.get("echo", ()):
            if "undone" in echo:
                told[int(row.game_id or 0), int(row.seat or 0), echo["order"]] += 1
        refused[int(row.person_id or 0)] += sum(one["code"] == "cannot-undo" for one in data.get("notices", ()))
    wanted = Counter((line.game, line.seat, line.order) for line in undone)
    # a letter that may have got lost is written twice, so that it may be told more often than it happened
    faults += [f"taken back {wanted[one]} times, told {told[one]} times: {one}" for one in wanted.keys() | told.keys()
               if told[one] < wanted[one] or not wanted[one]]
    faults += [f"person {who}: {book.in_vain[who]} undos in vain, {refused[who]} refused" for who in book.in_vain.keys() | refused.keys()
               if book.in_vain[who] != refused[who]]
    events = Counter(event.game_id for event in tx.all(GameEvent, name="undone"))
    by_game = Counter(line.game for line in undone)
    faults += [f"game {game}: {by_game[game]} undone, the table heard of {events[game]}" for game in events.keys() | by_game.keys()
               if events[game] != by_game[game]]
    return len(undone), faults


def expectation(tx: Tx) -> Book:
    """The inbox, worked off once and in order."""
    tables = {int(game.id or 0): _Table(tx, game) for game in tx.all(Game) if game.snapshot}
    people = {(a.channel, a.address): a.person_id for a in tx.all(Address)}
    book = Book()
    for row in tx.all(Inbox, order="id"):
        came = decode(row.body)
        asked = _wished(tx, came)
        if asked is None or asked[0] not in tables:
            continue
        game, wish, question = asked
        table = tables[game]
        if wish.kind == "orders":
            table.take(people[came.channel, came.address], tuple(wish.args["chunks"]), question, int(row.id or 0))
        elif wish.kind == "undo":
            who = people[came.channel, came.address]
            gone = table.take_back(who)
            if gone:
                book.withdrawn[game, gone] = row
            else:
                book.in_vain[who] += 1
        elif wish.kind == "ready" and row.done_ms == table.started_ms:
            table.begun = True                    # this one was the last to be ready
    book.lines |= {number: table.lines for number, table in tables.items()}
    return book


class _Table:
    """One game as the oracle plays it.  `held` are the lines that may still be taken back, with the position before each."""

    def __init__(self, tx: Tx, game: Game) -> None:
        self.game = int(game.id or 0)
        self.started_ms = game.started_ms
        self.begun = False
        self.seats = tx.all(Seat, game_id=game.id, order="no")
        self.lines: list[Line] = []
        self.held: list[tuple[int, rules.State]] = []
        self.state = dealt(tx, self.game)
        first = moves.Attempt(self.state)
        moves.let_bots(first, self.seats)
        self._write(first, None)

    def take(self, person: int, chunks: tuple[str, ...], question: int, inbox: int) -> None:
        """An order: refused before the game and for a question that is gone, else played as far as it goes."""
        seat = self._seat(person)
        waiting = rules.asks(self.state)
        if seat is None or not waiting or not self.begun or question not in (0, waiting[0].number):
            return
        self._write(moves.attempt(self.state, self.seats, seat, chunks, "en"), inbox)

    def take_back(self, person: int) -> int:
        """An undo: the last order, if it was this person's and nothing was revealed and nobody else asked since.  The question
        that is gone with it, 0 if the undo came too late."""
        if not self.held or self.lines[self.held[-1][0]].seat != self._seat(person):
            return 0
        at, before = self.held.pop()
        self.lines[at] = self.lines[at]._replace(undone=1)
        gone = rules.asks(self.state)[0].number
        self.state = rules.asked_anew(before, gone + 1)
        return gone

    def _seat(self, person: int) -> int | None:
        return next((s.no for s in self.seats if s.person_id == person), None)

    def _write(self, done: moves.Attempt, inbox: int | None) -> None:
        for step in done.steps:
            if step.outcome.undoable and step.by == "person":
                self.held.append((len(self.lines), self.state))
            else:
                self.held = []
            self.lines.append(Line(self.game, step.seat, step.question, step.order, step.by, inbox))
            self.state = step.outcome.state


def _wished(tx: Tx, came: Inbound) -> tuple[int, Wish, int] | None:
    """(game, wish, question that was answered or 0) of a message; None if it does not say which table it means."""
    letter = _answered(tx, came)
    text = came.text
    if came.what is What.BUTTON:
        if letter is None:
            return None
        text = {b["key"]: b["order"] for row in json.loads(letter.letter)["buttons"] for b in row}[came.payload]
    wish = read_wish(text, Reading(), private=True)
    if not isinstance(wish, Wish):
        return None
    game = wish.game if wish.game is not None else None if letter is None else letter.game_id
    asking = letter is not None and letter.kind in ("prompt", "reminder") and letter.game_id == game
    return None if game is None else (game, wish, letter.question if letter is not None and asking else 0)


def _answered(tx: Tx, came: Inbound) -> Outbox | None:
    """The letter that a message answers: by its button, by its token, or by the message replied to."""
    key = tokens.secret(tx)
    if came.what is What.BUTTON:
        pressed = tokens.button_of(key, came.payload)
        return tx.get(Outbox, pressed[0]) if pressed else None
    if came.token:
        return tx.get(Outbox, tokens.letter_of(key, came.token))
    return tx.one(Outbox, channel=came.channel, wire_id=came.thread) if came.thread else None


def unverified(tx: Tx) -> tuple[int, list[str]]:
    """How many finished games' records hold, and the faults of those that don't."""
    faults = []
    games = tx.all(Game, status="over")
    for game in games:
        try:
            if not record.verify(record_text(tx, int(game.id or 0))).replayed:
                faults.append(f"game {game.id}: not replayed")
        except record.RecordError as wrong:
            faults.append(f"game {game.id}: {wrong}")
    return len(games) - len(faults), faults


def for_nothing(tx: Tx, arrivals: Iterable[Arrival], begun: list[int]) -> tuple[int, list[str]]:
    """How many letters that ask something arrived, and the faults: those whose sending began when their question was gone.

    When sending began is not written down.  It was not before the process began that sent the letter, and not
    long before the arrival.  `begun` are the processes' beginnings in wall milliseconds."""
    answered = {question: undo.done_ms for question, undo in expectation(tx).withdrawn.items()}
    for move in tx.all(Journal, order="game_id,no"):
        answered.setdefault((move.game_id, move.question), move.at_ms)
    letters: Mapping[int, Outbox] = {int(row.id or 0): row for row in tx.all(Outbox, kind=("prompt", "reminder"))}
    faults, asking = [], 0
    for arrival in arrivals:
        row = letters.get(arrival.letter)
        if row is None or not row.question or row.game_id is None or _talks(json.loads(row.data)):
            continue
        asking += 1
        gone = answered.get((row.game_id, row.question))
        process = max((at for at in begun if at <= arrival.at_ms), default=0)
        if gone is not None and (gone < process or gone < arrival.at_ms - UNDER_WAY_MS):
            faults.append(f"letter {row.id} ({row.channel}, tries {row.tries}) asked {row.question} of game {row.game_id}, answered at {gone}; "
                          f"its process began at {process}, it arrived at {arrival.at_ms}")
    return asking, faults


def _talks(data: dict[str, Any]) -> bool:
    """Whether a letter has something to say besides its question."""
    return bool(data.get("echo") or data.get("trouble"))
