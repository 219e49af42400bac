"""Letters to the wire."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.ports import Attachment, Fate, Letter, Picture, Receipt

from . import receipts
from .bot_connection import BotConnection
from .documents import DocumentSender, caption
from .keyboard import keyboard, names_bot, with_fewer
from .long_letters import LongLetters
from .parts import MessagePart, parts, utf16
from .photos import PhotoSender, captioned
from .places import ChatPlace, chat_place
from .rate_limits import TelegramLimits

if TYPE_CHECKING:
    from telegram import InlineKeyboardMarkup

LONGEST_TOAST = 200
LONGEST_PAUSE_MS = 65_000  # between the parts of one letter; a group's minute fits
TRIES_FOR_A_PART = 5
SHORT_PAUSE_MS = 5_000
log = logging.getLogger(__name__)


class MessageSender:
    """Sends, edits, pins, and answers buttons; every outcome is a `Receipt`."""

    def __init__(
        self, wire: BotConnection, pace: TelegramLimits, clock_ms: Callable[[], int], long: LongLetters
    ) -> None:
        self._wire = wire
        self._pace = pace
        self._clock = clock_ms
        self._photos = PhotoSender(wire, clock_ms)
        self._files = DocumentSender(wire)
        self._long = long

    async def send(self, letter: Letter) -> Receipt:
        """Send it, answer a button or edit.  Where Telegram refuses the buttons, the words say what they were
        for.
        """
        if letter.callback:
            return await self.answer(letter.callback, letter.text)
        done = await self._sent(letter)
        if done.reason != receipts.BUTTONS or not letter.buttons:
            return done
        log.error(
            "letter %s: Telegram refuses its buttons (%s); they are listed in words", letter.id, done.detail
        )
        if done.wire_id:  # the parts before the last, which alone has buttons, are out
            last = parts(letter.text, letter.markup)[-1]
            letter = replace(letter, text=last.plain, markup=last.html, edits="", answers="", picture=None)
        username = await self._wire.meet() if names_bot(letter.buttons) else ""
        again, chat = (
            await self.send(with_fewer(letter, username)),
            chat_place(letter.address or letter.place),
        )
        if not done.wire_id or chat is None:
            return again
        later = self._long.later(chat.chat, done.wire_id) + ([again.wire_id] if again.wire_id else [])
        self._long.note(chat.chat, done.wire_id, later)
        await self._long.keep()
        # what is out must not come once more
        fate = Fate.UNKNOWN if again.fate is Fate.LATER else again.fate
        return replace(again, fate=fate, wire_id=done.wire_id)

    async def _sent(self, letter: Letter) -> Receipt:
        from telegram.error import TelegramError

        chat = chat_place(letter.address or letter.place)
        if chat is None:
            return Receipt(Fate.FAILED, reason="no-such-address", detail="not a chat id")
        pieces = parts(letter.text, letter.markup)
        if not pieces:
            return Receipt(Fate.FAILED, reason="rejected", detail="nothing to say")
        try:
            username = await self._wire.meet() if names_bot(letter.buttons) else ""
            board = keyboard(letter.buttons, username, private=chat.chat > 0)
        except (TelegramError, *receipts.UNREADABLE) as error:
            return receipts.receipt_for(error, repeatable=True)
        if letter.picture is not None and not self._photos.welcome(chat.chat):
            letter = replace(letter, picture=None)
        words = None if letter.picture is None else captioned(letter)
        if words is not None:
            done = await self._pictured(letter, chat, words, board)
            if done is not None:
                return done
        under = caption(letter, pieces, utf16(pieces[0].plain))
        if under is not None:
            return await self._filed(letter, chat, under, board)
        done = await self._worded(letter, chat, pieces, board)
        if done.fate is Fate.SENT and letter.attachments:
            return await self._more_files(letter, chat, done, letter.attachments)
        if done.fate is Fate.SENT and letter.picture is not None and words is None:
            await self._afterwards(letter, letter.picture, chat, int(done.wire_id))
        return done

    async def _filed(
        self, letter: Letter, chat: ChatPlace, under: MessagePart, board: InlineKeyboardMarkup | None
    ) -> Receipt:
        """The letter as its files, with its words under the first."""
        first, *more = letter.attachments
        answered = _number(letter.answers)
        wire_id, receipt = await self._files.new(letter, first, chat, under, board, answered)
        if receipt is not None:
            return receipt
        return await self._more_files(letter, chat, Receipt(Fate.SENT, wire_id=wire_id), more)

    async def _more_files(
        self, letter: Letter, chat: ChatPlace, done: Receipt, files: Sequence[Attachment]
    ) -> Receipt:
        """Files that follow what is out already."""
        for file in files:
            pause = min(self._pace.reserve(chat, self._clock()), LONGEST_PAUSE_MS)
            await asyncio.sleep(pause / 1000)
            _, receipt = await self._files.new(replace(letter, quiet=True), file, chat)
            if receipt is not None:
                detail = f"stopped before the file {file.name}: {receipt.detail}"
                fate = Fate.FAILED if receipt.fate is Fate.FAILED else Fate.UNKNOWN
                return Receipt(fate, wire_id=done.wire_id, reason=receipt.reason, detail=detail)
        return done

    async def _pictured(
        self, letter: Letter, chat: ChatPlace, words: MessagePart, board: InlineKeyboardMarkup | None
    ) -> Receipt | None:
        """The letter as a photo with its words; None where it must go as words alone."""
        assert letter.picture is not None
        older = _number(letter.edits)
        wire_id, receipt = None, None
        if older is not None:
            wire_id, receipt = await self._photos.edit(letter, letter.picture, chat, older, words, board)
        edited = wire_id is not None
        if wire_id is None and receipt is None:
            wire_id, receipt = await self._photos.new(
                letter, letter.picture, chat, words, board, _number(letter.answers)
            )
        if receipt is not None or wire_id is None:
            return receipt
        await self._followed(chat, letter, wire_id, [], self._long.later(chat.chat, letter.edits))
        await self._stands(letter, chat, wire_id, edited)
        return Receipt(Fate.SENT, wire_id=wire_id)

    async def _worded(
        self,
        letter: Letter,
        chat: ChatPlace,
        pieces: Sequence[MessagePart],
        board: InlineKeyboardMarkup | None,
    ) -> Receipt:
        """The letter as words, in one message or several; the last of them has the buttons."""
        first = board if len(pieces) == 1 else None
        wire_id, receipt = None, None
        if letter.edits:
            wire_id, receipt = await self._edit(letter, chat, pieces[0], first)
        edited = wire_id is not None
        if wire_id is None and receipt is None:
            wire_id, receipt = await self._new(letter, chat, pieces[0], first, answers=letter.answers)
        if receipt is not None:
            return receipt
        assert wire_id is not None
        older, later = self._long.later(chat.chat, letter.edits), list[str]()
        for number, piece in enumerate(pieces[1:], 2):
            under = board if number == len(pieces) else None
            rewritten = older.pop(0) if edited and older else ""
            part, receipt = await self._follow_up(letter, chat, piece, under, rewritten)
            if receipt is not None:
                await self._followed(chat, letter, wire_id, [*later, *older])
                return Receipt(
                    Fate.FAILED if receipt.fate is Fate.FAILED else Fate.UNKNOWN,
                    wire_id=wire_id,
                    reason=receipt.reason,
                    detail=f"stopped before part {number} of {len(pieces)}: {receipt.detail}",
                )
            later.append(part or "")
        await self._followed(chat, letter, wire_id, later, older)
        await self._stands(letter, chat, wire_id, edited)
        return Receipt(Fate.SENT, wire_id=wire_id)

    async def answer(self, press: str, toast: str = "") -> Receipt:
        """End the spinning of a pressed button, with `toast` if there is one; too late is as good as done."""
        from telegram.error import BadRequest, TelegramError

        try:
            await self._wire.bot.answer_callback_query(press, text=_shortened(toast) or None)
        except BadRequest as error:
            return (
                Receipt(Fate.SENT, detail=str(error))
                if receipts.is_expired_press(error)
                else receipts.receipt_for(error)
            )
        except (TelegramError, *receipts.UNREADABLE) as error:
            return receipts.receipt_for(error, repeatable=True)
        return Receipt(Fate.SENT)

    async def _edit(
        self, letter: Letter, chat: ChatPlace, piece: MessagePart, board: InlineKeyboardMarkup | None
    ) -> tuple[str | None, Receipt | None]:
        """The id of the message as edited; or why not; or neither, when there is nothing left to edit."""
        from telegram import LinkPreviewOptions
        from telegram.error import BadRequest, TelegramError

        number = _number(letter.edits)
        if number is None:
            return None, None
        for html in ([True] if piece.html else []) + [False]:
            try:
                await self._wire.bot.edit_message_text(
                    piece.html if html else piece.plain,
                    chat.chat,
                    number,
                    parse_mode="HTML" if html else None,
                    reply_markup=board,
                    link_preview_options=LinkPreviewOptions(is_disabled=True),
                )
                return letter.edits, None
            except BadRequest as error:
                if receipts.is_unchanged(error):
                    return letter.edits, None
                if receipts.is_uneditable(error):
                    return None, None
                if not (html and receipts.is_unreadable(error)):
                    return None, receipts.receipt_for(error)
                log.error(
                    "letter %s: Telegram can't read the markup (%s); sent as plain text", letter.id, error
                )
            except (TelegramError, *receipts.UNREADABLE) as error:
                return None, receipts.edit_receipt(error)
        raise AssertionError("plain text has no markup to misread")

    async def _new(
        self,
        letter: Letter,
        chat: ChatPlace,
        piece: MessagePart,
        board: InlineKeyboardMarkup | None,
        *,
        answers: str = "",
    ) -> tuple[str | None, Receipt | None]:
        """The id of a new message, or why there is none."""
        from telegram import LinkPreviewOptions, ReplyParameters
        from telegram.error import BadRequest, TelegramError

        answered = _number(answers)
        reply = ReplyParameters(answered, allow_sending_without_reply=True) if answered is not None else None
        for html in ([True] if piece.html else []) + [False]:
            try:
                sent = await self._wire.bot.send_message(
                    chat.chat,
                    piece.html if html else piece.plain,
                    message_thread_id=chat.topic,
                    parse_mode="HTML" if html else None,
                    reply_markup=board,
                    disable_notification=letter.quiet,
                    reply_parameters=reply,
                    link_preview_options=LinkPreviewOptions(is_disabled=True),
                )
                return str(sent.message_id), None
            except BadRequest as error:
                if not (html and receipts.is_unreadable(error)):
                    return None, receipts.receipt_for(error)
                log.error(
                    "letter %s: Telegram can't read the markup (%s); sent as plain text", letter.id, error
                )
            except (TelegramError, *receipts.UNREADABLE) as error:
                return None, receipts.receipt_for(error)
        raise AssertionError("plain text has no markup to misread")

    async def _follow_up(
        self,
        letter: Letter,
        chat: ChatPlace,
        piece: MessagePart,
        board: InlineKeyboardMarkup | None,
        rewritten: str = "",
    ) -> tuple[str | None, Receipt | None]:
        """Send a later part of a letter, in place of the message `rewritten` if there is one; its id, or why
        it is not out.

        The first part is out already, so waiting is done here: sending the letter again would double it.
        """
        part, receipt = None, None
        for _ in range(TRIES_FOR_A_PART):
            await asyncio.sleep(min(self._pace.reserve(chat, self._clock()), LONGEST_PAUSE_MS) / 1000)
            part, receipt = None, None
            if rewritten:
                part, receipt = await self._edit(replace(letter, edits=rewritten), chat, piece, board)
            if part is None and receipt is None:
                part, receipt = await self._new(letter, chat, piece, board)
            if receipt is None or receipt.fate is not Fate.LATER:
                break
            await asyncio.sleep(min(receipt.retry_ms, LONGEST_PAUSE_MS) / 1000)
        return part, receipt

    async def _followed(
        self, chat: ChatPlace, letter: Letter, wire_id: str, later: Sequence[str], gone: Sequence[str] = ()
    ) -> None:
        """Remember what follows the letter's first message now, and take away what did and no longer does."""
        from telegram.error import TelegramError

        if letter.edits != wire_id and gone:
            self._long.note(chat.chat, letter.edits, [])
        self._long.note(chat.chat, wire_id, later)
        await self._long.keep()
        for part in gone:
            try:
                await self._wire.bot.delete_message(chat.chat, int(part))
            except (TelegramError, *receipts.UNREADABLE) as error:
                log.info("chat %s: an older part of a letter stays: %s", chat, error)  # only a repetition

    async def _afterwards(self, letter: Letter, picture: Picture, chat: ChatPlace, wire_id: int) -> None:
        """The picture after all of the words, which have rung.

        Should it get lost, nothing is; where it would have to wait long, with the letter not yet written down
        as sent and others behind it, it stays away.
        """
        pause = self._pace.reserve(chat, self._clock())
        if pause > SHORT_PAUSE_MS:
            log.info("letter %s: its picture would have to wait for %d ms", letter.id, pause)
            return
        await asyncio.sleep(pause / 1000)
        _, lost = await self._photos.new(
            replace(letter, quiet=True), picture, chat, MessagePart("", ""), None, wire_id
        )
        if lost is not None:
            log.warning("letter %s: its picture was not sent: %s", letter.id, lost.detail)

    async def _stands(self, letter: Letter, chat: ChatPlace, wire_id: str, edited: bool) -> None:
        """A new message is pinned where it is to be; where it stands for another that could not be edited (a
        photo for words, say), that one offers nothing any more, and is not pinned beside it.
        """
        from telegram.error import TelegramError

        if edited:
            return
        if letter.pin:
            await self._pin(chat, int(wire_id))
        older = _number(letter.edits)
        if older is not None:
            try:
                await self._wire.bot.edit_message_reply_markup(chat.chat, older, reply_markup=None)
            except (TelegramError, *receipts.UNREADABLE) as error:
                log.debug(
                    "chat %s: the older message keeps its buttons: %s", chat, error
                )  # it is gone, mostly, or had none
            if letter.pin:
                try:
                    await self._wire.bot.unpin_chat_message(chat.chat, older)
                except (TelegramError, *receipts.UNREADABLE) as error:
                    log.debug("chat %s: the older message stays pinned: %s", chat, error)  # as above

    async def _pin(self, chat: ChatPlace, number: int) -> None:
        """Pin without ringing.  A pin that fails is no reason to send the letter again."""
        from telegram.error import RetryAfter, TelegramError

        for last in (False, True):
            try:
                await self._wire.bot.pin_chat_message(chat.chat, number, disable_notification=True)
                return
            except RetryAfter as error:
                pause = receipts.milliseconds(error.retry_after)
                if last or pause > SHORT_PAUSE_MS:
                    log.warning("chat %s: not pinned: %s", chat, error)
                    return
                await asyncio.sleep(pause / 1000)
            except (TelegramError, *receipts.UNREADABLE) as error:
                log.warning("chat %s: not pinned: %s", chat, error)
                return


def _number(text: str | None) -> int | None:
    """A chat or message id, or None for what is none."""
    try:
        return int(text) if text else None
    except ValueError:
        return None


def _shortened(toast: str) -> str:
    """At most 200 UTF-16 units; what is cut off ends in an ellipsis."""
    if utf16(toast) <= LONGEST_TOAST:
        return toast
    kept = toast[: LONGEST_TOAST - 1]
    while utf16(kept) > LONGEST_TOAST - 1:
        kept = kept[:-1]
    return kept + "…"
