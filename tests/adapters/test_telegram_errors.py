"""Every way a letter can fail in Telegram, met on a real line."""

from __future__ import annotations

import logging

import pytest
from telegram.error import BadRequest, Forbidden, NetworkError, TelegramError

from adapters.telegram.receipts import receipt_for
from referee.ports import Button, Fate
from tests.adapters.conformance import until
from tests.adapters.telegram_line import Line, line


async def failed(tg: Line, **letter: object) -> str:
    receipt = await tg.send("hello", **letter)  # type: ignore[arg-type]  # a letter's fields by name
    assert receipt.fate is Fate.FAILED, receipt
    assert receipt.detail
    return receipt.reason


async def test_private_chats_that_are_closed() -> None:
    async with line() as tg:
        await tg.start()
        bob, cid = tg.api.user("Bob"), tg.api.user("Cid")
        tg.api.group("Table", [bob])  # met there, never pressed start
        assert await failed(tg, to=bob) == "cannot-initiate"
        assert await failed(tg, to=cid) == "no-such-address"  # never met at all
        bob.start()
        assert (await tg.send("hello", bob)).fate is Fate.SENT
        tg.ann.block()
        assert await failed(tg) == "blocked"
        tg.ann.unblock()
        assert (await tg.send("hello")).fate is Fate.SENT
        tg.ann.vanish()
        assert await failed(tg) == "no-such-address"
        assert await failed(tg, place="@not_a_number") == "no-such-address"


async def test_groups_that_are_closed() -> None:
    async with line() as tg:
        await tg.start()
        small, big, muted, foreign = (
            tg.api.group(name, [tg.ann], supergroup=name != "small")
            for name in ("small", "big", "muted", "foreign")
        )
        small.remove_bot(tg.ann)
        big.remove_bot(tg.ann)
        muted.mute_bot(tg.ann)
        foreign.chat.bot = "left"
        for group in (small, big, muted, foreign):
            assert await failed(tg, place=str(group.id)) == "not-a-member"
        assert await failed(tg, place="-4242") == "no-such-address"
        assert await failed(tg, place=str(big.id), edits="1") == "not-a-member"


async def test_a_token_that_was_revoked() -> None:
    async with line() as tg:
        adapter = await tg.start()
        tg.api.world.token = "1:revoked"
        assert await failed(tg) == "unauthorised"
        assert [one.code for one in await adapter.check()] == ["telegram-token"]


async def test_too_fast_is_later_with_the_time_told() -> None:
    async with line(flood=True) as tg:
        await tg.start()
        first = await tg.send("one")
        for receipt in (await tg.send("two"), await tg.send("two", edits=first.wire_id)):
            assert receipt.fate is Fate.LATER
            assert receipt.retry_ms == 1000
        assert [one.text for one in tg.ann.sees()] == ["one"]


async def test_refused_connections_are_later_and_lost_answers_unknown() -> None:
    async with line(timeout_s=1.5) as tg:
        adapter = await tg.start()
        await tg.api.down()
        assert (await tg.send("a")).fate is Fate.LATER
        assert [one.code for one in await adapter.check()] == ["telegram-away"]
        await tg.api.up()
        for how, after in (
            ("drop", False),
            ("drop", True),
            ("error", False),
            ("error", True),
            ("hang", False),
            ("hang", True),
        ):
            tg.api.faults.plan("sendMessage", how, after=after)
            receipt = await tg.send(f"{how} {after}")
            assert receipt.fate is Fate.UNKNOWN, (how, after, receipt)
        assert [one.text for one in tg.ann.sees()] == ["drop True", "error True", "hang True"]


@pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 409, 429])
async def test_the_page_of_a_firewall_says_nothing_of_a_chat_nor_of_our_token(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with line(poll_s=0) as tg:
        adapter = await tg.start()
        first = await tg.send("one")
        tg.api.faults.plan("sendMessage", "page", status=status)
        tg.api.faults.plan("editMessageText", "page", status=status)
        for receipt in (await tg.send("two"), await tg.send("two", edits=first.wire_id)):
            assert (receipt.fate, receipt.whole) == (Fate.LATER, True), receipt
        tg.api.faults.plan("getMe", "page", status=status)
        assert [one.code for one in await adapter.check()] == ["telegram-away"]
        tg.api.faults.plan("getUpdates", "page", status=status)
        tg.ann.say("heard soon")
        await tg.heard()
        assert "token" not in caplog.text


async def test_being_told_to_wait_for_a_pin_or_an_update_is_obeyed() -> None:
    async with line(poll_s=0) as tg:
        await tg.start()
        tg.api.faults.plan("pinChatMessage", status=429)
        tg.api.faults.plan("getUpdates", status=429)
        receipt = await tg.send("Table", pin=True)
        assert receipt.fate is Fate.SENT
        assert tg.ann.sees()[0].pinned
        tg.api.faults.plan("pinChatMessage", status=502)
        assert (await tg.send("Table 2", pin=True)).fate is Fate.SENT
        tg.ann.say("still heard")
        await tg.heard()


async def test_a_press_that_could_not_be_answered_is_answered_later() -> None:
    async with line() as tg:
        await tg.start()
        tg.api.faults.plan("answerCallbackQuery", status=502)
        tg.api.faults.plan("answerCallbackQuery", "drop", after=True)
        await tg.send("Choose", buttons=((Button("gold", "k"),),))
        press = tg.ann.press(None, "gold")
        assert press is not None
        fates = [(await tg.send("Taken.", callback=press.id)).fate for _ in range(3)]
        assert fates == [Fate.LATER, Fate.LATER, Fate.SENT]
        assert press.toast == "Taken."


async def test_edits_whose_answer_is_lost_are_simply_made_again() -> None:
    async with line(timeout_s=1.5) as tg:
        await tg.start()
        first = await tg.send("one")
        for how, after in (("drop", True), ("error", False), ("hang", True)):
            tg.api.faults.plan("editMessageText", how, after=after)
            lost = await tg.send(how, edits=first.wire_id)
            assert (lost.fate, lost.again) == (Fate.UNKNOWN, True)
            again = await tg.send(how, edits=first.wire_id)
            assert (again.fate, again.wire_id) == (Fate.SENT, first.wire_id)
            assert [one.text for one in tg.ann.sees()] == [how]


async def test_health_follows_the_line() -> None:
    async with line() as tg:
        adapter = await tg.start()
        await tg.api.down()
        await until(lambda: not adapter.healthy())
        await tg.api.up()
        await until(adapter.healthy)
        tg.ahead_ms = 10 * 60_000  # nothing heard for ten minutes
        assert not adapter.healthy()


@pytest.mark.parametrize(
    ("error", "fate", "reason"),
    [
        (Forbidden("FORBIDDEN: Bot Was Blocked By The User"), Fate.FAILED, "blocked"),
        (Forbidden("Forbidden: the group chat was deleted"), Fate.FAILED, "gone"),
        (Forbidden("Forbidden: something new"), Fate.FAILED, "blocked"),
        (BadRequest("Bad Request: PEER_ID_INVALID"), Fate.FAILED, "no-such-address"),
        (BadRequest("Bad Request: CHAT_WRITE_FORBIDDEN"), Fate.FAILED, "not-a-member"),
        (BadRequest("Bad Request: MESSAGE_TOO_LONG"), Fate.FAILED, "too-long"),
        (BadRequest("Bad Request: something new"), Fate.FAILED, "rejected"),
        (NetworkError("Too Many Requests"), Fate.LATER, ""),
        (TelegramError("Invalid server response"), Fate.UNKNOWN, ""),
        (KeyError("message_id"), Fate.UNKNOWN, ""),
    ],
)
def test_descriptions_are_read_in_any_case(error: Exception, fate: Fate, reason: str) -> None:
    receipt = receipt_for(error)
    assert (receipt.fate, receipt.reason) == (fate, reason)


async def test_a_refused_token_is_told_once_with_what_to_do(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram.adapter.REFUSED_S", 0.01)
    with caplog.at_level(logging.INFO):
        async with line() as tg:
            wrong = tg.build(token="12345:" + "w" * 35)
            await wrong.start(tg.desk)
            await until(lambda: caplog.text.count("@BotFather") > 2)
            await wrong.stop()
    told = [one for one in caplog.records if "@BotFather" in one.message and one.levelno > logging.INFO]
    assert [one.levelname for one in told] == ["CRITICAL"]
