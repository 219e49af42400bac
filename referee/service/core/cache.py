"""What several pages or letters are made from, reckoned once in a while: a season that was read is good for
all of its people.

Each thing has its own moment at which it is reckoned anew: all at one moment would hold up the person who
asks just then.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from .unit_of_work import StateCache

T = TypeVar("T")
#: for so long, milliseconds; and at most this many things
FRESH_MS, MOST = 30_000, 64
#: for each reader, which has states of its own: what was reckoned, and when
_KEPT: WeakKeyDictionary[StateCache, OrderedDict[Hashable, tuple[int, Any]]] = WeakKeyDictionary()


def lately(states: StateCache, now_ms: int, key: Hashable, make: Callable[[], T]) -> T:
    """What was made under that key not long ago, else made now.  `states` are the reader's own."""
    kept = _KEPT.setdefault(states, OrderedDict())
    made_ms, made = kept.get(key, (now_ms - FRESH_MS, None))
    if not 0 <= now_ms - made_ms < FRESH_MS:
        made = make()
        kept.pop(key, None)
        kept[key] = now_ms, made
        while len(kept) > MOST:
            kept.popitem(last=False)
    found: T = made
    return found
