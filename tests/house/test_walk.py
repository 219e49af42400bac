"""How far one order goes through the service, and one deadline: in how many files, by how many calls.

Measured is the job that the store's writer does for it, from its beginning to the commit: for an order typed
by a player on Telegram the job that writes the message down and handles it, for a deadline the one that takes
its row, looks whether nearly everybody misses, as a referee does that serves, and acts on it. A hop is a call
from one file of referee/service into another; coming back is none, nor is a generator that goes on. What the
table asks next differs from order to order, so a whole round is played and the longest walk counts; of the
deadlines it is the longer one of a pick and a turn.

The goals are 12 files and 30 hops. `LIMITS` is what is reached: lower it when a walk gets shorter. A failure
prints the walk.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar

import pytest

from tests.house.files import ROOT
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

T = TypeVar("T")
SERVICE = str(ROOT / "referee" / "service") + "/"
PEOPLE = ["telegram:ana", "telegram:bea", "telegram:cy"]


class Limits(NamedTuple):
    files: int
    hops: int


LIMITS = {"order": Limits(12, 29), "deadline": Limits(8, 29)}


class Walk:
    """The calls of one job within the service: (file that calls, file that is called, function)."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.calls: list[tuple[str, str, str]] = []
        self._known: set[FrameType] = set()

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Told of every call (`sys.setprofile`)."""
        if event != "call" or not frame.f_code.co_filename.startswith(SERVICE) or frame in self._known:
            return
        self._known.add(frame)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(SERVICE):
            caller = caller.f_back
        self.calls.append(
            (
                "" if caller is None else caller.f_code.co_filename.removeprefix(SERVICE),
                frame.f_code.co_filename.removeprefix(SERVICE),
                frame.f_code.co_name,
            )
        )

    def during(self, job: Callable[..., T]) -> Callable[..., T]:
        """The same job, watched."""

        def watched(*args: Any) -> T:
            sys.setprofile(self.note)
            try:
                return job(*args)
            finally:
                sys.setprofile(None)
                self._known.clear()

        return watched

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(called for _, called, _ in self.calls))

    @property
    def hops(self) -> list[tuple[str, str, str]]:
        return [one for one in self.calls if one[0] and one[0] != one[1]]

    def told(self) -> str:
        """The walk, file by file in the order in which they are entered, and what others call there."""
        lines = [f"{self.what}: {len(self.files)} files, {len(self.hops)} hops"]
        for name in self.files:
            entered = [
                f"{function} (from {caller})" for caller, called, function in self.hops if called == name
            ]
            lines += [f"  {name}", *(f"      {one}" for one in entered)]
        return "\n".join(lines)


@pytest.fixture
async def house(tmp_path: Path) -> Any:
    house = await House(tmp_path / "walk.db", seeds=lambda count: b"\7" * count, breaker=True).open()
    house.referee.reception.crashes.begin()  # as the referee does that serves
    yield house
    house.referee.reception.crashes.end()
    await house.close()


async def walk(house: House, monkeypatch: pytest.MonkeyPatch, what: str, act: Callable[[], Any]) -> Walk:
    """That of the job in which moves were written down meanwhile."""
    found: list[Walk] = []
    write = house.store.write

    async def watched(job: Callable[..., T]) -> T:
        found.append(Walk(what))
        return await write(found[-1].during(job))

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "write", watched)
        await act()
    [moved] = [one for one in found if "play/enacting.py" in one.files]
    return moved


def held(found: Walk, limits: Limits) -> None:
    print(found.told())
    assert len(found.files) <= limits.files, found.told()
    assert len(found.hops) <= limits.hops, found.told()


async def test_an_order_walks_through_few_files(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await table(house, PEOPLE)
    found = []
    while running(house, game).round == 1:
        who, order = PEOPLE[asked(house, game)], legal(house, game)[0]
        say = partial(house.say, who, order)
        found.append(await walk(house, monkeypatch, order, say))
    assert len(found) > 8
    held(max(found, key=lambda one: len(one.hops)), LIMITS["order"])


async def test_a_deadline_walks_through_few_files(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await table(house, PEOPLE)
    found = []
    for _ in range(2):  # a missed pick, then a missed turn of several answers
        house.clock.pass_(hours=24.2)
        found.append(await walk(house, monkeypatch, "deadline", house.referee.scheduler.ring))
        await house.settle()
        while (order := legal(house, game)[0]).startswith("pick"):
            await house.say(PEOPLE[asked(house, game)], order)
    held(max(found, key=lambda one: len(one.hops)), LIMITS["deadline"])
