"""How a game went: the points of every city after each round, as lines that differ in colour, dashes and mark, with the seat's letter at the end."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..words import Words
from .kit import EDGE, WIDTH, Picture, Voice, drawn, names, seat_letter
from .looks import SEATS
from .metrics import cut

_LEFT, _RIGHT, _TOP, _BOTTOM = EDGE + 24, WIDTH - 30, 66, 306
_DASHES = ("none", "7 3", "2 3", "9 3 2 3", "5 2", "none", "7 3", "2 3")


def course_picture(words: Words, language: str, theme: str, players: Sequence[Mapping[str, Any]], rounds: Sequence[Sequence[int]], tag: str) -> Picture:
    """`rounds`: after each round, the points of every city by seat.  `players` {seat, name}."""
    voice = Voice(words, language)
    called = names(players, voice)
    most = max([1, *(points for one in rounds for points in one)])
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100) if most / size <= 6)
    top = step * -(-most // step)
    across = (_RIGHT - _LEFT) / max(1, len(rounds) - 1)
    high = (_BOTTOM - _TOP) / top
    lines = []
    for seat in range(len(players)):
        spots = [(round(_LEFT + across * at, 1), round(_BOTTOM - high * one[seat], 1)) for at, one in enumerate(rounds)]
        lines.append({"spots": spots, "colour": SEATS[theme][seat % 8], "dashes": _DASHES[seat % 8], "mark": seat % 4, "letter": seat_letter(seat),
                      "name": cut(called[seat], 108, 12), "last": rounds[-1][seat] if rounds else 0, "column": seat % 2, "row": seat // 2})
    _apart(lines)
    every = 1 + len(rounds) // 12
    bottom = _BOTTOM + 44 + 22 * ((len(players) + 1) // 2)
    svg = drawn("course", theme, words.own, bottom, title=voice.say("game", tag=tag), subtitle=voice.say("course"), left=_LEFT, right=_RIGHT, foot=_BOTTOM, lines=lines,
                beside=[{"y": round(_BOTTOM - high * value, 1), "label": value} for value in range(0, top + 1, step)],
                below=[{"x": round(_LEFT + across * at, 1), "label": at + 1} for at in range(0, len(rounds), every)])
    said = [voice.say("alt_course", tag=tag, count=len(rounds)), *(f"{called[seat]} {', '.join(str(one[seat]) for one in rounds)}" for seat in range(len(players)))]
    return Picture(svg, "; ".join(said) + ".", WIDTH, round(bottom))


def _apart(lines: list[dict[str, Any]]) -> None:
    """Letters at the ends of lines, none on another."""
    least = float(_TOP)
    for one in sorted(lines, key=lambda line: line["spots"][-1][1] if line["spots"] else 0.0):
        one["at"] = round(max(least, one["spots"][-1][1] if one["spots"] else 0.0), 1)
        least = one["at"] + 13
    over = least - 13 - _BOTTOM
    if over > 0:
        for one in lines:
            one["at"] = round(one["at"] - over, 1)
