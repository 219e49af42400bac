"""For anyone who watches the machine: whether all is well (`/readyz`), and the figures (`/metrics`, as
Prometheus reads them).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.ports import Adapter
from referee.states import DeadlineKind, GameStatus, InboxState, OutboxState
from referee.store import Deadline, Game, Heartbeat, Inbox, Outbox, StoreFull, Tx

from ..core.counters import BOUNDS, DurationHistogram
from ..core.unit_of_work import Context
from ..deadlines import hold
from ..outbound.channel_queue import ChannelPause
from ..outbound.open_channels import OpenChannels
from . import machine

if TYPE_CHECKING:
    from prometheus_client import Metric

log = logging.getLogger(__name__)
#: how long the store may take to answer (seconds), for how long a full disk is remembered (ms), how many late
#: deadlines are counted
_PATIENCE, _FULL_MS, _MOST = 5.0, 60_000, 1000
#: a channel that has taken nothing for longer than this is not as it should be, ms
_PAUSED_MS = 600_000


class StoreFigures(NamedTuple):
    """What lies in the store at one moment; lengths of time in seconds."""

    inbox: dict[str, int]
    outbox: dict[str, int]
    oldest: float
    deadlines: int
    late: int
    latest: float
    games: dict[str, int]
    unread: float
    held: int
    backup_ms: int
    bots: int


class HealthMonitor:
    """Given to the web door.

    `broken` is set once a loop of the referee has ended; `listeners` says how many open pages hear of
    changes, `rests` which channels take no letters now.
    """

    def __init__(
        self,
        context: Context,
        adapters: Sequence[Adapter],
        broken: asyncio.Event,
        listeners: Callable[[], int],
        channels: OpenChannels,
        rests: Callable[[], Mapping[str, ChannelPause]],
    ) -> None:
        self._store, self._clock_ms, self.tally = context.store, context.clock_ms, context.alarm.tally
        self._adapters, self._broken, self._listeners = tuple(adapters), broken, listeners
        self._channels, self._rests = channels, rests
        self._started_ms = context.clock_ms()

    async def wrong(self) -> list[str]:
        """What is not as it should be: loops, disk, store, a channel's name, "paused" and one that takes no
        letters, "frozen" where a table stands still; [] when all is well.
        """
        found = ["loops"] if self._broken.is_set() else []
        if self.tally.full and self._clock_ms() - self.tally.full_ms < _FULL_MS:
            found.append("disk")
        found += [
            f"channel {one.name}"
            for one in self._adapters
            if one.name in self._channels.open and not one.healthy()
        ]
        found += [
            f"paused {name}"
            for name, rest in sorted(self._rests().items())
            if self._clock_ms() - rest.since_ms > _PAUSED_MS
        ]
        try:
            async with asyncio.timeout(_PATIENCE):
                frozen = await self._store.read(lambda tx: tx.count(Game, status=GameStatus.FROZEN))
        except (TimeoutError, StoreFull):
            return [*found, "store"]
        return [*found, "frozen"] if frozen else found

    def open(self) -> list[str]:
        """The channels that this process has open, where several share a database; [] where it has all of
        them anyway.
        """
        return sorted(self._channels.open) if self._channels.shared else []

    async def figures(self) -> str:
        """All figures in Prometheus' text format.  Raises TimeoutError when the store does not answer."""
        from prometheus_client import CollectorRegistry, generate_latest

        now = self._clock_ms()
        try:
            async with asyncio.timeout(_PATIENCE):
                stock = await self._store.read(lambda tx: counted(tx, now), visitor=True)
        except StoreFull as away:
            raise TimeoutError from away
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_FigureCache(list(self._metrics(stock))))
        return generate_latest(registry).decode()

    def took(self, address: str, seconds: float) -> None:
        """A page of that address (its pattern, never what stood in it) took so long."""
        self.tally.page(address, seconds)

    def _metrics(self, stock: StoreFigures) -> Iterator[Metric]:
        yield from self._of_what_waits(stock)
        yield from self._of_channels()
        yield from self._of_the_house(stock)

    def _of_what_waits(self, stock: StoreFigures) -> Iterator[Metric]:
        """What came in and went out, and what waits."""
        from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

        yield CounterMetricFamily("citadels_orders", "orders", value=self.tally.messages["orders"])
        yield by(
            CounterMetricFamily,
            "messages",
            ("wish",),
            [((intent,), n) for intent, n in sorted(self.tally.messages.items())],
        )
        yield by(CounterMetricFamily, "letters", ("channel", "fate"), sorted(self.tally.letters.items()))
        yield by(CounterMetricFamily, "parked", ("channel", "reason"), sorted(self.tally.parked.items()))
        yield by(
            CounterMetricFamily,
            "let_go",
            ("channel",),
            [((channel,), n) for channel, n in sorted(self.tally.let_go.items())],
        )
        yield CounterMetricFamily("citadels_disk_full", "disk_full", value=self.tally.full)
        yield by(GaugeMetricFamily, "inbox", ("state",), [((state,), n) for state, n in stock.inbox.items()])
        yield by(
            GaugeMetricFamily, "outbox", ("state",), [((state,), n) for state, n in stock.outbox.items()]
        )
        yield gauge("inbox_oldest_seconds", stock.unread)
        yield gauge("outbox_oldest_seconds", stock.oldest)
        yield gauge("deadlines_open", stock.deadlines)
        yield gauge("deadlines_late", stock.late)
        yield gauge("deadlines_late_seconds", stock.latest)
        yield by(
            GaugeMetricFamily, "games", ("status",), [((status,), n) for status, n in stock.games.items()]
        )

    def _of_channels(self) -> Iterator[Metric]:
        """Of each channel: whether it answers, pauses, and is open here."""
        from prometheus_client.metrics_core import GaugeMetricFamily

        yield by(
            GaugeMetricFamily,
            "channel_healthy",
            ("channel",),
            [
                ((one.name,), float(one.healthy()))
                for one in self._adapters
                if self._channels.is_open(one.name)
            ],
        )
        rests, now = self._rests(), self._clock_ms()
        yield by(
            GaugeMetricFamily,
            "channel_paused_seconds",
            ("channel",),
            [
                ((one.name,), max(0, now - rests[one.name].since_ms) / 1000 if one.name in rests else 0.0)
                for one in self._adapters
                if self._channels.is_open(one.name)
            ],
        )
        yield by(
            GaugeMetricFamily,
            "channel_open",
            ("channel",),
            [((one.name,), float(self._channels.is_open(one.name))) for one in self._adapters],
        )

    def _of_the_house(self, stock: StoreFigures) -> Iterator[Metric]:
        """Of this process and its machine, and how long pages took."""
        from prometheus_client.metrics_core import GaugeMetricFamily, HistogramMetricFamily

        yield from self._of_bots(stock)
        yield gauge("loops_running", float(not self._broken.is_set()))
        yield gauge("listeners", self._listeners())
        yield gauge("clocks_held", float(stock.held > 0))
        yield gauge("clock_seconds", self._clock_ms() / 1000)
        yield gauge("started_seconds", self._started_ms / 1000)
        if stock.backup_ms:
            yield gauge("backup_seconds", stock.backup_ms / 1000)
        if (free := machine.free_bytes(self._store.path)) is not None:
            yield gauge("disk_free_bytes", free)
        yield by(GaugeMetricFamily, "build_info", ("version",), [((machine.version(),), 1.0)])
        pages = HistogramMetricFamily("citadels_page_seconds", "page_seconds", labels=("page",))
        for address, lasted in sorted(self.tally.pages.items()):
            pages.add_metric((address,), _buckets(lasted), lasted.total)
        yield pages

    def _of_bots(self, stock: StoreFigures) -> Iterator[Metric]:
        """Of those that take their time: how many questions wait for one, what came of them, how long they
        took.
        """
        from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily

        yield gauge("bots_waiting", stock.bots)
        yield by(
            CounterMetricFamily,
            "bot_answers",
            ("outcome",),
            [((outcome,), n) for outcome, n in sorted(self.tally.thoughts.items())],
        )
        lasted = self.tally.thinking
        yield HistogramMetricFamily(
            "citadels_bot_seconds", "bot_seconds", buckets=_buckets(lasted), sum_value=lasted.total
        )


def _buckets(lasted: DurationHistogram) -> list[tuple[str, float]]:
    """How often up to each bound."""
    bounds = (*map(str, BOUNDS), "+Inf")
    return [(bound, sum(lasted.counts[: n + 1])) for n, bound in enumerate(bounds)]


def gauge(name: str, value: float) -> Metric:
    """One figure."""
    from prometheus_client.metrics_core import GaugeMetricFamily

    return GaugeMetricFamily(f"citadels_{name}", name, value=value)


def by(
    kind: type[Any],
    name: str,
    label: tuple[str, ...],
    values: Sequence[tuple[tuple[str, ...], float]],
) -> Metric:
    """One figure for each of those labels."""
    family: Metric = kind(f"citadels_{name}", name, labels=label)
    for labels, value in values:
        family.add_metric(labels, value)  # type: ignore[attr-defined]  # every family has it
    return family


class _FigureCache:
    """Figures that were made already, as a registry asks for them."""

    def __init__(self, metrics: list[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> list[Metric]:
        """All of them."""
        return self._metrics


def counted(tx: Tx, now_ms: int) -> StoreFigures:
    """Look through the store; every question has an index of its own."""
    waiting, due, unread = (
        tx.outbox_due(now_ms, 1),
        tx.next_due_ms(),
        tx.all(Inbox, state=InboxState.NEW, order="id", limit=1),
    )
    backup = tx.get(Heartbeat, "backup")
    return StoreFigures(
        inbox={state: tx.count(Inbox, state=state) for state in (InboxState.NEW, InboxState.SHUNTED)},
        outbox={
            state: tx.count(Outbox, state=state)
            for state in (OutboxState.QUEUED, OutboxState.SENDING, OutboxState.FAILED, OutboxState.UNKNOWN)
        },
        oldest=(now_ms - waiting[0].not_before_ms) / 1000 if waiting and waiting[0].not_before_ms else 0.0,
        deadlines=tx.open_deadlines(),
        late=len(tx.due(now_ms, _MOST)),
        latest=0.0 if due is None else max(0, now_ms - due) / 1000,
        games={status: tx.count(Game, status=status) for status in GameStatus},
        unread=max(0, now_ms - unread[0].at_ms) / 1000 if unread else 0.0,
        held=hold.held_since(tx),
        backup_ms=0 if backup is None else backup.at_ms,
        bots=tx.count(Deadline, kind=(DeadlineKind.THINK, DeadlineKind.THINKING), done_ms=0),
    )
