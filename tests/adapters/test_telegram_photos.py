"""Letters with a picture in Telegram: photos, their captions, and what happens where a photo can't be."""

from __future__ import annotations

import struct
import time
import zlib

import pytest

from referee.ports import Button, Fate, Letter, Picture
from tests.adapters.telegram_line import line
from tests.servers.botapi.errors import Refusal
from tests.servers.botapi.web import METHODS


def png(shade: int = 0, wide: int = 40, high: int = 60) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(bytes([shade] * 4)))
        + chunk(b"IEND", b"")
    )


def picture(shade: int = 0, caption: str = "", markup: str = "", data: bytes = b"") -> Picture:
    return Picture("citadels-17.png", "image/png", data or png(shade), "the table", 40, 60, caption, markup)


LONG = "\n".join(f"Player {n}: 3 gold, 2 cards, Market 2, Temple 1, Castle 4" for n in range(30))


async def test_a_short_text_is_the_caption_and_the_photo_is_edited_from_then_on() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        first = await tg.send(
            "Round 1 & on",
            place=str(table.id),
            markup="<b>Round 1</b> &amp; on",
            pin=True,
            quiet=True,
            picture=picture(1),
            buttons=((Button("Look", "l-1"),),),
        )
        (seen,) = table.sees()
        assert (seen.text, seen.entities, seen.photo, seen.pinned, seen.silent) == (
            "Round 1 & on",
            ("bold",),
            png(1),
            True,
            True,
        )
        assert seen.labels() == ["Look"]
        again = await tg.send(
            "Round 2", place=str(table.id), edits=first.wire_id, picture=picture(2), pin=True
        )
        (seen,) = table.sees()
        assert (again.wire_id, seen.text, seen.photo, seen.edited) == (first.wire_id, "Round 2", png(2), True)
        same = await tg.send("Round 2", place=str(table.id), edits=first.wire_id, picture=picture(2))
        assert (same.fate, same.wire_id) == (Fate.SENT, first.wire_id)  # not modified is as good as done
        assert len(tg.api.called("pinChatMessage")) == 1


async def test_a_long_text_of_a_living_message_gives_way_to_its_short_words() -> None:
    async with line() as tg:
        await tg.start()
        receipt = await tg.send(
            LONG, picture=picture(1, "Round 1: Ann has the turn", "Round 1: <b>Ann</b> has the turn")
        )
        (seen,) = tg.ann.sees()
        assert (seen.text, seen.photo, seen.entities) == ("Round 1: Ann has the turn", png(1), ("bold",))
        await tg.send(
            LONG, edits=receipt.wire_id, picture=picture(1, LONG)
        )  # even those are too long: cut after a line
        (seen,) = tg.ann.sees()
        assert len(seen.text) <= 1024
        assert LONG.startswith(seen.text)
        assert LONG[len(seen.text)] == "\n"


async def test_any_other_long_text_goes_whole_and_the_picture_after_it() -> None:
    async with line() as tg:
        await tg.start()
        receipt = await tg.send(LONG, picture=picture(1))
        words, shown = tg.ann.sees()
        assert (words.text, words.photo, str(words.message_id)) == (LONG, b"", receipt.wire_id)
        assert (shown.text, shown.photo, shown.reply_to) == ("", png(1), words.message_id)
        assert (words.silent, shown.silent) == (False, True)  # one letter rings once


async def test_a_text_becomes_a_photo_and_where_that_is_not_allowed_a_new_message_comes() -> None:
    async with line() as tg:
        await tg.start()
        text = await tg.send("Round 1")
        photo = await tg.send("Round 2", edits=text.wire_id, picture=picture())
        assert photo.wire_id == text.wire_id
        assert [(one.text, one.photo) for one in tg.ann.sees()] == [("Round 2", png())]
        tg.api.world.texts_become_photos = False
        text = await tg.send("Round 3")
        photo = await tg.send("Round 4", edits=text.wire_id, picture=picture())
        assert photo.wire_id != text.wire_id
        assert [one.text for one in tg.ann.sees()] == ["Round 2", "Round 3", "Round 4"]
        assert tg.ann.sees()[-1].photo == png()


async def test_a_photo_becomes_no_text_so_words_without_a_picture_come_anew() -> None:
    async with line() as tg:
        await tg.start()
        photo = await tg.send("Round 1", picture=picture())
        text = await tg.send("Round 2", edits=photo.wire_id)
        assert (text.fate, text.wire_id != photo.wire_id) == (Fate.SENT, True)
        assert [(one.text, bool(one.photo)) for one in tg.ann.sees()] == [
            ("Round 1", True),
            ("Round 2", False),
        ]


@pytest.mark.parametrize("data", [b"no picture", png(0, 9000, 2000), png(0, 10, 900)])
async def test_a_picture_that_telegram_does_not_take_is_left_out(data: bytes) -> None:
    async with line() as tg:
        await tg.start()
        receipt = await tg.send("Round 1", picture=picture(data=data))
        assert receipt.fate is Fate.SENT
        assert [(one.text, one.photo) for one in tg.ann.sees()] == [("Round 1", b"")]
        again = await tg.send("Round 2", edits=receipt.wire_id, picture=picture(data=data))
        assert (again.wire_id, [one.text for one in tg.ann.sees()]) == (receipt.wire_id, ["Round 2"])


async def test_a_group_that_forbids_photos_gets_words() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        tg.api.world.takes_photos = False
        receipt = await tg.send("Round 1", place=str(table.id), picture=picture())
        assert receipt.fate is Fate.SENT
        assert [(one.text, one.photo) for one in table.sees()] == [("Round 1", b"")]
        again = await tg.send("Round 2", place=str(table.id), edits=receipt.wire_id, picture=picture())
        assert again.wire_id == receipt.wire_id
        assert len(tg.api.called("sendPhoto")) == 1  # no more are offered there for a while
        assert not tg.api.called("editMessageMedia")
        tg.api.world.takes_photos, tg.ahead_ms = True, 600_001
        await tg.send("Round 3", place=str(table.id), edits=receipt.wire_id, picture=picture())
        assert [(one.text, bool(one.photo)) for one in table.sees()] == [("Round 3", True)]


async def test_markup_nobody_can_read_stands_as_plain_words_under_the_photo() -> None:
    async with line() as tg:
        await tg.start()
        await tg.send("plain words", markup="<b>open", picture=picture())
        assert [(one.text, bool(one.photo)) for one in tg.ann.sees()] == [("plain words", True)]


@pytest.mark.parametrize(
    ("code", "words"), [(400, "Bad Request: PHOTO_OF_A_KIND_NOBODY_KNOWS"), (413, "Request Entity Too Large")]
)
async def test_whatever_is_wrong_with_a_picture_the_words_go(
    monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    def refused(*_: object) -> None:
        raise Refusal(code, words)

    for method in ("sendphoto", "editmessagemedia"):
        monkeypatch.setitem(METHODS, method, refused)
    async with line() as tg:
        await tg.start()
        first = await tg.send("Round 1", picture=picture())
        assert first.fate is Fate.SENT
        again = await tg.send("Round 2", edits=first.wire_id, picture=picture())
        assert (again.fate, again.wire_id) == (Fate.SENT, first.wire_id)
        assert [(one.text, one.photo) for one in tg.ann.sees()] == [("Round 2", b"")]


async def test_whoever_is_away_gets_neither() -> None:
    async with line() as tg:
        await tg.start()
        tg.ann.block()
        assert (await tg.send("Round 1", picture=picture())).reason == "blocked"


async def test_what_stands_for_a_message_that_can_t_be_edited_is_pinned_too() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        photo = await tg.send("Round 1", place=str(table.id), picture=picture(), pin=True)
        words = await tg.send("Round 2", place=str(table.id), edits=photo.wire_id, pin=True)
        again = await tg.send("Round 3", place=str(table.id), edits=words.wire_id, pin=True)
        assert again.wire_id == words.wire_id
        assert [(one.text, one.pinned) for one in table.sees()] == [("Round 1", False), ("Round 3", True)]
        assert len(tg.api.called("pinChatMessage")) == 2


async def test_buttons_under_a_photo_go_when_words_come_in_its_place() -> None:
    async with line() as tg:
        await tg.start()
        photo = await tg.send("Your hand", picture=picture(), buttons=((Button("Gold", "l-1"),),))
        words = await tg.send("What next?", edits=photo.wire_id, buttons=((Button("End", "l-2"),),))
        assert [(one.text, one.labels()) for one in tg.ann.sees()] == [
            ("Your hand", []),
            ("What next?", ["End"]),
        ]
        await tg.send("Done", edits=words.wire_id)
        assert [(one.text, one.labels()) for one in tg.ann.sees()] == [("Your hand", []), ("Done", [])]
        assert len(tg.api.called("editMessageReplyMarkup")) == 1


async def test_a_picture_that_would_hold_up_the_group_for_long_stays_away() -> None:
    async with line() as tg:
        await tg.start(group_per_minute=1)
        table = tg.api.group("Table", [tg.ann])
        # as the post asks first
        assert (
            tg.adapter.limits.delay_ms(
                Letter(id="0", channel="telegram", text="", place=str(table.id)), tg.clock_ms()
            )
            == 0
        )
        began = time.monotonic()
        receipt = await tg.send(LONG, place=str(table.id), picture=picture())
        assert receipt.fate is Fate.SENT
        assert time.monotonic() - began < 10
        assert [bool(one.photo) for one in table.sees()] == [False]


async def test_where_buttons_are_refused_words_have_room_for_what_they_were_for() -> None:
    async with line() as tg:
        await tg.start()
        first = await tg.send("Round 1", picture=picture(1))
        wrong = ((Button("Gold", "k" * 65, number=1),),)
        again = await tg.send("Round 2", picture=picture(2), buttons=wrong, edits=first.wire_id)
        assert again.fate is Fate.SENT
        assert [(one.text, one.photo) for one in tg.ann.sees()][-1] == ("Round 2\n\n1. Gold", b"")


async def test_a_long_letter_that_becomes_a_picture_leaves_no_part_behind() -> None:
    async with line(chat_per_second=50) as tg:
        await tg.start()
        first = await tg.send("word " * 1600, buttons=((Button("gold", "k"),),))
        assert len(tg.ann.sees()) == 2
        again = await tg.send("Over.", edits=first.wire_id, picture=picture())
        assert again.wire_id == first.wire_id
        (seen,) = tg.ann.sees()
        assert (seen.text, bool(seen.photo)) == ("Over.", True)
