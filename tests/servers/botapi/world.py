"""The state of the server: who exists, which chats there are, and what is said in them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from .errors import Refusal, bad, forbidden
from .flood import Flood
from .things import Chat, Person, Post, Query
from .updates import Updates

QUERY_LIFE_S = 15.0


class World:
    """Everything behind the wire.

    `lock` is held by the code that reads or changes it: the server's loop or a test's thread.
    """

    def __init__(self, username: str, clock: Callable[[], float], seed: int) -> None:
        self.chance = random.Random(seed)
        self.lock = threading.RLock()
        self.clock = clock
        self.now = time.time
        self.me = Person(self.chance.randrange(10**9, 7 * 10**9), "Referee", username=username, is_bot=True)
        signs = self.chance.choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789_-", k=33)
        self.token = f"{self.me.id}:AA{''.join(signs)}"
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.queries: dict[str, Query] = {}
        self.updates = Updates(self.chance.randrange(10**7, 9 * 10**8))
        self.flood: Flood | None = None
        self.joins_groups = True
        self.takes_photos, self.texts_become_photos, self.takes_documents = True, True, True
        self.commands: dict[str, list[dict[str, str]]] = {}
        self._account_last_id = 0  # private chats and small groups count together, a supergroup by itself

    # -- people and chats

    def new_person(self, first_name: str, username: str | None, language: str) -> Person:
        with self.lock:
            person = Person(
                self.chance.randrange(10**8, 7 * 10**9), first_name, username=username, language=language
            )
            self.people[person.id] = person
            self.chats[person.id] = Chat(person.id, "private", person=person)
            return person

    def new_group(self, title: str, members: list[Person], *, supergroup: bool) -> Chat:
        with self.lock:
            number = self.chance.randrange(10**9, 4 * 10**9)
            chat = Chat(
                -(10**12) - number if supergroup else -number,
                "supergroup" if supergroup else "group",
                title,
                members={one.id: one for one in members},
            )
            self.chats[chat.id] = chat
            return chat

    # -- messages

    def next_id(self, chat: Chat) -> int:
        if chat.type == "supergroup":
            chat.last_id += 1
            return chat.last_id
        self._account_last_id += 1
        return self._account_last_id

    def post(self, chat: Chat, sender: Person, **fields: Any) -> Post:
        """Write one message into a chat; tells nobody."""
        post = Post(self.next_id(chat), chat, sender, int(self.now()), **fields)
        chat.posts[post.id] = post
        return post

    def hears(self, post: Post) -> bool:
        """Whether the bot, in privacy mode, is told of a message of a person."""
        chat = post.chat
        if chat.type == "private" or post.service or chat.bot == "administrator":
            return chat.type == "private" or chat.bot not in ("left", "kicked")
        if chat.bot in ("left", "kicked"):
            return False
        if post.answers is not None and post.answers.sender is self.me:
            return True
        # as BotFather has it of privacy mode: messages that begin with / or mention the bot by its name
        units = (post.text or post.caption).encode("utf-16-le")
        names = [
            units[2 * one["offset"] : 2 * (one["offset"] + one["length"])].decode("utf-16-le")
            for one in post.entities
            if one["type"] in ("bot_command", "mention")
        ]
        return any(
            "@" not in name or name.split("@")[1].lower() == str(self.me.username).lower() for name in names
        )

    def report(self, post: Post, kind: str = "message") -> None:
        """Tell the bot of a message, if it may hear it."""
        if not post.sender.is_bot:
            post.sender.met = True
        if self.hears(post):
            self.updates.add(kind, post.json())

    def standing(self, chat: Chat, by: Person, new: str) -> None:
        """Change the bot's standing in `chat` and report it."""
        old = (
            chat.bot
            if chat.type != "private"
            else ("kicked" if chat.person and chat.person.blocked else "member")
        )
        if chat.type == "private":
            assert chat.person
            chat.person.blocked = new == "kicked"
        else:
            chat.bot = new
        self.updates.add(
            "my_chat_member",
            {
                "chat": chat.json(),
                "from": by.json(),
                "date": int(self.now()),
                "old_chat_member": self.membership(old),
                "new_chat_member": self.membership(new),
            },
        )

    def membership(self, status: str, person: Person | None = None) -> dict[str, Any]:
        out: dict[str, Any] = {"user": (person or self.me).json(), "status": status}
        if status == "kicked":
            out["until_date"] = 0
        if status == "administrator":
            out.update(dict.fromkeys(("can_be_edited", "is_anonymous"), False))
            out.update(
                dict.fromkeys(
                    (
                        "can_manage_chat",
                        "can_delete_messages",
                        "can_manage_video_chats",
                        "can_restrict_members",
                        "can_promote_members",
                        "can_change_info",
                        "can_invite_users",
                        "can_post_stories",
                        "can_edit_stories",
                        "can_delete_stories",
                        "can_pin_messages",
                        "can_send_welcome_messages",
                    ),
                    True,
                )
            )
        if status == "restricted":
            out.update(
                dict.fromkeys(
                    (
                        "can_send_messages",
                        "can_send_audios",
                        "can_send_documents",
                        "can_send_photos",
                        "can_send_videos",
                        "can_send_video_notes",
                        "can_send_voice_notes",
                        "can_send_polls",
                        "can_send_other_messages",
                        "can_add_web_page_previews",
                        "can_react_to_messages",
                        "can_edit_tag",
                        "can_change_info",
                        "can_invite_users",
                        "can_pin_messages",
                        "can_manage_topics",
                    ),
                    False,
                )
            )
            out.update(is_member=True, until_date=0)
        return out

    # -- what the bot may do

    def chat_for(self, number: int | None) -> Chat:
        """The chat the bot names, if it may know of it."""
        chat = self.chats.get(number) if number is not None else None
        if number is None:
            raise bad("chat_id is empty")
        if (
            chat is None
            or (chat.person is not None and not chat.person.met)
            or (chat.type == "group" and chat.bot == "left" and not chat.moved_to)
        ):
            raise bad("chat not found")
        if chat.moved_to is not None:
            raise Refusal(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.moved_to,
            )
        return chat

    def writable(self, number: int | None) -> Chat:
        """The chat the bot wants to write in, if it may."""
        chat = self.chat_for(number)
        if chat.person is not None:
            if chat.person.deleted:
                raise forbidden("user is deactivated")
            if chat.person.blocked:
                raise forbidden("bot was blocked by the user")
            if not chat.person.opened:
                raise forbidden("bot can't initiate conversation with a user")
        elif chat.bot == "kicked":
            raise forbidden(
                f"bot was kicked from the {'supergroup' if chat.type == 'supergroup' else 'group'} chat"
            )
        elif chat.bot == "left":
            raise forbidden("bot is not a member of the supergroup chat")
        elif chat.bot == "restricted":
            raise bad("not enough rights to send text messages to the chat")
        return chat

    def topic_for(self, chat: Chat, number: int | None) -> int | None:
        """The topic that the bot names, if it may write there."""
        if number is None:
            return None
        topic = (chat.topics or {}).get(number)
        if topic is None:
            raise bad("message thread not found")
        if topic.closed and chat.bot != "administrator":
            raise bad("TOPIC_CLOSED")
        return number

    def press(self, person: Person, post: Post, data: str) -> Query:
        """A person presses a button under a message of the bot."""
        query = Query(str(self.chance.randrange(10**17, 10**19)), person, post, data, self.clock())
        self.queries[query.id] = query
        person.met = True
        self.updates.add(
            "callback_query",
            {
                "id": query.id,
                "from": person.json(),
                "message": post.json(),
                "chat_instance": str(abs(post.chat.id) * 7919),
                "data": data,
            },
        )
        return query
