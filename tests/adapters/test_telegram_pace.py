"""The adapter's pace against the server's flood control: never told to wait, and not much slower than
allowed.
"""

from __future__ import annotations

import random

from adapters.telegram.places import ChatPlace
from adapters.telegram.rate_limits import MINUTE_MS, SECOND_MS, TelegramLimits
from referee.ports import Letter
from tests.servers.botapi.errors import Refusal
from tests.servers.botapi.flood import Flood


def letter(chat: str, *, callback: str = "", edits: str = "") -> Letter:
    private = not chat.startswith("-")
    return Letter(
        id="1",
        channel="telegram",
        text="x",
        address=chat if private else None,
        place=None if private else chat,
        callback=callback,
        edits=edits,
    )


def test_one_a_second_to_a_chat_edits_too() -> None:
    pace = TelegramLimits()
    assert pace.delay_ms(letter("5"), 0) == 0
    assert pace.delay_ms(letter("5", edits="1"), 400) == SECOND_MS - 400
    assert pace.delay_ms(letter("6"), 400) == 0
    assert pace.delay_ms(letter("5", callback="9"), 400) == 0
    assert pace.delay_ms(letter("5"), SECOND_MS) == 0


def test_twenty_a_minute_to_a_group_and_more_to_a_person() -> None:
    pace, gone = TelegramLimits(), dict.fromkeys(("-100", "100"), 0)
    for second in range(50):
        for chat in gone:
            gone[chat] += pace.delay_ms(letter(chat), second * 1100) == 0
    assert gone == {"-100": 20, "100": 50}
    assert pace.delay_ms(letter("-100"), 50 * 1100) == MINUTE_MS - 50 * 1100


def test_thirty_a_second_in_all() -> None:
    pace = TelegramLimits()
    assert [pace.delay_ms(letter(str(chat)), 0) for chat in range(1, 32)] == [0] * 30 + [SECOND_MS]


def test_a_refusal_counts_nothing() -> None:
    pace = TelegramLimits()
    assert pace.delay_ms(letter("5"), 0) == 0
    assert {pace.delay_ms(letter("5"), 10) for _ in range(100)} == {SECOND_MS - 10}


def test_reserved_moments_follow_each_other() -> None:
    pace = TelegramLimits()
    assert pace.delay_ms(letter("5"), 0) == 0
    assert [pace.reserve(ChatPlace(5), 0) for _ in range(3)] == [SECOND_MS, 2 * SECOND_MS, 3 * SECOND_MS]
    assert pace.delay_ms(letter("5"), 0) == 4 * SECOND_MS
    assert pace.delay_ms(letter("6"), 0) == 0


def test_a_busy_day_is_never_told_to_wait() -> None:
    for seed in range(5):
        chance, now, pace = random.Random(seed), [0], TelegramLimits()
        flood = Flood(lambda now=now: now[0] / 1000)  # type: ignore[misc]  # a default argument binds the clock of this round
        waiting = [
            letter(chance.choice([str(n) for n in range(1, 90)] + [f"-{n}" for n in range(1, 8)] * 3))
            for _ in range(900)
        ]
        total = len(waiting)
        while waiting:
            rest, soonest = [], 60_500
            for one in waiting:
                if wait := pace.delay_ms(one, now[0]):
                    rest.append(one)
                    soonest = min(soonest, wait)
                    continue
                try:
                    # on its way for up to 40 ms: two may arrive closer together than they left
                    late, now[0] = now[0], now[0] + chance.randrange(40)
                    flood.count(int(one.address or one.place or 0))
                    now[0] = late
                except Refusal as refusal:
                    raise AssertionError(f"told to wait at {now[0]} ms") from refusal
            waiting = rest
            now[0] += soonest if rest else 0
        assert flood.refused == 0
        assert total == 900
        groups = 900 * 21 / 110 / 7
        assert now[0] < (groups * 1.8 / 20 + 2) * 60_000, "much slower than a group's 20 a minute"


def test_pace_forgets_chats_it_no_longer_needs() -> None:
    pace = TelegramLimits(overall_per_second=10**6)
    for number in range(25_000):
        assert pace.delay_ms(letter(str(number + 1)), number * 10) == 0
    assert len(pace._times) <= 10_001


def test_a_clock_that_was_set_back_keeps_no_chat_silent() -> None:
    now, hour = 10_000_000, 3_600_000
    pace = TelegramLimits(overall_per_second=2)
    assert pace.delay_ms(letter("5"), now) == 0
    assert pace.delay_ms(letter("5"), now - hour) == SECOND_MS
    assert pace.delay_ms(letter("6"), now - hour) == 0
    assert pace.rest_ms(now - 2 * hour) == SECOND_MS
    assert pace.reserve(ChatPlace(5), now - 3 * hour) == SECOND_MS
