"""What a person sees: messages and buttons as they are on the screen now."""

from __future__ import annotations

import html
from dataclasses import dataclass

from .things import Person, Post
from .world import World


@dataclass(frozen=True)
class SeenButton:
    """A button on the screen: `data` goes back to the bot, or `url` opens."""

    label: str
    data: str = ""
    url: str = ""


@dataclass(frozen=True)
class SeenMessage:
    """A message as a person sees it now, edits applied."""

    message_id: int
    text: str
    html: str
    entities: tuple[str, ...]
    buttons: tuple[tuple[SeenButton, ...], ...]
    mine: bool
    from_bot: bool
    pinned: bool
    edited: bool
    silent: bool
    reply_to: int | None
    photo: bytes = b""
    document: bytes = b""
    file_name: str = ""
    topic: int | None = None

    def labels(self) -> list[str]:
        return [one.label for row in self.buttons for one in row]


def seen(post: Post, world: World, person: Person | None) -> SeenMessage:
    source = post.source or html.escape(post.text, quote=False)
    return SeenMessage(
        post.id,
        post.text or post.caption,
        source,
        tuple(one["type"] for one in post.entities),
        tuple(
            tuple(SeenButton(one["text"], one.get("callback_data", ""), one.get("url", "")) for one in row)
            for row in post.keyboard or ()
        ),
        post.sender is person,
        post.sender is world.me,
        post.id in post.chat.pinned,
        post.edited is not None,
        post.silent,
        post.answers.id if post.answers else None,
        post.photo,
        post.document,
        post.file_name,
        post.topic,
    )
