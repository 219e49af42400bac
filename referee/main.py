"""The whole referee put together: store, words, channels, and the life from start to signal."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.config import channels
from referee.connections import make_room
from referee.processors import follow, keep_together
from referee.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pydantic import BaseModel

    from adapters.web.server import WebServer
    from referee.config import Configuration
    from referee.ports import Adapter
    from referee.service import Referee, ServiceSettings
    from referee.store import Store
    from referee.text import Words

log = logging.getLogger(__name__)


def clock_ms() -> int:
    """UTC now, in milliseconds."""
    return time.time_ns() // 1_000_000


def steady_ms() -> int:
    """Milliseconds on a clock that nobody sets; where there is one, it goes on while the machine sleeps."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1_000_000


def adapters(config: Configuration, hour: Callable[[], int] = clock_ms) -> list[Adapter]:
    """An adapter for each channel that is on, and the one of notices in browsers."""
    from referee.text import Words

    words = Words(own_templates(config))
    made = [
        channels.module(name).build(worded(settings, words, config.referee.language), hour)
        for name, settings in config.channels.items()
    ]
    if push_key(config):
        key = config.web.push_key.get_secret_value()
        made.append(
            channels.own("push").build(key, config.web.links, hour, networks=config.web.push_networks)
        )
    return made


def push_key(config: Configuration) -> str:
    """The public key of the house's notices in browsers, "" where it sends none: it has no pages, or no
    key.
    """
    key = config.web.push_key.get_secret_value()
    if not (key and config.web.links):
        return ""
    return str(channels.own("push").public_key(key))


def worded(settings: BaseModel, words: Words, house: str) -> BaseModel:
    """A channel's settings with our words where the admin has set none: the commands it offers while people
    type, and how a sender is called.
    """
    fields = type(settings).model_fields
    if "commands" in fields and not getattr(settings, "commands"):  # noqa: B009 - only some channels have the field
        settings = settings.model_copy(update=_commands(words, house))
    if "display_name" in fields and "display_name" not in settings.model_fields_set:
        settings = settings.model_copy(update={"display_name": words.phrase("lines.sender", house)})
    return settings


def _commands(words: Words, house: str) -> dict[str, object]:
    """The commands that a channel offers: in the installation's language to everybody, in each other one to
    those who speak it.
    """
    translated = {language.partition("_")[0]: words.commands(language) for language in words.languages}
    return {
        "commands": words.commands(house),
        "translated": {code: found for code, found in translated.items() if len(code) == 2},
    }


def own_templates(config: Configuration) -> list[Path]:
    """The admin's template folders, looked into before the shipped ones."""
    return [config.referee.templates] if config.referee.templates is not None else []


def parking(config: Configuration) -> Path:
    """The folder of what could not be read: beside the database, or in the data directory where that is on a
    server.
    """
    from pathlib import Path

    from referee.config.places import data_directory

    if config.referee.parking is not None:
        return config.referee.parking.expanduser()
    if config.store.url.startswith("sqlite:///"):
        path = Path(config.store.url.removeprefix("sqlite:///")).expanduser()
        return path.with_name(f"{path.name}.parked")
    return data_directory() / "parked"


def house_settings(config: Configuration, words: Words) -> ServiceSettings:
    """What is configured for the house: the same for a process that serves and for a command beside it."""
    from referee.service import ServiceSettings
    from referee.service.core.settings import BotSettings

    return ServiceSettings(
        move_hours=config.referee.move_hours,
        admins=config.referee.admin_addresses(),
        admin_entries=config.referee.admin_entries(),
        sweep_seconds=config.referee.sweep_seconds,
        messages_per_minute=config.referee.messages_per_minute,
        messages_per_hour=config.referee.messages_per_hour,
        kilobytes_per_minute=config.referee.kilobytes_per_minute,
        kilobytes_per_hour=config.referee.kilobytes_per_hour,
        processor_ms_per_minute=config.referee.processor_ms_per_minute,
        processor_ms_per_hour=config.referee.processor_ms_per_hour,
        newcomers_per_hour=config.referee.newcomers_per_hour,
        words_days=config.store.words_days,
        pack_days=config.store.pack_days,
        comments_days=config.store.comments_days,
        # on a server others may serve channels that are off here
        channels=tuple(config.channels) if config.store.url.startswith("sqlite:///") else (),
        base_url=config.web.links,
        language=words.language(config.referee.language),
        parking=parking(config),
        pictures=config.referee.pictures,
        push_key=push_key(config),
        bots=BotSettings(**config.bots.model_dump()),
    )


def referee(
    store: Store,
    wires: Sequence[Adapter],
    config: Configuration,
    hour: Callable[[], int] = clock_ms,
    lent: Store | None = None,
) -> Referee:
    """The referee over an open store, not yet started.  `lent`: see `Referee`."""
    from referee.ports import AppVerifier
    from referee.service import Referee
    from referee.text import Words

    words = Words(own_templates(config))
    settings = house_settings(config, words)
    if not store.shared:
        settings = replace(settings, channels=tuple(wire.name for wire in wires))  # `play` serves one alone
    if config.web.links.startswith("https://"):
        settings = replace(settings, apps=tuple(wire.name for wire in wires if isinstance(wire, AppVerifier)))
    if not any(wire.name == "telegram" for wire in wires):
        settings = replace(settings, bot_link="")  # there is no bot to open
    return Referee(
        store,
        words,
        wires,
        clock_ms=hour,
        settings=settings,
        steady_ms=steady_ms,
        lent=lent,
        served=bool(config.web.listen),
    )


class NoWebServer(OSError):
    """Nothing can listen where the web pages should be."""


def web_door(config: Configuration, whole: Referee) -> WebServer | None:
    """The door to the web pages, not yet open; None where nobody listens."""
    if not config.web.listen:
        return None
    door: WebServer = channels.own("web").build(
        config.web.listen,
        whole.pages,
        clock_ms,
        proxied=config.web.proxied,
        watch=whole.monitor,
        insiders=config.web.metrics_from,
        token=config.web.metrics_token.get_secret_value(),
        own=whole.own_pages,
        live=whole.live,
    )
    return door


async def opened(door: WebServer, listen: str) -> None:
    """Open it; raises NoWebServer where that is not possible."""
    try:
        await door.start()
    except OSError as error:
        raise NoWebServer(f"{listen}: {error.strerror or error}") from error


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


def settled_in() -> None:
    """What a process that serves for weeks asks of Python, once everything is loaded."""
    # the inbox worker works in the store's thread: with Python's 5 ms turns it would wait that long for the
    # loop at each step
    sys.setswitchinterval(0.001)
    # all threads stand still while garbage is looked for: 100 ms in what was just loaded, which will never be
    # garbage
    gc.freeze()
    # an order makes thousands of objects, hardly one of them in a circle: to look after every 700 costs 3 %
    # of it
    gc.set_threshold(20_000, 20, 20)
    # handing an order over to a thread on another processor costs more than most of what is done there
    keep_together()


async def serve(store: Store, config: Configuration, *, lent: Store | None = None) -> None:
    """Run until a signal, with all channels that are configured; `lent` is a shared database opened once
    more, for leases alone.
    """
    from referee.service import SharedClock

    make_room()
    stop = asyncio.Event()
    supervisor = Supervisor(os.environ)
    hour = SharedClock(clock_ms, steady_ms) if store.shared else clock_ms
    with signals(stop):
        wires = adapters(config, hour)
        whole = referee(store, wires, config, hour, lent)
        door = web_door(config, whole)
        settled_in()
        try:
            await whole.start()
            if door is not None:
                await opened(door, config.web.listen)
            pages = (
                {"pages": config.web.base_url or f"http://{config.web.listen}/"} if door is not None else {}
            )
            log.info(
                "serving", extra={"channels": [wire.name for wire in wires], "store": store.name, **pages}
            )
            supervisor.ready(
                f"serving {', '.join(wire.name for wire in wires)}" if wires else "working without channels"
            )
            following = asyncio.create_task(follow(), name="processors")
            ends = [asyncio.ensure_future(one.wait()) for one in (stop, whole.broken)]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for one in (*ends, following):
                one.cancel()
            if whole.broken.is_set():
                raise SystemExit(1)  # what started us starts us again; nothing is lost
        finally:
            supervisor.stopping()
            if door is not None:
                await door.stop()
            await whole.stop()
            log.info("stopped")
