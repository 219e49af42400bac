"""The whole referee put together: store, words, channels, and the life from start to signal."""
from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.config import channels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.config import Configuration
    from referee.ports import Adapter
    from referee.service import Referee
    from referee.store import Store

log = logging.getLogger(__name__)


def clock_ms() -> int:
    """UTC now, in milliseconds."""
    return time.time_ns() // 1_000_000


def adapters(config: Configuration) -> list[Adapter]:
    """An adapter for each channel that is on."""
    return [channels.module(name).build(settings, clock_ms) for name, settings in config.channels.items()]


def referee(store: Store, wires: Sequence[Adapter], config: Configuration) -> Referee:
    """The referee over an open store, not yet started."""
    from referee.service import Referee, ServiceSettings
    from referee.text import Words

    own = [config.referee.templates] if config.referee.templates is not None else []
    settings = ServiceSettings(
        move_hours=config.referee.move_hours, reminder_hours=config.referee.reminder_hours,
        admins=config.referee.admin_addresses(), sweep_seconds=config.referee.sweep_seconds)
    if not any(wire.name == "telegram" for wire in wires):
        settings = replace(settings, bot_link="")   # there is no bot to open
    return Referee(store, Words(own), wires, clock_ms=clock_ms, settings=settings)


@contextmanager
def signals(stop: asyncio.Event) -> Iterator[None]:
    """SIGTERM and SIGINT ask for a clean end; the second one of them is taken as it comes."""
    loop = asyncio.get_running_loop()

    def once(number: signal.Signals) -> None:
        log.info("stopping", extra={"signal": number.name})
        stop.set()
        loop.remove_signal_handler(number)

    both = (signal.SIGTERM, signal.SIGINT)
    for number in both:
        loop.add_signal_handler(number, once, number)
    try:
        yield
    finally:
        for number in both:
            loop.remove_signal_handler(number)


async def serve(store: Store, config: Configuration) -> None:
    """Run all channels until a signal."""
    stop = asyncio.Event()
    with signals(stop):
        wires = adapters(config)
        whole = referee(store, wires, config)
        await whole.start()
        log.info("serving", extra={"channels": [wire.name for wire in wires], "store": store.url})
        try:
            await stop.wait()
        finally:
            await whole.stop()
            log.info("stopped")
