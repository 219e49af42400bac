"""One long evening in a single language: a house in which everybody reads it, on every channel, and nearly
everything happens that makes a letter.

What anybody is sent is kept: words, subjects, labels of buttons, descriptions of pictures and what is drawn
in them, pages. What people typed, and orders in the notation of the game, are kept beside it: those come back
as they are.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from referee import rules
from referee.ports import Inbound, Letter, What
from referee.rules.facts import Family
from referee.rules.notation import order_text
from referee.service.core.settings import BotSettings
from referee.store import Game, Outbox, Seat
from referee.text import lexicon
from referee.text.rendering.typed import example, typed
from tests.service.rig import House

ROOM, HALL = "-7", "!hall:hs"
ROOT = "telegram:root"
PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]
#: what is no letter: markup, and what an address hides
_TAGS = re.compile(r"<style.*?</style>|<script.*?</script>|<[^>]+>|https?://[^\s<]+", re.DOTALL)
_ALOUD = re.compile(r'(?:alt|title|aria-label|placeholder|data-changed)="([^"]*[a-z]{3}[^"]*)"')


class Here:
    """Instead of a process that draws: keeps what was to be drawn."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    async def run(self, work: Any, svg: str, *given: Any, patience: float | None = None) -> bytes:
        self.drawn.append(svg)
        return b"PNG"

    def close(self) -> None:
        """Nothing is open."""


class Evening:
    """`seen` is everything that anybody could read, as (where, words); `typed` what people wrote; `kinds`
    which letters there were, when the evening is over.
    """

    def __init__(self, path: Path, language: str, own: tuple[Path, ...] = ()) -> None:
        self.language, self.own = language, own
        self.lex = lexicon(language, own)
        self.house = House(
            path / "referee.db",
            language=language,
            pictures=True,
            base_url="https://play.test",
            admins=(("telegram", "root"),),
            bots=BotSettings(effort=0.02),
        )
        self.house.own = own
        self.typed: set[str] = set()
        self.kinds: set[str] = set()
        self.orders: set[str] = set()
        self.here = Here()
        self.keys = itertools.count(1)
        self.dice = random.Random(11)

    async def open(self) -> None:
        await self.house.open()
        self.house.referee.outbox_worker._renderer._worker = self.here  # type: ignore[assignment]  # stands for a process
        for name, wire in self.house.wires.items():
            wire.markup = "text" if name == "terminal" else name

    def own_words(self, said: str) -> str:
        """A command or an order in the words of the language; what it has none for stays as it is."""
        said = (
            self.lex.name("commands", said) if said in self.lex.table("commands") else example(self.lex, said)
        )
        return typed(self.lex, said) if said.split(" ")[0] in self.lex.table("verbs") else said

    async def say(self, who: str, said: str, *, place: str | None = None, **more: Any) -> str:
        """Somebody writes; what they are answered, or what is said where they wrote."""
        where = f"{who.partition(':')[0]}:{place}" if place else who
        before = len(self.house.letters(where))
        said = ("/" if place else "") + self.own_words(said)
        self.typed.add(said)
        await self.house.say(who, said, place=place, **more)
        return "\n".join(one.text for one in self.house.letters(where)[before:])

    async def come(self, who: str, what: What, place: str | None = None, **more: Any) -> None:
        channel, _, address = who.partition(":")
        await self.house.bring(
            Inbound(
                channel=channel,
                key=f"come {next(self.keys)}",
                address=address,
                what=what,
                place=place,
                name=address.strip("@").split(":")[0].split("@")[0].capitalize(),
                at_ms=self.house.clock(),
                **more,
            )
        )

    async def pass_(self, hours: float) -> None:
        """Time goes by, and what was due then happens."""
        self.house.clock.pass_(hours=hours)
        await self.house.referee.scheduler.ring()
        await self.house.settle()

    def game(self, number: int) -> Game:
        found = self.house.store.read_now(lambda tx: tx.get(Game, number))
        assert found is not None
        return found

    def newest(self) -> int:
        return int(self.house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0].id or 0)

    def asked(self, number: int) -> int:
        return int(self.game(number).asked.split(",")[0])

    def open_orders(self, number: int) -> list[str]:
        """What the seat that is asked may answer."""
        state = rules.load(json.loads(self.game(number).snapshot))
        names = [
            seat.name
            for seat in self.house.store.read_now(lambda tx: tx.all(Seat, game_id=number, order="no"))
        ]
        ask = rules.asks(state)[0]
        found = [
            order_text(one.move(one.cards[: one.least]) if isinstance(one, Family) else one, names)
            for one in (*ask.moves, *ask.families)
        ]
        self.orders |= set(found)
        return found

    async def play(self, number: int, orders: int = 4000) -> None:
        """So many answers, random but for an end to come in sight, in the words of the language, or by a
        button where there is one; or to the end.
        """
        for _ in range(orders):
            if self.game(number).status != "running":
                return
            who, offered = PEOPLE[self.asked(number)], self.open_orders(number)
            built = [one for one in offered if one.startswith("build") or one == "gold"]
            order = self.dice.choice(built if built and self.dice.random() < 0.6 else offered)
            key = next(
                (
                    b.key
                    for x in self.house.letters(who)[-1:]
                    for row in x.buttons
                    for b in row
                    if b.order == order
                ),
                "",
            )
            if key and who.startswith(("telegram", "matrix")) and self.dice.random() < 0.5:
                await self.house.press(who, key)
            else:
                await self.say(who, f"#{number} {self.own_words(order)}")

    # ---------------------------------------------------------------- what was to be read

    def letters(self) -> Iterator[Letter]:
        for wire in self.house.wires.values():
            yield from wire.sent

    async def close(self) -> None:
        self.kinds = {str(one.kind) for one in self.house.store.read_now(lambda tx: tx.all(Outbox))}
        await self.house.close()

    def seen(self) -> Iterator[tuple[str, str]]:
        """(where, words): every word that was sent, shown, said aloud or drawn."""
        for letter in self.letters():
            where = f"{letter.channel} {letter.id}"
            yield from (
                (where, part) for part in (letter.subject, letter.text, *words_of(letter.markup)) if part
            )
            yield from ((f"{where} button", button.label) for row in letter.buttons for button in row)
            yield from (
                (f"{where} file", file.data.decode())
                for file in letter.attachments
                if file.media_type.startswith("text/calendar")
            )
            if letter.picture is not None:
                yield from (
                    (f"{where} picture", part)
                    for part in (
                        letter.picture.alt,
                        letter.picture.caption,
                        *words_of(letter.picture.caption_markup),
                    )
                )
        for number, svg in enumerate(self.here.drawn):
            yield from ((f"drawing {number}", part) for part in words_of(svg))


def words_of(markup: str) -> Iterator[str]:
    """What is read of a page, or of any markup: its words, and what is said aloud of it."""
    yield unescape(_TAGS.sub(" ", markup))
    yield from map(unescape, _ALOUD.findall(markup))
