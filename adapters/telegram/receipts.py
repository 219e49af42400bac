"""What an error of the Bot API means for a letter.

Three questions in this order: did Telegram refuse it for good, did it certainly not arrive, or can nobody
know? The Bot API has no idempotency key, so a lost answer is `UNKNOWN` and never sent again blindly. An edit
may be made again, with the same words: those whose answer got lost may be read, and answered, by now. Calls
that leave nothing to answer (toasts, asking who we are) turn it into `LATER`. Descriptions are matched in
small letters: the library rewrites their case.
"""

from __future__ import annotations

import datetime
from dataclasses import replace

from referee.ports import Fate, Receipt

#: what an answer that can't be read raises inside the library
UNREADABLE = (TypeError, KeyError, ValueError, AttributeError)
# the library's RetryAfter gives a timedelta only when asked to (adapters.telegram.bot_connection asks)
FAILED = (
    ("blocked by the user", "blocked"),
    ("user is deactivated", "no-such-address"),
    ("group chat was deactivated", "gone"),
    ("group chat was deleted", "gone"),
    ("chat was deleted", "gone"),
    ("can't initiate conversation", "cannot-initiate"),
    ("not a member", "not-a-member"),
    ("was kicked", "not-a-member"),
    ("not enough rights to send documents", "no-files"),
    ("chat_send_docs_forbidden", "no-files"),
    ("chat_send_media_forbidden", "no-files"),
    ("not enough rights", "not-a-member"),
    ("have no rights", "not-a-member"),
    ("need administrator rights", "not-a-member"),
    ("chat_write_forbidden", "not-a-member"),
    ("chat_restricted", "not-a-member"),
    ("topic_closed", "topic-closed"),
    ("topic_deleted", "gone"),
    ("message thread not found", "gone"),
    ("chat not found", "no-such-address"),
    ("user not found", "no-such-address"),
    ("peer_id_invalid", "no-such-address"),
    ("chat_id is empty", "no-such-address"),
    ("message is too long", "too-long"),
    ("message_too_long", "too-long"),
)
#: the stable word where not the letter but its buttons were refused; nobody but the adapter sees it
BUTTONS = "buttons"
_BUTTONS = ("button_", "keyboard", "reply markup", "reply_markup", "wrong http url")
NETWORK_RETRY_MS = 2_000


def receipt_for(error: Exception, *, repeatable: bool = False) -> Receipt:
    """The receipt for `error`.  `repeatable`: doing the call twice is harmless."""
    import httpx
    from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, RetryAfter

    words = str(error)
    if isinstance(error, ChatMigrated):
        return Receipt(Fate.MOVED, moved_to=str(error.new_chat_id), detail=words)
    if isinstance(error, RetryAfter):
        return Receipt(Fate.LATER, retry_ms=milliseconds(error.retry_after), detail=words)
    if isinstance(error, InvalidToken):
        return Receipt(Fate.FAILED, reason="unauthorised", detail=words)
    if isinstance(error, (Forbidden, BadRequest)):
        return Receipt(
            Fate.FAILED,
            reason=reason(words, "blocked" if isinstance(error, Forbidden) else "rejected"),
            detail=words,
        )
    if isinstance(error, Conflict):
        return Receipt(Fate.LATER, retry_ms=NETWORK_RETRY_MS, detail=words, whole=True)
    never_left = isinstance(
        error.__cause__, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
    )
    if never_left or repeatable or "too many requests" in words.lower():
        return Receipt(
            Fate.LATER, retry_ms=NETWORK_RETRY_MS, detail=words, whole=True if never_left else None
        )
    return Receipt(Fate.UNKNOWN, detail=words)


def edit_receipt(error: Exception) -> Receipt:
    """The same where a message was to be rewritten."""
    receipt = receipt_for(error)
    return (
        replace(receipt, retry_ms=NETWORK_RETRY_MS, again=True) if receipt.fate is Fate.UNKNOWN else receipt
    )


def reason(words: str, otherwise: str) -> str:
    """The stable word for a refusal that says `words`."""
    low = words.lower()
    if any(sign in low for sign in _BUTTONS):
        return BUTTONS
    return next((stable for sign, stable in FAILED if sign in low), otherwise)


def milliseconds(value: float | datetime.timedelta) -> int:
    seconds = value.total_seconds() if isinstance(value, datetime.timedelta) else float(value)
    return max(1, int(seconds * 1000))


def is_unchanged(error: Exception) -> bool:
    """The edit would have changed nothing: the message already is as it should be."""
    return "message is not modified" in str(error).lower()


def is_uneditable(error: Exception) -> bool:
    """The message that was to be edited is gone or can't be edited any more."""
    words = str(error).lower()
    return any(
        sign in words
        for sign in (
            "message to edit not found",
            "message can't be edited",
            "message_id_invalid",
            "message_edit_time_expired",
            "message identifier is not specified",
            "message_author_required",
            "there is no text in the message",
            "message content type can't be",
        )
    )


def is_no_picture(error: Exception) -> bool:
    """Telegram does not take this picture, here or at all; words it would."""
    words = str(error).lower()
    return any(
        sign in words
        for sign in (
            "photo_invalid_dimensions",
            "image_process_failed",
            "photo_save_file_invalid",
            "wrong file",
            "failed to get http",
            "file is too big",
            "(413)",
            "request entity too large",
            "caption is too long",
        )
    ) or is_no_place_for_pictures(error)


def is_no_place_for_pictures(error: Exception) -> bool:
    """Anyone who looks after this chat wants no photos in it."""
    words = str(error).lower()
    return any(
        sign in words
        for sign in (
            "not enough rights to send photos",
            "chat_send_photos_forbidden",
            "chat_send_media_forbidden",
        )
    )


def is_unreadable(error: Exception) -> bool:
    """Telegram could not read the markup."""
    words = str(error).lower()
    return any(
        sign in words
        for sign in ("can't parse entities", "can't find end", "unsupported start tag", "entity_")
    )


def is_expired_press(error: Exception) -> bool:
    """The button was answered already or too long ago: nobody waits any more."""
    words = str(error).lower()
    return "query is too old" in words or "query id is invalid" in words or "query_id_invalid" in words
