"""Opening channels, and closing them.

On a file, and wherever one process is alone, all of them from start to stop. On a database that several
processes share each channel is open at one of them at a time: at the one that has the lease "channel <name>",
by the database's clock. A process that dies does not renew it, and another process opens the channel within
seconds. One that hung, or was cut off from the database, knows by a clock of its own that its time is over:
from that moment it sends nothing and takes nothing in, before it looks at anything else.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import NamedTuple

from referee.ports import Adapter, Inbound, Reception
from referee.store import Store, StoreFull, Tx, WrongDatabase, leases

from ..core.alarms import Alarm
from .open_channels import OpenChannels

log = logging.getLogger(__name__)
#: how long a lease lasts, and how much earlier its holder takes it for over, ms
LEASE_MS, MARGIN_MS = 5_000, 1_000
#: how often it is renewed, or asked for; how long a channel must have been free before somebody takes it who
#: has another already; seconds
LOOK_S, SPREAD_S = 1.0, 0.9
#: how often the own clock is looked at, and for how long a channel is left to others that could not be opened
#: here, seconds
_GUARD_S, _REST_S = 0.25, 15.0
PREFIX = "channel "


class NoChannel(OSError):
    """A channel can't be opened here: its port is taken, say."""


class LeaseState(NamedTuple):
    """What was found: the hour by the database's clock, the channels that are ours now, and who has the
    others.
    """

    at_ms: int
    mine: frozenset[str]
    others: dict[str, str]


class ChannelLeases:
    """Opens what is this process's to open, and says so in `channels`.

    `lent` is where leases are asked for: a store of its own, so that a long job does not stand before them.
    `settle` makes good what the last holder of a channel left half done. `first` is awaited before the first
    channel is opened while nobody has any. `changed` is called when a channel was opened or closed. `heard`
    is told the hour by the database's clock, between two moments of the steady one.
    """

    def __init__(
        self,
        store: Store,
        adapters: Sequence[Adapter],
        alarm: Alarm,
        channels: OpenChannels,
        *,
        settle: Callable[[str], Awaitable[None]],
        first: Callable[[], Awaitable[None]],
        changed: Callable[[], None],
        heard: Callable[[int, int, int], None] | None = None,
        lent: Store | None = None,
    ) -> None:
        self._store, self._lent, self._alarm, self._channels = store, lent or store, alarm, channels
        self._settle, self._first, self._changed, self._heard = settle, first, changed, heard
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self.holder = f"{socket.gethostname()}:{os.getpid()}:{os.urandom(3).hex()}"
        self._tenants: dict[str, asyncio.Task[None]] = {}
        self._ending: set[str] = set()  # of these, which are closing already: nothing may cut that short
        self._others: Mapping[str, str] = {}  # who else had what when we asked last
        self._free: dict[str, int] = {}  # since when a channel that we want has been nobody's
        self._rest: dict[str, int] = {}  # until when we leave a channel to others
        self._bell = asyncio.Event()
        self._closing = False

    def wake(self) -> None:
        """Somebody has given back a channel."""
        self._bell.set()

    async def look(self) -> None:
        """Learn the hour, and who has what.  Raises StoreFull."""
        if self._channels.shared:
            await self._ask((), ())

    async def start(self, reception: Reception) -> None:
        """Open what is ours; on a shared database what nobody else has, and `run` sees to the rest."""
        self._reception = reception
        if self._channels.shared:
            await self._round()
        else:
            await asyncio.gather(*(_begun(adapter, reception) for adapter in self._adapters.values()))

    async def run(self) -> None:
        """Renew, ask, open and close, for ever."""
        while self._channels.shared:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._bell.wait()
            self._bell.clear()
            await self._round()
        await asyncio.Event().wait()

    async def watch(self) -> None:
        """Look at the own clock, for ever, also while the database does not answer."""
        while True:
            self.guard()
            await asyncio.sleep(_GUARD_S)

    def guard(self) -> None:
        """Close at once what is no longer ours by our own clock."""
        if self._channels.expired():
            log.warning("leases ran out", extra={"channels": sorted(self._channels.mine)})
            self._lose(self._channels.mine)

    async def _round(self) -> None:
        if self._closing:
            return
        try:
            if self._adapters and not self._channels.mine and not self._channels.served():
                await self._first()
            await self._ask(*self._wanted(self._channels.steady_ms()))
        except StoreFull as full:
            self._alarm.disk_full(full)

    async def _ask(self, keep: tuple[str, ...], take: tuple[str, ...]) -> None:
        """Ask the database once.  Raises StoreFull."""
        before = self._channels.steady_ms()
        seen = await self._lent.write(partial(self._claim, keep=keep, take=take))
        if self._heard is not None:
            self._heard(before, seen.at_ms, self._channels.steady_ms())
        if seen.mine or seen.others:
            self._channels.somebody_seen(before)
        for name in self._adapters:
            if name in seen.others:
                self._free.pop(name, None)
            else:
                self._free.setdefault(name, before)
        self._lose(self._channels.mine - seen.mine)
        self._others = seen.others
        self._channels.renew(seen.mine, before + LEASE_MS - MARGIN_MS)
        self.guard()
        for name in sorted(self._channels.mine - self._tenants.keys()):
            if not self._closing:
                task = asyncio.create_task(self._tenancy(self._adapters[name]), name=f"channel {name}")
                self._tenants[name] = task
                task.add_done_callback(partial(self._ended, name))

    def _wanted(self, now_ms: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What is to be renewed, and what may be taken if it is free, that first which has been free for
        longest.
        """
        mine = self._channels.mine
        keep = tuple(name for name in mine if name in self._tenants and not self._tenants[name].done())
        take = [
            name
            for name in self._adapters
            if name not in mine
            and name not in self._tenants
            and name not in self._others
            and self._rest.get(name, 0) <= now_ms
        ]
        waited = [name for name in take if now_ms - self._free.get(name, now_ms) >= SPREAD_S * 1000]
        return keep, tuple(waited) if keep or waited else tuple(take[:1])

    def _claim(self, tx: Tx, keep: tuple[str, ...], take: tuple[str, ...]) -> LeaseState:
        """Renew and take in one transaction."""
        held = {name: holder for name, holder in leases.holders(tx).items() if name.startswith(PREFIX)}
        mine = frozenset(
            name
            for name in (*keep, *take)
            if held.get(PREFIX + name, self.holder) == self.holder
            and leases.take(tx, PREFIX + name, self.holder, LEASE_MS)
        )
        given = [
            name
            for name, holder in held.items()
            if holder == self.holder and name.removeprefix(PREFIX) not in mine
        ]
        if given:
            leases.leave(tx, self.holder, *given)
        return LeaseState(
            tx.clock_ms(),
            mine,
            {name.removeprefix(PREFIX): holder for name, holder in held.items() if holder != self.holder},
        )

    async def _tenancy(self, adapter: Adapter) -> None:
        """One channel, from the lease to its end."""
        name = adapter.name
        try:
            await self._alarm.until_written(partial(self._settle, name))
            await adapter.start(FencedReception(self._reception, partial(self._channels.held, name), name))
            self._channels.opened(name)
            log.info("channel opened", extra={"channel": name})
            self._changed()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise
        except Exception:
            # one channel that can't be opened here, its port is taken say, must not close the others
            log.exception("channel %s can't be opened here", name)
            self._rest[name] = self._channels.steady_ms() + round(_REST_S * 1000)
        finally:
            self._ending.add(name)
            self._channels.closed(name)
            try:
                await adapter.stop()
            except Exception:  # whatever it is: it is over
                log.exception("channel %s did not close in order", name)
            log.info("channel closed", extra={"channel": name})

    def _ended(self, name: str, _: asyncio.Task[None]) -> None:
        """A channel is closed; also one that was lost before it was opened."""
        self._tenants.pop(name, None)
        self._ending.discard(name)
        self._changed()

    def _cancel(self, name: str) -> None:
        """Close that channel, once: cancelled again, it would not be closed to the end."""
        task = self._tenants.get(name)
        if task is not None and name not in self._ending:
            task.cancel()

    def _lose(self, names: frozenset[str]) -> None:
        self._channels.lose(names)
        for name in names:
            self._free.pop(name, None)
            self._cancel(name)

    async def shut(self) -> None:
        """Close all channels; they are ours until `leave`."""
        self._closing = True
        if not self._channels.shared:
            await asyncio.gather(
                *(adapter.stop() for adapter in self._adapters.values()), return_exceptions=True
            )
            return
        tenants = list(self._tenants.values())
        for name in tuple(self._tenants):
            self._cancel(name)
        await asyncio.gather(*tenants, return_exceptions=True)

    async def leave(self) -> None:
        """Give the leases back at once, so that others need not wait until they are over."""
        if not self._channels.shared:
            return
        self._channels.lose(self._channels.mine)
        with suppress(StoreFull, WrongDatabase):  # then they run out
            await self._lent.write(
                lambda tx: leases.leave(tx, self.holder, *(PREFIX + name for name in self._adapters))
            )
        self._store.ring(("doors",))


async def _begun(adapter: Adapter, reception: Reception) -> None:
    """Start one channel.

    Raises NoChannel, so that nobody takes its trouble for the database's, which is told by an OSError, too.
    """
    try:
        await adapter.start(reception)
    except StoreFull:
        raise
    except OSError as error:
        raise NoChannel(f"{adapter.name}: {error.strerror or error}") from error


class FencedReception:
    """A reception that takes nothing in once the channel is somebody else's (`referee.ports.Reception`)."""

    def __init__(self, reception: Reception, mine: Callable[[], bool], name: str) -> None:
        self._reception, self._mine, self._name = reception, mine, name

    async def receive(
        self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        """Raises OSError where it is not ours any more: who has it now takes it in."""
        if not self._mine():
            raise OSError(f"channel {self._name} is another process's by now")
        await self._reception.receive(batch, channel=channel, cursor=cursor)

    async def park(self, one: Inbound) -> None:
        """Put aside what could not be read.  Raises OSError as `receive` does."""
        if not self._mine():
            raise OSError(f"channel {self._name} is another process's by now")
        await self._reception.park(one)

    def reading(self, channel: str, ref: str) -> AbstractContextManager[bool]:
        """Around what may be the process's death."""
        return self._reception.reading(channel, ref)

    async def bookmark(self, channel: str, name: str) -> str | None:
        """Where the channel stopped reading."""
        return await self._reception.bookmark(channel, name)

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        """Somebody else receives with the channel's account, or does not any more."""
        await self._reception.contested(channel, rivalled=rivalled)
