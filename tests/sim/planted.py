"""Bugs as somebody might write them, planted into the referee or its adapters, to see that the laws find
them.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

from referee import rules
from referee.ports import Letter, Receipt, Reception
from referee.service.inbound import dispatch, reception
from referee.service.outbound import outbox_worker
from referee.service.play import seat_page
from referee.service.schedule import scheduler
from referee.store import writer
from tests.sim.script import GROUPS
from tests.sim.wires import Pipe

_work = time.thread_time  # the processor's own: the world's stands still


class AcknowledgesFirst(Pipe):
    """Tells its server that something was taken before it is on disk."""

    async def _receive(self, whole: Reception) -> None:
        at = self.server.acknowledged
        while True:
            try:
                found, last = await self._fetch(at)
                self.server.acknowledged = at = last
                await whole.receive(await self._read(found), channel=self.name)
            except OSError:
                await asyncio.sleep(1)


class SendsAgain(Pipe):
    """Says of Telegram that a letter sent twice shows once."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.idempotent = True


class Chokes(Pipe):
    """Can't bring in one kind of message, and tries it again for ever."""

    async def _fetch(self, at: int) -> Any:
        found, last = await super()._fetch(at)
        if any(one.came.text.startswith("1\n1") for one in found):
            raise OSError("this can't be written down")
        return found, last


class NeverStops(Pipe):
    """Hands each letter over again and again, under other names."""

    async def send(self, letter: Letter) -> Receipt:
        for n in range(40):
            self.server.take(replace(letter, id=f"{letter.id}.{n}"))
        return await super().send(letter)


class TellsTheGroup(Pipe):
    """What is for a person alone goes to the room where they play, too."""

    async def send(self, letter: Letter) -> Receipt:
        if letter.address and self.name in GROUPS:
            self.server.take(replace(letter, id=f"{letter.id}.group", address=None, place=GROUPS[self.name]))
        return await super().send(letter)


@contextmanager
def returns_before_the_commit() -> Iterator[None]:
    """`receive` does not wait until what it took is on disk."""
    honest = reception.Reception.receive
    under_way: set[asyncio.Task[None]] = set()

    async def receive(self: Any, batch: Any, **more: Any) -> None:
        task = asyncio.create_task(honest(self, batch, **more))
        under_way.add(task)
        await asyncio.sleep(0)

    with mock.patch.object(reception.Reception, "receive", receive):
        yield


@contextmanager
def believes_a_failed_commit() -> Iterator[None]:
    """The store says that all is well when the disk was full."""

    def lost(self: Any, errands: Any, answers: Any, error: BaseException) -> Any:
        if not isinstance(error, Exception):
            raise error
        return answers or [writer.JobResult(one) for one in errands[:1]]

    with mock.patch.object(writer.Writer, "_lost", lost):
        yield


@contextmanager
def shows_everybody_the_first_hand() -> Iterator[None]:
    """Letters are made of what the first seat sees."""

    class Rules:
        view = staticmethod(
            lambda state, seat: {**rules.view(state, seat), "hand": rules.view(state, 0)["hand"]}
        )

        def __getattr__(self, name: str) -> Any:
            return getattr(rules, name)

    with mock.patch.object(seat_page, "rules", Rules()):
        yield


@contextmanager
def dawdles() -> Iterator[None]:
    """The post looks only every five seconds."""
    with mock.patch.object(outbox_worker, "_GATHER", 5.0):
        yield


@contextmanager
def handled(act: Callable[..., None]) -> Iterator[None]:
    """`act` is called instead of the desk with the desk's own way of handling and how many messages there
    were.
    """
    honest, counted = dispatch.handle, itertools.count(1)
    with mock.patch.object(
        dispatch, "handle", lambda uow, number, came: act(honest, next(counted), uow, number, came)
    ):
        yield


def skips(honest: Any, n: int, uow: Any, number: int, came: Any) -> None:
    """Some messages are called done and never acted upon."""
    if n % 23:
        honest(uow, number, came)


def mistakes_the_author(honest: Any, n: int, uow: Any, number: int, came: Any) -> None:
    """What a move came from is another message than it says."""
    honest(uow, number + 10_000, came)


def ponders(honest: Any, n: int, uow: Any, number: int, came: Any) -> None:
    """One message keeps the processor for longer than anybody may."""
    end = _work() + 1.5 * (n == 20)
    while _work() < end:
        pass
    honest(uow, number, came)


@contextmanager
def drops_its_errors() -> Iterator[None]:
    """A task of its own breaks, and nobody looks at it."""
    honest = reception.Reception.receive

    begun: list[asyncio.Task[None]] = []

    async def broken() -> None:
        raise KeyError("place")

    async def receive(self: Any, batch: Any, **more: Any) -> None:
        begun.append(asyncio.create_task(broken()))
        await honest(self, batch, **more)

    with mock.patch.object(reception.Reception, "receive", receive):
        yield


@contextmanager
def never_rings() -> Iterator[None]:
    """The clock acts upon nothing."""

    async def ring(self: Any) -> int:
        return 0

    with mock.patch.object(scheduler.DeadlineScheduler, "ring", ring):
        yield
