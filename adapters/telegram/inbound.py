"""What arrived on the wire, as the referee's `Inbound`.

Of updates only three kinds matter: messages, pressed buttons, and changes of the bot's own
standing.  A message edited afterwards changes nothing: what was said was said, and may have been
acted upon.  In groups only words matter; in private anything does, so that a person who sends a
picture gets an answer.  In a group a message is meant for us that begins with a command, answers one of
ours, or has our name at its beginning or end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from referee.ports import Inbound, What

from .places import place_name

if TYPE_CHECKING:
    from telegram import (
        CallbackQuery,
        Chat,
        ChatMember,
        ChatMemberUpdated,
        MaybeInaccessibleMessage,
        Message,
        Update,
        User,
    )

NAME = "telegram"
COMMAND = re.compile(r"/([A-Za-z0-9_]{1,64})@([A-Za-z0-9_]{3,32})(?=\s|$)")
_USERNAME = re.compile(r"[A-Za-z0-9_]{1,64}")
_FIRST = re.compile(r"\s*@([A-Za-z0-9_]{3,32})(?!\w)[:,]?")
_LAST = re.compile(r"(?<![\w@])@([A-Za-z0-9_]{3,32})$")
DAY_MS = 86_400_000
#: this much may stand around our name at the end of a message
_AROUND = 20


def read(update: Update, username: str, now_ms: int) -> Inbound | None:
    """The one thing `update` reports, or None if it is nothing to the referee.

    `username` is the bot's own.
    """
    key = str(update.update_id)
    if update.message is not None:
        return _message(key, update.message, username)
    if update.callback_query is not None:
        return _press(key, update.callback_query, now_ms)
    if update.my_chat_member is not None:
        return _standing(key, update.my_chat_member)
    return None


def _person(user: User) -> dict[str, Any]:
    return {"address": str(user.id), "name": user.full_name, "language": user.language_code or ""}


def _handle(user: User) -> dict[str, str]:
    """What people know an account by; nobody knows its number."""
    return {"handle": f"@{user.username}"} if _USERNAME.fullmatch(user.username or "") else {}


def _room(chat: Chat, topic: int | None = None) -> dict[str, Any]:
    if chat.type == chat.PRIVATE:
        return {"place": None}
    return {"place": place_name(chat.id, topic), "place_name": chat.title or ""}


def _topic(message: Message | MaybeInaccessibleMessage) -> int | None:
    """The topic that a message stands in; the number is told of threads of comments, too."""
    if not getattr(message, "is_topic_message", False):
        return None
    return getattr(message, "message_thread_id", None)


def _borrowed(message: Message, sender: User) -> bool:
    """Whether its words are somebody else's, passed on: they move nothing."""
    origin = message.forward_origin
    author = getattr(origin, "sender_user", None)
    return origin is not None and (author is None or author.id != sender.id)


def _answered(message: Message) -> Message | None:
    """What a message answers; in a topic everything answers the message that opened it."""
    found = message.reply_to_message
    return None if found is None or found.forum_topic_created is not None else found


def _called(text: str, username: str) -> tuple[str, bool]:
    """The words without our name before or behind them, and whether it stood there."""
    ours = username.lower()
    hit = _FIRST.match(text)
    if hit is not None and hit[1].lower() == ours:
        return text[hit.end() :].lstrip(), True
    tail = text[-len(username) - _AROUND :].rstrip().rstrip(".!?")
    hit = _LAST.search(tail)
    if hit is None or hit[1].lower() != ours:
        return text, False
    begin = max(0, len(text) - len(username) - _AROUND)
    return text[: begin + hit.start()].rstrip(), True


def _meant(text: str, answered: Message | None, username: str) -> tuple[str, bool]:
    """The words that are for us, and whether they are meant for us though no command stands there."""
    said, called = _called(text, username)
    sender = None if answered is None else answered.from_user
    ours = sender is not None and (sender.username or "").lower() == username.lower()
    other = _FIRST.match(said)  # said to somebody else, though below our words
    return said, called or (ours and other is None)


def _words(message: Message) -> str:
    """What it says, without what is struck out: that is taken back. Places are told in UTF-16."""
    text = message.text or message.caption or ""
    struck = [one for one in message.entities or message.caption_entities if one.type == one.STRIKETHROUGH]
    units = text.encode("utf-16-le", "surrogatepass") if struck else b""
    for one in sorted(struck, key=lambda each: each.offset, reverse=True):
        units = units[: 2 * one.offset] + units[2 * (one.offset + one.length) :]
    return units.decode("utf-16-le", "replace") if struck else text


def _message(key: str, message: Message, username: str) -> Inbound | None:
    sender, chat = message.from_user, message.chat
    at = int(message.date.timestamp() * 1000)
    moved = message.migrate_to_chat_id, message.migrate_from_chat_id
    if any(moved):
        old, new = (chat.id, moved[0]) if moved[0] else (moved[1], chat.id)
        return Inbound(
            NAME,
            key,
            str(sender.id) if sender else "",
            What.MOVED,
            place=str(old),
            place_name=chat.title or "",
            at_ms=at,
            facts={"to": str(new)},
        )
    if message.forum_topic_reopened is not None:
        room = _room(chat, _topic(message))
        return Inbound(NAME, key, "", What.INVITED, at_ms=at, facts={"again": True}, **room)
    if message.sender_chat is not None and message.sender_chat.id == chat.id:
        return _anonymous(message, username)
    if sender is None or sender.is_bot or message.sender_chat is not None:
        return None  # a channel or a bot: nobody to answer
    text, borrowed = _words(message), _borrowed(message, sender)
    if chat.type != chat.PRIVATE and borrowed:
        return None
    attached = message.effective_attachment is not None
    if not text and (chat.type != chat.PRIVATE or not attached):
        return None  # no words to us, or what the app itself reports: a pin, a timer, a wallpaper
    if not text and message.media_group_id:
        key = f"album:{message.media_group_id}"  # its pictures come one by one: answered once
    if hit := COMMAND.match(text):
        if hit[2].lower() != username.lower():
            return None  # meant for another bot
        text = f"/{hit[1]}{text[hit.end() :]}"
    answered, facts = _answered(message), dict[str, Any](_handle(sender))
    if chat.type != chat.PRIVATE:
        text, called = _meant(text, answered, username)
        facts |= {"mentioned": True} if called else {}
    else:
        facts |= ({"forwarded": True} if borrowed else {}) | ({"attachment": True} if attached else {})
    return Inbound(
        NAME,
        key,
        what=What.MESSAGE,
        text=text,
        thread=str(answered.message_id) if answered else "",
        message_id=str(message.message_id),
        at_ms=at,
        facts=facts,
        **_person(sender),
        **_room(chat, _topic(message)),
    )


def _anonymous(message: Message, username: str) -> Inbound | None:
    """An admin who hides behind the group spoke to us; the same key for a day, so that it is said once."""
    text, at = message.text or message.caption or "", int(message.date.timestamp() * 1000)
    command = COMMAND.match(text)
    ours = text.startswith("/") if command is None else command[2].lower() == username.lower()
    if message.forward_origin is not None or not (ours or _meant(text, _answered(message), username)[1]):
        return None
    room = _room(message.chat, _topic(message))
    return Inbound(
        NAME,
        f"anonymous:{room['place']}:{at // DAY_MS}",
        str(message.chat.id),
        message_id=str(message.message_id),
        at_ms=at,
        facts={"anonymous": True},
        **room,
    )


def _press(key: str, query: CallbackQuery, now_ms: int) -> Inbound:
    """A button: the wire does not say when, so it is now."""
    message = query.message
    room: dict[str, Any] = _room(message.chat, _topic(message)) if message else {}
    return Inbound(
        NAME,
        key,
        what=What.BUTTON,
        payload=query.data or "",
        thread=str(message.message_id) if message else "",
        at_ms=now_ms,
        facts={"callback": query.id, **_handle(query.from_user)},
        **_person(query.from_user),
        **room,
    )


def _standing(key: str, change: ChatMemberUpdated) -> Inbound | None:
    could, can = _may_write(change.old_chat_member), _may_write(change.new_chat_member)
    private = change.chat.type == change.chat.PRIVATE
    if change.chat.type == change.chat.CHANNEL or could == can:
        return None
    what = (What.REACHABLE if can else What.BLOCKED) if private else (What.INVITED if can else What.EXPELLED)
    return Inbound(
        NAME,
        key,
        what=what,
        at_ms=int(change.date.timestamp() * 1000),
        facts=_handle(change.from_user),
        **_person(change.from_user),
        **_room(change.chat),
    )


def _may_write(member: ChatMember) -> bool:
    if member.status == member.RESTRICTED:
        # a restricted member has these two attributes, no other kind of member has
        return bool(getattr(member, "is_member", False) and getattr(member, "can_send_messages", False))
    return member.status not in (member.LEFT, member.BANNED)
