"""Letters with a picture in Matrix: an image event whose caption is the whole letter."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import nio
import pytest

from referee.ports import Fate, Letter, Picture
from tests.adapters.matrix_rig import MatrixRig, matrix_rig, spoken_of
from tests.servers.synapse import Synapse, synapse

__all__ = ["synapse"]

DATA = b"\x89PNG\r\n\x1a\n" + bytes(200)
LETTER = Letter(
    id="31",
    channel="matrix",
    text="Round 1: Ann has the turn",
    markup="<p>Round 1: <b>Ann</b> has the turn</p>",
    picture=Picture("citadels-17.png", "image/png", DATA, "the table", 630, 900),
)


@pytest.fixture
async def rig(synapse: Synapse, request: pytest.FixtureRequest) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(synapse, spoken_of(request)) as one:
        yield one


async def raw(rig: MatrixRig) -> list[dict[str, Any]]:
    return [
        one["content"]
        for one in await rig.ann.history(rig.room)
        if one["type"] == "m.room.message" and one["sender"] == rig.me
    ]


async def test_a_picture_with_all_words_is_edited_as_such(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    first = await one.send(replace(LETTER, place=rig.room))
    (seen,) = await raw(rig)
    assert (seen["msgtype"], seen["body"], seen["formatted_body"], seen["filename"]) == (
        "m.image",
        LETTER.text,
        LETTER.markup,
        "citadels-17.png",
    )
    assert seen["info"] == {"mimetype": "image/png", "size": len(DATA), "w": 630, "h": 900}
    assert seen["url"].startswith("mxc://")
    where = seen["url"].removeprefix("mxc://")
    async with (
        aiohttp.ClientSession() as web,
        web.get(
            f"{rig.ann.base}/_matrix/client/v1/media/download/{where}",
            headers={"Authorization": f"Bearer {rig.ann.token}"},
        ) as answer,
    ):
        assert await answer.read() == DATA
    again = await one.send(
        replace(LETTER, id="32", place=rig.room, text="Round 2", markup="", edits=first.wire_id)
    )
    assert again.wire_id == first.wire_id
    edit = next(content for content in await raw(rig) if "m.new_content" in content)
    assert edit["m.relates_to"] == {"rel_type": "m.replace", "event_id": first.wire_id}
    assert (edit["msgtype"], edit["body"]) == ("m.text", "* Round 2")
    # uploaded once
    assert (
        edit["m.new_content"]["msgtype"],
        edit["m.new_content"]["body"],
        edit["m.new_content"]["url"],
    ) == ("m.image", "Round 2", seen["url"])


async def test_words_don_t_become_a_picture_nor_a_picture_words(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    words = await one.send(replace(LETTER, place=rig.room, picture=None))
    picture = await one.send(replace(LETTER, id="32", place=rig.room, edits=words.wire_id))
    assert picture.wire_id != words.wire_id
    again = await one.send(replace(LETTER, id="33", place=rig.room, picture=None, edits=picture.wire_id))
    assert again.wire_id not in (words.wire_id, picture.wire_id)
    assert sorted(content["msgtype"] for content in await raw(rig)) == ["m.image", "m.text", "m.text"]


@pytest.mark.parametrize(
    ("code", "message"),
    [("M_TOO_LARGE", "too large"), ("M_UNKNOWN", "the disk is full"), ("M_LIMIT_EXCEEDED", "slowly")],
)
async def test_a_homeserver_that_takes_no_picture_gets_the_words(
    rig: MatrixRig, code: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)

    async def refused(*_: object, **__: object) -> tuple[nio.UploadError, None]:
        return nio.UploadError(message, code), None

    monkeypatch.setattr(one.line.client, "upload", refused)
    receipt = await one.send(replace(LETTER, place=rig.room))
    assert receipt.fate is Fate.SENT
    assert [content["msgtype"] for content in await raw(rig)] == ["m.text"]


async def test_a_homeserver_that_is_busy_leaves_no_new_messages_in_the_room(
    rig: MatrixRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    first = await one.send(replace(LETTER, place=rig.room))
    take = one.line.client.upload

    async def busy(*_: object, **__: object) -> tuple[nio.UploadError, None]:
        return nio.UploadError("slowly", "M_LIMIT_EXCEEDED", 700), None

    def next_one(number: int, edits: str = first.wire_id or "") -> Letter:
        assert LETTER.picture is not None
        return replace(
            LETTER,
            id=str(number),
            place=rig.room,
            edits=edits,
            picture=replace(LETTER.picture, data=DATA + bytes([number])),
        )

    monkeypatch.setattr(one.line.client, "upload", busy)
    for number in (41, 42):
        receipt = await one.send(next_one(number))
        assert (receipt.fate, receipt.retry_ms) == (Fate.LATER, 700)
    monkeypatch.setattr(one.line.client, "upload", take)
    assert (await one.send(next_one(43))).wire_id == first.wire_id
    assert [content["msgtype"] for content in await raw(rig) if "m.new_content" not in content] == ["m.image"]
    monkeypatch.setattr(one.line.client, "upload", busy)
    fates = [(await one.send(next_one(number))).fate for number in range(44, 48)]
    assert fates == [Fate.LATER, Fate.LATER, Fate.LATER, Fate.SENT]  # and words do not wait for ever
    assert sorted(content["msgtype"] for content in await raw(rig) if "m.new_content" not in content) == [
        "m.image",
        "m.text",
    ]
