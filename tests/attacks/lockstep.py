"""The widened law of the curtain: the same public course played twice, with other hidden parts, and all that
one reader gets compared.

Not only words: how many letters, at which virtual moment, in what order, of what size, with which flags and
buttons, under ids of which form; and the marks of open pages after each minute. What differs, somebody else's
secret has made.
"""

from __future__ import annotations

import base64
import itertools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.ports import Fate, Letter, Receipt
from referee.service.core.unit_of_work import StateCache
from referee.service.web.fingerprint import Audience, mark
from referee.store import Journal, Meta
from tests.service.rig import Clock, House

NAME = re.compile(r"(?<![a-z2-7])[a-z2-7]{26}(?![a-z2-7])")
MINUTE_MS = 60_000
SECRET = b"s" * 32
#: a full half hour, and a bit
START_MS = 1_790_001_000_000 - 1_790_001_000_000 % 1_800_000 + 7_000


@dataclass(frozen=True)
class Got:
    """One letter as its reader sees it arrive."""

    at_ms: int
    letter: Letter

    def shape(self) -> dict[str, Any]:
        """All that can be told of it, its ids left out."""
        one = self.letter
        return {
            "moment": self.at_ms,
            "words": NAME.sub("ID", one.text),
            "page": NAME.sub("ID", one.markup),
            "subject": NAME.sub("ID", one.subject),
            "sizes": (
                len(one.text.encode()),
                len(one.markup.encode()),
                len(one.attachments),
                0 if one.picture is None else one.picture.width,
            ),
            "buttons": [[(b.label, b.order, b.number, len(b.key)) for b in row] for row in one.buttons],
            "flags": (
                one.pin,
                one.quiet,
                bool(one.edits),
                bool(one.answers),
                bool(one.callback),
                len(one.thread),
                one.ref,
                sorted(one.facts),
            ),
        }

    def names(self) -> list[str]:
        """Every id that goes out with it."""
        keys = [b.key for row in self.letter.buttons for b in row if b.key]
        return [
            self.letter.id,
            self.letter.token,
            *keys,
            *(
                str(self.letter.facts[name]).rpartition("/")[2]
                for name in ("unsubscribe",)
                if self.letter.facts.get(name)
            ),
        ]


class Watched(House):
    """A house of which everything is kept: what arrives where and when, and how the marks of open pages
    stand.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, Clock(START_MS), base_url="https://play.test")
        self.got: list[Got] = []
        self.marks: dict[int | None, list[str | None]] = {}
        self._states = StateCache(8)

    async def open(self) -> House:
        await super().open()
        self.store.write_now(lambda tx: tx.set(Meta, "secret", value=SECRET.hex()))
        self.referee.outbox_worker._key = SECRET
        for wire in self.wires.values():
            count = itertools.count(1)

            def keep(letter: Letter, wire: Any = wire, count: Any = count) -> Receipt:
                self.got.append(Got(self.clock(), letter))
                return Receipt(Fate.SENT, wire_id=letter.edits or f"{wire.name}-{next(count)}")

            wire.fate = keep
        return self

    def at(self, who: str) -> list[Got]:
        """What arrived at an address or a place."""
        channel, _, address = who.partition(":")
        return [
            one
            for one in self.got
            if one.letter.channel == channel and address in (one.letter.address, one.letter.place)
        ]

    async def minute(self, game: int, seats: dict[int, int]) -> None:
        """A minute is over: what is due happens, and open pages are looked at (`seats`: persons by seat)."""
        await self.referee.scheduler.ring()
        await self.settle()
        for seat, person in [(None, 0), *seats.items()]:
            audience = Audience(game, seat, person)
            self.marks.setdefault(seat, []).append(
                self.store.read_now(lambda tx, audience=audience: mark(tx, self._states, audience))
            )
        self.clock.at_ms += MINUTE_MS

    def lines(self, game: int) -> list[Journal]:
        return self.store.read_now(lambda tx: tx.all(Journal, game_id=game, undone=0, order="no"))


def differences(one: Watched, other: Watched, who: str, seat: int | None) -> list[str]:
    """What this reader could tell the two houses apart by."""
    mine, theirs = one.at(who), other.at(who)
    faults = [f"{who} got {len(mine)} letters, and {len(theirs)}"] if len(mine) != len(theirs) else []
    for n, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        was, became = a.shape(), b.shape()
        faults += [
            f"{who}, letter {n}, {what}: {was[what]!r} became {became[what]!r}"
            for what in was
            if was[what] != became[what]
        ]
    for n, (a, b) in enumerate(zip(one.marks.get(seat, ()), other.marks.get(seat, ()), strict=False)):
        if a != b:
            faults.append(f"{who}: the page of seat {seat} was another one in minute {n}")
            break
    return faults


def counted(house: Watched, who: str) -> list[str]:
    """What the ids tell that somebody got: a form of their own, or an order."""
    faults = []
    got = house.at(who)
    for one in got:
        faults += [
            f"{who}: {name!r} is not of the form of an id" for name in one.names() if not NAME.fullmatch(name)
        ]
    for kind in ("id", "token"):
        found = [getattr(one.letter, kind) for one in got]
        if len(found) < 12 or not all(NAME.fullmatch(one) for one in found):
            continue
        numbers = [int.from_bytes(base64.b32decode(one.upper() + "======")) for one in found]
        pairs = list(itertools.combinations(numbers, 2))
        rising = sum(a < b for a, b in pairs) / len(pairs)
        if not 0.2 < rising < 0.8:
            faults.append(f"{who}: the {kind}s have an order, {rising:.2f} of all pairs rise")
        if any(
            a - b == c - d != 0
            for a, b, c, d in zip(numbers[1:], numbers, numbers[2:], numbers[1:], strict=False)
        ):
            faults.append(f"{who}: the {kind}s rise by equal steps")
    return faults
