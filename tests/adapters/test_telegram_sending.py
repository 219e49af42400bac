"""Letters as people in Telegram see them."""

from __future__ import annotations

import asyncio
import gc

import pytest

from referee.ports import Button, Fate
from tests.adapters.conformance import until
from tests.adapters.telegram_line import line


async def test_markup_buttons_and_deep_links() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        bob = tg.api.user("Bob")
        table.add(bob)
        receipt = await tg.send(
            "Market of <Ann> & Co",
            place=str(table.id),
            markup="<b>Market</b> of &lt;Ann&gt; &amp; Co",
            buttons=(
                (Button("Join", "j-1", link="https://t.me/{bot}?start=j-g12_TOKEN"),),
                (Button("Look", "l-1"), Button("Leave", "l-2")),
            ),
        )
        assert receipt.fate is Fate.SENT
        (seen,) = table.sees()
        assert (str(seen.message_id), seen.text, seen.entities) == (
            receipt.wire_id,
            "Market of <Ann> & Co",
            ("bold",),
        )
        assert [[one.label for one in row] for row in seen.buttons] == [["Join"], ["Look", "Leave"]]
        assert seen.buttons[0][0].url == f"https://t.me/{tg.api.username}?start=j-g12_TOKEN"
        bob.press(seen, "Join", table)
        (start,) = await tg.heard()
        assert (start.text, start.address) == ("/start j-g12_TOKEN", str(bob.id))
        assert (await tg.send("Welcome", bob)).fate is Fate.SENT


async def test_text_without_markup_is_shown_to_the_letter() -> None:
    async with line() as tg:
        await tg.start()
        words = "<b>Eve</b> & *stars* _lines_ [x](y) {{ 7*7 }}"
        await tg.send(words)
        assert [one.text for one in tg.ann.sees()] == [words]


@pytest.mark.parametrize("markup", ["<b>open", "<blink>x</blink>", "<b><i>x</b></i>", "a < b", "</b>"])
async def test_markup_nobody_can_read_goes_out_as_plain_words(markup: str) -> None:
    async with line() as tg:
        """Its buttons stay: they say what may be answered."""
        await tg.start()
        row = ((Button("Gold", "k", order="gold", number=1),),)
        receipt = await tg.send("plain words", markup=markup, buttons=row)
        assert receipt.fate is Fate.SENT
        assert tg.ann.sees()[0].labels() == ["Gold"]
        again = await tg.send("other words", markup=markup, buttons=row, edits=receipt.wire_id)
        assert (again.fate, again.wire_id) == (Fate.SENT, receipt.wire_id)
        assert [(one.text, one.labels()) for one in tg.ann.sees()] == [("other words", ["Gold"])]


async def test_a_quiet_pinned_answer() -> None:
    async with line() as tg:
        await tg.start()
        (asked,) = tg.ann.say("status")
        receipt = await tg.send("Table: round 1", quiet=True, pin=True, answers=str(asked))
        (seen,) = [one for one in tg.ann.sees() if one.from_bot]
        assert (seen.silent, seen.pinned, seen.reply_to) == (True, True, asked)
        edited = await tg.send("Table: round 2", pin=True, edits=receipt.wire_id)
        assert edited.wire_id == receipt.wire_id
        assert len(tg.api.called("pinChatMessage")) == 1
        assert (await tg.send("again", answers="424242")).fate is Fate.SENT  # what it answered is gone
        assert (await tg.send("again", answers="$matrix")).fate is Fate.SENT


async def test_a_pin_that_is_refused_does_not_fail_the_letter() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann], supergroup=True)
        receipt = await tg.send("Table", place=str(table.id), pin=True)
        assert receipt.fate is Fate.SENT
        assert not table.sees()[0].pinned
        table.promote_bot(tg.ann)
        await tg.send("Table", place=str(table.id), pin=True)
        assert table.sees()[1].pinned


async def test_editing_what_is_unchanged_or_gone() -> None:
    async with line() as tg:
        await tg.start()
        row = ((Button("gold", "k"),),)
        first = await tg.send("Round 1", buttons=row)
        same = await tg.send("Round 1", buttons=row, edits=first.wire_id)
        assert (same.fate, same.wire_id) == (Fate.SENT, first.wire_id)
        await tg.send("Round 1", edits=first.wire_id)
        assert tg.ann.sees()[0].buttons == ()  # an edit without buttons takes them away
        tg.ann.clear()
        new = await tg.send("Round 2", edits=first.wire_id, pin=True)
        assert new.fate is Fate.SENT
        assert new.wire_id != first.wire_id
        assert [(one.text, one.pinned) for one in tg.ann.sees()] == [("Round 2", True)]
        (mine,) = tg.ann.say("not the bot's")
        foreign = await tg.send("Round 3", edits=str(mine))
        assert foreign.wire_id not in (str(mine), new.wire_id)
        assert (await tg.send("Round 4", edits="$not-a-number")).fate is Fate.SENT


async def test_a_long_letter_comes_in_parts_with_the_buttons_last() -> None:
    async with line(chat_per_second=50) as tg:
        await tg.start()
        lines = [f"{number}. <i>Ann</i> builds the &lt;Keep&gt; 🏰" for number in range(400)]
        plain = [
            one.replace("<i>", "").replace("</i>", "").replace("&lt;", "<").replace("&gt;", ">")
            for one in lines
        ]
        receipt = await tg.send(
            "\n".join(plain),
            markup="<b>" + "\n".join(lines) + "</b>",
            buttons=((Button("gold", "k"),),),
            pin=True,
            quiet=True,
        )
        assert receipt.fate is Fate.SENT
        parts = tg.ann.sees()
        assert len(parts) > 2
        assert "\n".join(one.text for one in parts) == "\n".join(plain)
        assert receipt.wire_id == str(parts[0].message_id)
        assert [bool(one.buttons) for one in parts] == [False] * (len(parts) - 1) + [True]
        assert parts[0].pinned
        assert all(one.silent and one.entities[0] == "bold" for one in parts)


#: what the lines of letters say, and how many there are
WORDS = (("district", 400), ("character", 700), ("gold", 3))


async def test_a_long_letter_is_answered_in_any_part_and_rewritten_in_all() -> None:
    async with line(chat_per_second=50) as tg:
        await tg.start()
        long, longer, short = ("\n".join(f"{word} {n}" for n in range(n)) for word, n in WORDS)
        first = await tg.send(long, buttons=((Button("gold", "k"),),))
        before = tg.ann.sees()
        assert len(before) == 2
        tg.ann.say("2", reply_to=before[1])
        (said,) = await tg.heard()
        assert said.thread == first.wire_id
        for text, count in ((longer, 3), (long, 2), (short, 1)):
            again = await tg.send(text, edits=first.wire_id, buttons=((Button("gold", "k2"),),))
            assert again.wire_id == first.wire_id
            parts = [one for one in tg.ann.sees() if one.text != "2"]
            assert "\n".join(one.text for one in parts) == text
            assert [bool(one.buttons) for one in parts] == [False] * (count - 1) + [True]


async def test_the_next_process_knows_the_parts_of_a_long_letter_too() -> None:
    async with line(chat_per_second=50) as tg:
        before = await tg.start()
        long, longer, short = ("\n".join(f"{word} {n}" for n in range(n)) for word, n in WORDS)
        first = await tg.send(longer, buttons=((Button("gold", "k"),),))
        await before.stop()
        assert str(tg.ann.id) not in "".join(tg.desk.bookmarks.values())  # who it was does not stay for long
        await tg.start()
        last = tg.ann.sees()[-1]
        tg.ann.say("2", reply_to=last)
        (said,) = await tg.heard()
        assert said.thread == first.wire_id
        for text in (long, short):
            assert (await tg.send(text, edits=first.wire_id)).wire_id == first.wire_id
            assert "\n".join(one.text for one in tg.ann.sees() if one.text != "2") == text


async def test_a_part_that_is_told_to_wait_waits_and_nothing_doubles() -> None:
    async with line(flood=True, chat_per_second=50) as tg:  # our own pace set wrong: Telegram's 429 must do
        await tg.start()
        text = "🏰" * 2500
        receipt = await tg.send(text)
        assert receipt.fate is Fate.SENT
        assert tg.api.world.flood
        assert tg.api.world.flood.refused == 1
        assert "".join(one.text for one in tg.ann.sees()) == text


async def test_a_letter_that_breaks_off_is_not_sent_again_blindly() -> None:
    async with line(chat_per_second=50) as tg:
        await tg.start()
        tg.api.faults.plan("sendMessage", "drop", after=True, skip=1)  # the answer to the second part is lost
        receipt = await tg.send("word " * 1600)
        assert (receipt.fate, receipt.wire_id) == (Fate.UNKNOWN, str(tg.ann.sees()[0].message_id))
        assert len(tg.ann.sees()) == 2


async def test_more_buttons_than_telegram_takes() -> None:
    async with line() as tg:
        await tg.start()
        row = tuple(Button(str(number), f"k-{number}") for number in range(60))
        receipt = await tg.send("Choose", buttons=(row, row))
        assert receipt.fate is Fate.SENT
        (seen,) = tg.ann.sees()
        assert len(seen.labels()) == 100
        assert max(map(len, seen.buttons)) == 8


GOLD, CARDS = Button("Gold & <more>", "k-1", number=1), Button("Cards", "k" * 65, number=2)
UNDO, PAGE = Button("Take back", "k-3", order="undo"), Button("Page", "", link="http://a page")
APP = Button("Table", "", link="http://a.example", app=True)


@pytest.mark.parametrize(
    ("buttons", "said", "stay"),
    [
        (((GOLD, CARDS), (UNDO,)), "\n\n1. Gold & <more>\n2. Cards\nTake back: undo", []),
        (((GOLD,), (UNDO, PAGE)), "\n\nPage: http://a page", ["Gold & <more>", "Take back"]),
        (((GOLD,), (APP,)), "", ["Gold & <more>"]),
        (((CARDS, PAGE),), "\n\nPage: http://a page\n\n2. Cards", []),
    ],
)
async def test_what_refused_buttons_were_for_is_said_in_words(
    buttons: tuple[tuple[Button, ...], ...], said: str, stay: list[str]
) -> None:
    """Links go first, where the others may be right: in a new letter, in an edited one, and in one whose
    markup can't be read either.
    """
    async with line() as tg:
        await tg.start()
        receipt = await tg.send("Choose & go", markup="<b>Choose</b> &amp; go", buttons=buttons)
        assert receipt.fate is Fate.SENT
        again = await tg.send("Again", markup="<b>Again", buttons=buttons, edits=receipt.wire_id)
        assert (again.fate, again.wire_id) == (Fate.SENT, receipt.wire_id)
        (seen,) = tg.ann.sees()
        assert (seen.text, seen.labels()) == ("Again" + said, stay)
        await tg.send("Choose & go", markup="<b>Choose</b> &amp; go", buttons=buttons)
        seen = tg.ann.sees()[-1]
        assert (seen.text, seen.labels(), seen.entities[0]) == ("Choose & go" + said, stay, "bold")


async def test_of_a_long_letter_only_the_last_part_is_sent_again_for_its_buttons() -> None:
    async with line(chat_per_second=50) as tg:
        await tg.start()
        receipt = await tg.send("word " * 1600, buttons=((GOLD, CARDS),))
        seen = tg.ann.sees()
        assert (receipt.fate, receipt.wire_id) == (Fate.SENT, str(seen[0].message_id))
        said = " ".join(one.text for one in seen).split()
        assert said == [*["word"] * 1600, "1.", "Gold", "&", "<more>", "2.", "Cards"]
        tg.ann.say("2", reply_to=seen[-1])
        assert [one.thread for one in await tg.heard()] == [receipt.wire_id]


async def test_of_a_long_letter_whose_last_part_has_to_wait_the_first_does_not_come_twice() -> None:
    async with line(chat_per_second=50) as tg:
        await tg.start()
        tg.api.faults.plan("sendMessage", "error", status=429, skip=2)  # the last part, without its buttons
        receipt = await tg.send("word " * 1600, buttons=((GOLD, CARDS),))
        (seen,) = tg.ann.sees()
        assert (receipt.fate, receipt.wire_id) == (Fate.UNKNOWN, str(seen.message_id))


async def test_nothing_to_say_is_refused_here() -> None:
    async with line() as tg:
        await tg.start()
        receipt = await tg.send(" \n ")
        assert (receipt.fate, receipt.reason) == (Fate.FAILED, "rejected")
        assert not tg.api.called("sendMessage")


async def test_the_bots_name_is_asked_for_when_a_link_needs_it_before_receiving_began() -> None:
    async with line() as tg:
        adapter = tg.build()
        await tg.api.down()
        await adapter.start(tg.desk)
        link = ((Button("Join", "j", link="https://t.me/{bot}?start=x"),),)
        assert (await tg.send("Come", buttons=link)).fate is Fate.LATER
        await tg.api.up()
        assert (await tg.send("Come", buttons=link)).fate is Fate.SENT
        await until(adapter.healthy)


async def test_a_letter_that_is_under_way_when_all_is_closed_arrives() -> None:
    """Wherever it is: a connection that is just being made stays open otherwise, which fails a later test."""
    gc.freeze()  # what other tests left is not looked through six times
    async with line() as tg:
        for steps in (0, 2, 4, 7, 10, 13):
            await tg.start()
            sending = asyncio.create_task(tg.send(f"letter {steps}"))
            while not sending.done() and steps:
                await asyncio.sleep(0)
                steps -= 1
            await tg.adapter.stop()
            assert (await sending).fate in (Fate.SENT, Fate.LATER)
            gc.collect()
        assert len(tg.ann.sees()) >= 4


async def test_nobody_waits_long_for_an_answer_when_all_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.bot_connection.CLOSE_S", 0.05)
    async with line() as tg:
        await tg.start()
        fault = tg.api.faults.plan("sendMessage", "hang")
        sending = asyncio.create_task(tg.send("nobody answers"))
        await until(lambda: fault.struck)
        async with asyncio.timeout(5):
            await tg.adapter.stop()
            assert (await sending).fate is not Fate.SENT
