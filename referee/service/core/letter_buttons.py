"""The buttons of letters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from referee.ports import Button
from referee.text.folding import fold

from . import tokens
from .composing import LetterContext

#: as many buttons as a letter has at most
_MOST = 50
#: two buttons stand in one row where their labels have no more letters than this together
_SHORT = 34


def keyed(ctx: LetterContext, options: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Options ({n, order, label …}) with the `key` that each one's button has in this letter."""
    return [{**one, "key": tokens.button(ctx.key, ctx.number, one["n"])} for one in options]


def offered(context: Mapping[str, Any]) -> list[list[Button]]:
    """The options of a context as buttons, two in a row where they are short."""
    found: list[list[Button]] = []
    for option in context.get("options", ()):
        one = Button(label=option["label"], key=option["key"], order=option["order"], number=option["n"])
        if found and len(found[-1]) < 2 and len(found[-1][0].label) + len(one.label) <= _SHORT:
            found[-1].append(one)
        else:
            found.append([one])
    return found[:_MOST]


def listed(options: Iterable[Mapping[str, Any]]) -> list[list[Button]]:
    """Options as buttons, one in a row."""
    return [
        [Button(label=one["label"], key=one["key"], order=one["order"], number=one["n"])] for one in options
    ][:_MOST]


def button_rows(ctx: LetterContext, offers: Iterable[tuple[str, str]]) -> list[list[Button]]:
    """Buttons that are not about a question of the game: (phrase, what it stands for)."""
    return [
        [
            Button(
                label=ctx.words.phrase(f"button-{phrase}", ctx.language),
                order=order,
                key=tokens.button(ctx.key, ctx.number, n),
            )
        ]
        for n, (phrase, order) in enumerate(offers, 1)
    ]


def opening(ctx: LetterContext, payload: str) -> list[list[Button]]:
    """A button that opens the private chat, where somebody must do that before they can be written to."""
    if ctx.row.channel not in ctx.settings.shy or not ctx.settings.bot_link:
        return []
    return [
        [
            Button(
                label=ctx.words.phrase("button-start", ctx.language),
                key="",
                link=ctx.settings.bot_link + payload,
            )
        ]
    ]


def chosen_order(letter: str, said: str) -> str:
    """What an option's number or its label stands for in a worded letter, "" where it offers no such thing.

    Where the text numbers nothing the options are counted, as a channel counts them that can only offer
    numbers.
    """
    rows = json.loads(letter).get("buttons", ()) if letter else ()
    offers = [one for row in rows for one in row if not one.get("link")]
    plain = fold(said)
    if plain.isdecimal():
        numbers = [one.get("number") or 0 for one in offers]
        counted = numbers if any(numbers) else range(1, len(offers) + 1)
        found = [one for n, one in zip(counted, offers, strict=True) if n == int(plain[:4])]
    else:
        found = [one for one in offers if plain and fold(str(one["label"])) == plain]
    return str(found[0]["order"]) if found else ""


def orders_offered(letter: str) -> frozenset[str]:
    """What the buttons of a letter stand for, as it was frozen."""
    rows = json.loads(letter).get("buttons", ()) if letter else ()
    return frozenset(str(one["order"]) for row in rows for one in row)
