"""A crowd that does anything: orders that are legal and not, garbage, buttons old and foreign, the same
twice, undo, link, leave, and so on, through wires that fail, with restarts in between and clocks that ring.

Everything follows from one seed. What every reader may have been told is noted as it becomes true, so that
letters can be held against it afterwards.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from referee import rules
from referee.ports import Fate, Inbound, Letter, Receipt, What
from referee.rules.notation import order_text
from referee.store import Address, Game, Seat
from tests.service.crowd_words import GARBAGE, PEOPLE, ROOMS, TABLES, WISHES
from tests.service.rig import House


class Crowd:
    """`house` is where they play.

    `held` maps (game, seat) to the hands, `were` to the sets of characters that seat has had.
    """

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.dice = random.Random(seed)
        self.said: list[dict[str, Any]] = []
        self.held: dict[tuple[int, int], set[tuple[str, ...]]] = defaultdict(set)
        self.were: dict[tuple[int, int], set[tuple[str, ...]]] = defaultdict(set)
        self.orders = self.restarts = self.troubles = 0
        self._keys = 0
        self._seen: dict[int, bytes] = {}
        for wire in house.wires.values():
            wire.markup = "text"

    async def live(self, acts: int) -> None:
        """So many things happen; then the wires heal and everything waiting goes out."""
        choices: list[tuple[int, Callable[[], Awaitable[None]]]] = [
            (50, self.legal_order),
            (8, self.several_orders),
            (6, self.garbage),
            (10, self.intent),
            (4, self.in_a_room),
            (8, self.button),
            (4, self.again),
            (4, self.table),
            (6, self.join),
            (6, self.ready),
            (2, self.link),
            (4, self.time),
            (2, self.weather),
            (1, self.restart),
            (2, self.stranger),
            (1, self.news),
        ]
        for _ in range(acts):
            act = self.dice.choices([a for _, a in choices], [w for w, _ in choices])[0]
            await act()
            self.note()
        for wire in self.house.wires.values():
            wire.fate, wire.wait_ms = None, 0
        for _ in range(12):
            self.house.clock.pass_(seconds=61)
            await self.house.settle()
        self.note()

    def note(self) -> None:
        """What each seat holds now, it may have been told."""
        for game in self.house.store.read_now(lambda tx: tx.all(Game)):
            number = int(game.id or 0)
            if not game.snapshot or self._seen.get(number) == game.snapshot:
                continue
            self._seen[number] = game.snapshot
            state = rules.load(json.loads(game.snapshot))
            for seat in range(len(state.players)):
                view = rules.view(state, seat)
                self.held[number, seat].add(tuple(sorted(view["hand"])))
                self.were[number, seat].add(tuple(sorted(view["characters"])))

    # ---------------------------------------------------------------- what people do

    async def legal_order(self) -> None:
        """Anyone who is asked answers, from any of their addresses."""
        found = self._asked()
        if found is None:
            await self.table()
            return
        game, who, offers = found
        self.orders += 1
        await self._say(who, f"#{game} {self.dice.choice(offers)}")

    async def several_orders(self) -> None:
        found = self._asked()
        if found is not None:
            game, who, offers = found
            await self._say(
                who,
                (
                    f"#{game} {self.dice.choice(offers)};"
                    f" {self.dice.choice([*offers, 'end', 'gold', 'build Keep'])}; end"
                ),
            )

    async def garbage(self) -> None:
        await self._say(self._anybody(), self.dice.choice(GARBAGE))

    async def intent(self) -> None:
        number = self._game()
        await self._say(
            self._anybody(),
            self.dice.choice(WISHES) + (f" #{number}" if number and self.dice.random() < 0.3 else ""),
        )

    async def in_a_room(self) -> None:
        channel, place = self._room()
        who = self.dice.choice([p for p in PEOPLE if p.startswith(channel)])
        text = self.dice.choice(
            [*WISHES, *TABLES, *GARBAGE, "gold", "join #1", "watch #1", "I think the Thief did it"]
        )
        await self._say(who, f"/{text}" if self.dice.random() < 0.8 else text, place=place)

    async def button(self) -> None:
        """Any button that was ever shown, pressed by the person whom it was for, or by somebody else."""
        letters = [x for wire in self.house.wires.values() for x in wire.sent[-60:] if x.buttons]
        if not letters:
            return
        letter = self.dice.choice(letters)
        one = self.dice.choice([b for row in letter.buttons for b in row])
        mine = [p for p in PEOPLE if p == f"{letter.channel}:{letter.address}"]
        who = (
            mine[0]
            if mine and self.dice.random() < 0.7
            else self.dice.choice([p for p in PEOPLE if p.startswith(letter.channel)] or [self._anybody()])
        )
        if who.startswith("mail"):
            return
        self._keys += 1
        facts = {"callback": f"cb{self._keys}"} if who.startswith("telegram") else {}
        channel, _, address = who.partition(":")
        await self.house.bring(
            Inbound(
                channel=channel,
                key=f"b{self._keys}",
                address=address,
                what=What.BUTTON,
                payload=one.key or "x" * 64,
                place=letter.place,
                name=address.strip("@").split(":")[0].capitalize(),
                at_ms=self.house.clock(),
                facts=facts,
            )
        )

    async def again(self) -> None:
        """A transport that hands the same message over twice."""
        if self.said:
            await self.house.say(**self.dice.choice(self.said[-30:]))

    async def table(self) -> None:
        who, *others = self.dice.sample(PEOPLE, 3)
        await self._say(who, self.dice.choice(TABLES))
        number = self._newest()
        for other in others:
            await self._say(other, f"join #{number}")
        for one in (who, *others):
            await self._say(one, f"#{number} ready")

    async def join(self) -> None:
        number = self._game()
        if number:
            code = json.loads(self._row(number).settings).get("code")
            await self._say(
                self._anybody(), f"join {code}" if code and self.dice.random() < 0.7 else f"join #{number}"
            )

    async def ready(self) -> None:
        number = self._game()
        for who in PEOPLE if number else ():
            if self.dice.random() < 0.6:
                await self._say(who, f"#{number} ready")

    async def link(self) -> None:
        one, other = self.dice.sample(PEOPLE, 2)
        await self._say(one, "link")
        found = [x.text for x in self._letters(one) if "link " in x.text]
        if found:
            code = found[-1].partition("link ")[2].split()[0]
            await self._say(other, f"link {code}")
            for who in (one, other):
                if self.dice.random() < 0.9:
                    await self._yes(who)

    async def _yes(self, who: str) -> None:
        """Somebody says yes to being joined, where they were asked."""
        channel, _, address = who.partition(":")
        for letter in reversed(self._letters(who)[-5:]):
            key = next((b.key for row in letter.buttons for b in row if b.order.startswith("link yes")), "")
            if key:
                self._keys += 1
                await self.house.bring(
                    Inbound(
                        channel=channel,
                        key=f"y{self._keys}",
                        address=address,
                        what=What.MESSAGE if channel == "mail" else What.BUTTON,
                        payload="" if channel == "mail" else key,
                        text="yes" if channel == "mail" else "",
                        at_ms=self.house.clock(),
                        token=letter.token if channel == "mail" else "",
                        vouched=channel != "mail",
                    )
                )
                return

    async def time(self) -> None:
        """Hours pass, and everything that is due rings."""
        self.house.clock.pass_(hours=self.dice.choice([0.02, 0.5, 3, 7, 13, 25]))
        await self.house.referee.scheduler.ring()
        await self.house.settle()

    async def weather(self) -> None:
        """A wire begins to fail in some way, or heals."""
        wire = self.dice.choice(list(self.house.wires.values()))
        kind = self.dice.choice(["fine", "fine", "later", "unknown", "blocked", "moved", "gone", "slow"])
        self.troubles += kind != "fine"
        wire.wait_ms = 400 if kind == "slow" else 0
        luck = random.Random(self.dice.random())
        bad = {
            "later": Receipt(Fate.LATER, retry_ms=1500),
            "unknown": Receipt(Fate.UNKNOWN, detail="timeout"),
            "blocked": Receipt(Fate.FAILED, reason="blocked"),
            "moved": Receipt(Fate.MOVED, moved_to="-6"),
            "gone": Receipt(Fate.FAILED, reason="not-a-member"),
        }.get(kind)

        def fate(letter: Letter) -> Receipt:
            if (
                bad is not None
                and luck.random() < 0.4
                and (kind != "moved" or letter.place == "-5")
                and (kind != "gone" or letter.place)
            ):
                return bad
            return Receipt(Fate.SENT, wire_id=letter.edits or f"{wire.name}-{next(wire._n)}")

        wire.fate = fate if bad is not None else None

    async def restart(self) -> None:
        """The referee stops and starts again; once in a while it was away for hours."""
        self.restarts += 1
        await self.house.close()
        if self.dice.random() < 0.5:
            self.house.clock.pass_(hours=5)
        await self.house.open()
        await self.house.settle()

    async def stranger(self) -> None:
        """A mail without a token, or with somebody else's."""
        tokens = [x.token for x in self.house.wires["mail"].sent[-9:]]
        sender = self.dice.choice(["mail:dan@x.test", "mail:eve@x.test", "mail:mallory@evil.test"])
        await self._say(
            sender,
            self.dice.choice(["gold", "hello", "status", "undo"]),
            vouched=False,
            token=self.dice.choice([*tokens, ""]),
        )

    async def news(self) -> None:
        """Not words but what a wire reports."""
        channel, place = self._room()
        self._keys += 1
        who = self.dice.choice(PEOPLE)
        what, facts = self.dice.choice(
            [
                (What.INVITED, {}),
                (What.EXPELLED, {}),
                (What.REACHABLE, {}),
                (What.BLOCKED, {}),
                (What.AUTO_REPLY, {}),
                (What.MOVED, {"to": "-6"}),
            ]
        )
        room = what in (What.INVITED, What.EXPELLED, What.MOVED)
        if what is What.MOVED:
            channel, place = "telegram", "-5"
        await self.house.bring(
            Inbound(
                channel=channel if room else who.partition(":")[0],
                key=f"w{self._keys}",
                address=who.partition(":")[2],
                what=what,
                place=place if room else None,
                at_ms=self.house.clock(),
                facts=facts,
            )
        )

    # ---------------------------------------------------------------- what they need to know for that

    async def _say(self, who: str, text: str, **more: Any) -> None:
        if who.startswith("mail:") and "token" not in more and not self._letters(who):
            more = {**more, "vouched": False}
        self._keys += 1
        one = {"who": who, "text": text, "key": f"c{self._keys}", **more}
        self.said.append(one)
        await self.house.say(**one)

    def _anybody(self) -> str:
        return self.dice.choice(PEOPLE)

    def _letters(self, who: str) -> list[Letter]:
        return self.house.letters(who)

    def _room(self) -> tuple[str, str]:
        channel = self.dice.choice(list(ROOMS))
        return channel, self.dice.choice(ROOMS[channel])

    def _row(self, number: int) -> Game:
        found = self.house.store.read_now(lambda tx: tx.get(Game, number))
        assert found is not None
        return found

    def _newest(self) -> int:
        found = self.house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))
        return int(found[0].id or 0) if found else 0

    def _game(self) -> int:
        found = self.house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=4))
        return int(self.dice.choice(found).id or 0) if found else 0

    def _asked(self) -> tuple[int, str, list[str]] | None:
        """A running game, an address of somebody who is asked there, and what they may order."""
        games = [g for g in self.house.store.read_now(lambda tx: tx.all(Game, status="running")) if g.asked]
        if not games:
            return None
        game = self.dice.choice(games[-3:])
        number = int(game.id or 0)
        state = rules.load(json.loads(game.snapshot))
        ask = rules.asks(state)[0]
        seats = self.house.store.read_now(lambda tx: tx.all(Seat, game_id=number, order="no"))
        found = self.house.store.read_now(lambda tx: tx.all(Address, person_id=seats[ask.seat].person_id))
        at = self.dice.choice(found)
        return (
            number,
            f"{at.channel}:{at.address}",
            [order_text(m, [s.name for s in seats]) for m in rules.legal(state, ask.seat)],
        )
