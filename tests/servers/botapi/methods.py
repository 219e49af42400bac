"""The methods of the Bot API about messages: send, edit, delete, pin, answer a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import keyboard, markup, params
from .errors import bad
from .things import Chat, Post
from .world import QUERY_LIFE_S, World

LONGEST_TEXT = 4096
LONGEST_TOAST = 200
Given = dict[str, Any]
Method = Callable[[World, Given], Any]


def _words(given: Given) -> tuple[str, list[dict[str, Any]]]:
    source = given.get("text")
    mode = str(given.get("parse_mode") or "").lower()
    if not isinstance(source, str) or not source.strip():
        raise bad("message text is empty")
    if mode not in ("", "html"):
        raise bad("unsupported parse_mode")  # the real one knows Markdown too; the referee never writes it
    text, entities = markup.html(source) if mode else markup.plain(source)
    if not text:
        raise bad("message text is empty")
    if markup.utf16(text) > LONGEST_TEXT:
        raise bad("message is too long")
    return text, entities


def _count(world: World, chat: Chat) -> None:
    if world.flood is not None:
        world.flood.count(chat.id)


def _answered(given: Given, chat: Chat) -> Post | None:
    reply = params.structure(given, "reply_parameters")
    number = (
        reply.get("message_id") if isinstance(reply, dict) else params.integer(given, "reply_to_message_id")
    )
    if number is None:
        return None
    post = chat.posts.get(int(number))
    lenient = (
        bool(reply.get("allow_sending_without_reply"))
        if isinstance(reply, dict)
        else params.boolean(given, "allow_sending_without_reply")
    )
    if post is None and not lenient:
        raise bad("message to be replied not found")
    return post


def send_message(world: World, given: Given) -> Any:
    chat = world.writable(params.integer(given, "chat_id"))
    text, entities = _words(given)
    rows = keyboard.inline(given.get("reply_markup"), private=chat.person is not None)
    answers = _answered(given, chat)
    topic = world.topic_for(chat, params.integer(given, "message_thread_id"))
    _count(world, chat)
    post = world.post(
        chat,
        world.me,
        topic=topic,
        text=text,
        source=str(given["text"]),
        entities=entities,
        keyboard=rows,
        answers=answers,
        silent=params.boolean(given, "disable_notification"),
    )
    return post.json()


def _own(world: World, given: Given, verb: str = "edit") -> Post:
    chat = world.writable(params.integer(given, "chat_id"))
    number = params.integer(given, "message_id")
    if number is None:
        raise bad("message identifier is not specified")
    post = chat.posts.get(number)
    if post is None:
        raise bad(f"message to {verb} not found")
    world.topic_for(chat, post.topic)
    return post


def edit_text(world: World, given: Given) -> Any:
    post = _own(world, given)
    if post.sender is not world.me:
        raise bad("message can't be edited")
    if post.photo:
        raise bad("there is no text in the message to edit")
    text, entities = _words(given)
    rows = keyboard.inline(given.get("reply_markup"), private=post.chat.person is not None)
    _count(world, post.chat)
    if (text, entities, rows) == (post.text, post.entities, post.keyboard):
        raise bad(
            "message is not modified: specified new message content and reply markup are exactly the same as "
            "a current content and reply markup of the message"
        )
    post.text, post.entities, post.keyboard, post.source, post.edited = (
        text,
        entities,
        rows,
        str(given["text"]),
        int(world.now()),
    )
    return post.json()


def edit_keyboard(world: World, given: Given) -> Any:
    post = _own(world, given)
    if post.sender is not world.me:
        raise bad("message can't be edited")
    rows = keyboard.inline(given.get("reply_markup"), private=post.chat.person is not None)
    _count(world, post.chat)
    if rows == post.keyboard:
        raise bad(
            "message is not modified: specified new message content and reply markup are exactly the same as "
            "a current content and reply markup of the message"
        )
    post.keyboard, post.edited = rows, int(world.now())
    return post.json()


def delete_message(world: World, given: Given) -> Any:
    post = _own(world, given, "delete")
    if world.now() - post.date > 48 * 3600 or (
        post.sender is not world.me and post.chat.type != "private" and post.chat.bot != "administrator"
    ):
        raise bad("message can't be deleted")
    del post.chat.posts[post.id]
    if post.id in post.chat.pinned:
        post.chat.pinned.remove(post.id)
    return True


def pin(world: World, given: Given) -> Any:
    post = _own(world, given, "pin")
    chat = post.chat
    if chat.type == "supergroup" and chat.bot != "administrator":
        raise bad("not enough rights to manage pinned messages in the chat")
    if post.id not in chat.pinned:
        chat.pinned.append(post.id)
        world.report(world.post(chat, world.me, service={"pinned_message": post.json(nested=False)}))
    return True


def unpin(world: World, given: Given) -> Any:
    chat = world.writable(params.integer(given, "chat_id"))
    number = params.integer(given, "message_id", chat.pinned[-1] if chat.pinned else None)
    if number not in chat.pinned:
        raise bad("message to unpin not found")
    chat.pinned.remove(number)
    return True


def answer_query(world: World, given: Given) -> Any:
    query = world.queries.get(str(given.get("callback_query_id", "")))
    if query is None or query.answered or world.clock() - query.at > QUERY_LIFE_S:
        raise bad("query is too old and response timeout expired or query ID is invalid")
    text = str(given.get("text") or "")
    if markup.utf16(text) > LONGEST_TOAST:
        raise bad("MESSAGE_TOO_LONG")
    query.answered, query.toast, query.alert = True, text, params.boolean(given, "show_alert")
    return True


MESSAGES: dict[str, Method] = {
    "sendmessage": send_message,
    "editmessagetext": edit_text,
    "editmessagereplymarkup": edit_keyboard,
    "deletemessage": delete_message,
    "pinchatmessage": pin,
    "unpinchatmessage": unpin,
    "answercallbackquery": answer_query,
}
