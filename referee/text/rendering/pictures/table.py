"""The table as everybody sees it: made from the public view and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..words import Words
from .kit import (
    EDGE,
    WIDTH,
    LabelRows,
    Picture,
    PictureWords,
    character,
    district,
    drawn,
    names,
    seat_letter,
)
from .metrics import cut, width

_INNER = WIDTH - 2 * EDGE
_STATS = 127  # what gold, cards and points take at the right of a name, two digits each
_NAME = 13.5


def table_picture(
    words: Words,
    language: str,
    theme: str,
    view: Mapping[str, Any],
    tag: str,
    *,
    running: bool = True,
    cast: Sequence[str] = (),
) -> Picture:
    """The public view (`rules.view(state, None)`) of game `tag`.

    `cast`: its characters by rank, shown while they are picked. Raises ValueError for a view that is a
    seat's.
    """
    if view.get("you") is not None or view.get("hand") or view.get("ask"):
        raise ValueError("a picture for everybody is made from what everybody sees")
    voice = PictureWords(words, language)
    called = names(view["players"], voice)
    blocks, y = cast_block(view, cast, voice, 56.0)
    notes, y = header_notes(view, voice, y, apart=bool(blocks))
    asked = {one["seat"]: one["kind"] for one in view["waiting"]} if running else {}
    panels = []
    for player in view["players"]:
        made = panel(player, view, called[player["seat"]], asked.get(player["seat"], ""), voice, y)
        panels.append(made)
        y = made["y"] + made["h"] + 5
    return drawn(
        "table",
        theme,
        words.own,
        y + 3,
        alt(view, voice, called, tag, running),
        title=voice.say("game", tag=tag),
        **head(view, voice),
        blocks=blocks,
        notes=notes,
        panels=panels,
    )


def head(view: Mapping[str, Any], voice: PictureWords) -> dict[str, str]:
    """What stands at the head beside the title: round, phase, cards left in the deck."""
    left = voice.say("deck", count=view["deck"])
    return {
        "round": voice.say("round", round=view["round"]),
        "phase": cut(phase(view, voice), _INNER - width(left, 12) - 12, 12),
        "deck": left,
    }


def cast_block(
    view: Mapping[str, Any], cast: Sequence[str], voice: PictureWords, top: float, offered: Sequence[str] = ()
) -> tuple[list[dict[str, Any]], float]:
    """While characters are picked: all of the game's, those that lie open crossed out, those that this seat
    may pick (`offered`) set off; and where the next thing may begin.
    """
    if view["phase"] != "draft" or not cast:
        return [], top
    flow = LabelRows(EDGE + 8, _INNER - 16, top + 24)
    for name in cast:
        kind = "gone" if name in view["faceup"] else "offered" if name in offered else "played"
        character(flow, name, kind, voice, view["edition"], bold=kind == "offered")
    return [
        {
            "y": round(top, 1),
            "h": round(flow.bottom + 8 - top, 1),
            "title": voice.say("cast", gone=len(view["faceup"])),
            "labels": flow.labels,
        }
    ], flow.bottom + 14


def phase(view: Mapping[str, Any], voice: PictureWords) -> str:
    """What the round has come to."""
    if view.get("result"):
        return voice.say("over")
    if view["phase"] == "draft":
        return voice.say("draft")
    return (
        voice.say("called", rank=view["called"])
        if view["called"]
        else voice.say("all_called")
        if view["phase"] == "turns"
        else ""
    )


def header_notes(
    view: Mapping[str, Any], voice: PictureWords, top: float, *, apart: bool = False
) -> tuple[list[dict[str, Any]], float]:
    """What lies open beside the cities, as labels; and where the next thing may begin.

    `apart`: the characters are shown by themselves.
    """
    flow = LabelRows(EDGE, _INNER, top)
    for name in () if apart else view["faceup"]:
        flow.add(voice.say("faceup", card=name), "out", before=4)
    for code in ("killed", "robbed", "bewitched"):
        if view.get(code):
            flow.add(voice.say(code, card=view[code]), "mark", bold=True)
    for code in ("warrants", "threats"):
        for name in view.get(code) or ():
            face = view[code][name]
            flow.add(voice.say(code, card=name, face="" if face == "facedown" else face), "mark")
    for code in ("tax", "museum"):
        if view.get(code):
            flow.add(voice.say(code, count=view[code]), "mark")
    return flow.labels, flow.bottom + 8 if flow.labels else top


def panel(
    player: Mapping[str, Any], view: Mapping[str, Any], name: str, asked: str, voice: PictureWords, top: float
) -> dict[str, Any]:
    """One player: who, what everybody may know of them, and their city."""
    left, room = EDGE + 7, _INNER - 14
    stop = EDGE + _INNER - _STATS
    crowned = player["seat"] == view["crown"]
    name = cut(name, stop - left - 30 - (30 if crowned else 0), _NAME, True)
    wide = width(name, _NAME, True)
    flow = LabelRows(left, room, top + 6, begin=30 + wide + (34 if crowned else 6), stop=stop)
    if asked:
        flow.add(voice.say("waits", kind=asked), "active", bold=True)
    for shown in player["revealed"]:
        character(flow, shown, "played", voice, view["edition"])
    if player["complete"]:
        flow.add(voice.say("complete"), "complete", bold=True)
    labels = flow.labels
    city = LabelRows(left, room, max(flow.bottom, top + 26) + 5)
    if player["city"]:
        for one in player["city"]:
            district(city, one, voice)
    else:
        city.add(voice.say("empty"), "none")
    return {
        "y": round(top, 1),
        "h": round(city.bottom + 7 - top, 1),
        "letter": seat_letter(player["seat"]),
        "name": name,
        "nw": round(wide, 1),
        "crown": round(left + 27 + wide, 1) if crowned else 0,
        "asked": bool(asked),
        "gold": player["gold"],
        "cards": player["hand_size"],
        "points": player["points"],
        "labels": labels,
        "city": city.labels,
    }


def alt(
    view: Mapping[str, Any], voice: PictureWords, called: list[str], tag: str, running: bool
) -> list[str]:
    """The picture in a few words; the whole of it is in the text that it goes with."""
    said = [voice.say("alt_table", tag=tag, round=view["round"]), phase(view, voice)]
    said += [
        voice.say(
            "alt_player",
            name=called[player["seat"]],
            gold=player["gold"],
            cards=player["hand_size"],
            built=len(player["city"]),
            points=player["points"],
        )
        for player in view["players"]
    ]
    if running:
        said += [f"{called[one['seat']]} {voice.say('waits', kind=one['kind'])}" for one in view["waiting"]]
    return said
