"""Letters with a picture: a photo with its caption, edited as such from then on.

A caption holds 1024 UTF-16 units. A text that fits goes whole. A longer one of a message that is edited again
and again (the living table) is replaced by the letter's shorter caption; of any other letter the text goes
first, whole, and the picture after it. Telegram lets a text become a photo, and no photo a text.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from referee.ports import Letter, Picture, Receipt

from . import receipts
from .bot_connection import BotConnection
from .parts import MessagePart, parts, utf16
from .places import ChatPlace

if TYPE_CHECKING:
    from telegram import InlineKeyboardMarkup, InputMediaPhoto

LONGEST = 1024
#: for so long no photo is offered to a chat that forbids them (each is 100 kB, and one call more), and this
#: many such chats are remembered
FORBIDDEN_MS, MOST_CHATS = 600_000, 1_000
log = logging.getLogger(__name__)


def captioned(letter: Letter) -> MessagePart | None:
    """What stands under the picture: all words, else the shorter ones (cut after a line, should names be very
    long); None where there are neither.
    """
    assert letter.picture is not None
    whole = parts(letter.text, letter.markup, LONGEST)
    if len(whole) == 1 and utf16(whole[0].plain) <= LONGEST:
        return whole[0]
    short = parts(letter.picture.caption, letter.picture.caption_markup, LONGEST)
    return short[0] if short else None


class PhotoSender:
    """Sends and edits photos."""

    def __init__(self, wire: BotConnection, clock_ms: Callable[[], int]) -> None:
        self._wire, self._clock = wire, clock_ms
        self._forbidden: dict[int, int] = {}

    def welcome(self, chat: int) -> bool:
        """Whether that chat takes photos, as far as is known."""
        return self._clock() >= self._forbidden.get(chat, 0)

    async def edit(
        self,
        letter: Letter,
        picture: Picture,
        chat: ChatPlace,
        number: int,
        words: MessagePart,
        board: InlineKeyboardMarkup | None,
    ) -> tuple[str | None, Receipt | None]:
        """The id of the message as edited; or why not; or neither, when that message can't be edited so:
        another must be sent.
        """

        async def call(html: bool) -> str:
            await self._wire.bot.edit_message_media(
                _photo(picture, words, html), chat.chat, number, reply_markup=board
            )
            return str(number)

        return await self._tried(letter, chat, words, call, repeatable=True)

    async def new(
        self,
        letter: Letter,
        picture: Picture,
        chat: ChatPlace,
        words: MessagePart,
        board: InlineKeyboardMarkup | None,
        answers: int | None,
    ) -> tuple[str | None, Receipt | None]:
        """The id of a new photo; or why there is none; or neither, when Telegram does not take this picture:
        the words must go without.
        """
        from telegram import ReplyParameters

        async def call(html: bool) -> str:
            reply = (
                ReplyParameters(answers, allow_sending_without_reply=True) if answers is not None else None
            )
            sent = await self._wire.bot.send_photo(
                chat.chat,
                picture.data,
                message_thread_id=chat.topic,
                caption=_said(words, html),
                parse_mode="HTML" if html else None,
                reply_markup=board,
                disable_notification=letter.quiet,
                reply_parameters=reply,
                filename=picture.name,
            )
            return str(sent.message_id)

        return await self._tried(letter, chat, words, call, repeatable=False)

    async def _tried(
        self,
        letter: Letter,
        chat: ChatPlace,
        words: MessagePart,
        call: Callable[[bool], Awaitable[str]],
        *,
        repeatable: bool,
    ) -> tuple[str | None, Receipt | None]:
        from telegram.error import BadRequest, TelegramError

        for html in ([True] if words.html else []) + [False]:
            try:
                return await call(html), None
            except BadRequest as error:
                if repeatable and receipts.is_unchanged(error):
                    return letter.edits, None
                if receipts.is_no_place_for_pictures(error):
                    if len(self._forbidden) >= MOST_CHATS:
                        self._forbidden.clear()
                    self._forbidden[chat.chat] = self._clock() + FORBIDDEN_MS
                if receipts.is_uneditable(error) or receipts.is_no_picture(error):
                    log.info("letter %s: no photo: %s", letter.id, error)
                    return None, None
                if not (html and receipts.is_unreadable(error)):
                    refused = receipts.receipt_for(error)
                    if refused.reason != "rejected":  # the chat, not the picture: words would fare no better
                        return None, refused
                    log.warning("letter %s: no photo, for a reason that is not known: %s", letter.id, error)
                    return None, None
                log.error(
                    "letter %s: Telegram can't read the markup (%s); sent as plain text", letter.id, error
                )
            except (TelegramError, *receipts.UNREADABLE) as error:
                if receipts.is_no_picture(error):
                    log.warning("letter %s: no photo: %s", letter.id, error)
                    return None, None
                return None, (receipts.edit_receipt if repeatable else receipts.receipt_for)(error)
        raise AssertionError("plain text has no markup to misread")


def _photo(picture: Picture, words: MessagePart, html: bool) -> InputMediaPhoto:
    from telegram import InputMediaPhoto

    return InputMediaPhoto(
        picture.data, caption=_said(words, html), parse_mode="HTML" if html else None, filename=picture.name
    )


def _said(words: MessagePart, html: bool) -> str:
    return words.html if html else words.plain
