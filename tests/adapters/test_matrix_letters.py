"""What a letter looks like on the person's screen, and what a tap on it says."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.matrix import sync_loop
from adapters.matrix.connection import verdict
from adapters.matrix.writing import KEYCAPS, KEYS
from referee.ports import Button, Fate, Letter, Receipt, What
from tests.adapters.conformance import until
from tests.adapters.matrix_rig import MatrixRig, matrix_rig, spoken_of
from tests.servers.synapse import Synapse, synapse
from tests.servers.synapse_person import Person, Refused, Seen

__all__ = ["synapse"]

ASK = Letter(
    id="20",
    channel="matrix",
    text="1) gold 2) cards",
    markup="<ol><li>gold</li></ol>",
    buttons=(
        (Button("gold", "k-1", "gold"),),
        (Button("cards", "k-2", "cards"),),
        (Button("site", "", "", "https://x.test"),),
    ),
)


@pytest.fixture
async def rig(synapse: Synapse, request: pytest.FixtureRequest) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(synapse, spoken_of(request)) as one:
        yield one


def to(rig: MatrixRig, letter: Letter = ASK, *, room: bool = False, **more: object) -> Letter:
    from dataclasses import replace

    where = {"place": rig.room} if room else {"address": rig.person}
    return replace(letter, **where, **more)  # type: ignore[arg-type]  # any field may be given


async def newest(rig: MatrixRig, *, room: bool = False) -> Seen:
    return (await rig.seen(room=room))[-1]


async def test_text_markup_and_keycaps(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    receipt = await one.send(to(rig))

    async def decorated() -> bool:
        return len((await newest(rig)).reactions) == 2

    await until(decorated)
    seen = await newest(rig)
    assert (seen.id, seen.text, seen.html) == (receipt.wire_id, ASK.text, ASK.markup)
    assert seen.content["msgtype"] == "m.text"
    assert seen.content["format"] == "org.matrix.custom.html"
    assert seen.reactions == [(rig.me, KEYCAPS[0]), (rig.me, KEYCAPS[1])]


async def test_only_the_numbers_that_are_offered_get_a_keycap(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    rows = ((Button("gold", "k-2", "gold", number=2), Button("cards", "k-4", "cards", number=4)),)
    receipt = await one.send(to(rig, text="1) assassinate … 2) gold 3) build … 4) cards", buttons=rows))

    async def decorated() -> bool:
        return [which for _, which in (await newest(rig)).reactions] == [KEYCAPS[1], KEYCAPS[3]]

    await until(decorated)
    await rig.ann.react(rig.conversation, receipt.wire_id, KEYCAPS[2])
    await rig.ann.react(rig.conversation, receipt.wire_id, KEYCAPS[3])
    got = await until(lambda: rig.desk.said(What.BUTTON))
    assert [one.payload for one in got] == ["k-4"]


async def test_no_keycaps_where_the_admin_wants_none_and_taps_still_work(rig: MatrixRig) -> None:
    one = rig.adapter(reactions=False)
    await one.start(rig.desk)
    receipt = await one.send(to(rig))
    await rig.ann.react(rig.conversation, receipt.wire_id, "2\u20e3")  # without the variation selector
    got = (await until(lambda: rig.desk.said(What.BUTTON)))[0]
    assert (got.payload, got.address, got.place, got.thread) == ("k-2", rig.person, None, receipt.wire_id)
    assert not (await newest(rig)).reactions[:-1]


async def test_a_tap_is_understood_by_the_next_process(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    receipt = await one.send(to(rig))
    await one.stop()
    await rig.ann.react(rig.conversation, receipt.wire_id, KEYCAPS[0])
    two = rig.adapter()
    await two.start(rig.desk)
    got = (await until(lambda: rig.desk.said(What.BUTTON)))[0]
    assert got.payload == "k-1"


async def test_a_tap_is_looked_up_with_patience_though_the_homeserver_was_away_for_long(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_loop, "_PATIENT", 3)
    monkeypatch.setattr(sync_loop, "_SLOWEST_S", 0.05)
    one = rig.adapter()
    await one.start(rig.desk)
    receipt = await one.send(to(rig))
    await one.stop()
    await rig.ann.react(rig.conversation, receipt.wire_id, KEYCAPS[1])
    two = rig.adapter()
    looked_up, tries = two.line.event, 0

    async def busy_at_first(room: str, event_id: str) -> dict[str, Any]:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise verdict("", 502)
        return await looked_up(room, event_id)

    monkeypatch.setattr(two.line, "event", busy_at_first)
    await rig.outage(True)
    await two.start(rig.desk)
    await until(lambda: two.listener._failures > 5)
    await rig.outage(False)
    assert [one.payload for one in await until(lambda: rig.desk.said(What.BUTTON))] == ["k-2"]
    assert not rig.desk.parked


async def test_a_tap_in_the_room_says_whose_it_is_and_an_edited_question_offers_its_new_answers(
    rig: MatrixRig,
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    first = await one.send(to(rig, room=True))
    second = await one.send(
        to(rig, room=True, id="21", edits=first.wire_id, buttons=((Button("end", "k-9", "end"),),))
    )
    assert second == Receipt(Fate.SENT, wire_id=first.wire_id)
    await one.stop()
    await rig.ann.react(rig.room, first.wire_id, KEYCAPS[0])
    await rig.ann.react(rig.room, first.wire_id, KEYCAPS[1])  # was offered before the edit, is no more
    await rig.ann.say(rig.room, "that is all")
    two = rig.adapter()
    await two.start(rig.desk)
    await until(rig.desk.said)
    assert [(one.payload, one.place, one.address) for one in rig.desk.said(What.BUTTON)] == [
        ("k-9", rig.room, rig.person)
    ]


async def test_taps_that_mean_nothing(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    receipt = await one.send(to(rig))
    theirs = await rig.ann.say(rig.conversation, "1) mine", **{KEYS: ["k-1", "k-2"]})
    for event, which in [
        (receipt.wire_id, "👍"),
        (receipt.wire_id, KEYCAPS[7]),
        (receipt.wire_id, "x" * 64),
        (theirs, KEYCAPS[0]),
    ]:
        await rig.ann.react(rig.conversation, event, which)
    await rig.ann.send(
        rig.conversation, {"m.relates_to": {"rel_type": "m.annotation", "key": 7}}, "m.reaction"
    )
    await rig.ann.send(rig.conversation, {}, "m.reaction")
    await rig.say("done")
    await until(lambda: [x for x in rig.desk.said() if x.text == "done"])
    assert not rig.desk.said(What.BUTTON)


async def test_the_same_letter_twice_appears_once(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    first = await one.send(to(rig))
    await one.stop()
    two = rig.adapter()
    await two.start(rig.desk)
    assert await two.send(to(rig)) == first
    assert len(await rig.seen()) == 1
    other = await two.send(to(rig, text="another question of a database that counts from one again"))
    assert other.wire_id != first.wire_id


async def test_an_answer_lost_on_the_way_back_makes_no_second_message(rig: MatrixRig) -> None:
    one = rig.adapter(reactions=False)
    await one.start(rig.desk)
    rig.gate.lose_answers = 10  # aiohttp itself tries a lost PUT a second time
    lost = await one.send(to(rig))
    assert rig.gate.lose_answers < 10
    rig.gate.lose_answers = 0
    assert lost.fate is Fate.UNKNOWN  # it stands there: who reads it answers these words
    assert lost.retry_ms > 0
    again = await one.send(to(rig))
    assert again.fate is Fate.SENT
    assert [seen.id for seen in await rig.seen()] == [again.wire_id]


async def test_a_homeserver_that_says_nothing_is_not_waited_for_for_ever(rig: MatrixRig) -> None:
    one = rig.adapter(timeout_s=0.3, poll_s=0.3)
    await one.start(rig.desk)
    await one.send(to(rig))
    rig.gate.silent = True
    receipt = await asyncio.wait_for(one.send(to(rig, id="22")), 5)
    assert receipt.fate is Fate.UNKNOWN
    await asyncio.wait_for(one.stop(), 2)


async def test_a_stop_is_heard_in_the_very_moment_in_which_the_patience_ends(rig: MatrixRig) -> None:
    one = rig.adapter(timeout_s=0.3)
    await one.start(rig.desk)
    rig.gate.silent = True
    asking, loop = (
        asyncio.create_task(one.line.fetched("GET", "account", "whoami")),
        asyncio.get_running_loop(),
    )
    loop.call_later(0.25, time.sleep, 0.1)  # a busy loop: all that is due by then is done in one go
    loop.call_later(0.32, asking.cancel)
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_quiet_letters_are_notices(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await one.send(to(rig, room=True, quiet=True))
    assert (await newest(rig, room=True)).content["msgtype"] == "m.notice"


async def test_a_game_is_a_thread_in_its_room_and_plain_in_private(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    root = (await one.send(to(rig, room=True, id="30"))).wire_id
    last = (await one.send(to(rig, room=True, id="31", thread=(root,)))).wire_id
    await one.send(to(rig, room=True, id="32", thread=(root, last)))
    seen = await newest(rig, room=True)
    assert seen.thread == root
    assert seen.content["m.relates_to"]["m.in_reply_to"] == {"event_id": last}
    assert seen.content["m.relates_to"]["is_falling_back"] is True
    private = (await one.send(to(rig, id="33"))).wire_id
    await one.send(to(rig, id="34", thread=(private,)))
    assert (await newest(rig)).thread == ""


async def test_a_thread_that_cannot_be_is_left_aside(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    receipt = await one.send(to(rig, room=True, thread=("$nobody-knows-it",)))
    assert receipt.fate is Fate.SENT, receipt
    assert (await newest(rig, room=True)).thread == ""
    again = await one.send(to(rig, room=True, thread=("$nobody-knows-it",)))
    assert again == receipt
    assert len(await rig.seen(room=True)) == 1


async def test_an_answer_points_at_what_it_answers(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    asked = await rig.ann.say(rig.conversation, "status")
    await one.send(to(rig, answers=asked))
    assert (await newest(rig)).content["m.relates_to"] == {"m.in_reply_to": {"event_id": asked}}


async def test_the_living_message_is_edited_pinned_and_written_anew_when_it_is_gone(rig: MatrixRig) -> None:
    await rig.ann.set_state(
        rig.room,
        "m.room.power_levels",
        {**await rig.ann.state(rig.room, "m.room.power_levels"), "users": {rig.me: 50}},
    )
    one = rig.adapter()
    await one.start(rig.desk)
    table = (await one.send(to(rig, room=True, id="40", pin=True))).wire_id
    for number in range(3):
        await one.send(
            to(rig, room=True, id=f"4{number + 1}", text=f"round {number}", markup="", edits=table, pin=True)
        )
    seen = await newest(rig, room=True)
    assert (seen.id, seen.text, seen.html, seen.edits) == (table, "round 2", "", 3)
    assert (await rig.ann.state(rig.room, "m.room.pinned_events")) == {"pinned": [table]}
    await rig.ann.redact(rig.room, table)
    anew = await one.send(to(rig, room=True, id="45", text="round 3", edits=table, thread=(table,), pin=True))
    assert anew.fate is Fate.SENT
    assert anew.wire_id != table
    assert (await rig.ann.state(rig.room, "m.room.pinned_events")) == {"pinned": [anew.wire_id]}
    assert [x.text for x in await rig.seen(room=True)] == ["round 3"]


async def test_pinning_where_it_is_not_allowed_harms_nothing(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    assert (await one.send(to(rig, room=True, pin=True))).fate is Fate.SENT
    with pytest.raises(Refused, match="404"):
        await rig.ann.state(rig.room, "m.room.pinned_events")


async def test_too_long(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    big = to(rig, text="🏰" * 10_000, markup="<b>" + "🏰" * 10_000 + "</b>", buttons=())
    assert (await one.send(big)).fate is Fate.SENT  # its markup is left out
    assert not (await newest(rig)).html
    assert (await newest(rig)).text == big.text
    small = await one.send(to(rig, id="50"))
    edited = await one.send(to(rig, id="51", text=big.text, markup=big.markup, edits=small.wire_id))
    assert edited.fate is Fate.SENT
    assert (await newest(rig)).text == big.text
    refused = await one.send(to(rig, text="🏰" * 20_000, id="52"))
    assert (refused.fate, refused.reason) == (Fate.FAILED, "too-long")


async def test_muted_in_the_room(rig: MatrixRig, synapse: Synapse) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.ann.set_state(
        rig.room,
        "m.room.power_levels",
        {**await rig.ann.state(rig.room, "m.room.power_levels"), "events_default": 50},
    )
    receipt = await one.send(to(rig, room=True))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "not-a-member")
    async with Person.register(synapse) as bea:
        foreign = await bea.create_room(name="not ours")
        receipt = await one.send(Letter(id="60", channel="matrix", place=foreign, text="hello"))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "not-a-member")


async def test_an_account_that_is_suspended_keeps_its_letters(rig: MatrixRig, synapse: Synapse) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    admin = synapse.register(f"admin{secrets.token_hex(5)}", admin=True)
    path = f"/_synapse/admin/v1/suspend/{rig.me}"
    synapse.call("PUT", path, {"suspend": True}, admin)
    for letter in (to(rig), to(rig, room=True)):
        receipt = await one.send(letter)
        assert (receipt.fate, receipt.reason) == (Fate.FAILED, "unauthorised")  # the whole channel waits
    synapse.call("PUT", path, {"suspend": False}, admin)
    assert (await one.send(to(rig))).fate is Fate.SENT
