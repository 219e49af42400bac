"""All pages by their names: the first, the preference lists, and those of the other modules."""

from __future__ import annotations

from collections.abc import Iterator

from . import answers, scripts
from .lines import LISTS, filing, so_far
from .model import Entry, Ground, Walk
from .taps import at, back, noted


def _top(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    if table.lists:
        yield Entry("prefer", at(walk, "prefer"), "menu-prefer")
    if table.lists and len(table.names) == 2:
        yield Entry("discard", at(walk, "discard"), "menu-discard")
    yield Entry("turn", at(walk, "who"), "menu-turn")
    yield Entry("answers", at(walk, "answers"), "menu-answers")
    yield Entry("ask", at(walk, "asks"), "menu-asks")
    yield Entry("close", Walk("closed"), "menu-close")
    yield Entry("withdraw", at(walk, "withdraw"), "menu-withdraw") if table.withdraws else None
    if walk.lines:
        yield Entry("drop", walk._replace(lines=walk.lines[:-1]), "menu-drop")
        yield Entry(filing(walk, False), None, "menu-file-once")
        yield Entry(filing(walk, True), None, "menu-file-always")


def _list(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    for name in sorted(table.cast, key=lambda name: name in table.faceup):
        yield Entry(name, walk._replace(listed=(*walk.listed, name))) if name not in walk.listed else None
    line = so_far(walk) or LISTS[walk.page]
    yield Entry("any", noted(walk, walk.page, f"{line}{',' if walk.listed else ''} any"), "menu-list-any")
    yield back(walk)
    yield Entry("done", noted(walk, walk.page, line), "menu-list-done") if walk.listed else None


def _withdraw(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    """Asked once, for all that is filed would be gone."""
    yield Entry("cancel plan", None, "menu-withdraw-all") if table.withdraws else None
    yield back(walk)


def _closed(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    yield from ()


#: page -> what may be tapped there
_PAGES = {
    "top": _top,
    "prefer": _list,
    "discard": _list,
    "who": scripts.who,
    "script": scripts.script,
    "build": scripts.build,
    "power": scripts.power,
    "answers": answers.answers,
    "answer": answers.answer,
    "asks": answers.asks,
    "withdraw": _withdraw,
    "closed": _closed,
}
PAGES = tuple(_PAGES)


def numbered(walk: Walk, table: Ground) -> tuple[tuple[int, Entry], ...]:
    """What may be tapped on the page of a walk, each with its number.

    A page keeps a number for what it does not offer now: so what was chosen, or comes later, moves no other,
    and a number typed a moment too late is none at all rather than another one.
    """
    return tuple((n, one) for n, one in enumerate(_PAGES[walk.page](walk, table), 1) if one is not None)


def entries(walk: Walk, table: Ground) -> tuple[Entry, ...]:
    """What may be tapped on the page of a walk; the words of each are its own there."""
    return tuple(one for _, one in numbered(walk, table))


def onward(walk: Walk, words: str, table: Ground) -> Walk | None:
    """Where a tap leads; None for what is not offered there."""
    return next((one.to for one in entries(walk, table) if one.words == words), None)
