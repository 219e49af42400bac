"""The questions with a name: their answers, and that each is served by its index however much is done
already.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace

import pytest

from referee.states import GameStatus
from referee.store import (
    Address,
    Alert,
    Deadline,
    Game,
    GameEvent,
    GameRoom,
    Inbox,
    Outbox,
    Person,
    Room,
    Seat,
    Store,
    Tx,
)
from referee.store.connection import SqliteTx


def test_due_are_the_open_ones_whose_time_has_come_oldest_first(store: Store, game: int) -> None:
    def job(tx: Tx) -> None:
        for due, done in ((300, 0), (100, 0), (200, 9), (150, 0), (100, 0)):
            tx.add(Deadline, game_id=game, seat=0, question=1, kind="answer", due_ms=due, done_ms=done)

    store.write_now(job)
    assert [(d.due_ms, d.id) for d in store.read_now(lambda tx: tx.due(299, 10))] == [
        (100, 2),
        (100, 5),
        (150, 4),
    ]
    assert [d.id for d in store.read_now(lambda tx: tx.due(300, 2))] == [2, 5]
    assert store.read_now(lambda tx: tx.next_due_ms()) == 100


def test_whose_an_address_is(store: Store) -> None:
    def job(tx: Tx) -> None:
        for name in ("Ann", "Bo"):
            tx.add(Address, person_id=tx.add(Person, name=name), channel="matrix", address=name.lower())
        tx.add(Address, person_id=1, channel="mail", address="bo")

    store.write_now(job)

    def asked(tx: Tx) -> list[tuple[str, int, str] | None]:
        found = [tx.whose(*one) for one in (("matrix", "bo"), ("mail", "bo"), ("mail", "ann"))]
        return [None if one is None else (one[0].name, one[1].person_id, one[1].channel) for one in found]

    assert store.read_now(asked) == [("Bo", 2, "matrix"), ("Ann", 1, "mail"), None]


def test_nothing_to_ring_for(store: Store, game: int) -> None:
    assert store.read_now(
        lambda tx: (
            tx.next_due_ms(),
            tx.due(9**9, 10),
            tx.next_outbox_ms(),
            tx.outbox_due(9**9, 10),
            tx.inbox_new(5),
        )
    ) == (None, [], None, [], [])


def test_inbox_in_order_of_arrival(store: Store) -> None:
    def job(tx: Tx) -> None:
        for key, state in (("a", "new"), ("b", "done"), ("c", "new"), ("d", "shunted"), ("e", "new")):
            tx.add(Inbox, channel="mail", key=key, body=b"", at_ms=1, state=state)

    store.write_now(job)
    assert [i.key for i in store.read_now(lambda tx: tx.inbox_new(2))] == ["a", "c"]


def test_letters_that_may_go_now_oldest_first(store: Store) -> None:
    def job(tx: Tx) -> None:
        for at, state in ((50, "queued"), (10, "queued"), (5, "sent"), (90, "queued")):
            tx.add(Outbox, channel="mail", kind="prompt", not_before_ms=at, state=state)

    store.write_now(job)
    assert [o.not_before_ms for o in store.read_now(lambda tx: tx.outbox_due(60, 10))] == [10, 50]
    assert store.read_now(lambda tx: tx.next_outbox_ms()) == 10


@pytest.mark.parametrize(("seat", "expected"), [(None, [2, 5]), (0, [2, 3, 5]), (1, [2, 4, 5]), (2, [2, 5])])
def test_a_seat_hears_what_is_public_and_its_own(
    store: Store, game: int, seat: int | None, expected: list[int]
) -> None:
    def job(tx: Tx) -> None:
        for no, to in ((1, None), (2, None), (3, 0), (4, 1), (5, None)):
            tx.add(GameEvent, game_id=game, no=no, to_seat=to, name="draw", facts="{}", at_ms=1)

    store.write_now(job)
    assert [e.no for e in store.read_now(lambda tx: tx.events_since(tx.get(Game, game), 1, seat))] == expected


def test_tables_for_everybody_are_counted_and_listed_a_page_at_a_time(store: Store) -> None:
    def job(tx: Tx) -> None:
        tx.add(Person, name="Ann")
        for n in range(1, 13):
            tx.add(
                Game,
                creator_id=1,
                status=("running", "frozen", "over")[n % 3],
                page=("public", "watched", "private", "public")[n % 4],
                archived_ms=int(n == 7),
            )
        room = tx.add(Room, channel="telegram", place="-100")
        for game in (1, 2, 5):  # the second is private all the same
            tx.add(GameRoom, game_id=game, room_id=room)

    store.write_now(job)

    def listed(statuses: tuple[GameStatus, ...], limit: int = 99, offset: int = 0) -> list[int]:
        return store.read_now(lambda tx: list(tx.public_games(statuses, limit, offset)))

    played = (GameStatus.RUNNING, GameStatus.FROZEN)
    assert listed(played) == [12, 4, 3, 1]
    assert listed((GameStatus.OVER,)) == [11, 8, 5]
    assert [listed(played, 2, offset) for offset in (0, 2, 3, 4)] == [[12, 4], [3, 1], [1], []]
    assert [store.read_now(lambda tx, most=most: tx.public_count(played, most)) for most in (9, 3)] == [4, 3]


def test_a_person_s_seats_with_their_games(store: Store, game: int) -> None:
    def job(tx: Tx) -> None:
        second = tx.add(Game, creator_id=1, status="over")
        third = tx.add(Game, creator_id=1, status="lobby", edition="deluxe")
        for number in (third, second, game):
            tx.add(Seat, game_id=number, no=1, person_id=1, name="Ann")
        tx.add(Seat, game_id=game, no=0, person_id=tx.add(Person, name="Bo"), name="Bo")

    store.write_now(job)
    found = store.read_now(lambda tx: tx.seats_of(1, ["running", "lobby"]))
    assert [(s.game_id, s.name, g.id, g.edition) for s, g in found] == [
        (1, "Ann", 1, "classic"),
        (3, "Ann", 3, "deluxe"),
    ]
    assert store.read_now(lambda tx: tx.seats_of(1, [])) == []
    assert [store.read_now(lambda tx, one=who: tx.has_finished(one)) for who in (1, 2, 3)] == [
        True,
        False,
        False,
    ]
    store.write_now(lambda tx: tx.change(Seat, {"game_id": 2}, lessons="learn,goal"))  # a first game is none
    assert not store.read_now(lambda tx: tx.has_finished(1))


PLANS: dict[str, tuple[Callable[[Tx], object], str]] = {
    "due": (lambda tx: tx.due(1, 1), "ix_deadline_due"),
    "next due": (lambda tx: tx.next_due_ms(), "ix_deadline_due"),
    "a game's open deadlines": (lambda tx: tx.all(Deadline, game_id=1, done_ms=0), "ix_deadline_game"),
    "drop a game's open deadlines": (lambda tx: tx.drop(Deadline, game_id=1, done_ms=0), "ix_deadline_game"),
    "answered": (lambda tx: tx.answered_since(1), "ix_deadline_kind"),
    "how many missed": (lambda tx: tx.rung_since("missed", 1), "ix_deadline_kind"),
    "of what kind is what is due": (lambda tx: tx.due_of("answer", 1, 5), "ix_deadline_due"),
    "inbox": (lambda tx: tx.inbox_new(1), "ix_inbox_new"),
    "inbox, asked plainly": (lambda tx: tx.all(Inbox, state="new", order="id", limit=5), "ix_inbox_new"),
    "shunted": (lambda tx: tx.all(Inbox, state="shunted", order="id"), "ix_inbox_shunted"),
    "dedupe": (
        lambda tx: tx.one(Inbox, channel="mail", key="a"),
        "sqlite_autoindex_inbox_1 (channel=? AND key=?)",
    ),
    "letters": (lambda tx: tx.outbox_due(1, 1), "ix_outbox_queued"),
    "a deadline in hand": (lambda tx: tx.next_due(1, (), (1, 1)), "ix_deadline_due"),
    "a message in hand": (lambda tx: tx.next_inbox(), "ix_inbox_new"),
    "a sender's messages": (lambda tx: tx.one(Inbox, lane="mail ann", state="new"), "ix_inbox_lane"),
    "a daily letter in hand": (lambda tx: tx.next_daily(1), "ix_daily_letter_due_ms"),
    "a season in hand": (lambda tx: tx.next_season(1, (1, 2, 3)), "ix_season_due_ms"),
    "letters of a channel": (lambda tx: tx.outbox_due(1, 1, ["mail"]), "ix_outbox_channel"),
    "next letter of a channel": (lambda tx: tx.next_outbox_ms(["mail"]), "ix_outbox_channel"),
    "letters behind a place": (
        lambda tx: tx.outbox_of("mail", 5, 5, (1, 1)),
        "ix_outbox_channel (channel=? AND not_before_ms>? AND not_before_ms<?)",
    ),
    "the newest letters of a channel": (lambda tx: tx.outbox_newest("mail", 5, 5), "ix_outbox_channel"),
    "the first letter of a chat": (
        lambda tx: tx.outbox_first("mail", "a", "", 5),
        "ix_outbox_chat (channel=? AND address=? AND place=?",
    ),
    "what waits for an address": (
        lambda tx: tx.all(Outbox, channel="mail", address="a", state="queued"),
        "ix_outbox_chat (channel=? AND address=?",
    ),
    "what waits for a room": (
        lambda tx: tx.change(
            Outbox, {"channel": "mail", "address": "", "place": "p", "state": "queued"}, place="q"
        ),
        "ix_outbox_chat (channel=? AND address=? AND place=?",
    ),
    "channels with letters": (lambda tx: tx.outbox_channels(), "ix_outbox_channel (channel>?"),
    "a letter that may not go yet": (lambda tx: tx.outbox_coming_ms(5), "ix_outbox_queued (not_before_ms>?"),
    "such a letter of a channel": (
        lambda tx: tx.outbox_coming_ms(5, ["mail"]),
        "ix_outbox_channel (channel=? AND not_before_ms>?",
    ),
    "what is on its way to an address": (
        lambda tx: tx.count(Outbox, state="sending", channel="mail", address="a"),
        "ix_outbox_sending",
    ),
    "next letter": (lambda tx: tx.next_outbox_ms(), "ix_outbox_queued"),
    "sending": (lambda tx: tx.all(Outbox, state="sending"), "ix_outbox_sending"),
    "collapse": (lambda tx: tx.one(Outbox, state="queued", collapse="g1"), "uq_outbox_collapse"),
    "the last letter of a name": (
        lambda tx: tx.all(Outbox, collapse="g1", order="-id", limit=1),
        "ix_outbox_collapse",
    ),
    "dead letters": (lambda tx: tx.all(Outbox, state="failed", order="-id", limit=5), "ix_outbox_failed"),
    "how many are unknown": (lambda tx: tx.count(Outbox, state="unknown"), "ix_outbox_unknown"),
    "by wire": (lambda tx: tx.one(Outbox, channel="mail", wire_id="<a>"), "ix_outbox_wire"),
    "a seat's letters": (lambda tx: tx.all(Outbox, game_id=1, seat=0), "ix_outbox_game"),
    "events": (
        lambda tx: tx.events_since(SimpleNamespace(id=1, packed_ms=0), 0, 0),
        "sqlite_autoindex_game_event_1 (game_id=? AND no>?)",
    ),
    "deadlines that are open, counted": (lambda tx: tx.open_deadlines(), "ix_deadline_due (due_ms>?)"),
    "when an answer is due": (
        lambda tx: tx.one(Deadline, game_id=1, seat=0, kind="answer", done_ms=0),
        "ix_deadline_game (game_id=?)",
    ),
    "deadlines in the hands of bots": (
        lambda tx: tx.all(Deadline, kind=("think",), done_ms=0, order="id"),
        "ix_deadline_kind (kind=? AND done_ms=?)",
    ),
    "letters that were dropped": (
        lambda tx: tx.all(Outbox, game_id=1, seat=1, state="dropped", order="-id", limit=5),
        "ix_outbox_game (game_id=? AND seat=?)",
    ),
    "old deadlines": (
        lambda tx: tx.all(Deadline, kind="answer", after={"done_ms": 5}, order="done_ms", limit=9),
        "ix_deadline_kind (kind=? AND done_ms>?)",
    ),
    "games that have been over for long": (lambda tx: tx.long_ended(5, 1), "ix_game_ended (ended_ms<?)"),
    "a person's seats": (lambda tx: tx.seats_of(1, ["running"]), "ix_seat_now (person_id=?)"),
    "whether somebody has finished a game": (lambda tx: tx.has_finished(1), "ix_seat_person_id"),
    "tables for everybody": (lambda tx: tx.public_count((GameStatus.RUNNING,), 9), "ix_game_page (status=?)"),
    "a page of them": (lambda tx: tx.public_games((GameStatus.OVER,), 20, 40), "ix_game_page (status=?)"),
    "running games": (lambda tx: tx.column(Game, "id", status="running"), "ix_game_status"),
    "alerts to tell": (lambda tx: tx.all(Alert, told_ms=0, order="id"), "ix_alert_untold"),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("what", PLANS)
def test_each_daily_question_has_its_index(store: Store, game: int, what: str) -> None:
    """SQLite's own plan for what the verb really runs: the index is named, and nothing is sorted."""
    ask, index = PLANS[what]
    seen: list[str] = []

    class Listening(sqlite3.Connection):
        def execute(self, sql: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:  # type: ignore[override]  # narrower, for the ear
            if sql.startswith(("SELECT", "UPDATE", "DELETE")):
                seen.append(
                    "; ".join(str(row[3]) for row in super().execute(f"EXPLAIN QUERY PLAN {sql}", values))
                )
            return super().execute(sql, values)

    with closing(sqlite3.connect(store.path, factory=Listening)) as listening:
        ask(SqliteTx(listening, store.path, writes=True))
        listening.rollback()
    assert len(seen) == 1
    assert index in seen[0]
    if what not in ("a person's seats", "collapse"):  # few rows, at most one row
        assert "TEMP B-TREE" not in seen[0]
