"""Whole syncs full of nonsense, as a homeserver that checks nothing might pass them on: the channel goes
on.
"""

from __future__ import annotations

import random
from typing import Any

import nio
import pytest

from adapters.matrix import invitations
from adapters.matrix.adapter import MatrixAdapter
from adapters.matrix.connection import MatrixError
from adapters.matrix.settings import Settings
from referee.ports import Inbound

ME = "@referee:hs.test"
KINDS = [
    "m.room.member",
    "m.room.name",
    "m.room.power_levels",
    "m.room.join_rules",
    "m.room.history_visibility",
    "m.room.canonical_alias",
    "m.room.encryption",
    "m.room.create",
    "m.room.tombstone",
    "m.room.pinned_events",
    "m.room.message",
    "m.reaction",
    "m.room.encrypted",
    "m.room.redaction",
    "m.sticker",
    "m.call.invite",
    "org.example.odd",
]
NAMES = [
    "membership",
    "displayname",
    "name",
    "users",
    "join_rule",
    "history_visibility",
    "alias",
    "algorithm",
    "replacement_room",
    "body",
    "msgtype",
    "m.relates_to",
    "key",
    "event_id",
    "rel_type",
    "m.new_content",
    "m.mentions",
    "user_ids",
    "ciphertext",
    "sender_key",
    "session_id",
    "device_id",
    "predecessor",
    "is_direct",
    "m.in_reply_to",
    ME,
]
WORDS = [
    "join",
    "invite",
    "leave",
    "ban",
    "public",
    "m.text",
    "m.image",
    "m.megolm.v1.aes-sha2",
    "m.replace",
    "m.annotation",
    "m.thread",
    "1\ufe0f\u20e3",
    ME,
    "@ann:hs.test",
    "",
    "\0",
    "\ud800",
    "$x",
    "> <@a:b>\n>",
    "x" * 300,
]
PEOPLE = ["@ann:hs.test", "@bea:hs.test", ME]


class Nonsense:
    """Repeatable noise of the right shape."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.number = 0

    def value(self, depth: int = 0) -> Any:
        kind = self.chance.randrange(9 if depth < 3 else 6)
        if kind < 4:
            return self.chance.choice(WORDS)
        if kind < 6:
            return self.chance.choice([None, True, -1, 2**60, 0, 50])
        if kind == 6:
            return [self.value(depth + 1) for _ in range(self.chance.randrange(3))]
        return {self.chance.choice(NAMES): self.value(depth + 1) for _ in range(self.chance.randrange(4))}

    def content(self) -> dict[str, Any]:
        made = {name: self.value() for name in self.chance.sample(NAMES, self.chance.randrange(1, 9))}
        if self.chance.random() < 0.5:
            made |= {
                "membership": self.chance.choice(WORDS[:4]),
                "displayname": self.chance.choice(["A", "", None]),
            }
        if self.chance.random() < 0.5:
            made |= {"msgtype": "m.text", "body": self.chance.choice(WORDS)}
        return made

    def event(self) -> dict[str, Any]:
        self.number += 1
        made = {
            "type": self.chance.choice(KINDS),
            "event_id": f"${self.number}",
            "sender": self.chance.choice(PEOPLE),
            "origin_server_ts": self.number,
            "content": self.content(),
        }
        if self.chance.random() < 0.6:
            made["state_key"] = self.chance.choice(["", *PEOPLE])
        if self.chance.random() < 0.5:
            made["unsigned"] = {"prev_content": self.content(), "prev_sender": self.value(2)}
        return made

    def events(self) -> dict[str, Any]:
        return {"events": [self.event() for _ in range(self.chance.randrange(4))]}

    def sync(self) -> dict[str, Any]:
        self.number += 1
        room = f"!r{self.chance.randrange(4)}:hs.test"
        return {
            "next_batch": f"b{self.number}",
            "device_one_time_keys_count": {},
            "device_lists": {"changed": [], "left": []},
            "account_data": {"events": [{"type": "m.direct", "content": self.value()}]},
            "to_device": {"events": []},
            "presence": {"events": []},
            "rooms": {
                "join": {
                    room: {
                        "state": self.events(),
                        "timeline": {**self.events(), "limited": False, "prev_batch": "p"},
                    }
                },
                "invite": {"!i:hs.test": {"invite_state": self.events()}},
                "leave": {
                    f"!l{self.number % 3}:hs.test": {
                        "state": self.events(),
                        "timeline": {**self.events(), "limited": False},
                    }
                },
            },
        }


async def test_five_hundred_senseless_syncs_are_read_to_the_end() -> None:
    settings = Settings(homeserver="http://127.0.0.1:9", user=ME, access_token="t", timeout_s=1)
    one = MatrixAdapter(settings, lambda: 1)
    listener, client = one.listener, one.line.client
    client.restore_login(ME, "D", "t")
    listener._since = "b0"  # there was an earlier round: what comes now is not history
    noise = Nonsense(17)
    heard: list[Inbound] = []
    asked = 0
    for _ in range(500):
        answer = nio.SyncResponse.from_dict(noise.sync())
        assert isinstance(answer, nio.SyncResponse)
        await client.receive_response(answer)
        listener._account(answer)
        listener._doors.note(answer.rooms.invite)
        listener._doors.waiting()
        try:
            heard += await listener._batch(answer)
        except MatrixError:  # it wanted to ask the homeserver what a reaction means, and there is none
            asked += 1
    await one.stop()
    assert len(heard) > 40
    assert asked < 250
    for inbound in heard:
        assert inbound.key
        assert inbound.channel == "matrix"
        for text in (
            inbound.key,
            inbound.address,
            inbound.text,
            inbound.thread,
            inbound.name,
            inbound.place_name,
            inbound.payload,
        ):
            assert "\0" not in text
            text.encode()


async def test_nobody_invites_at_anothers_expense() -> None:
    settings = Settings(homeserver="http://127.0.0.1:9", user="@r:hs", access_token="t")
    one = MatrixAdapter(settings, lambda: 1)
    doors = one.listener._doors

    def asked(number: int, *senders: str) -> None:
        told = {
            "type": "m.room.member",
            "state_key": "@r:hs",
            "content": {"membership": "invite", "is_direct": True},
        }
        events = [{**told, "sender": sender} for sender in senders]
        rooms = {"invite": {f"!{number}:hs": {"invite_state": {"events": events}}}}
        doors.note(nio.SyncResponse.from_dict({"next_batch": "b", "rooms": rooms}).rooms.invite)

    for number in range(invitations.EACH + 5):  # the first is what the inviter's server makes us believe
        asked(number, "@ann:hs", "@evil:else")
    await one.stop()
    assert len(doors._invited) == invitations.EACH
    assert {invitation["by"] for invitation in doors._invited.values()} == {"@evil:else"}
    asked(100, "@ann:hs")
    assert doors._invited["!100:hs"] == {"by": "@ann:hs", "direct": True}


@pytest.mark.parametrize(
    ("key", "follows"), [({}, False), ({"state_key": "x"}, False), ({"state_key": ""}, True)]
)
async def test_only_a_rooms_state_says_that_it_was_replaced(key: dict[str, str], *, follows: bool) -> None:
    """Else anybody who may speak in a room could send us into another: not every server checks that."""
    one = MatrixAdapter(Settings(homeserver="http://127.0.0.1:9", user=ME, access_token="t"), lambda: 1)
    told = {"type": "m.room.tombstone", "sender": "@mallory:far.test", "event_id": "$t", **key}
    one.listener._doors.follow({**told, "content": {"body": "", "replacement_room": "!huge:far.test"}})
    waits = one.listener._doors.waiting()
    await one.stop()
    assert ("!huge:far.test" in waits) == follows
