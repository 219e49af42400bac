"""Encrypted rooms: both directions with a real client, which is matrix-nio with keys of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import nio
import pytest
from nio.crypto import decrypt_attachment

from adapters.matrix.connection import Client
from adapters.matrix.writing import KEYCAPS
from referee.ports import Button, Fate, Letter, Picture, What
from tests.adapters.conformance import until
from tests.adapters.matrix_rig import MatrixRig, matrix_rig
from tests.servers.synapse import Synapse, synapse
from tests.servers.synapse_person import Person

__all__ = ["synapse"]

pytest.importorskip("vodozemac")


class Sealed:
    """A person whose client encrypts.  `seen` are the decrypted messages."""

    def __init__(self, rig: MatrixRig, store: Path) -> None:
        self.client: Any = Client(
            rig.server.base,
            rig.person,
            store_path=str(store),
            config=nio.AsyncClientConfig(
                encryption_enabled=True, store_sync_tokens=False, request_timeout=10
            ),
        )
        self.client.access_token = rig.ann.token
        self.seen: dict[str, Any] = {}
        self.client.add_event_callback(self._message, nio.RoomMessageText)

    async def _message(self, room: Any, event: Any) -> None:
        self.seen[event.event_id] = event

    async def enter(self) -> None:
        who = await self.client.whoami()
        self.client.restore_login(who.user_id, who.device_id, self.client.access_token)
        await self.look()

    async def look(self) -> None:
        """One round of the client's own loop."""
        await self.client.sync(timeout=0, full_state=not self.client.rooms)
        if self.client.should_upload_keys:
            await self.client.keys_upload()
        if self.client.should_query_keys:
            await self.client.keys_query()
        if self.client.should_claim_keys:
            await self.client.keys_claim(self.client.get_users_for_key_claiming())
        await self.client.send_to_device_messages()

    async def sees(self, words: str) -> Any:
        async def found() -> Any:
            await self.look()
            return next((event for event in self.seen.values() if words in event.body), None)

        return await until(found)

    async def say(self, room: str, text: str, **content: Any) -> None:
        sent = await self.client.room_send(
            room,
            "m.room.message",
            {"msgtype": "m.text", "body": text, **content},
            ignore_unverified_devices=True,
        )
        assert isinstance(sent, nio.RoomSendResponse), sent

    async def close(self) -> None:
        await self.client.close()
        self.client.store.database.close()


@pytest.fixture
async def rig(synapse: Synapse) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(synapse) as one:
        yield one


@pytest.fixture
async def ann(rig: MatrixRig, tmp_path: Path) -> AsyncIterator[Sealed]:
    store = tmp_path / "ann"
    store.mkdir()
    one = Sealed(rig, store)
    try:
        await one.enter()
        yield one
    finally:
        await one.close()


async def test_both_directions_in_an_encrypted_room_and_after_a_restart(
    rig: MatrixRig, ann: Sealed, tmp_path: Path
) -> None:
    keys = tmp_path / "referee-keys"
    one = rig.adapter(e2e=True, store_path=keys)
    await one.start(rig.desk)
    room = await rig.ann.create_room(name="Sealed", invite=(rig.me,), encrypted=True)
    await until(lambda: [x for x in rig.desk.said(What.INVITED) if x.place == room])
    await ann.look()
    await ann.say(room, "take gold")
    await until(lambda: rig.desk.said())
    assert [(x.text, x.place, x.address) for x in rig.desk.said()] == [("take gold", room, rig.person)]

    letter = Letter(
        id="1", channel="matrix", place=room, text="1) gold", buttons=((Button("gold", "k-1", "gold"),),)
    )
    receipt = await one.send(letter)
    assert receipt.fate is Fate.SENT, receipt
    assert (await ann.sees("1) gold")).event_id == receipt.wire_id
    edited = await one.send(
        Letter(id="2", channel="matrix", place=room, text="round 2", edits=receipt.wire_id)
    )
    assert edited.wire_id == receipt.wire_id
    await ann.sees("* round 2")
    picture = Picture("t.png", "image/png", b"\x89PNG" + bytes(100), "the table", 3, 4)
    pictured = await one.send(Letter(id="3", channel="matrix", place=room, text="round 3", picture=picture))
    assert pictured.fate is Fate.SENT, pictured
    shown = await one.uploads.shown(picture, sealed=True)
    assert shown is not None
    opened = await one.line.client.download(shown["file"]["url"])
    assert opened.body != picture.data  # sealed, too
    assert (
        decrypt_attachment(
            opened.body, shown["file"]["key"]["k"], shown["file"]["hashes"]["sha256"], shown["file"]["iv"]
        )
        == picture.data
    )
    on_the_server = {event["type"] for event in await rig.ann.history(room)}
    assert "m.room.encrypted" in on_the_server
    assert "m.room.message" not in on_the_server
    await one.stop()

    await ann.say(room, "said while you were away")
    two = rig.adapter(e2e=True, store_path=keys)
    await two.start(rig.desk)
    await until(lambda: [x for x in rig.desk.said() if x.text == "said while you were away"])
    third = await two.send(
        Letter(id="3", channel="matrix", place=room, text="1) end", buttons=((Button("end", "k-3", "end"),),))
    )
    again = await two.send(
        Letter(id="3", channel="matrix", place=room, text="1) end", buttons=((Button("end", "k-3", "end"),),))
    )
    assert again == third
    await two.stop()

    await rig.ann.react(room, third.wire_id, KEYCAPS[0])  # what the tap means is inside the sealed message
    three = rig.adapter(e2e=True, store_path=keys)
    await three.start(rig.desk)
    got = (await until(lambda: rig.desk.said(What.BUTTON)))[0]
    assert (got.payload, got.place) == ("k-3", room)


async def test_sealed_words_that_meet_a_full_disk_are_read_later(
    rig: MatrixRig, ann: Sealed, tmp_path: Path
) -> None:
    keys = tmp_path / "referee-keys"
    one = rig.adapter(e2e=True, store_path=keys)
    await one.start(rig.desk)
    room = await rig.ann.create_room(name="Sealed", invite=(rig.me,), encrypted=True)
    await until(lambda: rig.desk.said(What.INVITED))
    await ann.look()
    rig.desk.refuse = True
    before = rig.desk.calls
    await ann.say(room, "take gold")
    await until(lambda: rig.desk.calls > before + 1)  # the key came with it, and both come again
    await one.stop()
    rig.desk.refuse = False
    two = rig.adapter(e2e=True, store_path=keys)
    await two.start(rig.desk)
    got = (await until(rig.desk.said))[0]
    assert (got.text, got.facts) == ("take gold", {})


async def test_a_direct_room_made_by_the_referee_is_encrypted(
    rig: MatrixRig, ann: Sealed, tmp_path: Path
) -> None:
    await rig.ann.leave(rig.conversation)
    one = rig.adapter(e2e=True, store_path=tmp_path / "referee-keys")
    await one.start(rig.desk)
    receipt = await one.send(Letter(id="1", channel="matrix", address=rig.person, text="your hand: Thief"))
    assert receipt.fate is Fate.SENT, receipt
    (room,) = await rig.ann.accept()
    await ann.sees("your hand: Thief")
    await ann.look()
    await ann.say(room, "gold")
    got = (await until(rig.desk.said))[0]
    assert (got.text, got.place) == ("gold", None)
    assert "Thief" not in str(await rig.ann.history(room))


async def test_words_sealed_for_others_are_told_as_unreadable(
    rig: MatrixRig, ann: Sealed, tmp_path: Path
) -> None:
    room = await rig.ann.create_room(name="Sealed", invite=(rig.me,), encrypted=True)
    one = rig.adapter(e2e=True, store_path=tmp_path / "referee-keys")
    await one.start(rig.desk)
    await until(lambda: rig.desk.said(What.INVITED))
    for number in range(2):
        await rig.ann.send(
            room,
            {
                "algorithm": "m.megolm.v1.aes-sha2",
                "ciphertext": "AwgA",
                "sender_key": "y",
                "session_id": f"z{number}",
                "device_id": "D",
            },
            "m.room.encrypted",
        )
    await until(lambda: len(rig.desk.said()) == 2)
    assert all(x.facts == {"encrypted": True, "unreadable": True} and not x.text for x in rig.desk.said())


async def test_sealed_words_that_claim_to_be_the_rooms_state_are_none(
    rig: MatrixRig, ann: Sealed, tmp_path: Path
) -> None:
    one = rig.adapter(e2e=True, store_path=tmp_path / "referee-keys")
    await one.start(rig.desk)
    async with Person.register(rig.server) as bea:
        room = await rig.ann.create_room(name="Sealed", invite=(rig.me, bea.id), encrypted=True)
        await bea.join(room)
        await until(lambda: rig.desk.said(What.INVITED))
        await ann.look()
        await ann.say(room, "hello")
        for who in (bea.id, rig.me):
            forged = {"type": "m.room.member", "state_key": who, "content": {"membership": "leave"}}
            await rig.ann.send(room, ann.client.olm.group_encrypt(room, forged), "m.room.encrypted")
        await ann.say(room, "gone?")
        said = await until(
            lambda: rig.desk.said() if any(x.text == "gone?" for x in rig.desk.said()) else None
        )
        assert [x.text for x in said] == ["hello", "", "", "gone?"]
        assert set(one.rooms.room(room).users) == {rig.me, rig.person, bea.id}
        assert not rig.desk.said(What.BLOCKED)
