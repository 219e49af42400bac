"""Figures over many rows: only what is young is counted, and nothing is counted twice."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path

from referee.store import DayCount, Deadline, Game, Inbox, Outbox, Person, Store, Tx
from referee.store.count_queries import DAY_MS


def asked(tx: Tx, since: int) -> tuple[list[DayCount], list[DayCount], int]:
    return tx.counted(Inbox, since), tx.counted(Outbox, since), tx.before(Inbox, since)


def test_messages_and_letters_are_counted_by_channel_state_and_day(tmp_path: Path) -> None:
    dice, start = random.Random(5), 20_000 * DAY_MS
    times = sorted(start + dice.randrange(10 * DAY_MS) for _ in range(400))
    kinds = [(dice.choice(["mail", "telegram"]), dice.choice(["done", "shunted"])) for _ in times]

    def fill(tx: Tx) -> None:
        for n, (at, (channel, state)) in enumerate(zip(times, kinds, strict=True)):
            tx.add(Inbox, channel=channel, key=str(n), body=b"", at_ms=at, state=state)
            tx.add(Outbox, channel=channel, kind="notice", created_ms=at, state="sent")

    store = Store.open(f"sqlite:///{tmp_path}/c.db")
    store.write_now(fill)
    for since in (0, start, times[17], times[200] + 1, times[-1], times[-1] + 1):
        young = [(kind, at // DAY_MS) for kind, at in zip(kinds, times, strict=True) if at >= since]
        messages, letters, before = store.read_now(partial(asked, since=since))
        assert {(one.channel, one.state, one.day): one.rows for one in messages} == dict(
            Counter((*kind, day) for kind, day in young)
        )
        assert sum(one.rows for one in letters) == len(young)
        assert before == len(times) - len(young)
    store.close_now()


def test_an_empty_book(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/e.db")
    assert store.read_now(
        lambda tx: (tx.counted(Inbox, 0), tx.before(Outbox, 5), tx.unsent(5), tx.late(5))
    ) == ([], 0, {}, 0)
    store.close_now()


def test_what_waits_and_what_is_late(tmp_path: Path) -> None:
    def fill(tx: Tx) -> None:
        game = tx.add(Game, creator_id=tx.add(Person, name="Ana"))
        for due, done in ((10, 0), (20, 0), (10, 15), (99, 0)):
            tx.add(Deadline, game_id=game, seat=0, question=1, kind="answer", due_ms=due, done_ms=done)
        for channel, state, created, later in (
            ("mail", "queued", 7, 0),
            ("mail", "queued", 3, 0),
            ("mail", "queued", 1, 500),
            ("mail", "sent", 2, 0),
            ("telegram", "queued", 9, 0),
        ):
            tx.add(
                Outbox, channel=channel, kind="notice", state=state, created_ms=created, not_before_ms=later
            )

    store = Store.open(f"sqlite:///{tmp_path}/w.db")
    store.write_now(fill)
    assert store.read_now(lambda tx: (tx.late(30), tx.unsent(100))) == (
        2,
        {"mail": (2, 3), "telegram": (1, 9)},
    )
    store.close_now()
