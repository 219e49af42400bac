"""What the code of templates calls most, in the words of Jinja's runtime and quicker.

`quick_environment` puts these names before Jinja's own into each template's code. They give what Jinja gives
for what our templates do: lists that a loop does not change, values that are text, markup or numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from jinja2 import runtime
from markupsafe import Markup
from markupsafe import escape as marked

__all__ = ["LoopContext", "escape"]

#: texts no longer than this are remembered: names of cards and players, figures, times
_REMEMBERED = 80


def escape(value: Any) -> str:
    """A value as it is written out between other pieces: no Markup is made of it, as they are joined to plain
    text at once.
    """
    kind = value.__class__
    if kind is str:
        return _escaped(value) if len(value) <= _REMEMBERED else str(marked(value))
    if kind is Markup:
        return value  # type: ignore[no-any-return]  # it is one
    if kind is int:
        return str(value)
    return marked(value)


@lru_cache(maxsize=4096)
def _escaped(text: str) -> str:
    return str(marked(text))


class LoopContext(runtime.LoopContext):
    """A loop that knows its items beforehand, so that `loop.last` need not fetch the next one."""

    def __init__(
        self,
        iterable: Iterable[Any],
        undefined: type[runtime.Undefined],
        recurse: Any = None,
        depth0: int = 0,
    ) -> None:
        items = iterable if isinstance(iterable, list) else list(iterable)
        super().__init__(items, undefined, recurse, depth0)
        self._length = len(items)

    @property
    def last(self) -> bool:
        return self.index0 + 1 == self._length

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # of items with the loop, as Jinja's own
        for item in self._iterable:
            self.index0 += 1
            self._before, self._current = self._current, item
            yield item, self
