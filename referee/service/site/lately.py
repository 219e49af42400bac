"""What several pages are made from, reckoned once in a while: a season that was read is good for all of its people's pages."""
from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..sitting import States
from .showing import Look

T = TypeVar("T")
#: for so long, milliseconds; and at most so many things
FRESH_MS, MOST = 20_000, 64
#: for each reader, which has states of its own: in which span of time -> what was reckoned in it
_KEPT: WeakKeyDictionary[States, tuple[int, dict[Hashable, Any]]] = WeakKeyDictionary()


def lately(look: Look, key: Hashable, make: Callable[[], T]) -> T:
    """What was made under that key within this span of time, else made now."""
    span, kept = _KEPT.get(look.states, (-1, {}))
    if span != look.now_ms // FRESH_MS or len(kept) >= MOST:
        kept = {}
        _KEPT[look.states] = look.now_ms // FRESH_MS, kept
    if key not in kept:
        kept[key] = make()
    found: T = kept[key]
    return found
