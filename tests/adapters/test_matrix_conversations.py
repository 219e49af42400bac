"""Conversations: whose they are, and what becomes of one that can't be read."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from urllib.parse import quote

import pytest

from adapters.matrix.connection import verdict
from referee.ports import Fate, Inbound, Letter, What
from tests.adapters.conformance import until
from tests.adapters.matrix_rig import MatrixRig, matrix_rig, spoken_of
from tests.servers.synapse import Synapse, synapse
from tests.servers.synapse_person import Person

__all__ = ["synapse"]


@pytest.fixture
async def rig(synapse: Synapse, request: pytest.FixtureRequest) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(synapse, spoken_of(request)) as one:
        yield one


@pytest.fixture
async def bea(synapse: Synapse) -> AsyncIterator[Person]:
    """Somebody who has never talked to the referee."""
    async with Person.register(synapse) as one:
        yield one


def whisper(to: str, number: str = "1", text: str = "Psst.") -> Letter:
    return Letter(id=number, channel="matrix", address=to, text=text)


async def test_a_conversation_that_we_open_begins_with_the_letter_and_the_person_who_accepts_sees_it(
    rig: MatrixRig, bea: Person
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.send(whisper(bea.id, "1", "Are you ready?"))
    await bea.accept()
    there = await until(lambda: [x for x in rig.desk.said(What.REACHABLE) if x.address == bea.id])
    assert [x.facts for x in there] == [{"conversation": "accepted"}]
    assert not rig.desk.said(What.INVITED), "nobody asked us into it"


async def test_a_conversation_that_somebody_opens_is_told_once(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await bea.create_room(invite=(rig.me,), direct=True)
    there = await until(lambda: [x for x in rig.desk.said(What.REACHABLE) if x.address == bea.id])
    await one.send(whisper(bea.id, "1", "Welcome."))
    assert [x.facts for x in there] == [{"conversation": "opened"}]
    assert not rig.desk.said(What.INVITED)
    assert not await bea.invitations(), "the letter went there"


def encrypted(rig: MatrixRig) -> list[Inbound]:
    return [one for one in rig.desk.said() if one.facts.get("encrypted")]


async def test_a_conversation_that_cannot_be_read_is_told_at_once_and_letters_go_to_another(
    rig: MatrixRig, bea: Person
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    sealed = await bea.create_room(invite=(rig.me,), direct=True, encrypted=True)
    told = (await until(lambda: encrypted(rig)))[0]
    assert (told.address, told.place, told.facts) == (bea.id, sealed, {"encrypted": True, "direct": True})
    assert (await one.send(whisper(bea.id, "1", "Write to me here."))).fate is Fate.SENT
    assert (await one.send(whisper(bea.id, "2", "Your hand."))).fate is Fate.SENT
    (clear,) = await bea.accept()
    assert [seen.text for seen in await bea.read(clear)] == ["Write to me here.", "Your hand."]
    await bea.say(clear, "gold")
    heard = await until(lambda: [x for x in rig.desk.said() if x.text == "gold"])
    assert (heard[0].place, heard[0].address) == (None, bea.id)
    assert len(encrypted(rig)) == 1


async def test_encryption_that_is_turned_on_in_a_tables_room_is_told(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.ann.set_state(rig.room, "m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})
    told = (await until(lambda: encrypted(rig)))[0]
    assert (told.address, told.place, told.facts) == (rig.person, rig.room, {"encrypted": True})
    assert (await one.send(Letter(id="7", channel="matrix", place=rig.room, text="?"))).fate is Fate.SENT


async def test_a_server_that_encrypts_every_room_gets_one_conversation_and_not_one_a_letter(
    rig: MatrixRig, bea: Person
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    assert (await one.send(whisper(bea.id, "1"))).fate is Fate.SENT
    (room,) = await bea.accept()
    # what a server does that encrypts by default; here the referee's own account
    async with Person(rig.server.base, rig.me, rig.token) as referee:
        await referee.set_state(room, "m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})
    await until(lambda: not one.rooms.readable(room))
    for number in range(2, 5):
        assert (await one.send(whisper(bea.id, str(number)))).fate is Fate.SENT
    assert not await bea.invitations()
    two = rig.adapter()
    await one.stop()
    await two.start(rig.desk)
    assert (await two.send(whisper(bea.id, "5"))).fate is Fate.SENT
    assert not await bea.invitations(), "the next process knows whose room it is"


@pytest.mark.parametrize("preset", ["private_chat", "trusted_private_chat"])
async def test_letters_follow_a_conversation_that_is_upgraded(
    rig: MatrixRig, bea: Person, preset: str
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    old = await bea.create_room(invite=(rig.me,), direct=True, preset=preset)
    await until(lambda: one.rooms.nearby(bea.id) == [old])
    made = await bea.call("POST", f"/rooms/{quote(old)}/upgrade", {"new_version": "11"})
    new = str(made["replacement_room"])
    await bea.invite(new, rig.me)
    await until(lambda: one.rooms.private_with(new))
    assert (await one.send(whisper(bea.id, "1", "Your hand."))).fate is Fate.SENT
    assert [seen.text for seen in await bea.read(new)] == ["Your hand."]


async def test_a_name_with_all_signs_that_names_may_have_is_written_to(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    async with Person.register(rig.server, f"o/d=d+._-{secrets.token_hex(4)}") as odd:
        assert (await one.send(whisper(odd.id, "1", "Welcome."))).fate is Fate.SENT
        (room,) = await odd.accept()
        assert [seen.text for seen in await odd.read(room)] == ["Welcome."]
        await odd.say(room, "gold")
        assert (await until(rig.desk.said))[0].address == odd.id


@pytest.mark.parametrize("code", ["M_UNRECOGNIZED", ""])
async def test_a_wrong_route_on_the_way_says_of_nobody_that_they_do_not_exist(
    rig: MatrixRig, bea: Person, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)

    async def astray(user_id: str) -> None:
        raise verdict(code, 404)

    with monkeypatch.context() as wrong:
        wrong.setattr(one.line.client, "get_profile", astray)
        receipt = await one.send(whisper(bea.id))
    assert (receipt.fate, receipt.reason) == (Fate.LATER, "")
    assert (await one.send(whisper(bea.id))).fate is Fate.SENT
