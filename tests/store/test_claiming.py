"""What is to be done next: each row once, no matter who asks, and one sender's messages one after the
other."""

from __future__ import annotations

import threading

import pytest

from referee.store import DailyLetter, Deadline, Inbox, League, Outbox, Person, Season, Store, Tx


def arrived(tx: Tx, *keys: str) -> None:
    """Messages "ann1", "bo1", …: the letters are the sender."""
    for key in keys:
        tx.add(Inbox, channel="mail", key=key, body=b"", at_ms=1, lane=f"mail {key.rstrip('0123456789')}")


def handled(tx: Tx) -> str | None:
    """The next message, done."""
    row = tx.next_inbox()
    if row is None:
        return None
    tx.set(Inbox, row.id, state="done")
    return row.key


def test_messages_come_in_their_order(store: Store) -> None:
    store.write_now(lambda tx: arrived(tx, "ann1", "bo1", "ann2"))
    assert [store.write_now(handled) for _ in range(4)] == ["ann1", "bo1", "ann2", None]


def test_messages_without_a_lane_wait_for_nobody(store: Store) -> None:
    """As an older version or a test has written them."""
    store.write_now(lambda tx: [tx.add(Inbox, channel="mail", key=key, body=b"", at_ms=1) for key in "ab"])
    assert [store.write_now(handled) for _ in range(3)] == ["a", "b", None]


def test_deadlines_that_were_looked_at_and_left_are_passed_over(store: Store, game: int) -> None:
    def job(tx: Tx) -> None:
        for due, kind, done in (
            (300, "answer", 0),
            (100, "remind", 0),
            (50, "answer", 9),
            (100, "plan", 0),
            (200, "amends", 0),
        ):
            tx.add(Deadline, game_id=game, seat=0, question=1, kind=kind, due_ms=due, done_ms=done)

    def one(tx: Tx, *given: object) -> int | None:
        row = tx.next_due(*given)  # type: ignore[arg-type]  # as the tests give them
        return None if row is None else row.id

    store.write_now(job)
    assert store.write_now(lambda tx: one(tx, 99)) is None
    assert store.write_now(
        lambda tx: [one(tx, 300, (), after) for after in ((-1, 0), (100, 2), (100, 4), (200, 5), (300, 1))]
    ) == [2, 4, 5, 1, None]
    assert store.write_now(lambda tx: one(tx, 300, ("plan", "amends", "vote"))) == 4
    assert store.write_now(lambda tx: one(tx, 300, ("vote",))) is None


def test_daily_letters_and_seasons(store: Store) -> None:
    def job(tx: Tx) -> None:
        for due in (20, 10, 30):
            tx.add(DailyLetter, person_id=tx.add(Person, name="x"), minute=0, due_ms=due)
        league = tx.add(League, name="L", key="l", created_ms=1)
        for no, due in enumerate((0, 20, 10)):
            tx.add(Season, league_id=league, no=no, due_ms=due)

    store.write_now(job)
    daily = store.write_now(lambda tx: tx.next_daily(25))
    assert (daily and daily.due_ms, store.write_now(lambda tx: tx.next_daily(9))) == (10, None)
    assert [
        season and season.id
        for season in store.write_now(
            lambda tx: [
                tx.next_season(25),
                tx.next_season(25, (3,)),
                tx.next_season(25, (1, 2, 3)),
                tx.next_season(9),
            ]
        )
    ] == [3, 2, None, None]


def test_a_claim_is_a_change_where_nobody_else_is(store: Store) -> None:
    store.write_now(lambda tx: tx.add(Outbox, channel="mail", kind="prompt"))
    claim = lambda tx: tx.claim(Outbox, {"id": 1, "state": "queued"}, state="sending", tries=1)  # noqa: E731 - said twice
    assert [store.write_now(claim), store.write_now(claim)] == [1, 0]
    assert store.read_now(lambda tx: tx.column(Outbox, "tries")) == [1]


@pytest.mark.parametrize("wrong", [{"stat": "sending"}, {"state": 5}])
def test_a_claim_that_says_what_is_not(store: Store, wrong: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        store.write_now(lambda tx: tx.claim(Outbox, {"id": 1}, **wrong))


def test_letters_of_some_channels(store: Store) -> None:
    def job(tx: Tx) -> None:
        for channel, at in (
            ("mail", 50),
            ("matrix", 10),
            ("mail", 10),
            ("telegram", 5),
            ("mail", 10),
            ("mail", 99),
        ):
            tx.add(Outbox, channel=channel, kind="prompt", not_before_ms=at)

    store.write_now(job)

    def asked(tx: Tx, *channels: str, limit: int = 9) -> list[int | None]:
        return [row.id for row in tx.outbox_due(60, limit, channels)]

    assert store.read_now(
        lambda tx: [
            asked(tx, "mail", "matrix"),
            asked(tx, "mail", "mail", limit=2),
            asked(tx),
            asked(tx, "sms"),
        ]
    ) == [[2, 3, 5, 1], [3, 5], [], []]
    assert store.read_now(
        lambda tx: [tx.next_outbox_ms(given) for given in (None, ["mail"], ["mail", "telegram"], [], ["sms"])]
    ) == [5, 10, 5, None, None]


def test_who_only_reads_takes_nothing_in_hand(store: Store) -> None:
    for take in (
        lambda tx: tx.next_due(1),
        lambda tx: tx.next_inbox(),
        lambda tx: tx.claim(Outbox, {"id": 1}, state="sending"),
    ):
        with pytest.raises(TypeError, match="read"):
            store.read_now(take)


def test_what_another_process_has_in_hand_is_passed_over(shared: Store, url: str) -> None:
    """Nobody waits: the other's job is still open while ours is done."""

    def prepared(tx: Tx) -> None:
        arrived(tx, "ann1", "bo1", "ann2", "cy1")
        for _ in range(2):
            tx.add(Deadline, game_id=1, seat=0, question=1, kind="remind", due_ms=1)
            tx.add(Outbox, channel="mail", kind="prompt")

    shared.write_now(prepared)
    other = Store.open(url, guest=True)
    seen: list[object] = []

    def second(tx: Tx) -> list[object]:
        due = tx.next_due(1)
        return [
            handled(tx),
            handled(tx),
            handled(tx),
            due and due.id,
            tx.claim(Outbox, {"id": 1, "state": "queued"}, state="sending"),
            tx.claim(Outbox, {"id": (1, 2)}, tries=7),
        ]

    def first(tx: Tx) -> None:
        due = tx.next_due(1)
        seen.extend(
            [handled(tx), due and due.id, tx.claim(Outbox, {"id": 1, "state": "queued"}, state="sending")]
        )
        seen.extend(other.write_now(second))

    shared.write_now(first)
    other.close_now()
    # Ann's second message waits for her first, which is still in hand
    assert seen == ["ann1", 1, 1, "bo1", "cy1", None, 2, 0, 1]
    assert shared.write_now(handled) == "ann2"
    assert shared.read_now(lambda tx: [(row.state, row.tries) for row in tx.all(Outbox, order="id")]) == [
        ("sending", 0),
        ("queued", 7),
    ]


def test_a_job_that_comes_to_nothing_leaves_its_row_to_the_next(shared: Store) -> None:
    shared.write_now(lambda tx: arrived(tx, "ann1"))

    def broken(tx: Tx) -> None:
        handled(tx)
        raise ValueError("ours")

    with pytest.raises(ValueError, match="ours"):
        shared.write_now(broken)
    assert shared.write_now(handled) == "ann1"


def test_what_was_done_since_this_job_began_is_not_done_again(shared: Store, url: str) -> None:
    """Its look was at an older instant: it is run again, and finds the next."""
    shared.write_now(lambda tx: arrived(tx, "ann1", "bo1"))
    other = Store.open(url, guest=True)
    runs, first = 0, list[str | None]()

    def late(tx: Tx) -> str | None:
        nonlocal runs
        runs += 1
        tx.count(Inbox)  # from here on it sees this instant
        if runs == 1:
            first.append(other.write_now(handled))
        return handled(tx)

    assert (shared.write_now(late), first, runs) == ("bo1", ["ann1"], 2)
    other.close_now()


def test_four_at_one_queue_do_each_message_once_and_each_sender_in_order(shared: Store, url: str) -> None:
    keys = [f"{who}{n}" for n in range(1, 31) for who in ("ann", "bo", "cy")]
    shared.write_now(lambda tx: arrived(tx, *keys))
    crowd = [Store.open(url, guest=True) for _ in range(3)]
    done: list[str] = []

    def next_one(tx: Tx) -> str | None:
        key = handled(tx)
        if key is not None:
            tx.add(Outbox, channel="mail", kind=key)
        return key

    def work(book: Store) -> None:
        while (key := book.write_now(next_one)) is not None or book.read_now(
            lambda tx: tx.count(Inbox, state="new")
        ):
            if key is not None:
                done.append(key)

    threads = [threading.Thread(target=work, args=(book,)) for book in (shared, *crowd)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    for book in crowd:
        book.close_now()
    assert sorted(done) == sorted(keys)
    written = shared.read_now(lambda tx: tx.column(Outbox, "kind", order="id"))
    for who in ("ann", "bo", "cy"):
        assert [key for key in written if key.startswith(who)] == [f"{who}{n}" for n in range(1, 31)]
