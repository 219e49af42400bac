"""The modules by which rooms enter themselves into the registries of the core.

Nothing else has to know a room for its deadlines and timers to be heeded: whoever starts the service loads
these once.
"""

from __future__ import annotations

from importlib import import_module

ROOMS: tuple[str, ...] = (
    "referee.service.deadlines.due",
    "referee.service.decisions.due",
    "referee.service.league.due",
    "referee.service.notices.due",
    "referee.service.plans.due",
    "referee.service.tables.due",
    "referee.service.time.due",
    "referee.service.upkeep.due",
)


def load() -> None:
    """Import them all; the second time costs nothing."""
    for name in ROOMS:
        import_module(name)
