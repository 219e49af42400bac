"""Group chats, and what their members do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .screen import SeenMessage, seen
from .things import Chat, Topic
from .world import World

if TYPE_CHECKING:
    from .people import User


class Group:
    """A group chat.  After `migrate` the same object speaks of the new supergroup; `was` keeps the old id."""

    def __init__(self, world: World, chat: Chat) -> None:
        self.world = world
        self.chat = chat
        self.was: int | None = None

    @property
    def id(self) -> int:
        return self.chat.id

    def sees(self) -> list[SeenMessage]:
        """What anybody in the group sees; service messages are left out."""
        with self.world.lock:
            return [seen(one, self.world, None) for one in self.chat.posts.values() if not one.service]

    def add(self, user: User) -> None:
        with self.world.lock:
            self.chat.members[user.id] = user.person
            self.world.report(
                self.world.post(self.chat, user.person, service={"new_chat_members": [user.person.json()]})
            )

    def add_bot(self, by: User) -> None:
        """`by` brings the bot in: its standing changes, and a service message says so."""
        with self.world.lock:
            self._meet()
            self.world.standing(self.chat, by.person, "member")
            self.world.report(
                self.world.post(self.chat, by.person, service={"new_chat_members": [self.world.me.json()]})
            )

    def remove_bot(self, by: User) -> None:
        with self.world.lock:
            self.world.standing(self.chat, by.person, "kicked")

    def promote_bot(self, by: User) -> None:
        with self.world.lock:
            self.world.standing(self.chat, by.person, "administrator")

    def mute_bot(self, by: User) -> None:
        """`by` takes the bot's right to write."""
        with self.world.lock:
            self.world.standing(self.chat, by.person, "restricted")

    def migrate(self, by: User) -> None:
        """The group becomes a supergroup: a new id, two service messages, and a join of the bot; no farewell
        from the old one.
        """
        with self.world.lock:
            old = self.chat
            new = self.world.new_group(old.title, list(old.members.values()), supergroup=True)
            self.world.report(self.world.post(old, by.person, service={"migrate_to_chat_id": new.id}))
            self.world.standing(new, by.person, old.bot)
            self.world.report(self.world.post(new, by.person, service={"migrate_from_chat_id": old.id}))
            old.moved_to, self.chat, self.was = new.id, new, old.id

    def open_topic(self, by: User, name: str) -> int:
        """`by` opens a topic; its number."""
        with self.world.lock:
            assert self.chat.topics is not None, "a group without topics"
            post = self.world.post(self.chat, by.person)
            post.topic, post.service = post.id, {"forum_topic_created": {"name": name, "icon_color": 7322096}}
            self.chat.topics[post.id] = Topic(name)
            self.world.report(post)
            return post.id

    def close_topic(self, by: User, topic: int, *, closed: bool = True) -> None:
        """`by` closes a topic, or opens it again: a service message in it says so."""
        with self.world.lock:
            assert self.chat.topics is not None, "a group without topics"
            self.chat.topics[topic].closed = closed
            said = "forum_topic_closed" if closed else "forum_topic_reopened"
            self.world.report(self.world.post(self.chat, by.person, topic=topic, service={said: {}}))

    def _meet(self) -> None:
        for person in self.chat.members.values():
            person.met = True
