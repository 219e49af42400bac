"""The reckoning itself: it finds nothing in an honest book, and something in every book that was tampered
with.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.ports import Letter
from referee.store import Alert, Deadline, Game, GameEvent, Inbox, Journal, Outbox, Seat, Store, Tx
from tests.e2e import ledger, oracle, sealed
from tests.e2e.ledger import Arrival
from tests.service.conftest import the_same_games_each_time
from tests.service.playing import asked, legal, table
from tests.service.rig import House

__all__ = [
    "the_same_games_each_time"
]  # found by its name: in some games there is little to take back too late
PEOPLE = ["terminal:ana", "telegram:bea"]


class Tampered(Exception):
    """Carries the faults out of a transaction that must not stay."""


def faults_after(store: Store, tamper: Callable[[Tx], object], check: Callable[[Tx], list[str]]) -> list[str]:
    def job(tx: Tx) -> None:
        assert tamper(tx)
        raise Tampered(check(tx))

    with pytest.raises(Tampered) as caught:
        store.write_now(job)
    found: list[str] = caught.value.args[0]
    return found


def undo(tx: Tx) -> int:
    """The message that took an order back."""
    return int(next(iter(oracle.expectation(tx).withdrawn.values())).id or 0)


class Played(NamedTuple):
    """A game's book, and what Ana was sent."""

    store: Store
    ana: list[Letter]


#: the book of the game and Ana's letters, when it has been played: no check leaves anything behind
_once: list[tuple[bytes, list[Letter]]] = []


async def forty_orders(path: Path) -> list[Letter]:
    """Forty orders of a game: every other one of Bea's by a button; some are taken back, for others it is too
    late. What Ana was sent.
    """
    house = await House(path).open()
    game = await table(house, PEOPLE)
    for number in range(40):
        who, order = PEOPLE[asked(house, game)], legal(house, game)[0]
        if who.startswith("telegram") and number % 2:
            await house.press(who, house.key(who, order))
        else:
            await house.say(who, f"#{game} {order}", key=f"said{number}")
        if number > 5 and number % 3 == 0:
            await house.say(who, f"undo #{game}", key=f"undo{number}")
    await house.close()
    return house.letters("terminal:ana")


@pytest.fixture
async def played(tmp_path: Path) -> AsyncIterator[Played]:
    """The game, played once in a process, in a book of the test's own."""
    book = tmp_path / "book.db"
    if not _once:
        ana = await forty_orders(book)
        _once.append((book.read_bytes(), ana))
    whole, ana = _once[0]
    book.write_bytes(whole)
    store = Store.open(f"sqlite:///{book}", durable=False)
    yield Played(store, ana)
    await store.close()


async def test_an_honest_book(played: Played) -> None:
    read = played.store.read_now
    assert read(lambda tx: tx.count(Journal)) >= 30
    assert read(lambda tx: sum(m.inbox_id is not None for m in tx.all(Journal))) >= 30
    assert not read(ledger.differences)
    assert not read(ledger.left_behind)
    undone, untold = read(ledger.taken_back)
    assert not untold
    assert undone > 2
    assert read(lambda tx: sum(oracle.expectation(tx).in_vain.values())) > 2
    assert not read(
        lambda tx: ledger.everything_heard(
            tx, "terminal", [row.key for row in tx.all(Inbox, channel="terminal")]
        )
    )


@pytest.mark.parametrize(
    "tamper",
    [
        lambda tx: tx.drop(Journal, no=tx.count(Journal)),
        lambda tx: tx.change(Journal, {"no": 7}, order="pick Nobody"),
        lambda tx: tx.add(
            Journal, game_id=1, no=1000, seat=0, question=1, order="end", by="person", inbox_id=9, at_ms=0
        ),
        lambda tx: tx.change(
            Inbox, {"key": "said4"}, body=tx.one(Inbox, key="said4").body.replace(b"#1 ", b"#9 ")
        ),
        lambda tx: tx.drop(Inbox, key="said4"),
        lambda tx: tx.change(Journal, {"no": tx.one(Journal, undone=1).no}, undone=0),
        lambda tx: tx.set(Journal, tx.all(Journal, undone=0)[7].id, undone=1) or True,
        lambda tx: tx.drop(Inbox, id=undo(tx)),
        lambda tx: (
            tx.set(Inbox, undo(tx), body=tx.get(Inbox, undo(tx)).body.replace(b"undo #1", b"hello")) or True
        ),
    ],
    ids=[
        "an order lost",
        "an order changed",
        "an order doubled",
        "a message never said",
        "a message lost",
        "an undo lost",
        "an undo that nobody said",
        "an undo's message lost",
        "an undo's message changed",
    ],
)
async def test_a_journal_that_does_not_follow_from_the_inbox(
    played: Played, tamper: Callable[[Tx], object]
) -> None:
    faults = faults_after(played.store, tamper, ledger.differences)
    assert faults
    assert all(re.search(r"as it was handled: \[[\"']\d+ at \d+ \w+ ", fault) for fault in faults)


async def test_what_was_refused_stands_beside_the_words(played: Played) -> None:
    refused: list[str] = []
    played.store.write_now(
        lambda tx: refused.extend(
            line
            for line in ledger.handled(tx, {row.id for row in tx.all(Inbox)})
            if "'undo #1'" in line and " cannot-undo" in line
        )
    )
    assert refused


@pytest.mark.parametrize(
    "tamper",
    [
        lambda tx: tx.change(
            Outbox, {"id": [row.id for row in tx.all(Outbox) if "undone" in row.data]}, data="{}"
        ),
        lambda tx: tx.change(
            Outbox, {"id": [row.id for row in tx.all(Outbox) if "cannot-undo" in row.data][:1]}, data="{}"
        ),
        lambda tx: tx.change(
            Outbox,
            {"id": [row.id for row in tx.all(Outbox) if '"echo": [{' in row.data][:1]},
            data='{"echo": [{"order": "build Atlantis", "undone": true}]}',
        ),
        lambda tx: tx.drop(GameEvent, id=tx.all(GameEvent, name="undone")[0].id),
    ],
    ids=["not told", "not refused", "told of another", "the table not told"],
)
async def test_an_undo_that_nobody_was_told_of(played: Played, tamper: Callable[[Tx], object]) -> None:
    assert faults_after(played.store, tamper, lambda tx: ledger.taken_back(tx)[1])


@pytest.mark.parametrize(
    "tamper",
    [
        lambda tx: tx.change(Inbox, {"key": "said4"}, state="new"),
        lambda tx: tx.change(Inbox, {"key": "said4"}, tries=1),
        lambda tx: tx.set(Outbox, 1, state="sending"),
        lambda tx: tx.change(Outbox, {"channel": "terminal"}, state="unknown"),
        lambda tx: tx.change(Deadline, {"done_ms": 0}, done_ms=1),
        lambda tx: tx.change(Game, {"id": 1}, status="frozen"),
        lambda tx: tx.add(Alert, code="shunted", at_ms=0),
    ],
    ids=["not read", "broke once", "half sent", "perhaps sent", "no deadline", "frozen", "an alert"],
)
async def test_work_that_nobody_will_do(played: Played, tamper: Callable[[Tx], object]) -> None:
    assert faults_after(played.store, tamper, ledger.left_behind)


async def test_a_message_that_never_arrived(played: Played) -> None:
    assert played.store.read_now(lambda tx: ledger.everything_heard(tx, "terminal", ["never"])) == [
        "terminal never: lost"
    ]


async def test_a_letter_for_a_question_that_was_gone(played: Played) -> None:
    def arrivals(late_ms: int) -> Callable[[Tx], list[str]]:
        def check(tx: Tx) -> list[str]:
            answered = {move.question: move.at_ms for move in tx.all(Journal)}
            letters = [row for row in tx.all(Outbox, kind="prompt", state="sent") if row.question in answered]
            assert len(letters) > 5
            return ledger.for_nothing(
                tx, [Arrival(int(row.id or 0), answered[row.question] + late_ms) for row in letters], [0]
            )[1]

        return check

    assert not played.store.read_now(arrivals(-1))
    assert played.store.read_now(arrivals(ledger.UNDER_WAY_MS + 1))


async def test_a_letter_for_a_question_that_was_taken_back(played: Played) -> None:
    def late(tx: Tx) -> list[str]:
        withdrawn = oracle.expectation(tx).withdrawn
        letters = [
            row
            for row in tx.all(Outbox, kind="prompt", state="sent")
            if (row.game_id, row.question) in withdrawn
        ]
        assert letters
        for row in letters:
            tx.set(Outbox, row.id, data="{}")  # what has an echo to tell is never for nothing
        at = [
            Arrival(
                int(row.id or 0),
                withdrawn[int(row.game_id or 0), row.question].done_ms + ledger.UNDER_WAY_MS + 1,
            )
            for row in letters
        ]
        return ledger.for_nothing(tx, at, [0])[1]

    assert faults_after(played.store, lambda tx: True, late)


async def test_what_a_reader_may_not_know(played: Played) -> None:
    readers = played.store.read_now(lambda tx: sealed.readers(tx, 1))
    seats = {seat.name: seat.no for seat in played.store.read_now(lambda tx: tx.all(Seat))}
    ana = "\n".join(letter.text for letter in played.ana)
    assert sealed.hands_told(ana) > 5
    assert sealed.news_told(ana) > 10
    assert not sealed.overheard(readers[seats["Ana"]], ana)
    assert sealed.overheard(readers[seats["Bea"]], ana)
    assert sealed.overheard(readers[None], ana)
