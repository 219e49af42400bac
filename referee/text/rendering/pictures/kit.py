"""What all pictures share: the sheet they are drawn on, the words of the reader's language, rows of small
labels that flow like words.
"""

from __future__ import annotations

import logging
import math
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...folders import all_folders
from ...folding import clean
from ..cards import card
from ..emblems import drawings, emblem
from ..grammar import card_name
from ..quick_environment import QuickEnvironment
from ..words import Words
from .looks import colours
from .metrics import cut, legible, width

log = logging.getLogger(__name__)
#: the sheet's width in pixels, as a phone shows it; letters are never smaller than `SMALL` there
WIDTH, EDGE, SMALL = 360, 8, 11.0
#: how much larger a picture is drawn than that: sharp enough for a phone, and the largest one within the
#: figures of docs/players/pictures.md
ZOOM = 1.5
#: a sheet's height is a multiple of this, so that it ends with a whole row of pixels when it is enlarged
_STEP = 2
_LABEL, _GAP, _LINE = 18, 4, 20
#: how wide the shape of a type is with its letter, the rank of a character, an emblem after either
_SHAPE, _RANK, _EMBLEM = 19, 14, 15


class Picture(NamedTuple):
    """SVG, the same in words for anyone who can't see it, and its size in pixels before zooming."""

    svg: str
    alt: str
    width: int
    height: int


class PictureWords:
    """The words of one language, as pictures use them."""

    def __init__(self, words: Words, language: str) -> None:
        self.words, self.language = words, words.language(language)
        self.lexicon = words.lexicon(language)

    def say(self, code: str, /, **facts: Any) -> str:
        """A sentence of `[pictures]`, one line."""
        return " ".join(self.words.phrase(f"pictures.{code}", self.language, **facts).split())

    def card(self, name: str) -> str:
        """A card in this language."""
        return str(card_name(self.lexicon, name))

    def emblem(self, name: str, kind: str = "") -> Markup:
        """The drawing of a card, 24 by 24, as it stands on pages; `kind`: a district's type."""
        own = tuple(self.words.own)
        return Markup(drawings(own)[emblem(name, kind, own)])  # noqa: S704 - a file of ours, or an admin's

    def sign(self, kind: str) -> str:
        """The letter of a type of district."""
        return self.lexicon.name("types", kind)[:1].upper()


def seat_letter(seat: int) -> str:
    """What a seat is called where its player's name can't be drawn: A to H."""
    return chr(ord("A") + seat % 26)


def drawable(name: str, sign: str, voice: PictureWords) -> str:
    """A player's name as the font can draw it; one of nothing but signs that it lacks is told as "Player C",
    by that sign. Single signs of that kind go.
    """
    line = unicodedata.normalize("NFC", clean(name, 80))
    if not legible(line):
        return voice.say("player", letter=sign)
    return "".join(sign for sign in line if legible_sign(sign)).strip()


@lru_cache(maxsize=4096)
def legible_sign(sign: str) -> bool:
    """Whether one sign of a name is drawn: letters, digits and what stands between them, no pictographs."""
    return unicodedata.category(sign) not in ("So", "Sk", "Cn", "Co") and sign not in "\u200d\ufe0f"


def names(players: Sequence[Mapping[str, Any]], voice: PictureWords) -> list[str]:
    """All players' names as they can be drawn, by seat."""
    return [drawable(player["name"], seat_letter(player["seat"]), voice) for player in players]


class LabelRows:
    """Labels set like words: in rows of `room` pixels from `left`, the first row perhaps beginning further in
    and ending earlier.
    """

    def __init__(
        self, left: float, room: float, top: float, *, begin: float = 0.0, stop: float | None = None
    ) -> None:
        self._left, self._room, self.row, self._x = left, room, top, left + begin
        self._stop = left + room if stop is None else stop
        self.labels: list[dict[str, Any]] = []
        self.bottom = top

    def add(
        self,
        text: str,
        kind: str,
        *,
        bold: bool = False,
        before: float = 0.0,
        after: float = 0.0,
        most: float = 0.0,
        **facts: Any,
    ) -> None:
        """A label with that text; `before` and `after`: room beside the words (a shape, a price)."""
        text = cut(text, min(most or self._room, self._room - before - after - 14), SMALL, bold)
        wide = before + width(text, SMALL, bold) + after + 12
        if self._x + wide > self._stop and (self.labels or self._x > self._left):
            self.next()
        self.labels.append(
            {
                "x": round(self._x, 1),
                "y": self.row,
                "w": round(wide, 1),
                "h": _LABEL,
                "text": text,
                "kind": kind,
                "bold": bold,
                "tx": round(self._x + before + 6, 1),
                "tw": round(width(text, SMALL, bold), 1),
                **facts,
            }
        )
        self._x += wide + _GAP
        self.bottom = self.row + _LABEL

    def next(self) -> None:
        """Begin the next row, which has the whole width."""
        self._x, self.row, self._stop = self._left, self.row + _LINE, self._left + self._room


def district(flow: LabelRows, card: Mapping[str, Any], voice: PictureWords) -> None:
    """A district as a label: shape and letter of its type, its emblem, its name, what it costs there (with a
    plus where that was raised).
    """
    kind = card.get("type") or ""
    cost = (
        f"{card['cost']}" + ("+" if card.get("raised") else "")
        if card.get("cost") is not None and kind
        else ""
    )
    room = width(cost, SMALL, True) + 5 if cost else 0
    flow.add(
        voice.card(card["name"]),
        "district",
        before=_SHAPE + _EMBLEM if kind else 0,
        after=room,
        type=kind,
        sign=voice.sign(kind) if kind else "",
        emblem=voice.emblem(card["name"], kind) if kind else "",
        at=_SHAPE + 2.5,
        cost=cost,
    )


def character(
    flow: LabelRows, name: str, kind: str, voice: PictureWords, edition: str, *, bold: bool = False
) -> None:
    """A character as a label: rank, emblem, name; `kind`: "played", "offered" or "gone"."""
    rank = str(card(name, edition).get("rank", ""))
    begin = _RANK if rank else 0
    flow.add(
        voice.card(name),
        kind,
        before=begin + _EMBLEM,
        bold=bold,
        rank=rank,
        emblem=voice.emblem(name),
        at=begin + 4,
    )


def drawn(
    name: str, theme: str, own: Sequence[Path], height: float, alt: Sequence[str], /, **facts: Any
) -> Picture:
    """templates/pictures/`name`.svg.j2 in the colours of a theme, at least so high; `alt`: what it shows,
    piece by piece.
    """
    high = -(-math.ceil(height) // _STEP) * _STEP
    facts |= {"c": colours(theme), "width": WIDTH, "height": high, "edge": EDGE}
    try:
        svg = _house(tuple(own)).get_template(f"{name}.svg.j2").render(facts)
    except Exception:  # an admin's template may go wrong in any way; a reader gets ours then
        if not own:
            raise
        log.exception(
            "the picture %s could not be made with the templates of %s: the shipped ones are used",
            name,
            ", ".join(map(str, own)),
        )
        svg = _house(()).get_template(f"{name}.svg.j2").render(facts)
    return Picture(svg, "; ".join(one for one in alt if one) + ".", WIDTH, high)


def stacked(made: Sequence[Picture]) -> Picture:
    """Several pictures in one, the first on top: a chat shows one to a letter."""
    parts, y = [], 0
    for one in made:
        parts.append(one.svg.strip().replace("<svg ", f'<svg y="{y}" ', 1))
        y += one.height
    size = f'width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'
    return Picture(svg, " ".join(one.alt for one in made), WIDTH, y)


@lru_cache(maxsize=4)
def _house(own: tuple[Path, ...]) -> QuickEnvironment:
    return QuickEnvironment(
        loader=FileSystemLoader([folder / "pictures" for folder in all_folders(own)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
