"""The words by which a table decides, and the one that stands for an order as well."""

from __future__ import annotations

from typing import Any

import pytest

from referee.text import Intent, NotUnderstood, Reading, read_intent
from referee.text.reading.acts import meant


@pytest.mark.parametrize(
    ("said", "kind", "args", "game"),
    [
        ("replace Ana #17", "offer", {"player": "Ana"}, 17),
        ("#17 replace Ana", "offer", {"player": "Ana"}, 17),
        ("offer seat of Bea", "offer", {"player": "Bea"}, None),
        ("/kick Bea of Town #3", "kick", {"player": "Bea of Town"}, 3),
        ("expel Bea", "kick", {"player": "Bea"}, None),
        ("rewind #17 round 4", "rewind", {"round": 4}, 17),
        ("rewind to round 4", "rewind", {"round": 4}, None),
        ("rewind 12 #2", "rewind", {"round": 12}, 2),
        ("process #17", "process", {"window": 0}, 17),
        ("process q12 #17", "process", {"window": 12}, 17),
        ("process now Q 12", "process", {"window": 12}, None),
        ("vote yes #17", "vote", {"yes": True, "proposal": 0}, 17),
        ("vote no", "vote", {"yes": False, "proposal": 0}, None),
        ("Vote Yes 12.", "vote", {"yes": True, "proposal": 12}, None),
        ("second 12", "second", {"proposal": 12}, None),
        ("second", "second", {"proposal": 0}, None),
        ("record #17 deal 2", "record", {"deal": 2}, 17),
        ("record 17", "record", {"deal": 0}, 17),
        ("record", "record", {"deal": 0}, None),
    ],
)
def test_what_is_understood(said: str, kind: str, args: dict[str, Any], game: int | None) -> None:
    got = read_intent(said, Reading(), private=True)
    assert isinstance(got, Intent), got
    assert (got.kind, dict(got.args), got.game) == (kind, args, game)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("kick", "missing"),
        ("kick #17", "missing"),
        ("rewind", "missing"),
        ("rewind now", "unknown-word"),
        ("rewind round", "unknown-word"),
        ("rewind round 99999", "unknown-word"),
        ("rewind before round 4", "unknown-word"),
        ("process soon", "unknown-word"),
        ("process q", "unknown-word"),
        ("vote", "missing"),
        ("vote maybe", "unknown-word"),
        ("vote yes 1234567890", "unknown-word"),
        ("second x", "unknown-word"),
        ("record deal", "unknown-word"),
        ("record Ana", "unknown-word"),
        ("kick Ana; gold", "command-alone"),
    ],
)
def test_what_is_not(said: str, code: str) -> None:
    got = read_intent(said, Reading(), private=True)
    assert isinstance(got, NotUnderstood), got
    assert got.code == code


@pytest.mark.parametrize(
    "said", ["replace Temple", "replace temple, market", "replace Trading Post and Market", "yes", "no"]
)
def test_orders_stay_orders(said: str) -> None:
    got = read_intent(said, Reading(), private=True)
    assert isinstance(got, Intent), got
    assert got.kind == "orders"


@pytest.mark.parametrize(
    ("word", "yes"),
    [
        ("yes", True),
        ("Yes!", True),
        ("y", True),
        ("no.", False),
        ("nay", False),
        ("", None),
        ("yes and no", None),
        ("pass", None),
    ],
)
def test_yes_and_no(word: str, yes: bool | None) -> None:
    assert meant(word, Reading()) is yes
