"""The people, chats and messages of the server, and how they look on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Person:
    """An account.

    `met` says whether the bot has ever come across it, `opened` whether it ever wrote to the bot in private.
    """

    id: int
    first_name: str
    last_name: str = ""
    username: str | None = None
    language: str = "en"
    is_bot: bool = False
    met: bool = False
    opened: bool = False
    blocked: bool = False
    deleted: bool = False

    def json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        if self.last_name:
            out["last_name"] = self.last_name
        if self.username:
            out["username"] = self.username
        if self.language and not self.is_bot:
            out["language_code"] = self.language
        return out


@dataclass
class Topic:
    """A part of a group with topics: its name, and whether only admins may write there by now."""

    name: str
    closed: bool = False


@dataclass
class Chat:
    """A conversation.  A private one has the id of its person; `bot` is the bot's standing in a group.

    `topics` are by the number of the service message that opened each; None in a group without topics.
    """

    id: int
    type: str
    title: str = ""
    person: Person | None = None
    members: dict[int, Person] = field(default_factory=dict)
    bot: str = "left"  # left, kicked, member, administrator, restricted (may not write)
    moved_to: int | None = None
    last_id: int = 0
    posts: dict[int, Post] = field(default_factory=dict)
    pinned: list[int] = field(default_factory=list)
    topics: dict[int, Topic] | None = None

    def json(self) -> dict[str, Any]:
        if self.person is not None:
            out: dict[str, Any] = {"id": self.id, "type": "private", "first_name": self.person.first_name}
            if self.person.username:
                out["username"] = self.person.username
            return out
        out = {"id": self.id, "type": self.type, "title": self.title}
        if self.type == "group":
            out["all_members_are_administrators"] = True
        if self.topics is not None:
            out["is_forum"] = True
        return out


@dataclass
class Post:
    """One message.

    `source` is what was sent, before its markup was read; `service` are the fields of a service message,
    `more` what else the wire tells; `topic` is the number of the topic that it stands in, None for none or
    the general one.
    """

    id: int
    chat: Chat
    sender: Person
    date: int
    text: str = ""
    source: str = ""
    entities: list[dict[str, Any]] = field(default_factory=list)
    keyboard: list[list[dict[str, Any]]] | None = None
    answers: Post | None = None
    edited: int | None = None
    silent: bool = False
    service: dict[str, Any] = field(default_factory=dict)
    caption: str = ""
    photo: bytes = b""
    document: bytes = b""
    file_name: str = ""
    topic: int | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def json(self, *, nested: bool = True) -> dict[str, Any]:
        out: dict[str, Any] = {
            "message_id": self.id,
            "from": self.sender.json(),
            "chat": self.chat.json(),
            "date": self.date,
            **self.service,
            **self.more,
        }
        if self.text:
            out["text"] = self.text
            if self.entities:
                out["entities"] = self.entities
        if self.photo:
            out["photo"] = [
                {
                    "file_id": f"photo{self.id}",
                    "file_unique_id": f"p{self.id}",
                    "width": 90,
                    "height": 120,
                    "file_size": len(self.photo),
                }
            ]
        if self.document:
            out["document"] = {
                "file_id": f"document{self.id}",
                "file_unique_id": f"d{self.id}",
                "file_name": self.file_name,
                "file_size": len(self.document),
            }
        if self.caption:
            out["caption"] = self.caption
            if self.entities:
                out["caption_entities"] = self.entities
        if self.edited is not None:
            out["edit_date"] = self.edited
        if self.keyboard:
            out["reply_markup"] = {"inline_keyboard": self.keyboard}
        # in a topic everything answers something: where nothing else is, the message that opened it
        answered = self.answers or (None if self.topic is None else self.chat.posts.get(self.topic))
        if nested and answered is not None and answered is not self:
            out["reply_to_message"] = answered.json(nested=False)
        if self.topic is not None:
            out |= {"message_thread_id": self.topic, "is_topic_message": True}
        return out


@dataclass
class Query:
    """A button that was pressed.

    `answered` is None until the bot answers; then `toast` is what the person saw ("" for nothing).
    """

    id: str
    person: Person
    post: Post
    data: str
    at: float
    answered: bool = False
    toast: str = ""
    alert: bool = False
