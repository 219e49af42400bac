"""What a test does as a person: write, press, block, look at the screen."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from . import markup
from .groups import Group
from .methods import LONGEST_TEXT
from .screen import SeenMessage, seen
from .things import Chat, Person, Post, Query
from .world import World


class User:
    """A person with a Telegram account."""

    def __init__(self, world: World, person: Person) -> None:
        self.world = world
        self.person = person

    @property
    def id(self) -> int:
        return self.person.id

    def _chat(self, chat: Group | None) -> Chat:
        if chat is None:
            return self.world.chats[self.id]
        assert self.id in chat.chat.members, "not in that group"
        return chat.chat

    def say(
        self,
        text: str,
        chat: Group | None = None,
        reply_to: SeenMessage | int | None = None,
        *,
        topic: int | None = None,
        **more: Any,
    ) -> list[int]:
        """Write `text`, in private or in a group (in one of its topics, say); a long one is cut as a client
        does. `more` is what else the wire tells of it (``forward_origin``, ``sender_chat``).

        Gives the message ids.
        """
        with self.world.lock:
            where = self._chat(chat)
            number = reply_to.message_id if isinstance(reply_to, SeenMessage) else reply_to
            answers = where.posts[number] if number is not None else None
            ids = []
            for piece in _pieces(text):
                words, entities = markup.plain(piece)
                assert words, "a client sends no empty text"
                post = self._put(
                    where, text=words, entities=entities, answers=answers, topic=topic, more=more
                )
                ids.append(post.id)
            return ids

    def _put(self, where: Chat, **fields: Any) -> Post:
        if where.person is not None:
            assert not self.person.blocked, "unblock first"
            self.person.opened = True
        post = self.world.post(where, self.person, **fields)
        self.world.report(post)
        return post

    def start(self, payload: str = "") -> None:
        """Press start, or follow a deep link with `payload`."""
        self.say(f"/start {payload}".strip())

    def sticker(self, chat: Group | None = None) -> None:
        with self.world.lock:
            self._put(
                self._chat(chat),
                service={
                    "sticker": {
                        "file_id": "CAAD",
                        "file_unique_id": "AgAD",
                        "type": "regular",
                        "width": 512,
                        "height": 512,
                        "is_animated": False,
                        "is_video": False,
                    }
                },
            )

    def report(self, what: dict[str, Any]) -> None:
        """What an app reports in the private chat by itself: a timer, a wallpaper."""
        with self.world.lock:
            self._put(self._chat(None), service=what)

    def photo(self, caption: str, chat: Group | None = None, album: str = "") -> None:
        with self.world.lock:
            self._put(
                self._chat(chat),
                caption=caption,
                service=({"media_group_id": album} if album else {})
                | {
                    "photo": [
                        {
                            "file_id": "AgAC",
                            "file_unique_id": "AQAD",
                            "width": 90,
                            "height": 67,
                            "file_size": 1253,
                        }
                    ]
                },
            )

    def edit(self, message_id: int, text: str, chat: Group | None = None) -> None:
        """Change an own message."""
        with self.world.lock:
            post = self._chat(chat).posts[message_id]
            assert post.sender is self.person
            post.text, post.entities = markup.plain(text)
            post.edited = int(self.world.now())
            self.world.report(post, "edited_message")

    def sees(self, chat: Group | None = None) -> list[SeenMessage]:
        """The messages on this person's screen, oldest first; service messages are left out."""
        with self.world.lock:
            return [
                seen(one, self.world, self.person)
                for one in self._chat(chat).posts.values()
                if not one.service
            ]

    def press(self, message: SeenMessage | None, label: str, chat: Group | None = None) -> Query | None:
        """Press the button whose label or data is `label` (or whose label contains it), under `message` or
        the newest that has it. A deep link to the bot starts a private chat and gives None; the Query tells
        later whether and how it was answered.
        """
        with self.world.lock:
            where = self._chat(chat)
            posts = [where.posts[message.message_id]] if message else list(where.posts.values())[::-1]
            offered = [(post, one) for post in posts for row in post.keyboard or () for one in row]
            exact = [pair for pair in offered if label in (pair[1]["text"], pair[1].get("callback_data"))]
            for post, one in exact or [pair for pair in offered if label in pair[1]["text"]]:
                if "url" in one:
                    self._follow(one["url"])
                    return None
                return self.world.press(self.person, post, one["callback_data"])
        raise AssertionError(f"no button {label!r}")

    def _follow(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.path.strip("/").lower() == str(self.world.me.username).lower(), f"{url} leads elsewhere"
        self.start(parse_qs(parts.query).get("start", [""])[0])

    def forge(self, message: SeenMessage, data: str, chat: Group | None = None) -> Query:
        """Send a callback the keyboard never offered, as a tampered client can."""
        with self.world.lock:
            return self.world.press(self.person, self._chat(chat).posts[message.message_id], data)

    def block(self) -> None:
        with self.world.lock:
            self.world.standing(self.world.chats[self.id], self.person, "kicked")

    def unblock(self) -> None:
        with self.world.lock:
            self.world.standing(self.world.chats[self.id], self.person, "member")

    def vanish(self) -> None:
        """Delete the account."""
        with self.world.lock:
            self.person.deleted = True

    def clear(self) -> None:
        """Delete the history of the private chat, on both sides."""
        with self.world.lock:
            self.world.chats[self.id].posts.clear()


def _pieces(text: str) -> list[str]:
    pieces, piece, length = [], "", 0
    for letter in text:
        size = markup.utf16(letter)
        if length + size > LONGEST_TEXT:
            pieces.append(piece)
            piece, length = "", 0
        piece += letter
        length += size
    return [*pieces, piece]
