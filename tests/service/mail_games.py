"""Complete games that are played by mail as people do it, and what their mailboxes get: mails and bytes.

Everybody thinks for an hour or two, longer at night. Some answer one thing at a time, some write a whole turn
into one mail; an `average` player does the one as often as the other, until a letter says how the other goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from adapters.mail.composing import compose, recipient_of
from adapters.mail.settings import Settings
from referee import rules
from referee.bots import greedy
from referee.rules.notation import order_text
from referee.service.play.moves import turn_of
from referee.store import Seat
from tests.service.playing import running, state, table
from tests.service.rig import House

MAILBOX = Settings(address="referee@play.test", smtp_host="localhost", imap_host="localhost")
#: how likely somebody writes a whole turn into one mail, before and after they were told how
STYLES: Mapping[str, tuple[float, float]] = {
    "one by one": (0.0, 0.0),
    "average": (0.5, 0.8),
    "whole turns": (1.0, 1.0),
}
_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000
#: nobody answers at night
_MORNING, _EVENING = 8, 22


class Post(NamedTuple):
    """What one mailbox got: letters by kind, bytes by kind, pictures among them."""

    mails: Counter[str]
    size: Counter[str]
    pictures: int

    @property
    def total(self) -> tuple[int, int]:
        """Mails and bytes."""
        return self.mails.total(), self.size.total()


class Drawing:
    """Instead of a process that draws: here and now, the first few pictures; the others count as the largest
    of these.
    """

    def __init__(self, most: int) -> None:
        self._most, self._drawn = most, list[bytes]()

    async def run(self, work: Any, *given: Any, patience: float | None = None) -> bytes:
        if len(self._drawn) == self._most:
            return max(self._drawn, key=len)
        self._drawn.append(work(*given))
        return self._drawn[-1]

    def close(self) -> None:
        """Nothing is open."""


class MailGame:
    """One game of some people with mailboxes and others in a chat."""

    def __init__(
        self,
        path: Path,
        seed: int,
        styles: Sequence[str],
        others: int = 2,
        pictures: int = 1000,
        **settings: Any,
    ) -> None:
        self.dice, self._drawing = Random(seed), Drawing(pictures)
        self.house = House(path, pictures=True, seeds=Random(seed).randbytes, **settings)
        self.styles = {f"mail:p{n}@x.test": style for n, style in enumerate(styles)}
        self.people = [*self.styles, *(f"telegram:o{n}" for n in range(others))]
        self.game, self.names, self.hint = 0, list[str](), "a whole turn fits into one mail"

    async def play(self, command: str = "new classic") -> None:
        """From the lobby to the final score."""
        await self.house.open()
        self.house.referee.outbox_worker._renderer._worker = self._drawing  # type: ignore[assignment]  # stands for a process
        for name in ("mail", "telegram"):
            self.house.wires[name].markup = name
        self.house.clock.at_ms = self.house.clock.at_ms // _DAY * _DAY + 9 * _HOUR
        self.game = await table(self.house, self.people, command=command, hours="")
        seats = self.house.store.read_now(lambda tx: tx.all(Seat, game_id=self.game, order="no"))
        self.names = [one.name for one in seats]
        while running(self.house, self.game).status == "running":
            await self._answer()
        await self._until(self.house.clock() + 4 * _DAY)  # what waits till then has left

    @property
    def rounds(self) -> int:
        """How many it took."""
        return running(self.house, self.game).round

    async def _answer(self) -> None:
        """A player who is asked thinks, then answers until somebody else is."""
        seat = self._asked()
        await self._until(self._later(self.dice.lognormvariate(0.3, 0.9) * _HOUR))
        who, turn = self.people[seat], self._turn()
        before, after = STYLES[self.styles.get(who, "whole turns")]
        told = any(self.hint in one.text for one in self.house.letters(who))
        whole = self.dice.random() < (after if told else before)
        while self._asked() == seat and self._turn() == turn:
            await self.house.say(who, "\n".join(self._orders(seat, whole)))
            await self._until(self._later(self.dice.uniform(1, 15) * _MINUTE))

    def _asked(self) -> int:
        """The seat that is asked, -1 when the game is over."""
        game = running(self.house, self.game)
        return int(game.asked.split(",")[0]) if game.status == "running" else -1

    def _turn(self) -> str:
        return turn_of(state(self.house, self.game))

    def _orders(self, seat: int, whole: bool) -> list[str]:
        """What somebody writes into their next mail: an answer, or all until they have to see something."""
        now, orders = state(self.house, self.game), list[str]()
        while True:
            view = rules.view(now, seat)
            if not view.get("ask") or (orders and not whole):
                return orders
            move = greedy.choose(view, self.dice)
            orders.append(order_text(move, self.names))
            if move.verb == "cards" or view["ask"]["kind"] == "pick":
                return orders
            now = rules.play(now, seat, move).state

    def _later(self, wait_ms: float) -> int:
        """So much later, or the next morning."""
        at = self.house.clock() + int(wait_ms)
        hour = at % _DAY / _HOUR
        if _MORNING <= hour < _EVENING:
            return at
        morning = at // _DAY * _DAY + _MORNING * _HOUR + self.dice.randrange(_HOUR)
        return morning if hour < _MORNING else morning + _DAY

    async def _until(self, at_ms: int) -> None:
        """Time goes by, and what falls due happens."""
        while self.house.clock() < at_ms:
            self.house.clock.at_ms = min(at_ms, self.house.clock() + _HOUR)
            await self.house.referee.scheduler.ring()
            await self.house.settle()

    def post(self, who: str) -> Post:
        """What somebody's mailbox got."""
        mails, size, pictures = Counter[str](), Counter[str](), 0
        for letter in self.house.letters(who):
            recipient = recipient_of(letter)
            assert recipient is not None
            kind = self.house.row(letter).kind
            mails[kind] += 1
            size[kind] += len(compose(letter, recipient, MAILBOX, self.house.clock()).data)
            pictures += letter.picture is not None
        return Post(mails, size, pictures)
