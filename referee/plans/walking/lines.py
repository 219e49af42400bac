"""The lines of a plan that a walk has written, and the one that it is writing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .model import Walk

#: a preference list -> how its line begins
LISTS = {"prefer": "prefer", "discard": "prefer to discard"}


def filing(walk: Walk, stays: bool) -> str:
    """What has been written, to be filed until it is withdrawn or for one round."""
    long = ("prefer", "discard", "when", "otherwise")
    out = []
    for key, line in walk.lines:
        lasting = key.split(" ")[0] not in long
        out.append(line if lasting == stays else f"{'always' if stays else 'this round'} {line}")
    return "\n".join(out)


def so_far(walk: Walk) -> str:
    """The line that is being written, as far as it goes; "" for none."""
    if walk.page in LISTS and walk.listed:
        return f"{LISTS[walk.page]} {', '.join(walk.listed)}"
    if walk.page == "asks" and walk.listed:
        return asking(walk.listed)
    if walk.page in ("script", "build", "power"):
        chosen = [f"{built(walk.args)} …"] if walk.page == "build" and walk.args else []
        return f"{head(walk.who)}: {'; '.join((*walk.listed, *chosen))}".rstrip()
    return ""


def head(who: str) -> str:
    """How the line of a script begins; it is also what that line is for."""
    return f"when {who}" if who else "otherwise"


def built(names: Iterable[str]) -> str:
    """ "build" before each: some districts are called like an order."""
    return " or ".join(f"build {name}" for name in names)


def asking(listed: Sequence[str]) -> str:
    """The line that has the player asked after any of these."""
    return f"ask me if {' or '.join(listed)}"
