"""Letters with files in Telegram: documents, the words under the first of them."""

from __future__ import annotations

from referee.ports import Attachment, Button, Fate
from tests.adapters.telegram_line import line
from tests.servers.botapi import SeenMessage

RECORD = Attachment("citadels-17.txt", "text/plain; charset=utf-8", "citadels record\nção 🏰".encode())
CSV = Attachment("standings.csv", "text/csv; charset=utf-8", b"a,b\n1,2\n")


def shown(one: SeenMessage) -> tuple[str, str, bytes, list[str]]:
    return one.text, one.file_name, one.document, one.labels()


async def test_short_words_stand_under_the_first_file() -> None:
    async with line() as tg:
        await tg.start(chat_per_second=100)
        table = tg.api.group("Club", [tg.ann], topics=True)
        topic = table.open_topic(tg.ann, "Citadels")
        (asked,) = tg.ann.say("/record", table, topic=topic)
        receipt = await tg.send(
            "The record & more",
            place=f"{table.id}/{topic}",
            markup="<b>The record</b> &amp; more",
            answers=str(asked),
            attachments=(RECORD, CSV),
            buttons=((Button("ok", "k-1"),),),
        )
        first, second = [one for one in table.sees() if one.from_bot]
        assert (receipt.fate, receipt.wire_id) == (Fate.SENT, str(first.message_id))
        assert shown(first) == ("The record & more", "citadels-17.txt", RECORD.data, ["ok"])
        assert (first.entities, first.reply_to, first.topic) == (("bold",), asked, topic)
        assert shown(second) == ("", "standings.csv", CSV.data, [])
        assert (second.silent, second.topic) == (True, topic)


async def test_long_words_go_before_the_files() -> None:
    async with line() as tg:
        await tg.start(chat_per_second=100)
        assert (await tg.send("word " * 300, attachments=(RECORD,))).fate is Fate.SENT
        words, file = tg.ann.sees()
        assert words.text.startswith("word word")
        assert shown(file) == ("", "citadels-17.txt", RECORD.data, [])


async def test_markup_nobody_can_read_stands_under_a_file_as_plain_words() -> None:
    async with line() as tg:
        await tg.start()
        assert (await tg.send("plain", markup="<b>open", attachments=(RECORD,))).fate is Fate.SENT
        assert shown(tg.ann.sees()[-1])[:2] == ("plain", "citadels-17.txt")


async def test_a_group_that_takes_no_files_is_no_reason_to_leave_it() -> None:
    async with line() as tg:
        await tg.start()
        tg.api.world.takes_documents = False
        table = tg.api.group("Table", [tg.ann])
        receipt = await tg.send("The record", place=str(table.id), attachments=(RECORD,))
        assert (receipt.fate, receipt.reason) == (Fate.FAILED, "no-files")
        assert not table.sees()
        assert (await tg.send("words", place=str(table.id))).fate is Fate.SENT


async def test_a_file_whose_arrival_nobody_knows_of_is_not_sent_twice() -> None:
    async with line() as tg:
        await tg.start()
        tg.api.faults.plan("sendDocument", "drop", after=True)
        assert (await tg.send("The record", attachments=(RECORD,))).fate is Fate.UNKNOWN
        assert len(tg.ann.sees()) == 1
