"""Offered answers as Telegram's inline keyboards."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from referee.ports import Button

if TYPE_CHECKING:
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup

MOST_IN_A_ROW = 8
MOST_IN_ALL = 100
log = logging.getLogger(__name__)


def keyboard(
    rows: tuple[tuple[Button, ...], ...], username: str, *, private: bool = True
) -> InlineKeyboardMarkup | None:
    """The keyboard for `rows`; None for none.

    Rows too wide for Telegram are broken, what is beyond 100 buttons is left to typing. Telegram opens pages
    inside itself only from private chats.
    """
    from telegram import InlineKeyboardMarkup

    if not private:
        rows = tuple(tuple(one for one in row if not one.app) for row in rows)
    wide = [row[at : at + MOST_IN_A_ROW] for row in rows for at in range(0, len(row), MOST_IN_A_ROW)]
    kept: list[list[InlineKeyboardButton]] = []
    left = MOST_IN_ALL
    for row in wide:
        shown = row[:left]
        left -= len(shown)
        if shown:
            kept.append([_button(one, username) for one in shown])
    if sum(map(len, wide)) > MOST_IN_ALL:
        log.warning("a keyboard of %d buttons was cut to %d", sum(map(len, wide)), MOST_IN_ALL)
    return InlineKeyboardMarkup(kept) if kept else None


def _button(one: Button, username: str) -> InlineKeyboardButton:
    from telegram import InlineKeyboardButton, WebAppInfo

    if one.app:
        return InlineKeyboardButton(one.label, web_app=WebAppInfo(one.link))
    if one.link:
        return InlineKeyboardButton(one.label, url=one.link.replace("{bot}", username))
    return InlineKeyboardButton(one.label, callback_data=one.key)


def names_bot(rows: tuple[tuple[Button, ...], ...]) -> bool:
    """Whether a link needs the bot's own name."""
    return any("{bot}" in one.link for row in rows for one in row)
