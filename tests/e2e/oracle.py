"""The referee that is never killed: the inbox worked off once and in order, by the desk's own pure half
(reading and playing, no store).

Of the moves only whether one may be taken back is believed; which of them is taken back by an `undo` is
reckoned here. Of words that answer an older letter only whether they were heard is believed. A bare number
is about the last letter that had reached its writer, and nothing is done where what is asked now had not.
Where two may have been that one, since nobody wrote down when a letter left, the journal is believed as far
as it says what follows from one of them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee import rules
from referee.ports import Inbound, What
from referee.service.core import tokens
from referee.service.core.letters import numbered
from referee.service.core.outbox import UNCOUNTED
from referee.service.inbound.inbox_row import decode
from referee.service.play import bot_turns, moves, stepwise
from referee.service.play.commands import by_letter
from referee.store import Address, Game, Inbox, Journal, Outbox, Seat, Tx
from referee.text import Intent, Reading, Words, as_number, read_intent
from tests.e2e.history import dealt

#: what stands on the buttons that are read back
WORDS = Words()


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
    """What a referee that was never killed would have written: `lines` by game; `withdrawn`, the questions
    (game, number) that an undo took off the table, with its message; `in_vain`, how often each person's undo
    came too late; `unclear`, how many numbers meant different orders in two letters that may have been the
    last.
    """

    lines: dict[int, list[Line]] = field(default_factory=lambda: defaultdict(list))
    withdrawn: dict[tuple[int, int], Inbox] = field(default_factory=dict)
    in_vain: Counter[int] = field(default_factory=Counter)
    unclear: int = 0


def expectation(tx: Tx) -> Book:
    """The inbox, worked off once and in order: that in which it was handled.

    Of one process that is the order in which it came; several, of which one handles what another has written
    down, keep to each sender's.
    """
    tables = {int(game.id or 0): _Table(tx, game) for game in tx.all(Game) if game.snapshot}
    people = {(a.channel, a.address): a.person_id for a in tx.all(Address)}
    book, shelf = Book(), _shelf(tx)
    written: dict[int, list[str]] = defaultdict(list)
    for move in tx.all(Journal, order="game_id,no"):
        written[move.inbox_id or 0].append(move.order)
    for row in sorted(tx.all(Inbox, order="id"), key=lambda row: row.done_ms):
        came = decode(row.body)
        for one in tables.values():  # a first game begins without anybody's being ready
            one.begun |= 0 < one.started_ms < row.done_ms
        asked = _wished(tx, came)
        if asked is None or asked[0] not in tables:
            continue
        game, intent, letter = asked
        if (came.channel, came.address) not in people:  # a stranger, of whom nothing is kept
            continue
        table = tables[game]
        if not table.begun and row.done_ms == table.started_ms:
            table.begun = (
                True  # this one was the last to be ready, in whatever words: ready, 1, a button's label
            )
            continue
        asking = letter is not None and letter.kind in ("prompt", "reminder") and letter.game_id == game
        if intent.kind == "orders":
            chunks = table.numbered(intent.args["chunks"])
            number, sent = letter is None and by_letter(chunks[0]), shelf[came.channel, came.address]
            shown = _perhaps_read(sent, row.done_ms) if number else (letter,)
            late = table.late(letter.question if letter is not None and asking else 0)
            if late and (came.what is What.BUTTON or any(by_letter(one) for one in chunks)):
                continue  # of a question that is gone; a number means that letter's
            ways = table.take(people[came.channel, came.address], chunks, shown)
            ways += _asked_back(table, sent, row.done_ms) if number and came.channel not in UNCOUNTED else []
            if late:  # words are played, or asked back: that depends on what had arrived by then
                ways.insert(0, moves.OrderAttempt(table.state))
            book.unclear += len(ways) > 1 and not late
            way = next(
                (one for one in ways if [step.order for step in one.steps] == written[int(row.id or 0)]),
                ways[0],
            )
            table.write(way, int(row.id or 0))
        elif intent.kind == "undo":
            who = people[came.channel, came.address]
            gone = table.take_back(who)
            if gone:
                book.withdrawn[game, gone] = row
            else:
                book.in_vain[who] += 1
    book.lines |= {number: table.lines for number, table in tables.items()}
    return book


class _Table:
    """One game as the oracle plays it.

    `held` are the lines that may still be taken back, with the position before each.
    """

    def __init__(self, tx: Tx, game: Game) -> None:
        self.game = int(game.id or 0)
        self.started_ms = game.started_ms
        self.begun = False
        self.seats = tx.all(Seat, game_id=game.id, order="no")
        self.lines: list[Line] = []
        self.held: list[tuple[int, rules.State]] = []
        self.state = dealt(tx, self.game)
        first = moves.OrderAttempt(self.state)
        bot_turns.let_bots(first, self.seats)
        self.write(first, None)

    def late(self, question: int) -> bool:
        """Whether a letter with that question (0: with none) asked what is gone."""
        waiting = rules.asks(self.state)
        return bool(waiting) and question not in (0, waiting[0].number)

    def take(
        self, person: int, chunks: tuple[str, ...], shown: Sequence[Outbox | None]
    ) -> list[moves.OrderAttempt]:
        """What an order leads to for somebody who had one of these letters before them: one attempt for each
        different outcome. Refused before the game, without a move where it opens a step, else played as far
        as it goes.
        """
        seat = self._seat(person)
        waiting = rules.asks(self.state)
        nothing = moves.OrderAttempt(self.state)
        if seat is None or not waiting or not self.begun:
            return [nothing]
        ask = next((one for one in waiting if one.seat == seat), None) if len(chunks) == 1 else None
        table = Game(id=self.game, question=waiting[0].number, creator_id=0)
        found: dict[tuple[str, ...], moves.OrderAttempt] = {}
        for orders, path in dict.fromkeys(stepwise.read_by(letter, table, chunks) for letter in shown):
            opens = (
                ask is not None
                and stepwise.leads(ask, orders[0], [s.name for s in self.seats], path) is not None
            )
            way = (
                nothing
                if opens
                else moves.attempt(
                    self.state, self.seats, seat, orders, moves.Hearing(words=WORDS, path=path)
                )
            )
            found.setdefault(tuple(step.order for step in way.steps), way)
        return list(found.values())

    def numbered(self, chunks: Sequence[str]) -> tuple[str, ...]:
        """A message's orders, the first in digits where it is the number of an option."""
        return (as_number(chunks[0], Reading(names=[s.name for s in self.seats])), *chunks[1:])

    def take_back(self, person: int) -> int:
        """An undo: the last order, if it was this person's and nothing was revealed and nobody else asked
        since. The question that is gone with it, 0 if the undo came too late.
        """
        if not self.held or self.lines[self.held[-1][0]].seat != self._seat(person):
            return 0
        at, before = self.held.pop()
        self.lines[at] = self.lines[at]._replace(undone=1)
        gone = rules.asks(self.state)[0].number
        self.state = rules.asked_anew(before, gone + 1)
        return gone

    def _seat(self, person: int) -> int | None:
        return next((s.no for s in self.seats if s.person_id == person), None)

    def write(self, done: moves.OrderAttempt, inbox: int | None) -> None:
        for step in done.steps:
            if step.outcome.undoable and step.by == "person":
                self.held.append((len(self.lines), self.state))
            else:
                self.held = []
            self.lines.append(Line(self.game, step.seat, step.question, step.order, step.by, inbox))
            self.state = step.outcome.state


def _wished(tx: Tx, came: Inbound) -> tuple[int, Intent, Outbox | None] | None:
    """(game, wish, letter that was answered) of a message; None if it does not say which table it means."""
    letter = _answered(tx, came)
    text = came.text
    if came.what is What.BUTTON:
        if letter is None:
            return None
        text = {b["key"]: b["order"] for row in json.loads(letter.letter)["buttons"] for b in row}[
            came.payload
        ]
    intent = read_intent(text, Reading(), private=True)
    if not isinstance(intent, Intent):
        return None
    game = intent.game if intent.game is not None else None if letter is None else letter.game_id
    return None if game is None else (game, intent, letter)


def _shelf(tx: Tx) -> dict[tuple[str, str], list[Outbox]]:
    """Every letter whose entries have numbers, by where it went, the oldest first."""
    found: dict[tuple[str, str], list[Outbox]] = defaultdict(list)
    for row in tx.all(Outbox, kind=numbered(), order="id"):
        if row.letter:
            found[row.channel, row.address].append(row)
    return found


def _perhaps_read(shelf: Sequence[Outbox], at_ms: int) -> list[Outbox | None]:
    """The letters of which each may have been the last that had left by then: one that had certainly left,
    and all younger ones that were wanted by then and are not known to have left later than that (those that
    were worded are; when, nobody knows).
    """
    found: list[Outbox | None] = []
    for row in reversed(shelf):
        if row.created_ms <= at_ms:
            found.append(row)
        if row.state == "sent" and row.sent_ms < at_ms:
            return found
    return [*found, None]


def _asked_back(table: _Table, shelf: Sequence[Outbox], at_ms: int) -> list[moves.OrderAttempt]:
    """What else may become of a bare number: nothing, where what is asked at that table may not have reached
    its player by then, though something else did.
    """
    mine = [one for one in shelf if one.game_id == table.game and one.question]
    unread = any(one is not None and table.late(one.question) for one in _perhaps_read(mine, at_ms))
    return [moves.OrderAttempt(table.state)] if unread else []


def _answered(tx: Tx, came: Inbound) -> Outbox | None:
    """The letter that a message answers: by its button, by its token, or by the message replied to."""
    key = tokens.secret(tx)
    if came.what is What.BUTTON:
        pressed = tokens.button_of(key, came.payload)
        return tx.get(Outbox, pressed[0]) if pressed else None
    if came.token:
        return tx.get(Outbox, tokens.letter_of(key, came.token))
    return tx.one(Outbox, channel=came.channel, wire_id=came.thread) if came.thread else None
