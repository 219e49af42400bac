"""The end of a game: the score of each, part by part."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..words import Words
from .kit import EDGE, WIDTH, Picture, Voice, drawn, names, seat_letter
from .metrics import cut, width

#: the parts of a score in their order, and the type of district whose colour and shape stand for each
PARTS = {"districts": "trade", "all_types": "religious", "first_complete": "noble", "complete": "military", "unique": "unique"}
_INNER, _ROW, _BAR = WIDTH - 2 * EDGE, 62, 20
#: a part of a bar narrower than this has no room for its number
_ROOM = 15


def ending_picture(words: Words, language: str, theme: str, view: Mapping[str, Any], tag: str) -> Picture:
    """The result in a view (`rules.view`) of a finished game `tag`, the winner first.  Raises KeyError for one that is not over."""
    voice, result = Voice(words, language), view["result"]
    called = names(view["players"], voice)
    scores = sorted(result["scores"], key=lambda row: (row["seat"] not in result["winners"], -row["score"], row["seat"]))
    scale = (_INNER - 58) / max(1, *(sum(max(0, one) for one in row["points"].values()) for row in scores))
    used = [code for code in PARTS if any(row["points"].get(code) for row in scores)]
    legend, y = _legend(used, voice)
    rows = []
    for place, row in enumerate(scores):
        x, parts = EDGE + 44.0, []
        for code in used:
            value = row["points"].get(code, 0)
            if value > 0:
                wide = value * scale
                parts.append({"x": round(x, 1), "w": round(max(0.5, wide - 1.5), 1), "type": PARTS[code], "value": value, "labelled": wide >= _ROOM})
                x += wide
        won = row["seat"] in result["winners"]
        name = cut(called[row["seat"]], _INNER - (150 if won else 100), 14, True)
        rows.append({"y": y, "letter": seat_letter(row["seat"]), "name": name, "won": voice.say("won") if won else "", "wx": round(EDGE + 44 + width(name, 14, True) + 8, 1),
                     "ww": round(width(voice.say("won"), 11, True) + 14, 1), "score": row["score"], "parts": parts, "place": place})
        y += _ROW
    svg = drawn("ending", theme, words.own, y + 4, title=voice.say("ending"), tag=voice.say("game", tag=tag), legend=legend, rows=rows)
    return Picture(svg, _alt(scores, result, called, tag, voice), WIDTH, round(y + 4))


def _legend(used: list[str], voice: Voice) -> tuple[list[dict[str, Any]], float]:
    """What the colours mean, in as many lines as it takes; and where the rows begin."""
    x, y = EDGE + 2.0, 58.0
    found: list[dict[str, Any]] = []
    for code in used:
        text = voice.say(f"part_{code}")
        wide = width(text, 12) + 32
        if x + wide > WIDTH - EDGE and found:
            x, y = EDGE + 2.0, y + 20
        found.append({"x": round(x, 1), "y": y, "type": PARTS[code], "text": text})
        x += wide
    return found, y + 16


def _alt(scores: list[Mapping[str, Any]], result: Mapping[str, Any], called: list[str], tag: str, voice: Voice) -> str:
    said = [voice.say("alt_ending", tag=tag)]
    for row in scores:
        parts = ", ".join(f"{voice.say(f'part_{code}')} {row['points'][code]}" for code in PARTS if row["points"].get(code))
        said.append(voice.say("alt_score", name=called[row["seat"]], count=row["score"], parts=parts, won=row["seat"] in result["winners"]))
    return "; ".join(said) + "."
