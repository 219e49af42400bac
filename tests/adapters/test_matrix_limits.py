"""The homeserver's patience: ours is counted before theirs is gone, and theirs is believed."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator

import pytest

from adapters.matrix.limits import TokenBucket
from referee.ports import Button, Fate, Letter
from tests.adapters.conformance import until
from tests.adapters.matrix_rig import MatrixRig, matrix_rig, now_ms, spoken_of
from tests.servers.synapse import Synapse, why_not

LETTER = Letter(id="1", channel="matrix", text="hello", address="@ann:hs.test")


def test_a_burst_then_one_in_five_seconds() -> None:
    bucket = TokenBucket(0.2, 9)
    assert [bucket.delay_ms(LETTER, 1_000) for _ in range(9)] == [0] * 9
    assert bucket.delay_ms(LETTER, 1_000) == 5_000
    assert bucket.delay_ms(LETTER, 4_000) == 2_000
    assert bucket.delay_ms(LETTER, 6_000) == 0
    assert bucket.delay_ms(LETTER, 6_000) == 5_000
    assert [bucket.delay_ms(LETTER, 10_000_000) for _ in range(10)].count(0) == 9


def test_a_clock_that_was_set_back_stops_nothing_for_long() -> None:
    bucket = TokenBucket(0.2, 2)
    assert [bucket.delay_ms(LETTER, 10_000_000) for _ in range(3)] == [0, 0, 5_000]
    assert bucket.delay_ms(LETTER, 1_000) == 5_000
    assert bucket.delay_ms(LETTER, 6_000) == 0
    bucket.hold(3_000, 10_000_000)
    assert bucket.rest_ms(2_000) == 3_000
    assert bucket.rest_ms(4_000) == 1_000


def test_what_the_homeserver_says_holds_even_without_a_limit_of_ours() -> None:
    bucket = TokenBucket(0, 9)
    assert [bucket.delay_ms(LETTER, 1_000) for _ in range(50)] == [0] * 50
    bucket.hold(3_000, 1_000)
    assert bucket.delay_ms(LETTER, 2_000) == 2_000
    assert bucket.delay_ms(LETTER, 4_000) == 0


def test_keycaps_leave_half_of_the_burst_to_letters() -> None:
    bucket = TokenBucket(0.2, 9)
    taken = sum(bucket.spare(1_000) == 0 for _ in range(20))
    assert taken == 4
    assert [bucket.delay_ms(LETTER, 1_000) for _ in range(5)] == [0] * 5


def test_keycaps_do_come_with_the_smallest_burst() -> None:
    assert TokenBucket(0.2, 1).spare(1_000) == 0


@pytest.fixture(scope="module")
def strict() -> Iterator[Synapse]:
    """A homeserver as it comes out of the box."""
    missing = why_not()
    if missing and not os.environ.get("CI"):
        pytest.skip(missing)
    assert missing is None, missing
    server = Synapse(limits=True).start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
async def rig(strict: Synapse, request: pytest.FixtureRequest) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(strict, spoken_of(request)) as one:
        yield one


async def test_out_of_the_box_the_homeserver_is_obeyed(rig: MatrixRig) -> None:
    # the test's own clock: on it no time passes, so that our bucket gives what the burst gives and no more
    clock = now_ms()
    one = rig.adapter(
        lambda: clock, rate=0.2, burst=7
    )  # the rig has spent some of the ten: coming into a room counts
    await one.start(rig.desk)
    sent = 0
    while one.limits.delay_ms(LETTER, clock) == 0:
        letter = Letter(id=f"in-{sent}", channel="matrix", address=rig.person, text=f"within {sent}")
        assert (await one.send(letter)).fate is Fate.SENT
        sent += 1
    assert sent == 7
    assert one.limits.delay_ms(LETTER, clock) > 0

    refused = None
    for number in range(12):  # an admin's limits that are too high meet the server's
        refused = await one.send(
            Letter(id=f"over-{number}", channel="matrix", address=rig.person, text=f"over {number}")
        )
        if refused.fate is not Fate.SENT:
            break
    assert refused is not None
    assert refused.fate is Fate.LATER
    assert 0 < refused.retry_ms <= 10_000
    assert one.limits.delay_ms(LETTER, clock) == refused.retry_ms
    assert one.limits.delay_ms(LETTER, clock + refused.retry_ms - 1) > 0


async def test_keycaps_wait_and_are_dropped_for_a_newer_question(rig: MatrixRig) -> None:
    clock = now_ms()
    one = rig.adapter(lambda: clock, rate=0.2, burst=5)
    await one.start(rig.desk)
    rows = (tuple(Button(f"answer {number}", f"k-{number}") for number in range(8)),)
    first = await one.send(Letter(id="1", channel="matrix", address=rig.person, text="first", buttons=rows))
    second = await one.send(
        Letter(id="2", channel="matrix", address=rig.person, text="second", buttons=rows[:0])
    )

    async def decorated() -> bool:
        return any(seen.reactions for seen in await rig.seen())

    await until(decorated)
    assert (first.fate, second.fate) == (Fate.SENT, Fate.SENT)
    assert 1 <= sum(len(seen.reactions) for seen in await rig.seen()) <= 3
