"""Games without end: tables of people who play one game after the other while the referee comes and goes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from tests.e2e.brain import Brain
from tests.e2e.playing import LOOK, LOOKS, TYPING, Player, final, reads

#: seconds of silence after which somebody asks for the status
PATIENCE = 1.0
#: a button of the menu that greets somebody new; who plays leaves that menu alone
MENU = "Learn"
#: what is played, one after the other, each table beginning at another place
CARDS = (
    "deluxe devious dignitaries",
    "classic",
    "original random",
    "deluxe random",
    "deluxe cunning agents",
    "original",
    "deluxe random nine",
    "deluxe illustrious emissaries",
)


class Table:
    """People, the first at a terminal, where nothing that is said or shown gets lost; `bots` fill up.

    `games` are the numbers of the games begun, `over` how many of them ended. `stir` is set whenever somebody
    answers. `first`: the place in `CARDS` of the first game.
    """

    def __init__(
        self, people: Sequence[Player], *, bots: int, seed: object, stir: asyncio.Event, first: int = 0
    ) -> None:
        self.people = people
        self.bots = bots
        self.stir = stir
        self.brains = {one.name: Brain(f"{seed}:{one.name}", TYPING.get(one.channel, 0.4)) for one in people}
        self.games: list[int] = []
        self.first = first
        self.over = 0

    async def run(self, closing: asyncio.Event) -> None:
        """One game after the other until `closing`; the last one is played to its end."""
        for one in self.people:
            await one.start()
            if one.channel == "mail":  # believed only in answer to a letter
                await reads(one, r"\S", seconds=240)
        while not closing.is_set():
            await self._game()

    async def _game(self) -> None:
        first = self.people[0]
        bots, size = f" {self.bots} bots" if self.bots else "", len(self.people) + self.bots
        cards = CARDS[(self.first + len(self.games)) % len(CARDS)]
        if size == 2:
            cards = cards.removesuffix(" nine")  # that is refused: two play without a ninth character
        await first.say(f"new {cards} {size} players 100h{bots}")
        number = await number_of(first, max(self.games, default=0))
        self.games.append(number)
        for one in self.people:
            one.tag = f"#{number} "
            if one is not first:
                await one.say(f"join #{number}")
        await reads(first, rf"Table #{number} is about to begin", seconds=240)
        for one in self.people:
            await one.say(f"ready #{number}")
        plays = [asyncio.create_task(self._play(one, number)) for one in self.people]
        try:
            await plays[0]  # the terminal is told of the end for certain; Telegram perhaps a minute later
        finally:
            for task in plays:
                task.cancel()
            await asyncio.gather(*plays, return_exceptions=True)
        self.over += 1

    async def _play(self, player: Player, number: int) -> None:
        brain, answered = self.brains[player.name], set[tuple[str, str]]()
        clock = asyncio.get_running_loop()
        heard = clock.time()
        while True:
            letters = (await player.screen())[-12:]
            if any(final(one) and f"game #{number}." in one.text for one in letters):
                return
            asking = (one for one in reversed(letters) if one.options and MENU not in one.options.values())
            newest = next(asking, None)
            if newest is not None and (newest.id, newest.text) not in answered:
                answered.add((newest.id, newest.text))
                if brain.regrets(newest):
                    await player.say(f"undo #{number}")
                    self.stir.set()
                    heard = clock.time()
                    # else the answer follows at once, to a question that is perhaps gone
                    if brain.dice.random() < 0.7:
                        continue
                await player.answer(newest, brain.answer(newest))
                self.stir.set()
                heard = clock.time()
            elif clock.time() - heard > PATIENCE:
                heard = clock.time()
                await player.say(f"status #{number}")
            else:
                await asyncio.sleep(LOOKS.get(player.channel, LOOK))


async def number_of(player: Player, last: int) -> int:
    """The number of the table that was just made; late letters still speak of the `last` one."""
    end = asyncio.get_running_loop().time() + 240
    while asyncio.get_running_loop().time() < end:
        for one in (await player.screen())[-12:]:
            found = re.search(r"(?:Game|Table) #(\d+)", one.text)
            if found and int(found[1]) > last:
                return int(found[1])
        await asyncio.sleep(LOOK)
    shown = [one.text for one in (await player.screen())[-3:]]
    raise AssertionError(f"no table was made; {player.name} reads: {shown}")
