"""Photos and files as the Bot API has them: sent with a caption; a photo also in place of another message."""

from __future__ import annotations

import struct
from typing import Any

from . import keyboard, markup, params
from .errors import bad
from .methods import Given, Method, _answered, _count, _own
from .things import Chat
from .world import World

LONGEST_CAPTION = 1024
MOST_BYTES, MOST_SIDES, MOST_RATIO = 10 * 1024 * 1024, 10_000, 20
MOST_FILE_BYTES = 50 * 1024 * 1024


def _caption(given: Given) -> tuple[str, list[dict[str, Any]]]:
    source = given.get("caption") or ""
    mode = str(given.get("parse_mode") or "").lower()
    if not isinstance(source, str) or mode not in ("", "html"):
        raise bad("unsupported parse_mode")
    text, entities = (markup.html(source) if mode else markup.plain(source)) if source.strip() else ("", [])
    if markup.utf16(text) > LONGEST_CAPTION:
        raise bad("message caption is too long")
    return text, entities


def _picture(data: Any) -> bytes:
    """A PNG that was uploaded; other kinds and file ids the referee never sends."""
    if not isinstance(data, bytes) or not data:
        raise bad("there is no photo in the request")
    if len(data) > MOST_BYTES:
        raise bad("file is too big")
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 24:
        raise bad("IMAGE_PROCESS_FAILED")
    wide, high = struct.unpack(">II", data[16:24])
    if wide + high > MOST_SIDES or max(wide, high) > MOST_RATIO * max(1, min(wide, high)):
        raise bad("PHOTO_INVALID_DIMENSIONS")
    return data


def send_photo(world: World, given: Given) -> Any:
    chat = world.writable(params.integer(given, "chat_id"))
    if not world.takes_photos and chat.type != "private":
        raise bad("not enough rights to send photos to the chat")
    return _sent(world, given, chat, photo=_picture(given.get("photo")))


def send_document(world: World, given: Given) -> Any:
    chat = world.writable(params.integer(given, "chat_id"))
    if not world.takes_documents and chat.type != "private":
        raise bad("not enough rights to send documents to the chat")
    data = given.get("document")
    if not isinstance(data, bytes) or not data:
        raise bad("there is no document in the request")
    if len(data) > MOST_FILE_BYTES:
        raise bad("file is too big")
    return _sent(world, given, chat, document=data, file_name=str(given.get("document:name") or ""))


def _sent(world: World, given: Given, chat: Chat, **what: Any) -> Any:
    caption, entities = _caption(given)
    rows = keyboard.inline(given.get("reply_markup"), private=chat.person is not None)
    answers = _answered(given, chat)
    topic = world.topic_for(chat, params.integer(given, "message_thread_id"))
    _count(world, chat)
    post = world.post(
        chat,
        world.me,
        topic=topic,
        caption=caption,
        source=str(given.get("caption") or ""),
        entities=entities,
        keyboard=rows,
        answers=answers,
        silent=params.boolean(given, "disable_notification"),
        **what,
    )
    return post.json()


def edit_media(world: World, given: Given) -> Any:
    post = _own(world, given)
    if post.sender is not world.me:
        raise bad("message can't be edited")
    media = params.structure(given, "media")
    if not isinstance(media, dict) or media.get("type") != "photo":
        raise bad("can't parse InputMedia: type is unsupported")
    name = str(media.get("media") or "")
    if not name.startswith("attach://"):
        raise bad("wrong file identifier/HTTP URL specified")
    if not post.photo and not world.texts_become_photos:
        raise bad("message can't be edited")
    data = _picture(given.get(name.removeprefix("attach://")))
    caption, entities = _caption(media)
    rows = keyboard.inline(given.get("reply_markup"), private=post.chat.person is not None)
    _count(world, post.chat)
    if (data, caption, entities, rows) == (post.photo, post.caption, post.entities, post.keyboard):
        raise bad(
            "message is not modified: specified new message content and reply markup are exactly the same as "
            "a current content and reply markup of the message"
        )
    post.text, post.photo, post.caption, post.entities, post.keyboard = "", data, caption, entities, rows
    post.source, post.edited = str(media.get("caption") or ""), int(world.now())
    return post.json()


PHOTOS: dict[str, Method] = {
    "sendphoto": send_photo,
    "senddocument": send_document,
    "editmessagemedia": edit_media,
}
