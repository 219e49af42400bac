"""The end of a game: the score of each, part by part, as a bar and in words; and how it went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..words import Words
from .course import course
from .kit import EDGE, WIDTH, LabelRows, Picture, PictureWords, drawn, names, seat_letter
from .metrics import cut, width

#: the parts of a score in their order, and the type of district whose colour and shape stand for each
PARTS = {
    "districts": "trade",
    "all_types": "religious",
    "first_complete": "noble",
    "complete": "military",
    "unique": "unique",
}
_INNER, _GAP = WIDTH - 2 * EDGE, 5
_LEFT = EDGE + 44
#: a part of a bar narrower than this has no room for its number
_ROOM = 15


def ending_picture(
    words: Words,
    language: str,
    theme: str,
    view: Mapping[str, Any],
    tag: str,
    rounds: Sequence[Sequence[int]] = (),
) -> Picture:
    """The result in a view (`rules.view`) of a finished game `tag`, the winner first; below it how the game
    went, where `rounds` has the points of every city after each. Raises KeyError for a game that is not over.
    """
    voice, result = PictureWords(words, language), view["result"]
    called = names(view["players"], voice)
    scores = sorted(
        result["scores"], key=lambda row: (row["seat"] not in result["winners"], -row["score"], row["seat"])
    )
    scale = (_INNER - 58) / max(1, *(sum(max(0, one) for one in row["points"].values()) for row in scores))
    rows, y = [], 44.0
    for row in scores:
        made = _row(row, result, called[row["seat"]], scale, y, voice)
        rows.append(made)
        y += made["h"] + _GAP
    chart = course(called, rounds, theme, y + 44) if len(rounds) > 1 else None
    return drawn(
        "ending",
        theme,
        words.own,
        y + 3 if chart is None else chart["bottom"],
        _alt(scores, result, called, tag, voice),
        title=voice.say("ending"),
        tag=voice.say("game", tag=tag),
        rows=rows,
        subtitle=voice.say("course"),
        below=y,
        chart=chart,
    )


def _row(
    row: Mapping[str, Any], result: Mapping[str, Any], name: str, scale: float, y: float, voice: PictureWords
) -> dict[str, Any]:
    """One player's score."""
    won, x = row["seat"] in result["winners"], float(_LEFT)
    bars, words = [], LabelRows(_LEFT - 6, _INNER - 44, y + 47)
    for code, kind in PARTS.items():
        value = row["points"].get(code, 0)
        if value > 0:
            wide = value * scale
            bars.append(
                {
                    "x": round(x, 1),
                    "w": round(max(0.5, wide - 1.5), 1),
                    "type": kind,
                    "value": value,
                    "labelled": wide >= _ROOM,
                }
            )
            x += wide
        if value:
            words.add(f"{voice.say(f'part_{code}')} {value}", "part", before=10, type=kind)
    said = voice.say("won")
    name = cut(name, _INNER - 100 - (width(said, 11, True) + 22 if won else 0), 14, True)
    return {
        "y": round(y, 1),
        "h": round(words.bottom + 4 - y, 1),
        "letter": seat_letter(row["seat"]),
        "name": name,
        "won": said if won else "",
        "wx": round(_LEFT + width(name, 14, True) + 8, 1),
        "ww": round(width(said, 11, True) + 14, 1),
        "score": row["score"],
        "bars": bars,
        "words": words.labels,
    }


def _alt(
    scores: Sequence[Mapping[str, Any]],
    result: Mapping[str, Any],
    called: Sequence[str],
    tag: str,
    voice: PictureWords,
) -> list[str]:
    said = [voice.say("alt_ending", tag=tag)]
    for row in scores:
        parts = ", ".join(
            f"{voice.say(f'part_{code}')} {row['points'][code]}" for code in PARTS if row["points"].get(code)
        )
        said.append(
            voice.say(
                "alt_score",
                name=called[row["seat"]],
                count=row["score"],
                parts=parts,
                won=row["seat"] in result["winners"],
            )
        )
    return said
