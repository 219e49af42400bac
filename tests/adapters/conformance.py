"""What every adapter must do, whatever the wire.  One suite, played over real sockets.

An adapter's test module makes a `Rig` (its server, the adapter under test, and a person's
own client on the same server) and inherits `Conformance`:

    class TestTelegram(Conformance):
        @pytest.fixture
        async def rig(self, ...): ...
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from referee.ports import Adapter, Button, Fate, Inbound, Letter, Reachable, What
from referee.service.inbound.cleaning import cleaned


@dataclass
class Desk:
    """A reception that keeps what it is given, survives its adapter, and can be told to fail."""

    inbox: dict[tuple[str, str], Inbound] = field(default_factory=dict)
    bookmarks: dict[tuple[str, str], str] = field(default_factory=dict)
    refuse: bool = False
    calls: int = 0
    parked: list[Inbound] = field(default_factory=list)

    async def park(self, one: Inbound) -> None:
        if self.refuse:
            raise OSError("the disk is full")
        assert one.what is What.UNREAD
        self.parked.append(one)

    def reading(self, channel: str, ref: str) -> AbstractContextManager[bool]:
        return nullcontext(True)

    async def receive(
        self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        self.calls += 1
        if self.refuse:
            raise OSError("the disk is full")
        for one in batch:
            assert one.channel == channel
            assert one.key
            self.inbox.setdefault((one.channel, one.key), one)
        for name, value in (cursor or {}).items():
            self.bookmarks[channel, name] = value

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        assert not rivalled, "nobody else is there"

    async def bookmark(self, channel: str, name: str) -> str | None:
        return self.bookmarks.get((channel, name))

    def said(self, what: What = What.MESSAGE) -> list[Inbound]:
        return [one for one in self.inbox.values() if one.what is what]


class Rig(Protocol):
    """One channel set up for a test: a real server on loopback, one person, one room."""

    desk: Desk
    person: str  # the person's address
    room: str  # a room both are in

    def adapter(self) -> Adapter:
        """A fresh adapter, as after a restart: nothing remembered but the desk."""

    async def say(self, text: str, *, room: bool = False) -> None:
        """The person writes."""

    async def press(self, order: str) -> bool:
        """The person takes the offered answer `order` of the newest private message; False if the wire has no
        buttons.
        """

    async def read(self, *, room: bool = False) -> list[str]:
        """The texts the person sees there now, oldest first, edits applied."""

    async def outage(self, on: bool) -> None:
        """The server stops answering, or comes back."""


#: seconds for what was said while nobody listened. An MTA comes back when it likes: Postfix after a second,
#: but after a minute where a run of its queue met the mail in the moment in which it was put back ("skipped,
#: still being delivered"); two such runs are waited for. That mail lies among those that come in, at which
#: Postfix looks when another comes or it is woken up (tests/servers/mail_config.py: every second, not 300)
HANDED_OVER_S = 180.0


async def until(true: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Poll until `true()` is; fails with what it last was."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while True:
        got = true()
        if asyncio.iscoroutine(got):
            got = await got
        if got:
            return got
        assert loop.time() < end, "it never happened"
        await asyncio.sleep(0.02)


class Conformance:
    """The suite.  Subclasses give the fixture `rig`."""

    async def test_private_words_arrive_once_and_survive_a_restart(self, rig: Rig) -> None:
        one = rig.adapter()
        await one.start(rig.desk)
        await rig.say("gold; build Market; end")
        await until(lambda: rig.desk.said())
        assert not isinstance(one, Reachable) or "@" in one.contact()[0]
        await one.stop()
        await rig.say("status")  # said while nobody listens
        two = rig.adapter()
        await two.start(rig.desk)
        await until(lambda: len(rig.desk.said()) == 2, HANDED_OVER_S)
        await two.stop()
        await rig.say("games")
        await two.start(rig.desk)  # the same once more, as when its process has the channel again
        await until(lambda: len(rig.desk.said()) == 3, HANDED_OVER_S)
        receipt = await two.send(Letter(id="9001", channel=two.name, address=rig.person, text="Here again."))
        assert receipt.fate in (Fate.SENT, Fate.LATER)
        await two.stop()
        texts = [one.text.strip() for one in rig.desk.said()]
        assert texts == ["gold; build Market; end", "status", "games"]
        first = rig.desk.said()[0]
        assert first.address == rig.person
        assert first.place is None
        assert first.at_ms > 1_600_000_000_000

    async def test_nothing_is_acknowledged_before_it_is_on_disk(self, rig: Rig) -> None:
        rig.desk.refuse = True
        one = rig.adapter()
        await one.start(rig.desk)
        await rig.say("hand")
        await until(lambda: rig.desk.calls)
        await one.stop()
        assert not rig.desk.inbox
        rig.desk.refuse = False
        two = rig.adapter()
        await two.start(rig.desk)
        await until(lambda: [x for x in rig.desk.said() if x.text.strip() == "hand"], HANDED_OVER_S)
        await two.stop()
        assert len(rig.desk.said()) == 1

    async def test_a_letter_reaches_the_person_and_its_answer_comes_back(self, rig: Rig) -> None:
        one = rig.adapter()
        await one.start(rig.desk)
        letter = Letter(
            id="7",
            channel=one.name,
            address=rig.person,
            text="Your turn. 1) gold <&> 2) cards",
            subject="[#17] your turn",
            ref="g17",
            token="abcdefgh2345",
            buttons=((Button("take gold", "k-1", "gold"), Button("draw cards", "k-2", "cards")),),
        )
        receipt = await one.send(letter)
        assert receipt.fate is Fate.SENT, receipt
        assert receipt.wire_id
        await until(lambda: seen(rig, "gold <&>"))
        if await rig.press("gold"):
            got = (
                await until(
                    lambda: [
                        x for x in rig.desk.inbox.values() if x.payload == "k-1" or x.text.strip() == "gold"
                    ]
                )
            )[0]
            assert got.address == rig.person
            assert got.place is None
        await one.stop()

    async def test_room_talk_carries_the_room(self, rig: Rig) -> None:
        if not rig.room:
            return  # a mailbox has no rooms: nothing to carry
        one = rig.adapter()
        await one.start(rig.desk)
        await rig.say("/status", room=True)
        got = (await until(lambda: [x for x in rig.desk.said() if "status" in x.text]))[0]
        assert got.place == rig.room
        assert got.address == rig.person
        receipt = await one.send(Letter(id="8", channel=one.name, place=rig.room, text="Table: round 1"))
        assert receipt.fate is Fate.SENT
        assert await until(lambda: seen(rig, "Table: round 1", room=True))
        again = await one.send(
            Letter(id="9", channel=one.name, place=rig.room, text="Table: round 2", edits=receipt.wire_id)
        )
        assert again.fate is Fate.SENT
        await until(lambda: seen(rig, "Table: round 2", room=True))
        if one.can_edit:
            assert not await seen(rig, "Table: round 1", room=True)
            assert again.wire_id == receipt.wire_id
        await one.stop()

    async def test_an_unknown_address_fails_for_good(self, rig: Rig) -> None:
        one = rig.adapter()
        await one.start(rig.desk)
        receipt = await one.send(Letter(id="10", channel=one.name, address=self.nobody(rig), text="hello"))
        await one.stop()
        assert receipt.fate is Fate.FAILED, receipt
        assert receipt.reason

    def nobody(self, rig: Rig) -> str:
        """An address on that server that nobody has."""
        raise NotImplementedError

    async def test_a_server_that_is_away_loses_nothing(self, rig: Rig) -> None:
        one = rig.adapter()
        await one.start(rig.desk)
        await rig.outage(True)
        receipt = await one.send(Letter(id="11", channel=one.name, address=rig.person, text="are you there?"))
        assert receipt.fate in (Fate.LATER, Fate.UNKNOWN), receipt
        await rig.outage(False)
        await rig.say("I am back")
        await until(lambda: [x for x in rig.desk.said() if x.text.strip() == "I am back"], HANDED_OVER_S)
        second = await self.send_until_sent(
            one, Letter(id="11", channel=one.name, address=rig.person, text="are you there?")
        )
        assert second.wire_id
        await until(lambda: seen(rig, "are you there?"))
        assert sum("are you there?" in text for text in await rig.read()) == 1
        await one.stop()

    async def harm(self, rig: Rig) -> None:
        """Strangers send what this wire can carry and nobody should read; subclasses know worse than
        words.
        """
        for words in (
            "<" + "a@" * 1500,
            "\ufdfa" * 1000,
            "\u202egold\u2066",
            "z\u0300" * 1000,
            "&#" + "9" * 3000,
        ):
            await rig.say(words)

    async def test_poison_between_two_good_messages_stops_nothing(self, rig: Rig) -> None:
        """Whatever arrives is written down, refused, or parked; what comes after it arrives; and after a
        restart nothing is fetched for ever.
        """
        one = rig.adapter()
        await one.start(rig.desk)
        await rig.say("before")
        await until(lambda: said_of(rig, "before"))
        await self.harm(rig)
        await Conformance.harm(self, rig)
        await rig.say("after")
        await until(lambda: said_of(rig, "after"), 60)
        await one.stop()
        parked, bookmarks = len(rig.desk.parked), dict(rig.desk.bookmarks)
        two = rig.adapter()
        await two.start(rig.desk)
        await rig.say("last")
        await until(lambda: said_of(rig, "last"), 60)
        await two.stop()
        assert len(rig.desk.parked) == parked
        assert not bookmarks or rig.desk.bookmarks.keys() >= bookmarks.keys()
        assert {said_of(rig, words) for words in ("before", "after", "last")} == {1}
        for came in [*rig.desk.inbox.values(), *rig.desk.parked]:
            msgspec.json.encode(
                cleaned(came, came.at_ms or 1)
            )  # as the reception does it, for all channels in one place

    async def send_until_sent(self, adapter: Adapter, letter: Letter) -> Any:
        for _ in range(200):
            receipt = await adapter.send(letter)
            if receipt.fate is Fate.SENT:
                return receipt
            await asyncio.sleep(0.05)
        raise AssertionError(f"never sent: {receipt}")

    async def test_check_calls_the_real_server(self, rig: Rig) -> None:
        one = rig.adapter()
        findings = await one.check()
        assert findings
        assert all(f.level == "ok" for f in findings), findings
        await rig.outage(True)
        assert any(f.level == "bad" for f in await rig.adapter().check())
        await rig.outage(False)


def said_of(rig: Rig, words: str) -> int:
    return sum(one.text.strip() == words for one in rig.desk.said())


async def seen(rig: Rig, words: str, *, room: bool = False) -> bool:
    return any(words in text for text in await rig.read(room=room))
