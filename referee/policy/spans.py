"""Spans of time in which a clock stands still, as pairs of moments (epoch milliseconds)."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

#: the end of what has not ended yet
OPEN = 1 << 62


class Span(NamedTuple):
    """From `start` until just before `end`; `end` is `OPEN` while it lasts."""

    start: int
    end: int = OPEN


def capped(spans: Iterable[Span], most_ms: int) -> Iterator[Span]:
    """The spans, oldest first, cut off where they come to more than `most_ms` together."""
    left = most_ms
    for one in sorted(spans):
        if left <= 0:
            return
        length = min(left, one.end - one.start)
        if length > 0:
            yield Span(one.start, one.start + length)
            left -= length


def joined(streams: Sequence[Iterator[Span]], since: int) -> Iterator[Span]:
    """All that several streams (each sorted) cover after `since`, as spans that neither touch nor overlap."""
    start = end = -1
    for one in streams[0] if len(streams) == 1 else heapq.merge(*streams):
        if one.end <= since or one.end <= one.start:
            continue
        if end < 0:
            start, end = one
        elif one.start <= end:
            end = max(end, one.end)
        else:
            yield Span(start, end)
            start, end = one
        if end >= OPEN:  # the rest of time; other streams may be endless
            break
    if end >= 0:
        yield Span(start, end)


def covered(spans: Iterable[Span], moment: int) -> Span | None:
    """The span in which this moment lies, if any."""
    return next((one for one in spans if one.start <= moment < one.end), None)


def before(spans: Iterable[Span], end: int, length_ms: int) -> int:
    """The moment from which so much time passes outside of these spans until `end`, never in one."""
    at, left = end, length_ms
    for one in sorted(spans, reverse=True):
        if one.end <= at - left:
            break
        if one.start < min(one.end, at):
            left -= max(0, at - one.end)
            at = one.start
    return at - left


def within(spans: Iterable[Span], start: int, end: int) -> int:
    """How much of the time between two moments lies in these spans, which don't overlap; ms."""
    return sum(max(0, min(one.end, end) - max(one.start, start)) for one in spans)


def skipping(spans: Iterable[Span], start: int, length_ms: int) -> int:
    """The moment at which so much time has passed since `start` outside of these spans, never in one."""
    at, left = start, length_ms
    for one in sorted(spans):
        if one.end <= at or one.end <= one.start:
            continue
        if one.start > at + left:
            break
        left -= max(0, one.start - at)
        at = one.end
    return at + left
