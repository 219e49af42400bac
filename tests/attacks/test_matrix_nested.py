"""An event that is nested sixty deep costs no more than its size: nio would print it, to say what it misses
in it (2.2 s for 50 kB, of everybody's time).
"""

from __future__ import annotations

import logging
import time
from typing import Any

import nio
import pytest

from adapters.matrix import Settings, build


def nested(times: int) -> dict[str, Any]:
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    return {
        "type": "m.room.message",
        "event_id": "$1",
        "sender": "@eve:x.y",
        "origin_server_ts": 5,
        "content": {"msgtype": [deep] * times, "body": "x"},
    }


@pytest.mark.parametrize(
    "event", [nested(400), {**nested(1), "content": {"msgtype": list(range(10_000)), "body": {}}}]
)
def test_what_an_event_costs(event: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    build(Settings(homeserver="https://hs.test", user="@referee:hs.test", access_token="t"), lambda: 0)
    with caplog.at_level(logging.WARNING):
        costs = []
        for _ in range(3):
            begun = time.thread_time()
            read = nio.Event.parse_event(event)
            costs.append(time.thread_time() - begun)
    assert isinstance(read, nio.BadEvent)
    assert read.source == event
    assert min(costs) < 0.1
