"""How a game went, as lines: the points of every city after each round, chances to win before it."""

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
    return _picture(voice, theme, called, rounds, tag, "course", course(called, rounds, theme, 66.0))


def chances_picture(
    words: Words,
    language: str,
    theme: str,
    players: Sequence[Mapping[str, Any]],
    rounds: Sequence[Sequence[int]],
    tag: str,
) -> Picture:
    """`rounds`: at the beginning of each round, every seat's chance to win in per cent.  `players` {seat,
    name}.
    """
    voice = PictureWords(words, language)
    called = names(players, voice)
    ends = [f"{one} %" for one in rounds[-1]] if rounds else ["" for _ in called]
    chart = lined(_lines(called, rounds, ends), range(0, 101, 25), theme, 66.0)
    return _picture(voice, theme, called, rounds, tag, "chances", chart)


def _picture(
    voice: PictureWords,
    theme: str,
    called: Sequence[str],
    rounds: Sequence[Sequence[int]],
    tag: str,
    what: str,
    chart: dict[str, Any],
) -> Picture:
    said = [
        voice.say(f"alt_{what}", tag=tag, count=len(rounds)),
        *(f"{name} {', '.join(str(one[seat]) for one in rounds)}" for seat, name in enumerate(called)),
    ]
    return drawn(
        "course",
        theme,
        voice.words.own,
        chart["bottom"],
        said,
        title=voice.say("game", tag=tag),
        subtitle=voice.say(what),
        chart=chart,
    )


def course(called: Sequence[str], rounds: Sequence[Sequence[int]], theme: str, top: float) -> dict[str, Any]:
    """The lines of all seats, from `top` on (lines.py)."""
    most = max([1, *(points for one in rounds for points in one)])
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100) if most / size <= 6)
    ends = [str(one) for one in rounds[-1]] if rounds else ["0" for _ in called]
    return lined(_lines(called, rounds, ends), range(0, step * -(-most // step) + 1, step), theme, top)


def _lines(called: Sequence[str], rounds: Sequence[Sequence[int]], said: Sequence[str]) -> list[ChartLine]:
    """A line for each seat, with what is said behind its name."""
    return [
        ChartLine(seat_letter(seat), name, said[seat], [one[seat] for one in rounds])
        for seat, name in enumerate(called)
    ]
