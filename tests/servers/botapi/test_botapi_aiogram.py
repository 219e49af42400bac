"""The server against a second client library, whose models are stricter than the first one's: every answer
and every kind of update.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.botapi import BotApi, User
from tests.servers.lazily import Lazily

if TYPE_CHECKING:
    import aiogram
else:
    aiogram = Lazily("aiogram")


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    server = await BotApi(flood=False).start()
    yield server
    await server.stop()


@pytest.fixture
async def bot(api: BotApi) -> AsyncIterator[aiogram.Bot]:
    one = aiogram.Bot(
        api.token,
        session=aiogram.client.session.aiohttp.AiohttpSession(
            api=aiogram.client.telegram.TelegramAPIServer.from_base(api.url)
        ),
    )
    yield one
    await one.session.close()


@pytest.fixture
def ann(api: BotApi) -> User:
    return api.user("Ann", "ann", started=True)


def board(*rows: tuple[str, ...]) -> aiogram.types.InlineKeyboardMarkup:
    return aiogram.types.InlineKeyboardMarkup(
        inline_keyboard=[
            [aiogram.types.InlineKeyboardButton(text=one, callback_data=f"k-{one}") for one in row]
            for row in rows
        ]
    )


async def test_who_the_bot_is(api: BotApi, bot: aiogram.Bot) -> None:
    me = await bot.get_me()
    assert (me.id, me.is_bot, me.username, me.can_join_groups) == (api.world.me.id, True, api.username, True)
    wrong = aiogram.Bot("1:" + "x" * 35, session=bot.session)
    with pytest.raises(aiogram.exceptions.TelegramUnauthorizedError):
        await wrong.get_me()


async def test_messages_edits_and_pins(api: BotApi, bot: aiogram.Bot, ann: User) -> None:
    sent = await bot.send_message(
        ann.id,
        "<b>Mark&amp;et</b> 🏰 <a href='https://x.example'>x</a>",
        parse_mode="HTML",
        reply_markup=board(("gold", "cards")),
    )
    assert sent.text == "Mark&et 🏰 x"
    assert [(one.type, one.offset, one.length) for one in sent.entities or []] == [
        ("bold", 0, 7),
        ("text_link", 11, 1),
    ]
    assert sent.reply_markup is not None
    assert sent.reply_markup.model_dump() == board(("gold", "cards")).model_dump()
    edited = await bot.edit_message_text("Round 2", chat_id=ann.id, message_id=sent.message_id)
    assert not isinstance(edited, bool)
    assert (edited.text, edited.reply_markup, edited.message_id) == ("Round 2", None, sent.message_id)
    assert edited.edit_date is not None
    with pytest.raises(aiogram.exceptions.TelegramBadRequest, match="message is not modified"):
        await bot.edit_message_text("Round 2", chat_id=ann.id, message_id=sent.message_id)
    await bot.edit_message_reply_markup(
        chat_id=ann.id, message_id=sent.message_id, reply_markup=board(("end",))
    )
    assert ann.sees()[0].labels() == ["end"]
    answer = await bot.send_message(
        ann.id, "see above", reply_parameters=aiogram.types.ReplyParameters(message_id=sent.message_id)
    )
    assert answer.reply_to_message is not None
    assert await bot.pin_chat_message(ann.id, answer.message_id)
    chat = await bot.get_chat(ann.id)
    assert chat.pinned_message is not None
    assert chat.pinned_message.message_id == answer.message_id
    assert await bot.unpin_chat_message(ann.id)
    assert await bot.delete_message(ann.id, answer.message_id)
    assert [one.text for one in ann.sees()] == ["Round 2"]
    with pytest.raises(aiogram.exceptions.TelegramBadRequest, match="message to edit not found"):
        await bot.edit_message_text("x", chat_id=ann.id, message_id=answer.message_id)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"text": "  "}, "message text is empty"),
        ({"text": "🏰" * 2049}, "message is too long"),
        ({"text": "<b>x", "parse_mode": "HTML"}, "Can't find end tag"),
        ({"text": "<x>x</x>", "parse_mode": "HTML"}, "Unsupported start tag"),
        ({"text": "<b>x</i>", "parse_mode": "HTML"}, "Unmatched end tag"),
        ({"text": "x</b>", "parse_mode": "HTML"}, "Unexpected end tag"),
        ({"text": "x", "reply_markup": lambda: board(("",))}, "must be non-empty"),
        ({"text": "x", "reply_markup": lambda: board(("x" * 70,))}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": lambda: board(tuple("123456789"))}, "too long"),
        (
            {"text": "x", "reply_parameters": lambda: aiogram.types.ReplyParameters(message_id=77)},
            "message to be replied not found",
        ),
        ({"text": "x", "chat_id": 5}, "chat not found"),
    ],
)
async def test_refusals(bot: aiogram.Bot, ann: User, given: dict[str, Any], words: str) -> None:
    made = {name: one() if callable(one) else one for name, one in given.items()}
    with pytest.raises(aiogram.exceptions.TelegramBadRequest, match=words):
        await bot.send_message(**{"chat_id": ann.id, **made})
    assert ann.sees() == []


async def test_every_kind_of_update_is_readable(api: BotApi, bot: aiogram.Bot, ann: User) -> None:
    table = api.group("Table", [ann], bot=False)
    table.add_bot(ann)
    ann.start("g12")
    bob = api.user("Bob", language="pt-br")
    table.add(bob)
    sent = await bot.send_message(table.id, "Who plays?", reply_markup=board(("Join",)))
    press = ann.press(None, "Join", table)
    bob.say("me", table, reply_to=sent.message_id)
    (said,) = ann.say("gold")
    ann.edit(said, "cards")
    ann.sticker()
    ann.photo("my city")
    await bot.pin_chat_message(table.id, sent.message_id)
    table.mute_bot(ann)
    table.promote_bot(ann)
    table.migrate(ann)
    table.remove_bot(ann)
    ann.block()
    got: list[aiogram.types.Update] = await bot.get_updates(timeout=0)
    kinds = [one.event_type for one in got]
    assert kinds == [
        "my_chat_member",
        "message",
        "message",
        "message",
        "callback_query",
        "message",
        "message",
        "edited_message",
        "message",
        "message",
        "message",
        "my_chat_member",
        "my_chat_member",
        "message",
        "my_chat_member",
        "message",
        "my_chat_member",
        "my_chat_member",
    ]
    assert all(type(one.update_id) is int for one in got)
    assert [one.update_id for one in got] == list(range(got[0].update_id, got[0].update_id + len(got)))
    pressed = got[4].callback_query
    assert pressed is not None
    assert pressed.data == "k-Join"
    assert press is not None
    assert await bot.answer_callback_query(pressed.id, text="welcome")
    assert (press.answered, press.toast) == (True, "welcome")
    with pytest.raises(aiogram.exceptions.TelegramBadRequest, match="query is too old"):
        await bot.answer_callback_query(pressed.id)
    with pytest.raises(aiogram.exceptions.TelegramMigrateToChat) as moved:
        await bot.send_message(table.was or 0, "x")
    assert moved.value.migrate_to_chat_id == table.id


async def test_ids_are_numbers_on_the_wire(api: BotApi, ann: User) -> None:
    """Both libraries take ids sent as words; the real server never sends them so."""
    table = api.group("Table", [ann], supergroup=True)
    ann.say("/status", table)
    ann.say("gold")
    found = 0

    def walk(value: object) -> None:
        nonlocal found
        if isinstance(value, dict):
            for name, inner in value.items():
                if name in ("id", "message_id", "update_id", "date"):
                    found += 1
                    assert type(inner) is int, (name, inner)
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(api.world.updates.pending)
    assert found == 2 * 5
    assert table.id < -(10**12)


async def test_closed_doors(api: BotApi, bot: aiogram.Bot, ann: User) -> None:
    bob = api.user("Bob")
    small, big = api.group("small", [ann, bob]), api.group("big", [ann], supergroup=True)
    for group in (small, big):
        group.remove_bot(ann)
    ann.block()
    for number, words in (
        (ann.id, "bot was blocked by the user"),
        (bob.id, "bot can't initiate conversation"),
        (small.id, "kicked from the group"),
        (big.id, "kicked from the supergroup"),
    ):
        with pytest.raises(aiogram.exceptions.TelegramForbiddenError, match=words):
            await bot.send_message(number, "x")


async def test_updates_stay_until_confirmed_and_only_wanted_kinds_are_made(
    bot: aiogram.Bot, ann: User
) -> None:
    for number in range(5):
        ann.say(f"say {number}")
    first = await bot.get_updates(limit=2)
    assert [one.message.text for one in first if one.message] == ["say 0", "say 1"]
    again = await bot.get_updates(limit=2)
    assert [one.update_id for one in again] == [one.update_id for one in first]
    rest = await bot.get_updates(offset=first[-1].update_id + 1)
    assert len(rest) == 3
    (last,) = await bot.get_updates(offset=-1, allowed_updates=["message"])
    assert last.update_id == rest[-1].update_id
    ann.block()
    ann.unblock()
    assert await bot.get_updates(offset=last.update_id + 1, timeout=0) == []
    assert await bot.get_updates(allowed_updates=[], timeout=0) == []
    ann.block()
    assert [one.event_type for one in await bot.get_updates(timeout=0)] == ["my_chat_member"]


async def test_polling_under_a_webhook_conflicts(api: BotApi, bot: aiogram.Bot) -> None:
    assert await bot.set_webhook(
        "http://127.0.0.1:9/x", secret_token="abc", max_connections=1, allowed_updates=["message"]
    )
    info = await bot.get_webhook_info()
    assert (info.url, info.max_connections, info.allowed_updates) == ("http://127.0.0.1:9/x", 1, ["message"])
    with pytest.raises(aiogram.exceptions.TelegramConflictError, match="webhook is active"):
        await bot.get_updates()
    assert await bot.delete_webhook()
    assert await bot.get_updates() == []
    with pytest.raises(aiogram.exceptions.TelegramBadRequest, match="HTTPS"):
        await bot.set_webhook("http://game.example/x")


async def test_commands_and_members(api: BotApi, bot: aiogram.Bot, ann: User) -> None:
    wanted = [aiogram.types.BotCommand(command="status", description="The table now")]
    assert await bot.set_my_commands(wanted)
    assert [(one.command, one.description) for one in await bot.get_my_commands()] == [
        ("status", "The table now")
    ]
    with pytest.raises(aiogram.exceptions.TelegramBadRequest, match="BOT_COMMAND_INVALID"):
        await bot.set_my_commands([aiogram.types.BotCommand(command="Status!", description="x")])
    table = api.group("Table", [ann])
    assert (await bot.get_chat_member(table.id, ann.id)).status == "member"
    assert await bot.leave_chat(table.id)
    assert table.chat.bot == "left"


async def test_flood_control(ann: User) -> None:
    now = [0.0]
    api = await BotApi(clock=lambda: now[0]).start()
    bot = aiogram.Bot(
        api.token,
        session=aiogram.client.session.aiohttp.AiohttpSession(
            api=aiogram.client.telegram.TelegramAPIServer.from_base(api.url)
        ),
    )
    bob = api.user("Bob", started=True)
    table = api.group("Table", [bob])
    await bot.send_message(bob.id, "one")
    with pytest.raises(aiogram.exceptions.TelegramRetryAfter) as told:
        await bot.send_message(bob.id, "two")
    assert told.value.retry_after == 1
    for _ in range(20):
        now[0] += 1.0
        await bot.send_message(table.id, "x")
    now[0] += 1.0
    with pytest.raises(aiogram.exceptions.TelegramRetryAfter) as told:
        await bot.send_message(table.id, "x")
    assert told.value.retry_after == 40
    await bot.send_message(bob.id, "a person may have more")
    await bot.session.close()
    await api.stop()
