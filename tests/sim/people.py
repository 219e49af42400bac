"""People: they see what arrives on their screen and nothing else, think about it for minutes or hours, and
answer; some never do.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from adapters.matrix import writing
from referee.ports import Letter
from tests.e2e.brain import Answer, Brain
from tests.e2e.sight import Shown
from tests.sim.wires import Server, press

if TYPE_CHECKING:
    from tests.sim.world import World

_OPENED = re.compile(r"Seed: [0-9a-f]{64}")
TYPING = {"mail": 0.75}
#: what somebody at a table says now and then that is no answer
ASIDES = (
    "status",
    "hand",
    "who",
    "history",
    "games",
    "help",
    "rules thief",
    "say well played",
    "say @all who has the crown?",
    "plan",
    "clock",
    "vote pause",
    "prefer telegram",
    "zone Lisbon",
    "quiet 23-7",
    "language pt-br",
    "language en",
    "undo",
    "games",
    "name Market",
    "when asked: gold; end",
    "notices all",
    "daily 8:00",
    "gold gold",
    "build",
    "#999 gold",
    "\u202egold",
    "end " * 20,
)


class Person:
    """Somebody at a channel.  `screen` is what came, oldest first."""

    def __init__(self, world: World, server: Server, address: str, seed: str) -> None:
        self.world, self.server, self.address = world, server, address
        self.name = address.strip("@").partition("@")[0].partition(":")[0].title()
        self.dice = random.Random(f"{seed}:{server.name}:{address}")
        self.brain = Brain(f"{seed}:{address}:brain", TYPING.get(server.name, 0.4))
        self.screen: list[Shown] = []
        self.news = asyncio.Event()
        self.tag = ""
        self.came: Callable[[Shown], None] | None = None

    def arrived(self, one: Shown) -> None:
        """A letter, or a new version of one."""
        self.screen = [old for old in self.screen[-30:] if old.id != one.id] + [one]
        self.news.set()
        if self.came is not None:
            self.came(one)

    def say(self, text: str, **more: Any) -> str:
        """Write to the referee; by mail in reply to the newest letter."""
        if self.server.name == "mail" and self.screen and "token" not in more:
            newest = self.screen[-1].source
            assert isinstance(newest, Letter)
            more |= {"token": newest.token, "thread": self.screen[-1].id}
        self.world.note("says", self.server.name, self.address, text)
        return self.server.say(self.address, text, name=self.name, **more)

    def answer(self, letter: Shown, answer: Answer) -> None:
        """In the channel's own way unless words are given."""
        source = letter.source
        assert isinstance(source, Letter)
        keys = {
            b.number or n: b.key for n, b in enumerate((b for row in source.buttons for b in row if b.key), 1)
        }
        if self.server.name == "matrix":  # only what has a number in the text has a keycap
            keys = {number: key for number, key in keys.items() if key in writing.keys(source)}
        if not answer.words and answer.number in keys and self.server.name in ("telegram", "matrix"):
            self.world.note("presses", self.server.name, self.address, str(answer.number))
            press(self.server, self.address, source, keys[answer.number], letter.id)
        elif self.server.name == "mail":
            self.say(f"{self.tag}{answer.words or answer.number}", token=source.token, thread=letter.id)
        else:
            self.say(f"{self.tag}{answer.words or answer.number}")

    async def reads(self, words: str, seconds: float) -> Shown | None:
        """The newest letter in which a pattern is found, as soon as there is one; None when it did not come
        in time.
        """
        end = self.world.loop.now + seconds
        while True:
            for one in reversed(self.screen):
                if re.search(words, one.text):
                    return one
            self.news.clear()
            try:
                async with asyncio.timeout(end - self.world.loop.now):
                    await self.news.wait()
            except TimeoutError:
                return None

    def over(self, number: int) -> bool:
        return any(_OPENED.search(one.text) and f"game #{number}." in one.text for one in self.screen)


class Table:
    """People who play one game, from its opening to its end; `slow_s`: how long they usually think.

    A ghost is never seen again after a while.
    """

    def __init__(
        self,
        world: World,
        people: list[Person],
        *,
        bots: int,
        words: str,
        slow_s: float,
        ghosts: dict[str, float],
        chatty: float,
    ) -> None:
        self.world, self.people, self.bots, self.words, self.slow_s, self.ghosts, self.chatty = (
            world,
            people,
            bots,
            words,
            slow_s,
            ghosts,
            chatty,
        )
        self.number = 0

    async def run(self) -> None:
        first, *others = self.people
        for one in self.people:
            if one.server.name in ("mail", "telegram"):
                one.say("hello" if one.server.name == "mail" else "/start")
                while await one.reads(r"\S", 600) is None:
                    one.say("hello")
        bots = f" {self.bots} bots" if self.bots else ""
        known = set(self._numbers(first))
        first.say(f"new {self.words} {len(self.people) + self.bots} players{bots}")
        while not self.number:
            await first.reads(r"Table #\d+", 1200)
            fresh = [n for n in self._numbers(first) if n not in known]
            if fresh:
                self.number = fresh[-1]
            else:
                first.news.clear()
                try:
                    async with asyncio.timeout(1200):
                        await first.news.wait()
                except TimeoutError:
                    first.say("games")
        for one in self.people:
            one.tag = f"#{self.number} "
        for one in others:
            one.say(f"join #{self.number}")
        while await first.reads(rf"Table #{self.number} is about to begin", 3600) is None:
            for one in others:  # what they wrote may have been too much at a time, as after an outage
                one.say(f"join #{self.number}")
        for one in self.people:
            one.say(f"ready #{self.number}")
        await asyncio.gather(*(self._play(one) for one in self.people))

    @staticmethod
    def _numbers(one: Person) -> list[int]:
        return [int(n) for letter in one.screen for n in re.findall(r"(?:Game|Table) #(\d+)", letter.text)]

    async def _play(self, one: Person) -> None:
        world, dice, answered = self.world, one.dice, set[tuple[str, str]]()
        begun, waited = world.loop.now, 0
        while not (one.over(self.number) or world.over(self.number)):
            if one.address in self.ghosts and world.loop.now - begun > self.ghosts[one.address]:
                return
            newest = next((shown for shown in reversed(one.screen[-12:]) if shown.options), None)
            if newest is not None and (newest.id, newest.text) not in answered:
                await asyncio.sleep(self._thinks(dice))
                newest = next((shown for shown in reversed(one.screen[-12:]) if shown.options), newest)
                waited = 0
                if self._answer(one, newest):
                    answered.add((newest.id, newest.text))
                continue
            one.news.clear()
            try:
                async with asyncio.timeout(max(900, 4 * self.slow_s) * (1 + waited)):
                    await one.news.wait()
            except TimeoutError:
                waited = min(waited + 1, 10)
                one.say(f"status #{self.number}")

    def _answer(self, one: Person, newest: Shown) -> bool:
        """Answer, or take the last order back and look again (False)."""
        if one.dice.random() < self.chatty:
            one.say(f"{one.tag}{one.dice.choice(ASIDES)}")
        if one.brain.regrets(newest):
            one.say(f"undo #{self.number}")
            if one.dice.random() < 0.7:
                return False
        one.answer(newest, one.brain.answer(newest))
        return True

    def _thinks(self, dice: random.Random) -> float:
        kind = dice.random()
        if kind < 0.5:
            return dice.uniform(2, 90)
        return dice.expovariate(1 / self.slow_s)
