"""Simulated wires: a server that outlives the referee, and the adapter at its other end that lives as long as
one process.

A server keeps what its kind keeps. Telegram repeats an update until a later one was asked for; Matrix and
mail give each letter's copies one place on the screen; a terminal repeats what nobody heard; mails overtake
each other. What the weather does to a wire comes from the run's script, everything else from the wire's own
dice.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

from adapters.matrix import writing
from referee.ports import Fate, Finding, Inbound, Letter, Receipt, Reception, What, bring
from tests.e2e.sight import Shown, options
from tests.sim.loop import LIFE, VirtualLoop

#: seconds that a message is under way on a good day, least and most, in either direction
WAY = {"telegram": (0.03, 0.3), "matrix": (0.03, 0.4), "mail": (0.5, 2.0), "terminal": (0.001, 0.01)}


class Weather:
    """What is wrong with a wire, and until when.

    Kinds: busy (429), away (5xx), lost (the answer, and perhaps the letter), hangs (no answer for half a
    minute), slow, deaf (nothing can be fetched), twice (everything is fetched twice), shuffled (mails,
    events: in any order).
    """

    KINDS = ("busy", "away", "lost", "hangs", "slow", "deaf", "twice", "shuffled")

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._until: dict[str, float] = {}
        self.last = 0.0

    def set(self, kind: str, seconds: float) -> None:
        self._until[kind] = max(self._until.get(kind, 0.0), self._loop.now + seconds)
        self.last = max(self.last, self._until[kind])

    def is_(self, kind: str) -> bool:
        return self._until.get(kind, 0.0) > self._loop.now

    def clear(self) -> None:
        self._until.clear()
        self.last = min(self.last, self._loop.now)


@dataclass
class Item:
    """One thing that waits at a server for the referee."""

    number: int
    came: Inbound


@dataclass(eq=False)
class Server:
    """The far end of a channel.

    `arrived` is told of each letter that came: (channel, address or place, what is seen, the letter).
    """

    name: str
    loop: VirtualLoop
    dice: random.Random
    wall_ms: Callable[[], int]
    arrived: Callable[[str, str, Shown, Letter], None]
    items: list[Item] = field(default_factory=list)
    #: keys of all that was taken from people
    taken: list[str] = field(default_factory=list)
    letters: list[tuple[int, str, Letter]] = field(
        default_factory=list
    )  # (when, to whom, what) as it stands on screens
    closed: set[str] = field(default_factory=set)  # addresses that refuse letters
    struck: Counter[str] = field(default_factory=Counter)
    people: dict[str, str] = field(default_factory=dict)  # by number, where a wire knows people by numbers
    offered: dict[str, list[str]] = field(default_factory=dict)  # the keys of an event's keycaps
    acknowledged: int = 0  # the last item that the referee said it has
    #: when a letter was taken, and the wire's name for it
    wire_ids: list[tuple[int, str]] = field(default_factory=list)
    _places: dict[tuple[str, str], str] = field(default_factory=dict)
    _bells: list[asyncio.Event] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __post_init__(self) -> None:
        self.weather = Weather(self.loop)
        self.idempotent = self.name != "telegram"
        self.edits = self.name in ("telegram", "matrix")

    @property
    def way_s(self) -> float:
        """How long a question and its answer may be under way on a good day."""
        return 3 * WAY[self.name][1] + 0.1

    def number(self, what: str) -> int:
        self._numbers[what] += 1
        return self._numbers[what]

    # -- people's side

    def say(self, address: str, text: str, *, promised: bool = True, **more: Any) -> str:
        """Somebody writes; the key under which the referee will see it.

        `promised`: it must be found in the inbox (talk in a room need not).
        """
        n = self.number("key")
        key = {
            "telegram": f"{10**8 + n}",
            "matrix": f"$e{n}",
            "mail": f"<m{n}@{address.partition('@')[2]}>:h",
            "terminal": f"{address}:{n}",
        }[self.name]
        came = Inbound(
            channel=self.name,
            key=key,
            address=address,
            text=text,
            name=more.pop("name", address.strip("@").partition("@")[0].partition(":")[0].title()),
            vouched=self.name != "mail",
            at_ms=self.wall_ms(),
            message_id=f"in{n}",
            **more,
        )
        least, most = WAY[self.name]
        if self.name == "mail":
            twice = self.dice.random() < 0.1
            for _ in range(
                1 + twice
            ):  # a program that did not get its server's answer hands the mail over again
                self.loop.call_later(
                    self.dice.uniform(least, most * (30 if self.weather.is_("shuffled") else 1)),
                    self._come,
                    came,
                )
        else:
            self._come(came)
        if promised:
            self.taken.append(key)
        return key

    def odd(self, raw: Any) -> None:
        """Somebody hands in what no program would write; nobody promised anything for it."""
        n = self.number("key")
        self._come(
            Inbound(
                channel=self.name,
                key=f"{10**8 + n}" if self.name == "telegram" else f"$e{n}",
                address=f"@odd{n}:hs",
                at_ms=self.wall_ms(),
                facts={"raw": raw},
            )
        )

    def _come(self, came: Inbound) -> None:
        self.items.append(Item(self.number("item"), came))
        bells, self._bells = self._bells, []
        for bell in bells:
            bell.set()

    def bell(self) -> asyncio.Event:
        """Set when something comes."""
        bell = asyncio.Event()
        self._bells.append(bell)
        return bell

    # -- the referee's side

    def take(self, letter: Letter) -> str:
        """The server has a letter: its wire id.  What is the same shows once."""
        to = self.people.get(letter.address or "", letter.address or "") or letter.place or ""
        known = self._places.get((to, letter.id)) if self.idempotent else None
        if known is not None:
            return known
        wire_id = letter.edits if letter.edits and self.edits else f"{self.name[:2]}{self.number('wire')}"
        self._places[to, letter.id] = wire_id
        self.offered[wire_id] = writing.keys(letter)
        self.letters.append((self.wall_ms(), to, letter))
        self.wire_ids.append((self.wall_ms(), wire_id))
        if not letter.callback:
            # what arrives, and what is done about it, happens also where the referee dies meanwhile
            outside = copy_context()
            outside.run(LIFE.set, None)
            delay = self.dice.uniform(*WAY[self.name])
            seen = shown(letter, wire_id, self.wall_ms())
            self.loop.call_at(
                self.loop.now + delay, self.arrived, self.name, to, seen, letter, context=outside
            )
        return wire_id


def shown(letter: Letter, wire_id: str, at_ms: int) -> Shown:
    """What somebody sees of it."""
    return Shown(
        wire_id,
        letter.text,
        options(letter.text),
        tuple(b.label for row in letter.buttons for b in row),
        letter,
        at_ms,
    )


class Pipe:
    """The adapter: reads its server from its bookmark on, and hands over letters
    (`referee.ports.Adapter`).
    """

    rewrites = False

    def __init__(self, server: Server) -> None:
        self.server = server
        self.name = server.name
        self.markup = "text"
        self.can_edit, self.idempotent = server.edits, server.idempotent
        self.rewrites = server.name == "telegram"
        self.limits = self
        #: whether the other side keeps the bookmark: what was acknowledged is never said again
        self.by_server = server.name == "terminal"
        self.reception: Reception | None = None
        self._task: asyncio.Task[None] | None = None

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        return 0

    async def start(self, reception: Reception) -> None:
        self._task = asyncio.create_task(self._receive(reception), name=f"sim {self.name}")
        self._task.add_done_callback(self._broke)

    def _broke(self, task: asyncio.Task[None]) -> None:
        """A wire that stopped for a mistake of its own is no weather."""
        if not task.cancelled() and task.exception() is not None:
            self.server.loop.unhandled.append(f"the pipe of {self.name} broke: {task.exception()!r}")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def check(self) -> list[Finding]:
        return []

    def healthy(self) -> bool:
        return True

    async def _receive(self, reception: Reception) -> None:
        self.reception = reception
        at: int | None = None
        pause = 0.25
        while True:
            try:
                if at is None:
                    at = (
                        self.server.acknowledged
                        if self.by_server
                        else int(await reception.bookmark(self.name, "at") or 0)
                    )
                found, last = await self._fetch(at)
                batch = await self._read(found)
                if batch or found:
                    await bring(
                        reception,
                        batch,
                        channel=self.name,
                        cursor=None if self.by_server else {"at": str(last)},
                    )
                self.server.acknowledged = max(self.server.acknowledged, last)
                at, pause = last, 0.25
            except OSError:  # nothing could be written, or the server is away: it comes again
                await asyncio.sleep(pause)
                pause = min(pause * 2, 30.0)

    async def _fetch(self, at: int) -> tuple[list[Item], int]:
        """What came after that, waiting for it; (items, the new bookmark)."""
        server = self.server
        while True:
            bell = server.bell()
            if server.weather.is_("deaf"):
                server.struck["deaf"] += 1
                raise ConnectionError("the server does not answer")
            found = server.items[at : at + 20]  # they are numbered from 1 on, in this order
            if found:
                await asyncio.sleep(server.dice.uniform(*WAY[self.name]) if self.name != "mail" else 0.05)
                return self._weathered(found), found[-1].number
            await bell.wait()

    def _weathered(self, found: list[Item]) -> list[Item]:
        """As the weather hands them over."""
        server = self.server
        if server.weather.is_("twice"):
            server.struck["twice"] += 1
            found = [*[one for one in server.items if one.number < found[0].number][-3:], *found, *found]
        if server.weather.is_("shuffled") and self.name in ("mail", "matrix"):
            server.struck["shuffled"] += 1
            server.dice.shuffle(found)
        return found

    async def _read(self, found: list[Item]) -> list[Inbound]:
        """What these say."""
        return [one.came for one in found]

    async def send(self, letter: Letter) -> Receipt:
        server, weather = self.server, self.server.weather
        least, most = WAY[self.name]
        await asyncio.sleep(
            server.dice.uniform(least, most) + (server.dice.uniform(1, 20) if weather.is_("slow") else 0)
        )
        if weather.is_("busy"):
            server.struck["busy"] += 1
            return Receipt(Fate.LATER, retry_ms=server.dice.choice((1_000, 3_000, 30_000)), detail="429")
        if weather.is_("away"):
            server.struck["away"] += 1
            return Receipt(Fate.LATER, detail="502")
        if self.server.people.get(letter.address or "", letter.address or "") in server.closed:
            return Receipt(Fate.FAILED, reason="blocked")
        if weather.is_("hangs"):
            server.struck["hangs"] += 1
            if server.dice.random() < 0.5:
                server.take(letter)
            await asyncio.sleep(30)
            return Receipt(Fate.UNKNOWN, detail="no answer")
        if weather.is_("lost"):
            server.struck["lost"] += 1
            if server.dice.random() < 0.5:
                server.take(letter)
            return Receipt(Fate.UNKNOWN, detail="cut off")
        wire_id = server.take(letter)
        await asyncio.sleep(server.dice.uniform(least, most))
        return Receipt(Fate.SENT, wire_id=wire_id)


def press(server: Server, address: str, letter: Letter, key: str, wire_id: str) -> str:
    """Somebody presses a button of a letter: on Matrix a keycap with its number, as they see it, whatever
    stands there by now.
    """
    facts: dict[str, Any] = (
        {"callback": f"cb{server.number('callback')}"}
        if server.name == "telegram"
        else {"keycap": writing.keys(letter).index(key)}
    )
    return server.say(
        address, "", what=What.BUTTON, payload=key, place=letter.place, thread=wire_id, facts=facts
    )
