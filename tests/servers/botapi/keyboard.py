"""Inline keyboards: what the Bot API takes and what it refuses."""

from __future__ import annotations

import json
from typing import Any

from .errors import bad

MOST_BUTTONS = 100
MOST_IN_A_ROW = 8


def inline(value: Any, *, private: bool) -> list[list[dict[str, Any]]] | None:
    """The rows of a ``reply_markup``; None for no keyboard or one that is not inline.

    Every button has a text and exactly one action; `private`: only there one may open a Mini App.
    """
    if value in (None, ""):
        return None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise bad("can't parse reply keyboard markup JSON object") from None
    if not isinstance(value, dict):
        raise bad("object expected as reply markup")
    rows = value.get("inline_keyboard")
    if rows is None:
        return None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    checked = [[_button(one, private=private) for one in row] for row in rows if row]
    if any(len(row) > MOST_IN_A_ROW for row in checked) or sum(map(len, checked)) > MOST_BUTTONS:
        raise bad("reply markup is too long")
    return checked or None


def _button(one: Any, *, private: bool) -> dict[str, Any]:
    if not isinstance(one, dict) or not isinstance(one.get("text"), str):
        raise bad('can\'t parse inline keyboard button: Field "text" must be of type String')
    text = one["text"].strip()
    if not text:
        raise bad("can't parse inline keyboard button: Button text must be non-empty")
    actions = [name for name in ("url", "callback_data", "web_app") if one.get(name) is not None]
    if not actions:
        raise bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if "url" in actions:
        url = one["url"]
        if not str(url).startswith(("http://", "https://", "tg://")) or any(
            letter.isspace() for letter in url
        ):
            raise bad(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")
        return {"text": text, "url": url}
    if "web_app" in actions:
        return {"text": text, "web_app": _app(one["web_app"], private=private)}
    data = one["callback_data"]
    if not isinstance(data, str) or not 1 <= len(data.encode()) <= 64:
        raise bad("BUTTON_DATA_INVALID")
    return {"text": text, "callback_data": data}


def _app(app: Any, *, private: bool) -> dict[str, Any]:
    url = app.get("url") if isinstance(app, dict) else None
    if not isinstance(url, str) or not url:
        raise bad('can\'t parse inline keyboard button: Field "url" must be of type String')
    if not private:
        raise bad("BUTTON_TYPE_INVALID")
    if not url.startswith("https://") or any(letter.isspace() for letter in url):
        raise bad(f"inline keyboard button Web App URL '{url}' is invalid: Only HTTPS links are allowed")
    return {"url": url}
