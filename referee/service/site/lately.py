"""What several pages are made from, reckoned once in a while: a season that was read is good for all of its people's pages.

Each thing has its own moment at which it is reckoned anew: all at one moment would hold up whoever asks just then.
"""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary
from zlib import crc32

from ..sitting import States
from .showing import Look

T = TypeVar("T")
#: for so long, milliseconds; and at most so many things
FRESH_MS, MOST = 30_000, 64
#: for each reader, which has states of its own: what was reckoned, and when
_KEPT: WeakKeyDictionary[States, OrderedDict[Hashable, tuple[int, Any]]] = WeakKeyDictionary()


def lately(look: Look, key: Hashable, make: Callable[[], T]) -> T:
    """What was made under that key not long ago, else made now."""
    kept = _KEPT.setdefault(look.states, OrderedDict())
    made_ms, made = kept.get(key, (-FRESH_MS, None))
    if not 0 <= look.now_ms - made_ms < FRESH_MS:
        made = make()
        kept.pop(key, None)
        kept[key] = look.now_ms, made
        while len(kept) > MOST:
            kept.popitem(last=False)
    found: T = made
    return found


def span(look: Look, *names: object) -> int:
    """A number that is another one each `FRESH_MS`, for each of the names at another moment."""
    return (look.now_ms + crc32(repr(names).encode()) % FRESH_MS) // FRESH_MS
