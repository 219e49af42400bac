"""What people do in Telegram, as the referee hears of it."""

from __future__ import annotations

import logging

import pytest

from referee.ports import Letter, What
from tests.adapters.conformance import until
from tests.adapters.telegram_line import line
from tests.servers.botapi import BotApi


async def test_commands_lose_the_name_of_the_bot_and_keep_their_payload() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("The <b>table</b>", [tg.ann])
        tg.ann.start("g12_TOKEN")
        tg.ann.say(f"/STATUS@{tg.api.username.upper()} now", table)
        start, status = await tg.heard(count=2)
        assert start.text == "/start g12_TOKEN"
        assert (start.address, start.place, start.name, start.language, start.vouched) == (
            str(tg.ann.id),
            None,
            "Ann",
            "pt",
            True,
        )
        assert status.text == "/STATUS now"
        assert (status.place, status.place_name) == (str(table.id), "The <b>table</b>")


async def test_a_command_for_another_bot_is_not_ours_even_where_we_hear_everything() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        table.promote_bot(tg.ann)
        tg.ann.say("/status@another_bot", table)
        tg.ann.say("just talk", table)
        tg.ann.say("look: /status@another_bot", table)
        heard = await tg.heard(count=2)
        assert [one.text for one in heard] == ["just talk", "look: /status@another_bot"]
        assert not tg.desk.said(What.INVITED)  # it was in before: a promotion is no invitation


async def test_an_account_is_called_what_people_know_it_by() -> None:
    async with line() as tg:
        await tg.start()
        bea = tg.api.user("Bea", started=True)
        tg.ann.say("hello")
        bea.say("hello")
        one, other = await tg.heard(count=2)
        assert (one.address, one.facts) == (str(tg.ann.id), {"handle": "@ann"})
        assert (other.address, other.facts) == (str(bea.id), {})


async def test_in_privacy_mode_only_commands_and_answers_are_heard() -> None:
    async with line() as tg:
        adapter = await tg.start()
        table = tg.api.group("Table", [tg.ann])
        sent = await adapter.send(Letter(id="1", channel="telegram", place=str(table.id), text="Who plays?"))
        tg.ann.say("not for the bot", table)
        tg.ann.say("me", table, reply_to=int(sent.wire_id))
        (me,) = await tg.heard()
        assert (me.text, me.thread) == ("me", sent.wire_id)


async def test_a_button_brings_its_key_its_message_and_its_press() -> None:
    async with line() as tg:
        adapter = await tg.start(answer_press_s=14)
        from referee.ports import Button

        table = tg.api.group("Table", [tg.ann])
        sent = await tg.send(
            "Choose", place=str(table.id), buttons=((Button("take gold", "k-1"), Button("draw", "k-2")),)
        )
        press = tg.ann.press(None, "draw", table)
        assert press is not None
        (got,) = await tg.heard(What.BUTTON)
        assert (got.payload, got.thread, got.place, got.address) == (
            "k-2",
            sent.wire_id,
            str(table.id),
            str(tg.ann.id),
        )
        assert got.facts == {"callback": press.id, "handle": "@ann"}
        assert abs(got.at_ms - tg.clock_ms()) < 60_000
        assert not press.answered
        toast = Letter(
            id="2", channel="telegram", address=got.address, text="Taken. " + "🏰" * 150, callback=press.id
        )
        assert (await adapter.send(toast)).fate == "sent"
        assert press.answered
        assert press.toast.startswith("Taken. 🏰")
        assert press.toast.endswith("🏰…")
        assert (await adapter.send(toast)).fate == "sent"  # too late is as good as done
        assert len(tg.ann.sees()) == 0  # a toast is no message


async def test_a_button_stops_spinning_by_itself() -> None:
    from referee.ports import Button

    async with line(answer_press_s=0.05) as tg:
        await tg.start()
        await tg.send("Choose", buttons=((Button("gold", "k"),),))
        press = tg.ann.press(None, "gold")
        assert press is not None
        await until(lambda: press.answered)
        assert press.toast == ""
        assert len(tg.desk.said(What.BUTTON)) == 1


async def test_a_new_letter_to_whoever_pressed_is_the_answer() -> None:
    from referee.ports import Button

    async with line(answer_press_s=14) as tg:
        await tg.start()
        bob = tg.api.user("Bob", started=True)
        await tg.send("Choose", buttons=((Button("gold", "k"),),))
        press = tg.ann.press(None, "gold")
        assert press is not None
        await tg.heard(What.BUTTON)
        await tg.send("Somebody else's letter", bob)
        assert not press.answered
        await tg.send("You took 2 gold.")
        await until(lambda: press.answered)
        assert press.toast == ""


async def test_a_callback_of_random_bytes_arrives_as_it_is() -> None:
    from referee.ports import Button

    async with line() as tg:
        await tg.start()
        await tg.send("Choose", buttons=((Button("gold", "k"),),))
        noise = "".join(map(chr, range(1, 33))) + "\u00ff\u2028é🏰" * 2
        tg.ann.forge(tg.ann.sees()[-1], noise)
        (got,) = await tg.heard(What.BUTTON)
        assert got.payload == noise


async def test_edits_of_players_pass_unheard_and_pictures_are_answered_only_in_private() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        table.promote_bot(tg.ann)
        (number,) = tg.ann.say("gold")
        tg.ann.edit(number, "cards")
        tg.ann.sticker()
        tg.ann.sticker(table)
        tg.ann.photo("my city")
        tg.ann.say("end")
        heard = await tg.heard(count=4)
        assert [(one.text, one.place) for one in heard] == [
            ("gold", None),
            ("", None),
            ("my city", None),
            ("end", None),
        ]


async def test_ten_kilobytes_of_emoji_and_markup_in_names_arrive_unharmed() -> None:
    async with line() as tg:
        await tg.start()
        eve = tg.api.user("<b>Eve</b> {{ 7*7 }} *_`[", None, "")
        flood = "🏰" * 2560
        eve.say(flood)
        heard = await tg.heard(count=2)
        assert "".join(one.text for one in heard) == flood
        assert heard[0].name == "<b>Eve</b> {{ 7*7 }} *_`["
        assert heard[0].language == ""


async def test_blocking_and_unblocking() -> None:
    async with line() as tg:
        await tg.start()
        tg.ann.block()
        tg.ann.unblock()
        (gone,), (back,) = await tg.heard(What.BLOCKED), await tg.heard(What.REACHABLE)
        assert (gone.address, gone.place) == (back.address, back.place) == (str(tg.ann.id), None)


async def test_coming_into_a_group_and_being_thrown_out() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann], bot=False)
        table.add_bot(tg.ann)
        (came,) = await tg.heard(What.INVITED)
        assert (came.place, came.place_name, came.address) == (str(table.id), "Table", str(tg.ann.id))
        table.promote_bot(tg.ann)
        table.mute_bot(tg.ann)
        await tg.heard(What.EXPELLED)
        table.promote_bot(tg.ann)
        await tg.heard(What.INVITED, 2)
        table.remove_bot(tg.ann)
        await tg.heard(What.EXPELLED, 2)
        assert not tg.desk.said()


async def test_a_group_that_becomes_a_supergroup_moves() -> None:
    async with line() as tg:
        adapter = await tg.start()
        table = tg.api.group("Table", [tg.ann])
        first = await tg.send("Round 1", place=str(table.id))
        old = str(table.id)
        table.migrate(tg.ann)
        told = await tg.heard(What.MOVED, 2)
        assert {(one.place, one.facts["to"]) for one in told} == {(old, str(table.id))}
        receipt = await tg.send("Round 2", place=old, edits=first.wire_id)
        assert (receipt.fate, receipt.moved_to) == ("moved", str(table.id))
        again = await adapter.send(
            Letter(id="x", channel="telegram", place=receipt.moved_to, text="Round 2", edits=first.wire_id)
        )
        assert again.fate == "sent"
        assert [one.text for one in table.sees()] == ["Round 2"]


async def test_an_update_nobody_can_read_does_not_block_the_next(caplog: pytest.LogCaptureFixture) -> None:
    async with line() as tg:
        await tg.start()
        with caplog.at_level(logging.ERROR, "adapters.telegram"):
            for odd in (
                {"message": {"message_id": "x"}},
                {"message": 17},
                {"callback_query": {"id": None}},
                {"a_kind_of_the_future": {"id": 1}},
                {},
            ):
                tg.api.world.updates.add_raw(odd)
            tg.ann.say("after them")
            (got,) = await tg.heard()
        assert got.text == "after them"
        assert "passed over" in caplog.text


async def test_what_is_delivered_twice_has_the_same_key() -> None:
    async with line() as tg:
        tg.ann.say("once")
        delivered = list(tg.api.world.updates.pending)
        assert len(delivered) == 1
        first = await tg.start()
        await tg.heard()
        await first.stop()
        tg.desk.bookmarks.clear()  # as if neither side had kept the offset: all comes again
        tg.api.world.updates.pending = delivered
        calls = tg.desk.calls
        await tg.start()
        await until(lambda: tg.desk.calls > calls)
        assert len(tg.desk.inbox) == 1


async def test_a_full_disk_acknowledges_nothing() -> None:
    async with line() as tg:
        await tg.start()
        tg.desk.refuse = True
        tg.ann.say("keep this")
        await until(lambda: tg.desk.calls >= 2)
        assert [one["message"]["text"] for one in tg.api.world.updates.pending] == ["keep this"]
        tg.desk.refuse = False
        (got,) = await tg.heard()
        assert got.text == "keep this"
        tg.ann.say("and this")
        await tg.heard(count=2)


async def test_a_reception_that_breaks_does_not_silence_the_channel(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with line() as tg:
        await tg.start()

        async def broken(*_: object, **__: object) -> None:
            raise RuntimeError("a bug elsewhere")

        with monkeypatch.context() as patched:
            patched.setattr(tg.desk, "receive", broken)
            tg.ann.say("keep this")
            await until(lambda: "receiving failed" in caplog.text)
        assert [one.text for one in await tg.heard()] == ["keep this"]


async def test_the_doctor_warns_of_a_bot_that_may_not_join_groups() -> None:
    async with line() as tg:
        tg.api.world.joins_groups = False
        assert [(one.level, one.code) for one in await tg.build().check()] == [
            ("ok", "telegram-bot"),
            ("warn", "telegram-no-groups"),
        ]


async def test_posts_of_channels_and_of_hidden_admins_are_nobodys_orders() -> None:
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        as_channel = {
            "message_id": 5,
            "date": 1_700_000_000,
            "chat": table.chat.json(),
            "text": "/end",
            "sender_chat": {"id": -1001, "type": "channel", "title": "C"},
        }
        for who in (
            {"id": 777000, "is_bot": False, "first_name": "Telegram"},
            {"id": 1087968824, "is_bot": True, "first_name": "Group"},
        ):
            tg.api.world.updates.add_raw({"message": {**as_channel, "from": who}})
        tg.ann.say("/status", table)
        assert [one.text for one in await tg.heard()] == ["/status"]


async def test_an_offset_of_yesterday_is_forgotten() -> None:
    async with line() as tg:
        first = await tg.start()
        tg.ann.say("one")
        await tg.heard()
        await first.stop()
        # a quiet week: Telegram numbers anew, lower than before
        tg.api.world.updates.confirm(10**12)
        tg.api.world.updates.next_id = 5
        tg.ahead_ms = 8 * 24 * 3_600_000
        tg.ann.say("two")
        await tg.start()
        assert [one.text for one in await tg.heard(count=2)] == ["one", "two"]


@pytest.mark.parametrize("how", ["error", "drop"])
async def test_trouble_on_the_line_while_polling_loses_nothing(how: str) -> None:
    async with line(poll_s=0) as tg:
        await tg.start()
        for number in range(6):
            fault = tg.api.faults.plan("getUpdates", how, after=number % 2 == 1)
            tg.ann.say(f"say {number}")
            await tg.heard(count=number + 1)
            await until(lambda: fault.struck)  # noqa: B023 - waited for at once
        assert [one.text for one in tg.desk.said()] == [f"say {number}" for number in range(6)]


async def test_a_webhook_set_by_somebody_else_is_taken_away_again(caplog: pytest.LogCaptureFixture) -> None:
    async with line() as tg:
        await tg.start()
        with caplog.at_level(logging.ERROR, "adapters.telegram"):
            with tg.api.world.lock:
                tg.api.hook.set({"url": "http://127.0.0.1:9/elsewhere"})
            tg.ann.say("still there?")
            await tg.heard()
        assert tg.api.hook.url == ""
        assert "somebody else receives" in caplog.text


async def test_the_token_and_the_words_stay_out_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with line() as tg:
            await tg.start()
            await tg.send("secret words of a letter")
            tg.api.faults.plan("sendMessage", "drop")
            await tg.send("secret words of a letter")
            await tg.api.down()
            await tg.send("secret words of a letter")
            await until(lambda: not tg.adapter.healthy())
            await tg.api.up()
            wrong = tg.build(token="12345:" + "w" * 35)
            await wrong.check()
            await wrong.start(tg.desk)
            await until(lambda: "refuses the bot's token" in caplog.text)
            token = tg.api.token
    assert "receiving as" in caplog.text
    for secret in (token, token.split(":")[1], "w" * 35, "secret words"):
        assert secret not in caplog.text


async def test_commands_are_registered_in_each_language() -> None:
    async with line(
        commands=[["status", "The table now"]], translated={"pt": [["mesa", "A mesa agora"]]}
    ) as tg:
        await tg.start()
        assert tg.api.world.commands == {
            '[{"type": "default"}, ""]': [{"command": "status", "description": "The table now"}],
            '[{"type": "default"}, "pt"]': [{"command": "mesa", "description": "A mesa agora"}],
        }


async def test_commands_are_registered_and_stop_is_quick() -> None:
    async with line(commands=[["status", "The table now"], ["hand", "My hand"]], poll_s=30) as tg:
        adapter = await tg.start()
        assert tg.api.world.commands['[{"type": "default"}, ""]'] == [
            {"command": "status", "description": "The table now"},
            {"command": "hand", "description": "My hand"},
        ]
        import asyncio

        async with asyncio.timeout(2):
            await adapter.stop()
        assert not adapter.healthy()
        late = await adapter.send(Letter(id="9", channel="telegram", address=str(tg.ann.id), text="too late"))
        assert late.fate == "later"
        assert BotApi.called(tg.api, "sendMessage") == []
