"""Offered answers as Telegram's inline keyboards, or in the text where Telegram refuses those."""

from __future__ import annotations

import html
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.ports import Button, Letter

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


def with_fewer(letter: Letter, username: str) -> Letter:
    """The letter without the buttons that lead to pages, or without any where it has no others. What they
    were for stands below its words: a number or an order to type, a link to open.
    """
    both = {bool(one.link) for row in letter.buttons for one in row} == {False, True}
    rows = tuple(tuple(one for one in row if both and not one.link) for row in letter.buttons)
    gone = [one for row in letter.buttons for one in row if one.link or not both]
    lines = "".join(f"\n{line}" for line in (_line(one, username) for one in gone) if line)
    if not lines:
        return replace(letter, buttons=tuple(filter(None, rows)))
    return replace(
        letter,
        text=f"{letter.text}\n{lines}",
        markup=letter.markup and f"{letter.markup}\n{html.escape(lines, quote=False)}",
        buttons=tuple(filter(None, rows)),
        picture=None,  # its caption has no room for more words
    )


def _line(one: Button, username: str) -> str:
    """What a button was for; "" for a page that opens only inside Telegram."""
    if one.link:
        return "" if one.app else f"{one.label}: {one.link.replace('{bot}', username)}"
    return f"{one.number}. {one.label}" if one.number else f"{one.label}: {one.order}" if one.order else ""
