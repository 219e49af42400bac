"""All pages by their names: the first, the preference lists, and those of the other modules."""

from __future__ import annotations

from collections.abc import Iterator

from . import answers, scripts
from .lines import LISTS, filing, so_far
from .model import Entry, Ground, Walk
from .taps import at, back, noted


def _top(walk: Walk, table: Ground) -> Iterator[Entry]:
    if walk.lines:
        yield Entry(filing(walk, False), None, "menu-file-once")
        yield Entry(filing(walk, True), None, "menu-file-always")
    if table.lists:
        yield Entry("prefer", at(walk, "prefer"), "menu-prefer")
    if table.lists and len(table.names) == 2:
        yield Entry("discard", at(walk, "discard"), "menu-discard")
    yield Entry("turn", at(walk, "who"), "menu-turn")
    yield Entry("answers", at(walk, "answers"), "menu-answers")
    yield Entry("ask", at(walk, "asks"), "menu-asks")
    if walk.lines:
        yield Entry("drop", walk._replace(lines=walk.lines[:-1]), "menu-drop")
    elif table.withdraws:
        yield Entry("cancel plan", None, "menu-withdraw")
    yield Entry("close", Walk("closed"), "menu-close")


def _list(walk: Walk, table: Ground) -> Iterator[Entry]:
    for name in sorted(table.cast, key=lambda name: name in table.faceup):
        if name not in walk.listed:
            yield Entry(name, walk._replace(listed=(*walk.listed, name)))
    line = so_far(walk) or LISTS[walk.page]
    if walk.listed:
        yield Entry("done", noted(walk, walk.page, line), "menu-list-done")
    yield Entry("any", noted(walk, walk.page, f"{line}{',' if walk.listed else ''} any"), "menu-list-any")
    yield back(walk)


def _closed(walk: Walk, table: Ground) -> Iterator[Entry]:
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
    "closed": _closed,
}
PAGES = tuple(_PAGES)


def entries(walk: Walk, table: Ground) -> tuple[Entry, ...]:
    """What may be tapped on the page of a walk; the words of each are its own there."""
    return tuple(_PAGES[walk.page](walk, table))


def onward(walk: Walk, words: str, table: Ground) -> Walk | None:
    """Where a tap leads; None for what is not offered there."""
    return next((one.to for one in entries(walk, table) if one.words == words), None)
