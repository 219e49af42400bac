"""Who is in a room and who may read there, where the events that say so are odd."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.matrix import connection, room_state
from adapters.matrix.adapter import MatrixAdapter
from adapters.matrix.settings import Settings
from adapters.matrix.sync_digest import digested
from referee.ports import Fate, Letter, What
from tests.adapters.conformance import until
from tests.adapters.matrix_rig import MatrixRig, matrix_rig, spoken_of
from tests.servers.synapse import Synapse, synapse
from tests.servers.synapse_person import Person

__all__ = ["synapse"]

ME, ANN, BEA = "@referee:hs.test", "@ann:hs.test", "@bea:hs.test"
ROOM = "!r:hs.test"


@pytest.fixture
async def rig(synapse: Synapse, request: pytest.FixtureRequest) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(synapse, spoken_of(request)) as one:
        yield one


async def newest(person: Person, room: str, kind: str, key: str = "") -> str:
    """The event that made the room's state what it is."""
    return [
        str(event["event_id"])
        for event in await person.history(room)
        if event["type"] == kind and event.get("state_key") == key
    ][-1]


async def whispered(rig: MatrixRig, to: Person, room: str) -> None:
    """A process that begins whispers elsewhere than in that room, in which they are."""
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: one.rooms.room(room))
    secret = Letter(id="1", channel="matrix", address=to.id, text="Your hand: Thief")
    assert (await one.send(secret)).fate is Fate.SENT
    (private,) = await to.accept()
    assert [seen.text for seen in await to.read(private)] == ["Your hand: Thief"]


async def until_gone(rig: MatrixRig, who: Person, room: str) -> None:
    """Wait until one of its people sees that we have left a room."""

    async def gone() -> bool:
        return rig.me not in await who.members(room)

    await until(gone)


async def test_who_had_their_coming_redacted_is_there_all_the_same(rig: MatrixRig) -> None:
    async with (
        Person.register(rig.server) as bea,
        Person.register(rig.server) as curious,
        Person(rig.server.base, rig.me, rig.token) as referee,
    ):
        room = await curious.create_room(invite=(rig.me, bea.id))
        await bea.join(room)
        await referee.join(room)
        await curious.redact(room, await newest(curious, room, "m.room.member", curious.id))
        await whispered(rig, bea, room)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("m.room.join_rules", {"join_rule": "public"}),
        ("m.room.history_visibility", {"history_visibility": "world_readable"}),
    ],
)
@pytest.mark.parametrize("how", ["redacted", "told otherwise"])
async def test_a_room_stays_open_whatever_hides_it(
    rig: MatrixRig, kind: str, content: dict[str, str], how: str
) -> None:
    await rig.ann.set_state(rig.conversation, kind, content)
    if how == "redacted":
        await rig.ann.redact(rig.conversation, await newest(rig.ann, rig.conversation, kind))
    else:
        closed = {"join_rule": "invite", "history_visibility": "joined"}
        await rig.ann.set_state(rig.conversation, kind, {name: closed[name] for name in content}, "else")
    await whispered(rig, rig.ann, rig.conversation)


@pytest.mark.parametrize(
    "odd", [{"displayname": 5}, {"avatar_url": {}}, {"reason": []}, {"displayname": None}, {}]
)
@pytest.mark.parametrize("more", [{}, {"prev_content": 5}, {"unsigned": {"redacted_because": {}}}])
async def test_a_member_is_one_whatever_the_event_holds(odd: dict[str, Any], more: dict[str, Any]) -> None:
    one = MatrixAdapter(Settings(homeserver="http://127.0.0.1:9", user=ME, access_token="t"), lambda: 1)
    one.line.client.restore_login(ME, "D", "t")

    def coming(who: str, **more: Any) -> dict[str, Any]:
        content = {"membership": "join", **more.pop("content", {})}
        told = {"type": "m.room.member", "sender": who, "state_key": who, "event_id": f"${who}"}
        return {**told, "origin_server_ts": 1, "content": content, **more}

    events = [coming(ME), coming(ANN), coming(BEA, content=odd, **more)]
    rooms = {"join": {ROOM: {"state": {"events": events}, "timeline": {"events": []}}}}
    found = await digested(one.line, {"next_batch": "b", "rooms": rooms}, "matrix", 1)
    await one.stop()
    assert not found.left
    assert set(one.rooms.room(ROOM).users) == {ME, ANN, BEA}
    assert one.rooms.private_with(ROOM) is None


@pytest.mark.parametrize("taken", [{}, {"name": None}, {"name": ""}])
async def test_a_room_whose_name_was_taken_away_has_none(taken: dict[str, Any]) -> None:
    """With its name a conversation of two is no place to whisper in; without it, it is one again."""
    one = MatrixAdapter(Settings(homeserver="http://127.0.0.1:9", user=ME, access_token="t"), lambda: 1)
    one.line.client.restore_login(ME, "D", "t")

    async def told(*events: tuple[str, str, dict[str, Any]]) -> None:
        state = [
            {
                "type": f"m.room.{kind}",
                "sender": ANN,
                "state_key": key,
                "event_id": f"${kind}",
                "origin_server_ts": 1,
                "content": content,
            }
            for kind, key, content in events
        ]
        rooms = {"join": {ROOM: {"state": {"events": state}, "timeline": {"events": []}}}}
        await digested(one.line, {"next_batch": "b", "rooms": rooms}, "matrix", 1)

    here = {"membership": "join"}
    await told(("member", ME, here), ("member", ANN, here), ("join_rules", "", {"join_rule": "invite"}))
    await told(("name", "", {"name": "Table 17"}))
    assert (one.rooms.name(ROOM), one.rooms.private_with(ROOM)) == ("Table 17", None)
    await told(("name", "", taken))
    await one.stop()
    assert (one.rooms.name(ROOM), one.rooms.private_with(ROOM)) == ("", ANN)


async def test_a_room_whose_name_was_redacted_has_none_at_once(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: one.rooms.room(rig.room))
    given = await newest(rig.ann, rig.room, "m.room.name")
    before = one.rooms.room(rig.room).name
    await rig.ann.redact(rig.room, given)
    await until(lambda: one.rooms.room(rig.room).name != before)
    assert not one.rooms.room(rig.room).name


async def test_a_room_whose_state_was_never_told_is_no_conversation() -> None:
    """Where the answer that told it was too large to be read, who speaks there need not be alone with us."""
    one = MatrixAdapter(Settings(homeserver="http://127.0.0.1:9", user=ME, access_token="t"), lambda: 1)
    one.line.client.restore_login(ME, "D", "t")
    said = {"type": "m.room.message", "sender": ANN, "event_id": "$1", "origin_server_ts": 1}
    events = [{**said, "content": {"msgtype": "m.text", "body": "hello"}}]
    rooms = {"join": {ROOM: {"state": {"events": []}, "timeline": {"events": events}}}}
    await digested(one.line, {"next_batch": "b", "rooms": rooms}, "matrix", 1)
    await one.stop()
    assert one.rooms.room(ROOM) is not None
    assert one.rooms.private_with(ROOM, ANN) is None


async def test_a_room_of_too_many_people_is_left_and_never_taken_for_a_conversation(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_state, "MOST_PEOPLE", 3)
    one = rig.adapter()
    await one.start(rig.desk)
    async with (
        Person.register(rig.server) as bea,
        Person.register(rig.server) as cy,
        Person.register(rig.server) as dan,
    ):
        room = await bea.create_room(invite=(rig.ann.id, cy.id, dan.id))
        for who in (rig.ann, cy, dan):
            await who.join(room)
        await bea.invite(room, rig.me)
        await until(lambda: one.listener._crowded == {room})
        assert one.rooms.room(room) is None

        await until_gone(rig, bea, room)
        await until(lambda: not one.listener._crowded)
        await rig.say("hello")
        assert (await until(rig.desk.said))[0].text == "hello"
        assert (
            await one.send(Letter(id="1", channel="matrix", address=bea.id, text="Psst."))
        ).fate is Fate.SENT
        (private,) = await bea.accept()
        assert private != room


async def test_a_room_into_which_too_many_come_one_by_one_is_left(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_state, "MOST_PEOPLE", 3)
    one = rig.adapter()
    await one.start(rig.desk)
    async with Person.register(rig.server) as bea, Person.register(rig.server) as cy:
        for who in (bea, cy):
            await rig.ann.invite(rig.room, who.id)
            await who.join(rig.room)

        await until_gone(rig, rig.ann, rig.room)
        await until(lambda: rig.desk.said(What.EXPELLED))


async def test_a_room_of_too_much_state_is_left_and_hides_nothing_of_others(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LARGEST", 150_000)
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()
    async with Person.register(rig.server) as bea:
        room = await bea.create_room(name="Heavy", invite=(rig.me,))
        for number in range(6):
            await bea.set_state(room, "org.example.heavy", {"much": "x" * 40_000}, f"{number}")

        async with Person(rig.server.base, rig.me, rig.token) as referee:
            await referee.join(room)  # as just before a restart
        await rig.say("meanwhile")
        two = rig.adapter()
        await two.start(rig.desk)
        await until(rig.desk.said)
        assert [said.text for said in rig.desk.said()] == ["meanwhile"]
        assert not rig.desk.parked
        told = await two.send(Letter(id="1", channel="matrix", address=rig.ann.id, text="Psst."))
        assert told.fate is Fate.SENT
        assert (await rig.seen())[-1].text == "Psst."

        async def out() -> bool:
            return rig.me not in await bea.members(room)

        await until(out)
        await until(lambda: not two.listener._heavy)
