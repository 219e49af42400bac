"""What one seat sees: its own cards, what is asked of it and what it may answer, and below it the table.

Only for that seat's eyes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...folding import clean
from ..cards import card
from ..words import Words
from .kit import EDGE, SMALL, WIDTH, LabelRows, Picture, PictureWords, character, district, drawn, names
from .metrics import width, wrapped
from .table import cast_block, head, header_notes, panel

_INNER = WIDTH - 2 * EDGE
#: at most this many answers are drawn; the text has all
_MOST = 24


def seat_picture(
    words: Words,
    language: str,
    theme: str,
    view: Mapping[str, Any],
    tag: str,
    options: Sequence[Mapping[str, Any]] = (),
    *,
    cast: Sequence[str] = (),
) -> Picture:
    """The view of a seat (`rules.view(state, seat)`), and its numbered answers as `Words.offers` gives them.

    `cast`: the game's characters by rank, shown while they are picked. Raises ValueError for a view that is
    nobody's.
    """
    me = view.get("you")
    if me is None:
        raise ValueError("whose cards?")
    voice = PictureWords(words, language)
    called = names(view["players"], voice)
    blocks, y, spread = _blocks(view, cast, voice)
    ask = view.get("ask")
    question = ""
    answers: list[dict[str, Any]] = []
    if ask is not None and options:
        question, y = voice.say("asks", kind=ask["kind"]), y + 4
        answers, y = _answers(options, view, y)
    notes, y = header_notes(view, voice, y + 4, apart=spread)
    asked = {one["seat"]: one["kind"] for one in view["waiting"]}
    panels = []
    for player in view["players"]:
        made = panel(
            player,
            view,
            called[player["seat"]] if player["seat"] != me else voice.say("me", name=called[me]),
            asked.get(player["seat"], ""),
            voice,
            y,
        )
        panels.append(made)
        y = made["y"] + made["h"] + 5
    return drawn(
        "seat",
        theme,
        words.own,
        y + 3,
        _alt(view, voice, tag),
        title=voice.say("yours", tag=tag),
        **head(view, voice),
        blocks=blocks,
        question=question,
        answers=answers,
        notes=notes,
        panels=panels,
    )


def _blocks(
    view: Mapping[str, Any], cast: Sequence[str], voice: PictureWords
) -> tuple[list[dict[str, Any]], float, bool]:
    """The seat's own cards and those it may pick from, in groups; where they end; whether the cast is."""
    blocks: list[dict[str, Any]] = []
    y = 56.0
    if view["characters"]:
        y = _block(blocks, y, voice.say("you_are"), _characters(view["characters"], view, voice, y))
    offered = _offered(view)
    whole, y = cast_block(view, cast, voice, y, offered)
    blocks += whole
    if offered and not whole:
        y = _block(blocks, y, voice.say("to_pick"), _characters(offered, view, voice, y))
    hand = _districts(view["hand"], view, voice, y)
    y = _block(blocks, y, voice.say("hand", count=len(view["hand"])), hand)
    if view.get("drawn"):
        y = _block(blocks, y, voice.say("drawn"), _districts(view["drawn"], view, voice, y))
    return blocks, y, bool(whole)


def _offered(view: Mapping[str, Any]) -> list[str]:
    """The characters that the seat is asked to pick from."""
    ask = view.get("ask")
    if ask is None or ask["kind"] not in ("pick", "discard", "draft"):
        return []
    named = (str(args[0]) for _, args in ask["moves"] if args)
    return list(dict.fromkeys(name for name in named if card(name, view["edition"]).get("rank")))


def _block(blocks: list[dict[str, Any]], y: float, title: str, flow: LabelRows) -> float:
    """A titled group of labels that `flow` has set; where the next may begin."""
    blocks.append(
        {"y": round(y, 1), "h": round(flow.bottom + 8 - y, 1), "title": title, "labels": flow.labels}
    )
    return flow.bottom + 14


def _characters(named: Sequence[str], view: Mapping[str, Any], voice: PictureWords, top: float) -> LabelRows:
    flow = LabelRows(EDGE + 8, _INNER - 16, top + 24)
    for name in named:
        character(flow, name, "played", voice, view["edition"], bold=True)
    return flow


def _districts(named: Sequence[str], view: Mapping[str, Any], voice: PictureWords, top: float) -> LabelRows:
    flow = LabelRows(EDGE + 8, _INNER - 16, top + 24)
    for name in named:
        district(flow, card(name, view["edition"]), voice)
    if not named:
        flow.add(voice.say("no_cards"), "none")
    return flow


def _answers(
    options: Sequence[Mapping[str, Any]], view: Mapping[str, Any], top: float
) -> tuple[list[dict[str, Any]], float]:
    """The answers in one or two columns."""
    y, rows = top + 24.0, []
    shown = options[:_MOST]
    half = (_INNER - 6) / 2
    two = len(shown) > 3 and all(width(clean(str(one["label"])), SMALL + 1) <= half - 58 for one in shown)
    for number, one in enumerate(shown):
        room = half if two else float(_INNER)
        lines = wrapped(clean(str(one["label"])), room - 34, SMALL + 1, 2)
        x = EDGE + (half + 6) * (number % 2 if two else 0)
        rows.append(
            {
                "x": round(x, 1),
                "y": round(y, 1),
                "w": round(room, 1),
                "h": 10 + 14 * len(lines),
                "n": one["n"],
                "lines": lines,
                "rank": _rank(str(one["order"]), view),
            }
        )
        if not two or number % 2 or number == len(shown) - 1:
            y += 14 + 14 * len(lines)
    return rows, y + 2


def _rank(order: str, view: Mapping[str, Any]) -> str:
    """The rank of the character that an order picks, "" for any other order: the number to type is another
    one.
    """
    verb, _, name = order.partition(" ")
    return str(card(name, view["edition"]).get("rank", "")) if verb in ("pick", "discard") else ""


def _alt(view: Mapping[str, Any], voice: PictureWords, tag: str) -> list[str]:
    said = [voice.say("alt_seat", tag=tag, round=view["round"])]
    if view["characters"]:
        said.append(f"{voice.say('you_are')}: {', '.join(voice.card(name) for name in view['characters'])}")
    hand = ", ".join(voice.card(name) for name in view["hand"]) or voice.say("no_cards")
    said.append(f"{voice.say('hand', count=len(view['hand']))}: {hand}")
    return said
