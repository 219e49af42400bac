"""A person in Telegram: sees the screen, presses buttons, types."""

from __future__ import annotations

from tests.e2e.brain import Answer
from tests.e2e.sight import Shown, answers, options
from tests.servers.botapi import BotApi, SeenMessage
from tests.servers.botapi.screen import seen

_LINES = 16


class TelegramPlayer:
    """See `tests.e2e.playing.Player`."""

    channel = "telegram"

    def __init__(self, api: BotApi, name: str) -> None:
        self.name = name
        self.tag = ""  # goes before every order that is typed
        self.user = api.user(name)

    async def start(self) -> None:
        self.user.start()

    async def stop(self) -> None:
        pass

    async def screen(self) -> list[Shown]:
        """As much as fits on one: a long game's whole history, read every few milliseconds, would be most of
        the work.
        """
        with self.user.world.lock:
            posts = list(self.user.world.chats[self.user.id].posts.values())[-_LINES:]
            return [
                shown(seen(one, self.user.world, self.user.person))
                for one in posts
                if one.sender is self.user.world.me and (one.text or one.caption)
            ]

    async def say(self, text: str) -> None:
        self.user.say(text)

    async def answer(self, letter: Shown, answer: Answer) -> None:
        message = letter.source
        assert isinstance(message, SeenMessage)
        if answer.words or answer.number > len(letter.labels):
            self.user.say(f"{self.tag}{answer.words or answer.number}")
        else:
            self.user.press(message, letter.labels[answer.number - 1])


def shown(message: SeenMessage) -> Shown:
    """Its buttons are the options where the words don't number them."""
    labels = tuple(one.label for row in message.buttons for one in row if one.data)
    return Shown(
        str(message.message_id),
        message.text,
        options(message.text) or answers(dict(enumerate(labels, 1))) if labels else {},
        labels,
        message,
    )
