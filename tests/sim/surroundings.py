"""What surrounds the referee in a world: its polls stretched, an ear on its log, and the events of the script
as they come over it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest import mock

from tests.sim.script import Event

if TYPE_CHECKING:
    from tests.sim.world import World

#: polls of the referee, as virtual seconds: (module, name, seconds)
STRETCHED: tuple[tuple[str, str, float], ...] = (
    ("referee.service.inbound.inbox_worker", "_LOOK_S", 4 * 3600.0),
    ("referee.service.outbound.channel_leases", "_GUARD_S", 4 * 3600.0),
    ("referee.service.outbound.outbox_worker", "_IDLE_MS", 4 * 3_600_000),
)


@contextmanager
def stretched() -> Iterator[None]:
    """The referee's polls are far apart."""
    patches = [mock.patch(f"{module}.{name}", value) for module, name, value in STRETCHED]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()


@contextmanager
def listening(world: World) -> Iterator[None]:
    """The referee's log: what it calls an error, and what nobody foresaw."""
    ear = _Ear(world)
    root = logging.getLogger("referee")
    was = root.level, root.propagate
    root.addHandler(ear)
    root.setLevel(logging.WARNING)
    root.propagate = False
    try:
        yield
    finally:
        root.removeHandler(ear)
        root.level, root.propagate = was


class _Ear(logging.Handler):
    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self._world.note("log", record.levelname, text)
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            self._world.complaints.append(f"log: {text}: {type(error).__name__}: {error}")


async def happen(world: World, event: Event) -> None:
    """An event of the script comes over the world."""
    facts = event.facts
    life = world.lives[-1]
    world.note("event", event.what, sorted(facts.items()))
    match event.what:
        case "weather":
            world.servers[facts["channel"]].weather.set(facts["kind"], facts["seconds"])
            world.trouble(facts["seconds"], facts["channel"])
        case "kill":
            if not life.dead:
                world.down_s = facts["down"]
                life.left = facts["after"]
        case "deadly":
            if not life.dead:
                world.down_s = facts["down"]
                world.book.disk.deadly = facts["commits"], facts["when"]
        case "full":
            world.book.disk.full = True
            world.struck["full"] += 1
            world.trouble(facts["seconds"])
            world.loop.call_later(facts["seconds"], setattr, world.book.disk, "full", False)
        case "slow disk":
            world.book.disk.slow_s = facts["by"]
            world.struck["slow disk"] += 1
            world.trouble(facts["seconds"])
            world.loop.call_later(facts["seconds"], setattr, world.book.disk, "slow_s", 0.0)
        case "jump":
            world.jumped_s += facts["by"]
            world.struck["jump"] += 1
        case "stop":
            await world.stop(facts["down"])
        case _:
            world.struck[event.what] += 1
            world.outsiders.happen(event)
