"""A referee in the test's own loop: real store, real words, a clock that obeys, and channels that only
remember.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.ports import Fate, Finding, Inbound, Letter, Receipt, Reception, What
from referee.service import ForTesting, Referee, ServiceSettings
from referee.service.core import tokens
from referee.service.core.unit_of_work import Shell
from referee.store import Outbox, Store
from referee.text import Words
from tests import books

#: what `House` takes among its settings, and hands on as `settings.testing`
SWITCHES = {one.name for one in dataclasses.fields(ForTesting)}


class Wire:
    """A channel without a wire.  `receipt` says what becomes of the next letters."""

    def __init__(self, name: str, *, markup: str = "text", can_edit: bool = True) -> None:
        self.name, self.markup, self.can_edit = name, markup, can_edit
        self.limits = self
        self.idempotent = name != "telegram"
        self.rewrites = name == "telegram"
        self.sent: list[Letter] = []
        self.fate: Callable[[Letter], Receipt] | None = None
        self.wait_ms = 0
        self._n = itertools.count(1)
        self.reception: Reception | None = None

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        return self.wait_ms

    async def start(self, reception: Reception) -> None:
        self.reception = reception

    async def send(self, letter: Letter) -> Receipt:
        if self.fate is not None:
            receipt = self.fate(letter)
            if receipt.fate in (Fate.SENT, Fate.UNKNOWN):
                self.sent.append(letter)
            return receipt
        self.sent.append(letter)
        return Receipt(Fate.SENT, wire_id=letter.edits or f"{self.name}-{next(self._n)}")

    async def stop(self) -> None:
        pass

    async def check(self) -> list[Finding]:
        return [Finding("ok", "fine")]

    def healthy(self) -> bool:
        return True


class Clock:
    """Milliseconds that pass only when told to."""

    def __init__(self, at_ms: int = 1_790_000_000_000) -> None:
        self.at_ms = at_ms

    def __call__(self) -> int:
        return self.at_ms

    def pass_(self, *, hours: float = 0, seconds: float = 0) -> None:
        self.at_ms += round(hours * 3_600_000 + seconds * 1000)


class House:
    """One installation.  `say` brings words in and waits until everything that follows has been sent."""

    def __init__(self, path: Path, clock: Clock | None = None, **settings: Any) -> None:
        self.clock = clock or Clock()
        self.path = path
        # what a message may cost is tried in tests/attacks; here a busy machine refuses nobody's words
        usual = {"bell": False, "breaker": False, "alone": True, "reading_ms": 5_000, "forecasts": False}
        testing = ForTesting(**usual | {name: settings.pop(name) for name in SWITCHES & settings.keys()})
        self.settings = ServiceSettings(
            **{"parking": path.with_name(f"{path.name}.parked"), "testing": testing, **settings}
        )
        self.wires = {name: Wire(name) for name in ("telegram", "matrix", "mail", "terminal")}
        self.own: tuple[Path, ...] = ()  # folders of languages beside the house's own
        self._n = itertools.count(1)
        self.store: Store
        self.referee: Referee

    async def open(self) -> House:
        self.store = Store.open(books.address(self.path), durable=False)
        self.referee = Referee(
            self.store,
            Words(self.own),
            list(self.wires.values()),
            clock_ms=self.clock,
            settings=self.settings,
        )
        await self.referee.outbox_worker.recover()
        await self.referee.scheduler.start()
        for wire in self.wires.values():
            await wire.start(self.referee.reception)
        return self

    def shell(self) -> Shell:
        """What a command has that works beside this referee."""
        return Shell(Words(self.own), self.settings, self.clock())

    async def close(self) -> None:
        self.referee.outbox_worker._renderer.close()
        self.referee.pages.close()
        self.referee.bots.close()
        await self.referee.scheduler.stop()
        await self.store.close()

    async def bring(self, came: Inbound) -> None:
        await self.referee.reception.receive([came], channel=came.channel)
        await self.settle()

    async def settle(self) -> None:
        """Work everything off: inbox, what bots think about, then post, until nothing moves."""
        while await self.referee.reception.worker.round():
            pass
        await self.referee.bots.round()
        quiet = 0
        for _ in range(50):
            before = sum(len(w.sent) for w in self.wires.values())
            await self.referee.outbox_worker.round()
            running = list(self.referee.outbox_worker._running)
            if running:
                await asyncio.gather(*running)
            quiet = (
                quiet + 1 if not running and before == sum(len(w.sent) for w in self.wires.values()) else 0
            )
            if quiet == 2:  # a crowded outbox may stand aside in the first round
                return

    async def say(
        self,
        who: str,
        text: str,
        *,
        place: str | None = None,
        token: str = "",
        thread: str = "",
        key: str = "",
        vouched: bool | None = None,
        **facts: Any,
    ) -> None:
        """`who` is "telegram:ana"; mail is answered with the newest letter's token unless one is given."""
        channel, _, address = who.partition(":")
        if channel == "mail" and not token and vouched is None:
            newest = [x for x in self.wires["mail"].sent if x.address == address]
            token = newest[-1].token if newest else ""
        await self.bring(
            Inbound(
                channel=channel,
                key=key or f"k{next(self._n)}",
                address=address,
                text=text,
                place=place,
                token=token,
                thread=thread,
                name=address.split("@")[0].capitalize(),
                vouched=channel != "mail" if vouched is None else vouched,
                at_ms=self.clock(),
                facts=facts,
            )
        )

    async def press(self, who: str, key: str, *, place: str | None = None) -> None:
        channel, _, address = who.partition(":")
        await self.bring(
            Inbound(
                channel=channel,
                key=f"k{next(self._n)}",
                address=address,
                what=What.BUTTON,
                payload=key,
                place=place,
                name=address.capitalize(),
                at_ms=self.clock(),
            )
        )

    def letters(self, who: str) -> list[Letter]:
        """What this address, or this place, has been sent."""
        channel, _, address = who.partition(":")
        return [x for x in self.wires[channel].sent if address in (x.address, x.place)]

    def number(self, letter: Letter) -> int:
        """The outbox row that a letter is; only the house can tell."""
        found = self.store.read_now(lambda tx: tokens.wire_of(tokens.known(tx), letter.id))
        assert found is not None, f"{letter.id} is no letter of this house"
        return found

    def row(self, letter: Letter) -> Outbox:
        """What the book knows of a letter."""
        number = self.number(letter)
        found = self.store.read_now(lambda tx: tx.get(Outbox, number))
        assert found is not None
        return found

    def last(self, who: str) -> Letter:
        found = self.letters(who)
        assert found, f"nothing was sent to {who}"
        return found[-1]

    def key(self, who: str, order: str) -> str:
        """The key behind the newest button that stands for an order."""
        for letter in reversed(self.letters(who)):
            for row in letter.buttons:
                for button in row:
                    if button.order == order:
                        return button.key
        raise AssertionError(f"nobody offered {order} to {who}")


async def until(what: Callable[[], object], seconds: float = 10) -> None:
    """Wait for it."""
    async with asyncio.timeout(seconds):
        while not what():
            await asyncio.sleep(0.01)
