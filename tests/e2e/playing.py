"""People at the table: each looks at their screen and answers, until the game is over.

Nobody here knows more than their own screen shows.  Who hears nothing for a while asks for the
`status`, as people do.
"""
from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from tests.e2e.brain import Answer, Brain
from tests.e2e.sight import Shown

#: what a letter says that ends a game, and only such a letter
FINAL = "seed"


class Player(Protocol):
    """One person on one channel."""

    name: str
    channel: str

    async def start(self) -> None:
        """Open the channel."""

    async def stop(self) -> None:
        """Close the client."""

    async def screen(self) -> list[Shown]:
        """The referee's letters, oldest first, as they stand there now."""

    async def say(self, text: str) -> None:
        """Write to the referee."""

    async def answer(self, letter: Shown, answer: Answer) -> None:
        """Answer a letter, in the channel's own way unless words are given."""


async def wait_for(player: Player, what: Callable[[Shown], bool], seconds: float = 20, *, after: int = 0) -> Shown:
    """The first letter from number `after` on for which `what` holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for one in (await player.screen())[after:]:
            if what(one):
                return one
        await asyncio.sleep(0.02)
    raise AssertionError(f"{player.name} never saw it; the last letters: {[one.text for one in (await player.screen())[-3:]]}")


async def play(player: Player, brain: Brain, over: Callable[[Shown], bool], *, patience: float = 5.0, pause: float = 0.01) -> int:
    """Answer every new letter that offers something until one says that the game is over; how many answers were given."""
    answered: set[tuple[str, str]] = set()
    given = 0
    heard = time.monotonic()
    while True:
        letters = await player.screen()
        if any(over(one) for one in letters):
            return given
        newest = next((one for one in reversed(letters) if one.options), None)
        if newest is not None and (newest.id, newest.text) not in answered:
            answered.add((newest.id, newest.text))
            await player.answer(newest, brain.answer(newest))
            given += 1
            heard = time.monotonic()
        elif time.monotonic() - heard > patience:
            heard = time.monotonic()
            await player.say("status")
        else:
            await asyncio.sleep(pause)


async def everybody(players: Sequence[Player], over: Callable[[Shown], bool], *, seed: int, seconds: float, patience: float = 5.0) -> list[int]:
    """All of them at once."""
    async with asyncio.timeout(seconds):
        return list(await asyncio.gather(*(play(one, Brain(f"{seed}:{one.name}"), over, patience=patience) for one in players)))
