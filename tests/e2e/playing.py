"""People at the table: each looks at their screen and answers, until the game is over.

Nobody here knows more than their own screen shows.  Who hears nothing for a while asks for the
`status`, as people do.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tests.e2e.brain import Answer, Brain
from tests.e2e.sight import Shown

T = TypeVar("T")
#: how many letters back somebody looks who plays on
_NEWEST = 16
#: how often words are typed where a tap would do: a mail takes so long that people say more in it
TYPING = {"mail": 0.75}
#: how often people look at their screens, seconds; a mailbox is asked each time
LOOKS = {"mail": 0.1}
LOOK = 0.03
#: the seed is opened when the game is over, and in no other letter
_OPENED = re.compile(r"Seed: [0-9a-f]{64}")


def final(shown: Shown) -> bool:
    """Whether a letter says that the game is over."""
    return _OPENED.search(shown.text) is not None


async def until(what: Callable[[], T | None], why: str, seconds: float = 20) -> T:
    """What `what` gives once it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError(f"it never happened: {why}")


class Player(Protocol):
    """One person on one channel.  `tag` ("#17 ") goes before every order that is typed."""

    name: str
    channel: str
    tag: str

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


async def reads(player: Player, words: str, seconds: float = 20) -> Shown:
    """The newest letter in which a pattern is found, as soon as there is one."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for one in reversed(await player.screen()):
            if re.search(words, one.text):
                return one
        await asyncio.sleep(0.02)
    raise AssertionError(
        f"{player.name} never saw it; the last letters: {[one.text for one in (await player.screen())[-3:]]}"
    )


async def play(
    player: Player,
    brain: Brain,
    *,
    over: Callable[[Shown], bool] = final,
    patience: float = 5.0,
) -> int:
    """Answer every new letter that offers something until one says that the game is over; how many answers
    were given.
    """
    answered: set[tuple[str, str]] = set()
    given = 0
    heard = time.monotonic()
    while True:
        letters = (await player.screen())[-_NEWEST:]
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
            await asyncio.sleep(LOOKS.get(player.channel, LOOK))


async def everybody(
    players: Sequence[Player], *, seed: int, seconds: float, patience: float = 5.0
) -> list[int]:
    """All of them at once, to the end of the game."""
    async with asyncio.timeout(seconds):
        return list(
            await asyncio.gather(
                *(
                    play(one, Brain(f"{seed}:{one.name}", TYPING.get(one.channel, 0.4)), patience=patience)
                    for one in players
                )
            )
        )
