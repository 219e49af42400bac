"""The reckoning after the kills: what was said against what is written, row by row.

The journal must be exactly what a referee that was never killed (`tests.e2e.oracle`) would have written.
Whatever a crash loses, doubles or tears shows as a difference.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from referee.rules import record
from referee.service.deadlines.clock_state import WhenAway, when_away
from referee.service.inbound.inbox_row import decode
from referee.service.play.records import record_text
from referee.store import Alert, Deadline, Game, GameEvent, Inbox, Journal, Outbox, Seat, Tx
from tests.e2e.oracle import Line, expectation

#: a letter may be this long under way, from its last look at the table to its reader's wire (milliseconds, on
#: a busy machine)
UNDER_WAY_MS = 3_000
#: every game is in these all the time
_PLAIN = frozenset({"round", "draft", "call", "turn"})


class Arrival(NamedTuple):
    """A letter's first arrival at its reader."""

    letter: int
    at_ms: int


def everything_heard(tx: Tx, channel: str, keys: Iterable[str]) -> list[str]:
    """Faults: messages that a transport delivered and that are not in the inbox, or not done.

    A mail's key is its Message-ID and more.
    """
    rows = {
        row.key.rpartition(":")[0] if channel == "mail" else row.key: row.state
        for row in tx.all(Inbox, channel=channel)
    }
    return [f"{channel} {key}: {rows.get(key, 'lost')}" for key in keys if rows.get(key) != "done"]


def left_behind(tx: Tx) -> list[str]:
    """Faults: work that nobody will do, or that broke."""
    faults = [
        f"inbox {row.id} {row.state} after {row.tries} tries: {row.error}"
        for row in tx.all(Inbox)
        if row.state != "done" or row.tries
    ]
    faults += [
        f"outbox {row.id} {row.kind} {row.channel} {row.state}: {row.error}"
        for row in tx.all(Outbox)
        if row.state in ("sending", "failed") or (row.state == "unknown" and row.channel != "telegram")
    ]
    # the players are programs, and where one asks the same every second the admin hears of it
    faults += [f"alert {row.code} {row.facts}" for row in tx.all(Alert) if row.code != "machine"]
    for game in tx.all(Game):
        due = {d.seat for d in tx.all(Deadline, game_id=game.id, kind="answer", done_ms=0)}
        timed = game.status == "running" and (
            when_away(game, tx.all(Seat, game_id=game.id)) is not WhenAway.STAYS
        )
        asked = {int(seat) for seat in game.asked.split(",") if seat} if timed else set()
        if due != asked or game.status == "frozen":
            faults.append(f"game {game.id} {game.status}: deadlines for {due}, asked {asked}")
    return faults


def differences(tx: Tx) -> list[str]:
    """Faults: where the journal is not what the inbox, worked off once and in order, leads to."""
    written = [
        Line(m.game_id, m.seat, m.question, m.order, m.by, m.inbox_id, m.undone)
        for m in tx.all(Journal, order="game_id,no")
    ]
    expected = expectation(tx).lines
    faults = []
    for game in {line.game for line in written} | expected.keys():
        mine = [line for line in written if line.game == game]
        at = next(
            (n for n, (a, b) in enumerate(zip(mine, expected[game], strict=False)) if a != b),
            min(len(mine), len(expected[game])),
        )
        if mine != expected[game]:
            here, there = mine[at : at + 2], expected[game][at : at + 2]
            faults.append(
                f"game {game}, line {at + 1}: written {here}, expected {there}; as it was handled: "
                f"{handled(tx, {line.inbox for line in here + there})}"
            )
    return faults


def handled(tx: Tx, numbers: Collection[int | None]) -> list[str]:
    """These messages, and the four before each, in the order in which they were handled: number, millisecond,
    channel, what kind it was, its words, and what was refused or noticed in letters of that millisecond. For
    anyone who looks for the reason of a fault.
    """
    told = defaultdict(list)
    for letter in tx.all(Outbox, order="id"):
        data = json.loads(letter.data)
        told[letter.created_ms] += [
            one["code"] for one in (data.get("trouble"), *data.get("notices", ())) if one
        ]
    rows = sorted(tx.all(Inbox, order="id"), key=lambda row: row.done_ms)
    near = {at - back for at, row in enumerate(rows) if row.id in numbers for back in range(5)}
    lines = []
    for at in sorted(near & set(range(len(rows)))):
        row, came = rows[at], decode(rows[at].body)
        said = f"{row.id} at {row.done_ms} {row.channel} {came.what} {(came.text or came.payload)!r}"
        lines.append(" ".join([said, *told[row.done_ms]]))
    return lines


def taken_back(tx: Tx) -> tuple[int, list[str]]:
    """How many orders were taken back, and the faults: undos of which the person who wrote them, or the
    table, was not told.
    """
    book, faults = expectation(tx), []
    undone = [line for lines in book.lines.values() for line in lines if line.undone]
    told: Counter[tuple[int, int, str]] = Counter()
    refused: Counter[int] = Counter()
    # told that there will be no answers like the last ones, as they wrote the same again and again
    left_alone: set[int] = set()
    for row in tx.all(Outbox, kind=("prompt", "notice")):
        data = json.loads(row.data)
        for echo in data.get("echo", ()):
            if "undone" in echo:
                told[int(row.game_id or 0), int(row.seat or 0), echo["order"]] += 1
        refused[int(row.person_id or 0)] += sum(
            one["code"] == "cannot-undo" for one in data.get("notices", ())
        )
        if any(one["code"] == "going-quiet" for one in data.get("notices", ())):
            left_alone.add(int(row.person_id or 0))
    wanted = Counter((line.game, line.seat, line.order) for line in undone)
    # a letter that may have got lost is written twice, so that it may be told more often than it happened
    faults += [
        f"taken back {wanted[one]} times, told {told[one]} times: {one}"
        for one in wanted.keys() | told.keys()
        if told[one] < wanted[one] or not wanted[one]
    ]
    faults += [
        f"person {who}: {book.in_vain[who]} undos in vain, {refused[who]} refused"
        for who in book.in_vain.keys() | refused.keys()
        if book.in_vain[who] != refused[who] and not (who in left_alone and refused[who] < book.in_vain[who])
    ]
    events = Counter(event.game_id for event in tx.all(GameEvent, name="undone"))
    by_game = Counter(line.game for line in undone)
    faults += [
        f"game {game}: {by_game[game]} undone, the table heard of {events[game]}"
        for game in events.keys() | by_game.keys()
        if events[game] != by_game[game]
    ]
    return len(undone), faults


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


def under_way(tx: Tx) -> Counter[str]:
    """The frames of all running games that stand between two words of a turn: a bribe, a warrant, a card
    owed, a build …
    """
    return Counter(
        kind
        for game in tx.all(Game, status="running")
        for kind, _ in json.loads(game.snapshot)["stack"]
        if kind not in _PLAIN
    )


def played(tx: Tx) -> tuple[Counter[str], Counter[str], int]:
    """How many games of each edition were dealt, the verbs of what people ordered in them, and how many of
    their numbers could be read in two ways.
    """
    games = tx.all(Game)
    return (
        Counter(game.edition for game in games if game.snapshot),
        Counter(move.order.partition(" ")[0] for move in tx.all(Journal, by="person")),
        expectation(tx).unclear,
    )


def for_nothing(tx: Tx, arrivals: Iterable[Arrival], begun: list[int]) -> tuple[int, list[str]]:
    """How many letters that ask something arrived, and the faults: those whose sending began when their
    question was gone.

    When sending began is not written down.  It was not before the process began that sent the letter, and not
    long before the arrival.  `begun` are the processes' beginnings in wall milliseconds.
    """
    answered = {question: undo.done_ms for question, undo in expectation(tx).withdrawn.items()}
    for move in tx.all(Journal, order="game_id,no"):
        answered.setdefault((move.game_id, move.question), move.at_ms)
    letters: Mapping[int, Outbox] = {
        int(row.id or 0): row for row in tx.all(Outbox, kind=("prompt", "reminder"))
    }
    faults, asking = [], 0
    for arrival in arrivals:
        row = letters.get(arrival.letter)
        if row is None or not row.question or row.game_id is None or _talks(json.loads(row.data)):
            continue
        asking += 1
        gone = answered.get((row.game_id, row.question))
        process = max((at for at in begun if at <= arrival.at_ms), default=0)
        if gone is not None and (gone < process or gone < arrival.at_ms - UNDER_WAY_MS):
            faults.append(
                f"letter {row.id} ({row.channel}, tries {row.tries}) asked {row.question} of "
                f"game {row.game_id}, answered at {gone}; "
                f"its process began at {process}, it arrived at {arrival.at_ms}"
            )
    return asking, faults


def _talks(data: dict[str, Any]) -> bool:
    """Whether a letter has something to say besides its question."""
    return bool(data.get("echo") or data.get("trouble"))
