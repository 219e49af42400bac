"""A person in Telegram: sees the screen, presses buttons, types."""
from __future__ import annotations

from tests.e2e.brain import Answer
from tests.e2e.sight import Shown, options
from tests.servers.botapi import BotApi, SeenMessage


class TelegramPlayer:
    """See `tests.e2e.playing.Player`."""

    channel = "telegram"

    def __init__(self, api: BotApi, name: str) -> None:
        self.name = name
        self.user = api.user(name)

    async def start(self) -> None:
        self.user.start()

    async def stop(self) -> None:
        pass

    async def screen(self) -> list[Shown]:
        return [shown(one) for one in self.user.sees() if one.from_bot]

    async def say(self, text: str) -> None:
        self.user.say(text)

    async def answer(self, letter: Shown, answer: Answer) -> None:
        message = letter.source
        assert isinstance(message, SeenMessage)
        if answer.words or answer.number > len(letter.labels):
            self.user.say(answer.words or str(answer.number))
        else:
            self.user.press(message, letter.labels[answer.number - 1])


def shown(message: SeenMessage) -> Shown:
    """Its buttons are the options where the words don't number them."""
    labels = tuple(one.label for row in message.buttons for one in row if one.data)
    return Shown(str(message.message_id), message.text, options(message.text) or dict(enumerate(labels, 1)) if labels else {}, labels, message)
