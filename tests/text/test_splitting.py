"""Several orders in one message."""

from __future__ import annotations

import pytest

from referee.text import NotUnderstood, split

CASES = [
    ("gold; build Market; end", ["gold", "build Market", "end"]),
    ("gold. build market. end.", ["gold", "build market", "end"]),
    ("gold\nbuild Market\r\nend\n", ["gold", "build Market", "end"]),
    ("  gold ;;  end ; ", ["gold", "end"]),
    ("2", ["2"]),
    ("2.", ["2"]),
    ("2. gold", ["2. gold"]),
    ("1. gold\n2. build Market\n3. end", ["gold", "build Market", "end"]),
    ("- gold\n- end", ["gold", "end"]),
    ("* gold\n• end", ["gold", "end"]),
    ("redraw Temple, Market; end", ["redraw Temple, Market", "end"]),
    ("gold；end。", ["gold", "end"]),
    ("", []),
    (" ; . \n", []),
    ("swap Dr. Evil; end", ["swap Dr. Evil", "end"]),
    ("swap dr. evil. end", ["swap dr. evil", "end"]),
    ("swap A;B; end", ["swap A;B", "end"]),
    ("gold…", ["gold…"]),
    ("build Trading\tPost", ["build Trading Post"]),
    ("No. 2", ["No. 2"]),  # the number two, and not "no" before it
    ("gold. no. 2. end", ["gold", "no. 2", "end"]),
    ("No. Gold", ["No", "Gold"]),
    ("gold ;)\nend ;-)", ["gold ;)", "end ;-)"]),  # a wink
    ("gold;D", ["gold", "D"]),
]


@pytest.mark.parametrize(("text", "chunks"), CASES)
def test_splits(text: str, chunks: list[str]) -> None:
    assert split(text, ("Dr. Evil", "A;B", "Ana")) == chunks


def test_limits() -> None:
    assert split("x" * 200) == ["x" * 200]
    long = split("x" * 201)
    assert isinstance(long, NotUnderstood)
    assert (long.code, long.facts) == ("line-too-long", {"most": 200})
    assert split("gold;" * 40) == ["gold"] * 40
    many = split("gold;" * 41)
    assert isinstance(many, NotUnderstood)
    assert (many.code, many.facts) == ("too-many-orders", {"most": 40})
    assert isinstance(split("a" * 1_000_000), NotUnderstood)
    assert isinstance(split("a\n" * 500_000), NotUnderstood)
