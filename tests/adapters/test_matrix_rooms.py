"""Coming into rooms, whispering to people, and being left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from adapters.matrix import invitations
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


def about(rig: MatrixRig, what: What, place: str | None) -> list[Inbound]:
    return [one for one in rig.desk.said(what) if one.place == place]


async def test_invited_to_a_named_room_it_comes_and_says_who_asked_where(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    room = await bea.create_room(name="Tuesday <b>&", invite=(rig.ann.id,))
    await bea.say(room, "said before you came")
    await bea.invite(room, rig.me)
    told = (await until(lambda: about(rig, What.INVITED, room)))[0]
    assert (told.address, told.place_name) == (bea.id, "Tuesday <b>&")
    await bea.say(room, "welcome")
    heard = (await until(rig.desk.said))[0]
    assert (heard.text, heard.place, heard.address) == ("welcome", room, bea.id)
    assert [one.text for one in rig.desk.said()] == ["welcome"]


async def test_a_room_with_a_name_in_which_nobody_else_is_is_a_conversation(
    rig: MatrixRig, bea: Person
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    first = await bea.create_room(name="Citadels", invite=(rig.me,))
    told = (await until(lambda: about(rig, What.REACHABLE, None)))[0]
    assert (told.address, told.facts) == (bea.id, {"conversation": "opened"})
    await bea.say(first, "learn")
    heard = (await until(rig.desk.said))[0]
    assert (heard.text, heard.place) == ("learn", None)
    # who has a conversation and makes another room with a name makes it for others, who come later
    second = await bea.create_room(name="Friday", invite=(rig.me,))
    asked = (await until(lambda: about(rig, What.INVITED, second)))[0]
    assert asked.address == bea.id
    # the conversation that somebody else enters is a room from then on
    await bea.invite(first, rig.ann.id)
    await until(lambda: about(rig, What.INVITED, first))
    assert one.rooms.private_with(first) is None


async def test_invited_while_it_was_away_it_comes_later(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()
    room = await bea.create_room(name="Later", invite=(rig.me, rig.ann.id))
    two = rig.adapter()
    await two.start(rig.desk)
    await until(lambda: about(rig, What.INVITED, room))
    assert len(about(rig, What.INVITED, room)) == 1


async def test_an_invitation_from_before_the_first_start_counts(rig: MatrixRig, bea: Person) -> None:
    room = await bea.create_room(name="Early", invite=(rig.me, rig.ann.id))
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: about(rig, What.INVITED, room))


async def test_the_first_words_of_a_conversation_are_heard_though_they_come_before_we_do(
    rig: MatrixRig, bea: Person
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()
    room = await bea.create_room(invite=(rig.me,), direct=True)
    await bea.say(room, "join 17")  # a client sends this together with the invitation
    two = rig.adapter()
    await two.start(rig.desk)
    heard = (await until(rig.desk.said))[0]
    assert (heard.text, heard.place, heard.address) == ("join 17", None, bea.id)
    reachable = (await until(lambda: rig.desk.said(What.REACHABLE)))[0]
    assert (reachable.address, reachable.place) == (bea.id, None)
    assert not rig.desk.said(What.INVITED)


async def test_history_from_before_the_first_start_is_not_heard(rig: MatrixRig) -> None:
    await rig.say("old")
    await rig.say("old too", room=True)
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("new")
    await until(rig.desk.said)
    assert [one.text for one in rig.desk.said()] == ["new"]


async def test_a_stranger_gets_a_direct_room_and_the_next_process_finds_it_again(
    rig: MatrixRig, bea: Person
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    assert (await one.send(whisper(bea.id, "1", "first"))).fate is Fate.SENT
    assert (await one.send(whisper(bea.id, "2", "second"))).fate is Fate.SENT
    assert len(await bea.accept()) == 1
    await until(lambda: [x for x in rig.desk.said(What.REACHABLE) if x.address == bea.id])
    await one.stop()
    two = rig.adapter()
    await two.start(rig.desk)
    assert (await two.send(whisper(bea.id, "3", "third"))).fate is Fate.SENT
    assert not await bea.invitations()
    room = await bea.direct_with(rig.me)
    assert room
    assert [seen.text for seen in await bea.read(room)] == ["first", "second", "third"]
    await bea.say(room, "thanks")
    heard = (await until(rig.desk.said))[0]
    assert (heard.place, heard.address) == (None, bea.id)


async def test_two_letters_at_once_make_one_direct_room(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    receipts = await asyncio.gather(*(one.send(whisper(bea.id, str(number))) for number in range(4)))
    assert [receipt.fate for receipt in receipts] == [Fate.SENT] * 4
    assert len(await bea.invitations()) == 1


async def test_who_leaves_the_conversation_is_not_run_after(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.send(whisper(bea.id))
    (room,) = await bea.accept()
    await bea.leave(room)
    told = (await until(lambda: rig.desk.said(What.BLOCKED)))[0]
    assert (told.address, told.place) == (bea.id, None)
    receipt = await one.send(whisper(bea.id, "2"))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "blocked")
    assert not await bea.invitations()
    # and who comes back is welcome
    again = await bea.create_room(invite=(rig.me,), direct=True)
    await until(
        lambda: [
            x
            for x in rig.desk.said(What.REACHABLE)
            if x.address == bea.id and x.message_id != "" and len(rig.desk.said(What.REACHABLE)) > 1
        ]
    )
    assert (await one.send(whisper(bea.id, "3", "there you are"))).fate is Fate.SENT
    assert [seen.text for seen in await bea.read(again)] == ["there you are"]


async def test_declining_the_invitation_is_leaving(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.send(whisper(bea.id))
    (room,) = await bea.invitations()
    await bea.leave(room)
    assert (await until(lambda: rig.desk.said(What.BLOCKED)))[0].address == bea.id
    assert (await one.send(whisper(bea.id, "2"))).reason == "blocked"


async def test_put_out_of_a_conversation_is_blocked_too(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()
    await rig.ann.kick(rig.conversation, rig.me)  # an unnamed room of two that nobody flagged: just gone
    direct = await rig.ann.create_room(invite=(rig.me,), direct=True)
    two = rig.adapter()
    await two.start(rig.desk)
    await until(lambda: rig.desk.said(What.REACHABLE))
    await rig.ann.kick(direct, rig.me)
    assert (await until(lambda: rig.desk.said(What.BLOCKED)))[0].address == rig.person
    assert (await two.send(whisper(rig.person))).reason == "blocked"


async def test_no_prompt_goes_into_a_direct_room_that_a_third_person_entered(
    rig: MatrixRig, bea: Person
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    assert (await one.send(whisper(rig.person, "1", "for two"))).fate is Fate.SENT
    await rig.ann.invite(rig.conversation, bea.id)
    told = (await until(lambda: about(rig, What.INVITED, rig.conversation)))[0]
    assert told.address == rig.person
    assert (await one.send(whisper(rig.person, "2", "your hand: Thief"))).fate is Fate.SENT
    assert [seen.text for seen in await rig.seen()] == ["for two"]
    (private,) = await rig.ann.accept()
    assert [seen.text for seen in await rig.ann.read(private)] == ["your hand: Thief"]
    await bea.join(rig.conversation)
    await rig.say("both hear me")
    assert (await until(rig.desk.said))[0].place == rig.conversation


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("m.room.join_rules", {"join_rule": "public"}),
        ("m.room.history_visibility", {"history_visibility": "world_readable"}),
    ],
)
async def test_a_room_that_anybody_can_look_into_is_not_private(
    rig: MatrixRig, kind: str, content: dict[str, str]
) -> None:
    await rig.ann.set_state(rig.conversation, kind, content)
    one = rig.adapter()
    await one.start(rig.desk)
    assert (await one.send(whisper(rig.person, "1", "secret"))).fate is Fate.SENT
    assert not await rig.seen()
    (private,) = await rig.ann.accept()
    assert [seen.text for seen in await rig.ann.read(private)] == ["secret"]


async def test_put_out_of_a_tables_room(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.ann.kick(rig.room, rig.me)
    told = (await until(lambda: rig.desk.said(What.EXPELLED)))[0]
    assert (told.place, told.address) == (rig.room, rig.person)
    receipt = await one.send(Letter(id="5", channel="matrix", place=rig.room, text="hello?"))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "not-a-member")


async def test_an_upgraded_room_has_moved(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    new = (await rig.ann.call("POST", f"/rooms/{rig.room}/upgrade", {"new_version": "9"}))["replacement_room"]
    if rig.me not in await rig.ann.members(new):
        await rig.ann.invite(new, rig.me)
    told = (await until(lambda: rig.desk.said(What.MOVED)))[0]
    assert (told.place, told.facts) == (rig.room, {"to": new})
    assert not about(rig, What.INVITED, new)


@pytest.mark.parametrize("version", ["6", "10", "11", "12"])
async def test_a_table_in_a_room_of_every_version_that_players_meet(
    rig: MatrixRig, bea: Person, version: str
) -> None:
    """In version 12 a room's id names no server, its makers stand above all power levels, and a successor
    names its predecessor by that id alone.
    """
    offered = await bea.call("GET", "/capabilities")
    assert version in offered["capabilities"]["m.room_versions"]["available"]
    one = rig.adapter()
    await one.start(rig.desk)
    made = await bea.call(
        "POST", "/createRoom", {"name": "Table", "invite": [rig.me, rig.ann.id], "room_version": version}
    )
    room = made["room_id"]
    assert (":" in room) == (version != "12")
    await until(lambda: about(rig, What.INVITED, room))
    assert (await bea.state(room, "m.room.create"))["room_version"] == version
    await bea.say(room, "!status")
    await until(lambda: [x for x in rig.desk.said() if (x.text, x.place) == ("!status", room)])
    levels = await bea.state(room, "m.room.power_levels")
    users = {**levels.get("users", {}), rig.me: 50}
    assert (bea.id in users) == (version != "12"), "a maker of version 12 stands in no list"
    await bea.set_state(room, "m.room.power_levels", {**levels, "users": users})
    living = Letter(id="20", channel="matrix", place=room, text="one", pin=True)
    first = (await one.send(living)).wire_id
    edited = await one.send(replace(living, id="21", text="two", edits=first))
    assert edited.wire_id == first
    assert (await bea.state(room, "m.room.pinned_events"))["pinned"] == [first]
    new = (await bea.call("POST", f"/rooms/{room}/upgrade", {"new_version": "12"}))["replacement_room"]
    assert ":" not in new
    if rig.me not in await bea.members(new):
        await bea.invite(new, rig.me)
    told = (await until(lambda: rig.desk.said(What.MOVED)))[0]
    assert (told.place, told.facts) == (room, {"to": new})
    assert (await one.send(replace(living, id="22", place=new))).fate is Fate.SENT


async def test_a_room_that_only_claims_to_replace_ours_moves_nothing(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    made = await bea.call(
        "POST",
        "/createRoom",
        {
            "name": "The same table, honest",
            "invite": [rig.me, rig.ann.id],
            "creation_content": {"predecessor": {"room_id": rig.room, "event_id": "$x"}},
        },
    )
    await until(lambda: about(rig, What.INVITED, made["room_id"]))
    assert not rig.desk.said(What.MOVED)


@pytest.mark.parametrize(
    "address", ["", "ann", "@ann", "@ann:", "ann@hs.test", "@a b:hs.test", "@x/../y:hs.test", "🏰" * 50]
)
async def test_what_is_no_address_fails_for_good(rig: MatrixRig, address: str) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    receipt = await one.send(whisper(address))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "no-such-address")


async def test_whom_no_invitation_reaches_is_told_apart_and_no_empty_room_remains(
    rig: MatrixRig, synapse: Synapse
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    async with Person(synapse.base, rig.me, rig.token) as referee:
        before = await referee.rooms()
        receipt = await one.send(whisper("@ann:elsewhere.test"))  # a server ours does not talk to
        assert (receipt.fate, receipt.reason) == (Fate.FAILED, "cannot-initiate")
        assert sorted(await referee.rooms()) == sorted(before)


async def test_who_lets_nobody_invite_them_is_told_apart(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    path = f"/user/{bea.id}/account_data/m.invite_permission_config"
    await bea.call("PUT", path, {"default_action": "block"})
    receipt = await one.send(whisper(bea.id))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "cannot-initiate")


async def test_what_the_account_says_about_direct_rooms_in_another_session_is_heard(
    rig: MatrixRig, bea: Person, synapse: Synapse
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    room = await bea.create_room(name="Bea and the referee", invite=(rig.me, rig.ann.id))
    await until(lambda: about(rig, What.INVITED, room))  # named: a table's room so far
    await bea.kick(room, rig.ann.id)
    async with Person(synapse.base, rig.me, rig.token) as session:
        await session.call("PUT", f"/user/{rig.me}/account_data/m.direct", {bea.id: [room]})
    await until(lambda: one.rooms.private_with(room) == bea.id)
    assert (await one.send(whisper(bea.id, "1", "here"))).fate is Fate.SENT
    assert [seen.text for seen in await bea.read(room)] == ["here"]


async def test_an_invitation_that_was_taken_back_is_let_go(rig: MatrixRig, bea: Person) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()
    room = await bea.create_room(name="No, wait", invite=(rig.me,))
    await bea.kick(room, rig.me)
    two = rig.adapter()
    await two.start(rig.desk)
    await rig.say("still there")
    await until(rig.desk.said)
    assert not rig.desk.said(What.INVITED)
    assert not rig.desk.said(What.EXPELLED)
    assert rig.desk.bookmarks["matrix", "invited"] == "{}"


async def test_an_invitation_waits_for_a_homeserver_in_trouble(
    rig: MatrixRig, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "_AGAIN_S", 0.05)
    one = rig.adapter()
    await one.start(rig.desk)
    joins = 0
    raw = one.line.raw

    async def troubled(method: str, *path: str, **more: Any) -> dict[str, Any]:
        nonlocal joins
        if path[0] == "join":
            joins += 1
            if joins < 3:
                raise verdict("", 502)
        return await raw(method, *path, **more)

    monkeypatch.setattr(one.line, "raw", troubled)
    room = await bea.create_room(name="Slow", invite=(rig.me, rig.ann.id))
    await until(lambda: about(rig, What.INVITED, room))
    assert joins == 3
    await until(lambda: rig.desk.bookmarks["matrix", "invited"] == "{}")
