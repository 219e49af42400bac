"""Laws of spans in which time stands still: forth and back pass the same time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.policy import Span, before, skipping, within
from tests.seeds import some


@st.composite
def spans(draw: st.DrawFn) -> list[Span]:
    """Some that don't overlap, a few without length, in no order."""
    at, found = 0, []
    for gap, length in draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5)):
        found.append(Span(at + gap, at + gap + length))
        at += gap + length
    return draw(st.permutations(found))


@settings(max_examples=some(300), deadline=None, derandomize=True)
@given(spans(), st.integers(-5, 60), st.integers(1, 40))
def test_so_much_time_passes_outside_of_them(still: list[Span], moment: int, length: int) -> None:
    ahead, back = skipping(still, moment, length), before(still, moment, length)
    for start, end in ((moment, ahead), (back, moment)):
        assert end - start - within(still, start, end) == length
    for one in (ahead, back):
        assert not any(span.start <= one < span.end for span in still)
