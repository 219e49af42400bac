"""What is heard of what people do, and what is not."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import SecretStr

from adapters.matrix import sync_loop
from referee.ports import Fate, Letter, What
from tests.adapters.conformance import until
from tests.adapters.matrix_rig import MatrixRig, matrix_rig, spoken_of
from tests.servers.synapse import Synapse, synapse
from tests.servers.synapse_person import Person, Refused

__all__ = ["synapse"]


@pytest.fixture
async def rig(synapse: Synapse, request: pytest.FixtureRequest) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(synapse, spoken_of(request)) as one:
        yield one


def texts(rig: MatrixRig) -> list[str]:
    return [one.text for one in rig.desk.said()]


async def heard(rig: MatrixRig, last: str) -> list[str]:
    """Everything heard once `last` is."""
    await until(lambda: last in texts(rig))
    return texts(rig)


async def test_nothing_is_lost_when_much_is_said_meanwhile(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_loop, "_PAGE", 15)
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()
    wanted = [
        f"order {number}" for number in range(90)
    ]  # a sync brings 50, the rest are three pages of back-fill
    for text in wanted:
        await rig.say(text, room=True)
    two = rig.adapter()
    await two.start(rig.desk)
    assert await heard(rig, wanted[-1]) == wanted


async def came_and_went(rig: MatrixRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process has listened and is gone; the next one gives up after two tries, soon one after the other."""
    monkeypatch.setattr(sync_loop, "_PATIENT", 2)
    monkeypatch.setattr(sync_loop, "_SLOWEST_S", 0.1)
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()


async def test_what_was_said_earlier_and_cannot_be_read_keeps_nothing_newer_out(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await came_and_went(rig, monkeypatch)
    for number in range(60):
        await rig.say(f"order {number}", room=True)
    two = rig.adapter()

    async def odd(*_: object, **__: object) -> None:
        raise TypeError("string indices must be integers")  # nio, of a page that holds no events

    monkeypatch.setattr(two.line.client, "room_messages", odd)
    await two.start(rig.desk)
    assert (await heard(rig, "order 59"))[-50:] == [f"order {number}" for number in range(10, 60)]


async def test_a_bookmark_that_the_homeserver_refuses_is_given_up(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await came_and_went(rig, monkeypatch)
    rig.desk.bookmarks["matrix", "since"] = "of-another-server"
    await rig.say("meanwhile")
    two = rig.adapter()
    await two.start(rig.desk)
    await heard(rig, "meanwhile")
    await rig.say("now")
    assert await heard(rig, "now") == ["meanwhile", "now"]
    assert rig.desk.bookmarks["matrix", "since"] != "of-another-server"


async def test_much_is_said_between_our_coming_and_our_hearing_of_it(
    rig: MatrixRig, synapse: Synapse
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.stop()
    async with Person(synapse.base, rig.me, rig.token) as referee:
        room = await rig.ann.create_room(name="Busy", invite=(rig.me,))
        await rig.ann.say(room, "before")
        await referee.join(room)
    wanted = [f"order {number}" for number in range(55)]
    for text in wanted:
        await rig.ann.say(room, text)
    two = rig.adapter()
    await two.start(rig.desk)
    assert await heard(rig, wanted[-1]) == wanted
    assert [one.place for one in rig.desk.said(What.INVITED)] == [room]
    assert rig.desk.said(What.INVITED)[0].address == rig.person


async def test_edits_notices_and_our_own_words_are_not_orders(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    first = await rig.ann.say(rig.conversation, "gold")
    await rig.ann.edit(rig.conversation, first, "cards")
    await rig.ann.say(rig.conversation, "I am a machine", msgtype="m.notice")
    await one.send(Letter(id="1", channel="matrix", address=rig.person, text="our own"))
    await rig.ann.redact(rig.conversation, await rig.ann.say(rig.conversation, "oops"))
    await rig.say("end")
    assert [text for text in await heard(rig, "end") if text != "oops"] == ["gold", "end"]


async def test_what_a_message_answers(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    asked = (await one.send(Letter(id="1", channel="matrix", address=rig.person, text="your turn"))).wire_id
    old = f"> <{rig.me}> your turn\n> 1) gold\n\ngold\n> build"
    await rig.ann.say(rig.conversation, old, reply=asked)
    await rig.ann.say(rig.conversation, "in a thread", thread=asked)
    inner = await rig.ann.say(rig.conversation, "deeper", thread=asked, reply=asked)
    await rig.ann.say(rig.conversation, f"> * <{rig.me}> waves\n> gold\n\nhello", reply=asked)
    await rig.ann.say(rig.conversation, "> <@a:b> not a reply")
    assert await heard(rig, "> <@a:b> not a reply") == [
        "gold\n> build",
        "in a thread",
        "deeper",
        "hello",
        "> <@a:b> not a reply",
    ]
    assert [one.thread for one in rig.desk.said()] == [asked, asked, asked, asked, ""]
    assert rig.desk.said()[2].message_id == rig.desk.said()[2].key == inner


@pytest.mark.parametrize(
    "text",
    ["🏰" * 2_500, "<b>&amp;</b> {{ 7*7 }} *x* _y_ [a](b)", "\u202ereversed\x07", "  \n ", "gold\x00end"],
)
async def test_strange_words_arrive_as_they_are(rig: MatrixRig, text: str) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say(text)
    await rig.say("end")
    assert (await heard(rig, "end"))[0] == text.replace("\0", "\ufffd")


async def test_a_strange_name_is_only_a_name(rig: MatrixRig) -> None:
    await rig.ann.call(
        "PUT", f"/profile/{rig.person}/displayname", {"displayname": "<i>Thief</i> {{x}}\u202e"}
    )

    async def told() -> bool:  # the homeserver tells the rooms in its own time
        return (await rig.ann.state(rig.conversation, "m.room.member", rig.person)).get(
            "displayname"
        ) == "<i>Thief</i> {{x}}\u202e"

    await until(told)
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("hello")
    assert (await until(rig.desk.said))[0].name == "<i>Thief</i> {{x}}\u202e"


async def test_a_picture_is_told_in_private_and_overlooked_in_a_room(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.ann.say(rig.room, "cat.png", msgtype="m.image", url="mxc://hs.test/cat")
    await rig.ann.say(rig.conversation, "cat.png", msgtype="m.image", url="mxc://hs.test/cat")
    got = (await until(rig.desk.said))[0]
    assert (got.text, got.facts, got.place) == ("", {"attachment": "m.image"}, None)
    assert len(rig.desk.inbox) == 1


async def test_events_that_make_no_sense_stop_nothing(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    odd: list[tuple[str, dict[str, Any]]] = [
        ("m.room.message", content)
        for content in (
            {},
            {"msgtype": "m.text"},
            {"msgtype": 7, "body": []},
            {"msgtype": "m.text", "body": {"a": 1}},
            {"msgtype": "m.image", "body": "x"},
            {"msgtype": "m.text", "body": "x", "m.relates_to": "no"},
            {"msgtype": "m.text", "body": "y", "m.relates_to": {"m.in_reply_to": 3}},
        )
    ]
    odd += [
        (kind, {"m.relates_to": [1, 2], "algorithm": 4, "body": None})
        for kind in ("m.reaction", "m.room.encrypted", "org.example.odd")
    ]
    odd += [("m.room.encrypted", {}), ("m.reaction", {})]
    accepted = 0
    for kind, content in odd:
        with contextlib.suppress(Refused):  # a homeserver of today refuses some; one of another kind may not
            await rig.ann.send(rig.room, content, kind)
            accepted += 1
    for kind, content in [
        ("m.room.pinned_events", {"pinned": "all"}),
        ("m.room.topic", {"topic": {"x": 1}}),
        ("m.room.name", {"name": 5}),
        ("m.room.tombstone", {"replacement_room": 17}),
    ]:
        with contextlib.suppress(Refused):
            await rig.ann.set_state(rig.room, kind, content)
            accepted += 1
    assert accepted >= 8
    await rig.say("still there?", room=True)
    assert (await heard(rig, "still there?"))[-1] == "still there?"


async def test_encrypted_words_that_cannot_be_read_are_told_once_a_room(
    rig: MatrixRig, synapse: Synapse
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    sealed = {
        "algorithm": "m.megolm.v1.aes-sha2",
        "ciphertext": "x",
        "sender_key": "y",
        "session_id": "z",
        "device_id": "D",
    }
    for _ in range(2):
        await rig.ann.send(rig.conversation, sealed, "m.room.encrypted")
    await one.stop()
    two = rig.adapter()
    await two.start(rig.desk)
    await rig.ann.send(rig.conversation, sealed, "m.room.encrypted")
    await rig.say("plain")
    await heard(rig, "plain")
    assert [(one.text, one.facts) for one in rig.desk.said()] == [("", {"encrypted": True}), ("plain", {})]


async def test_a_full_disk_is_waited_out(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    rig.desk.refuse = True
    before = rig.desk.calls
    await rig.say("build Market")
    await until(lambda: rig.desk.calls > before + 1)
    assert not rig.desk.inbox
    rig.desk.refuse = False
    assert await heard(rig, "build Market") == ["build Market"]
    assert one.healthy()


async def test_a_login_that_was_ended_elsewhere_is_renewed_with_the_password(
    rig: MatrixRig, synapse: Synapse
) -> None:
    password = SecretStr("pw-" + rig.me[1:].partition(":")[0])
    one = rig.adapter(access_token=None, password=password)
    await one.start(rig.desk)
    first = await one.send(Letter(id="1", channel="matrix", address=rig.person, text="one"))
    async with Person(synapse.base, rig.me, one.line.client.access_token) as session:
        await session.call("POST", "/logout")
    await rig.say("are you there?")
    await heard(rig, "are you there?")
    again = await one.send(Letter(id="1", channel="matrix", address=rig.person, text="one"))
    assert again == first  # the same device: the same letter is known again


async def test_a_token_that_was_revoked_is_told_and_not_hammered(
    rig: MatrixRig, synapse: Synapse, caplog: pytest.LogCaptureFixture
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    async with Person(synapse.base, rig.me, rig.token) as session:
        await session.call("POST", "/logout")
    receipt = await one.send(Letter(id="1", channel="matrix", address=rig.person, text="one"))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "unauthorised")
    (finding,) = await rig.adapter().check()
    assert (finding.level, finding.code) == ("bad", "matrix-unauthorised")
    await until(lambda: "refuses the Matrix account's token" in caplog.text)


async def test_a_password_that_is_wrong_is_told_as_such(
    rig: MatrixRig, caplog: pytest.LogCaptureFixture
) -> None:
    await rig.adapter(access_token=None, password=SecretStr("wrong")).start(rig.desk)
    await until(lambda: "refuses the Matrix account's token or password" in caplog.text)
    assert "not-a-member" not in caplog.text


async def test_nothing_secret_is_logged(rig: MatrixRig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("my hidden plan")
    await heard(rig, "my hidden plan")
    await one.send(Letter(id="1", channel="matrix", address=rig.person, text="your hidden hand"))
    await rig.outage(True)
    await one.send(Letter(id="2", channel="matrix", address=rig.person, text="your hidden hand"))
    await one.stop()
    ours = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith("asyncio")
    )
    assert "matrix" in ours
    for secret in (rig.token, "hidden", rig.me.partition(":")[0][1:] + "_password"):
        assert secret not in ours


async def test_spoken_to_by_name(rig: MatrixRig) -> None:
    await rig.ann.say(rig.room, "before")
    one = rig.adapter()
    await one.start(rig.desk)
    name = rig.me[1:].partition(":")[0]
    for text in (f"{name.title()}: status", f"{rig.me} status", f"@{name}, status"):
        await rig.ann.say(rig.room, text, **{"m.mentions": {"user_ids": [rig.me]}})
    await rig.ann.say(rig.room, f"{name}: status", **{"m.mentions": {"user_ids": [rig.person]}})
    await rig.ann.say(rig.room, "thank you", **{"m.mentions": {"user_ids": [rig.me]}})
    assert await heard(rig, "thank you") == ["status", "status", "status", f"{name}: status", "thank you"]
    assert [one.facts.get("mentioned", False) for one in rig.desk.said()] == [True, True, True, False, True]
