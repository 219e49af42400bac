"""Files that go with a letter: documents, the first of them with the letter's words under it where these fit.

Where a group takes no files the words alone would promise what is not there: such a letter fails, and the
person who asked for it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.ports import Attachment, Letter, Receipt

from . import receipts
from .bot_connection import BotConnection
from .parts import MessagePart
from .places import ChatPlace

if TYPE_CHECKING:
    from telegram import InlineKeyboardMarkup

LONGEST = 1024
_NO_WORDS = MessagePart("", "")


def caption(letter: Letter, pieces: Sequence[MessagePart], size: int) -> MessagePart | None:
    """The words that stand under the first file: all of them, None where that is too much, or where they
    stand elsewhere already.
    """
    fits = letter.attachments and letter.picture is None and not letter.edits
    return pieces[0] if fits and len(pieces) == 1 and size <= LONGEST else None


class DocumentSender:
    """Sends files."""

    def __init__(self, wire: BotConnection) -> None:
        self._wire = wire

    async def new(
        self,
        letter: Letter,
        file: Attachment,
        chat: ChatPlace,
        words: MessagePart = _NO_WORDS,
        board: InlineKeyboardMarkup | None = None,
        answers: int | None = None,
    ) -> tuple[str, Receipt | None]:
        """The id of a new document, or why there is none."""
        from telegram import ReplyParameters
        from telegram.error import BadRequest, TelegramError

        reply = ReplyParameters(answers, allow_sending_without_reply=True) if answers is not None else None
        for html in ([True] if words.html else []) + [False]:
            try:
                sent = await self._wire.bot.send_document(
                    chat.chat,
                    file.data,
                    filename=file.name,
                    message_thread_id=chat.topic,
                    caption=(words.html if html else words.plain) or None,
                    parse_mode="HTML" if html else None,
                    reply_markup=board,
                    disable_notification=letter.quiet,
                    reply_parameters=reply,
                    disable_content_type_detection=True,
                )
                return str(sent.message_id), None
            except BadRequest as error:
                if not (html and receipts.is_unreadable(error)):
                    return "", receipts.receipt_for(error)
            except (TelegramError, *receipts.UNREADABLE) as error:
                return "", receipts.receipt_for(error)
        raise AssertionError("plain text has no markup to misread")
