"""How a game went: the points of every city after each round, as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..words import Words
from .kit import Picture, PictureWords, drawn, names, seat_letter
from .lines import ChartLine, lined


def course_picture(
    words: Words,
    language: str,
    theme: str,
    players: Sequence[Mapping[str, Any]],
    rounds: Sequence[Sequence[int]],
    tag: str,
) -> Picture:
    """`rounds`: after each round, the points of every city by seat.  `players` {seat, name}."""
    voice = PictureWords(words, language)
    called = names(players, voice)
    chart = course(called, rounds, theme, 66.0)
    said = [
        voice.say("alt_course", tag=tag, count=len(rounds)),
        *(f"{name} {', '.join(str(one[seat]) for one in rounds)}" for seat, name in enumerate(called)),
    ]
    return drawn(
        "course",
        theme,
        words.own,
        chart["bottom"],
        said,
        title=voice.say("game", tag=tag),
        subtitle=voice.say("course"),
        chart=chart,
    )


def course(called: Sequence[str], rounds: Sequence[Sequence[int]], theme: str, top: float) -> dict[str, Any]:
    """The lines of all seats, from `top` on (lines.py)."""
    most = max([1, *(points for one in rounds for points in one)])
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100) if most / size <= 6)
    lines = [
        ChartLine(
            seat_letter(seat), name, str(rounds[-1][seat]) if rounds else "0", [one[seat] for one in rounds]
        )
        for seat, name in enumerate(called)
    ]
    return lined(lines, range(0, step * -(-most // step) + 1, step), theme, top)
