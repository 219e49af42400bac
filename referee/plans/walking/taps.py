"""Where a tap leads: to another page, back, on with the line, or to its end."""

from __future__ import annotations

from .model import Entry, Walk


def at(walk: Walk, page: str) -> Walk:
    """Another page, nothing begun there."""
    return Walk(page, walk.lines)


def back(walk: Walk) -> Entry:
    """One tap taken back, or the page before."""
    if walk.page in ("build", "power"):
        to = (
            walk._replace(args=(), page="build")
            if walk.page == "build" and walk.args
            else walk._replace(page="script", verb="", args=())
        )
    elif walk.page == "script" and walk.listed:
        to = walk._replace(
            listed=walk.listed[:-2] if walk.listed[-1].startswith("keep ") else walk.listed[:-1]
        )
    elif walk.listed:
        to = walk._replace(listed=walk.listed[:-1])
    else:
        to = at(walk, "who" if walk.page == "script" else "top")
    return Entry("back", to, "menu-back")


def noted(walk: Walk, key: str, line: str) -> Walk:
    """The first page again, with that line in place of the one for the same."""
    return Walk("top", (*(one for one in walk.lines if one[0] != key), (key, line)))


def step(walk: Walk, *steps: str) -> Walk:
    """The script again, longer by these steps."""
    return walk._replace(page="script", listed=(*walk.listed, *steps), verb="", args=())
