"""Tables that look the same from one seat, for players made of code that search.

    known = Known(state, seat)          once a decision: what that seat knows, and nothing else
    known.deal(Random(5)) -> State      as often as wanted

selection.py   which hidden character may lie where, by what the seat saw when it picked
liking.py      who would have picked what: a simple prior
known.py       the rest of what is hidden, and the deal
"""

from __future__ import annotations

from .known import Known

__all__ = ["Known"]
