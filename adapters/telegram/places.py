"""Where in a chat: the group, or one of its topics.

To the referee a topic is a room of its own, called by the group's number and its own: "-1001234/17". The
general topic is the group itself.
"""

from __future__ import annotations

from typing import NamedTuple


class ChatPlace(NamedTuple):
    """A chat, and the topic in it (None: the general one, or there are none)."""

    chat: int
    topic: int | None = None


def place_name(chat: int, topic: int | None) -> str:
    """What the referee calls it."""
    return str(chat) if topic is None else f"{chat}/{topic}"


def chat_place(text: str | None) -> ChatPlace | None:
    """What is called so; None for what is none."""
    chat, slash, topic = (text or "").partition("/")
    try:
        return ChatPlace(int(chat), int(topic) if slash else None)
    except ValueError:
        return None
