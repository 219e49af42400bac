"""Who is not at a table: strangers, floods, forgers, a mail program that answers by itself, and somebody who
only asks how it goes.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from referee.ports import Letter
from tests.e2e.sight import Shown
from tests.sim.inner import poison
from tests.sim.loop import VirtualLoop
from tests.sim.script import GROUPS, Event, address

if TYPE_CHECKING:
    from tests.sim.world import World

#: what strangers write: harmless, large, and strange to the person who reads it
WORDS = (
    "hello",
    "new classic 3 players",
    "link",
    "link ABCD",
    "join #99",
    "#1 status",
    "watch #1",
    "#1 gold",
    "rules " + "\ufdfa" * 1000,
    "help " * 300,
    "a" * 4000,
    "rules " + "#1 " * 300,
    "\u202e\u0000x",
    "\U0001f600" * 200,
    "<b>" * 400,
    "{{ 7*7 }}",
    "name " + "x" * 3000,
    "cast " + "\u0130" * 800,
    "1\n" * 500,
    "plan " + "(" * 500,
    "who",
    "record #1",
    "#99999999999999999999 status",
    "prefer pigeon",
    "'; DROP TABLE game; --",
    "resume all",
    "admin",
)
#: what is asked by somebody who only wants to know: more of it than the referee remembers to tell a machine
#: by
HARMLESS = (
    "games",
    "rules king",
    "help orders",
    "rules thief",
    "rules bishop",
    "help",
    "rules merchant",
    "rules assassin",
    "rules warlord",
    "rules architect",
    "rules magician",
)
#: a mail program answers no more letters than this
ENOUGH = 12


class Prober:
    """Somebody on a channel who plays nothing, and asks something harmless now and then."""

    def __init__(self, world: World, channel: str) -> None:
        self.world, self.channel = world, channel
        self.dice = random.Random(f"{world.script.seed} prober {channel}")
        self.me = world.person(channel, address(channel, f"probe{channel}"))
        self.asked: list[tuple[float, float | None]] = []
        self._n = 0
        self._every_s = 3 * max([1800.0, *(one["slow_s"] for one in world.script.tables)])

    def ask(self) -> None:
        """Something harmless, and never what was asked just before: who says the same again and again is
        taken for a machine.
        """
        self._n += 1
        self.me.say(HARMLESS[self._n % len(HARMLESS)])

    async def run(self) -> None:
        """Ask, wait for what comes, and ask again some time later."""
        loop = self.world.loop
        self.me.say("hello")
        await self.me.reads(r"\S", 600)
        while True:
            await asyncio.sleep(self.dice.expovariate(1 / self._every_s))
            at = loop.now
            self.me.news.clear()
            self.ask()
            try:
                async with asyncio.timeout(600):
                    await self.me.news.wait()
                self.asked.append((at, loop.now))
            except TimeoutError:
                self.asked.append((at, None))


class Machine:
    """A mail program that answers every letter, without a word in its header that it is one."""

    def __init__(self, world: World, who: str) -> None:
        self.person = world.person("mail", who)
        self.world = world
        self.person.came = self.answers
        self.got = 0
        self.person.say("hello")

    def answers(self, one: Shown) -> None:
        self.got += 1
        source = one.source
        assert isinstance(source, Letter)
        if self.got > ENOUGH:  # the law is broken by now
            return
        self.world.loop.call_later(
            5, lambda: self.person.say("I am out of office until Monday.", token=source.token, thread=one.id)
        )


class Group:
    """People who follow a table in a room of theirs, and talk there about other things: words that look like
    orders, halves of signs as broken programs send them, orders for a table where they have no seat.
    """

    TALK = (
        "hello",
        "who is winning?",
        "gold",
        "/status",
        "#1 gold",
        "I am out of office",
        "\u202e\ud83d\ude00" * 3,
        "1",
        "/hand",
        "/undo",
        "say hello",
        "/plan when asked: gold; end",
    )

    def __init__(self, world: World, channel: str) -> None:
        self.world, self.channel, self.place = world, channel, GROUPS[channel]
        self.dice = random.Random(f"{world.script.seed} group {channel}")
        # the oracle of a strict world knows only what players are asked for
        self.people = ("zoe", "yan") if world.script.strict else ("zoe", "yan", "ana", "bea")

    def _say(self, who: str, text: str, *, promised: bool = False) -> None:
        server = self.world.servers[self.channel]
        self.world.note("group", self.channel, who, text)
        server.say(address(self.channel, who), text, place=self.place, promised=promised)

    async def run(self) -> None:
        """Watch each table once it is there, and talk."""
        watched: set[int] = set()
        begun = self.world.loop.now
        while True:  # most of it while the most is under way
            await asyncio.sleep(
                self.dice.expovariate(1 / (600 if self.world.loop.now - begun < 7200 else 6 * 3600))
            )
            for table in self.world.tables:
                if table.number and table.number not in watched:
                    watched.add(table.number)
                    self._say("zoe", f"/watch #{table.number}", promised=True)
            self._say(self.dice.choice(self.people), self.dice.choice(self.TALK))


class Outsiders:
    """All of them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.machines: list[Machine] = []
        self.quiet_at = 0.0
        self.strangers: set[tuple[str, str]] = set()

    @property
    def loop(self) -> VirtualLoop:
        return self.world.loop

    def happen(self, event: Event) -> None:
        facts = event.facts
        n = facts["number"]
        match event.what:
            case "stranger":
                self._write(facts["channel"], f"stranger{n}", WORDS[n % len(WORDS)])
            case "poison":
                raw, kind = poison(facts["channel"], n)
                self.world.note("poison", facts["channel"], kind)
                self.world.servers[facts["channel"]].odd(raw)
            case "flood":
                for each in range(facts["count"]):
                    self.loop.call_later(
                        each * 0.05,
                        self._write,
                        facts["channel"],
                        f"flood{n}",
                        facts.get("words") or WORDS[(n + each) % len(WORDS)],
                    )
            case "machine":
                self.machines.append(Machine(self.world, address("mail", f"machine{n}")))
            case "forged":
                victims = [one for one in self.world.people.values() if one.server.name == "mail"]
                if victims:
                    victim = victims[n % len(victims)]
                    self.world.note("forged", victim.address)
                    victim.server.say(
                        victim.address, ("end", "link", "undo", "gold; end")[n % 4], name="Mallory"
                    )

    def _write(self, channel: str, name: str, text: str) -> None:
        who = address(channel, name)
        self.strangers.add((channel, who))
        self.world.note("stranger", channel, who, len(text))
        self.world.servers[channel].say(who, text)
