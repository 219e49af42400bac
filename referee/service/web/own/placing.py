"""Where on the page an answer stands: at the card of the hand, the district or the character that it is
about, in the question, and all of them once more as a list by what they do.

No card is known here: an answer about one card lies where that card is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.ids import SeatNo
from referee.rules import Move
from referee.text import Option, Words, each_order, options
from referee.text.rendering.cards import card

#: the headings of the list, and which orders stand under them; all others are abilities
_GROUPS = {"gather": ("gold", "cards", "keep"), "build": ("build",), "end": ("end", "pass")}
_ORDER = ("pick", "gather", "build", "ability", "end")
#: questions about which character to be
_DRAFT = ("pick", "discard", "draft")
#: of a question of more orders than these only those that are listed get a place
_MOST = 160
#: up to this many cards have room on the page beside a question
_MOST_SHOWN = 12
#: where nothing is asked
NOTHING_PLACED: dict[str, Any] = {
    "places": {"hand": {}, "city": {}, "cast": {}, "shown": {}},
    "shown": [],
    "picks": [],
    "quick": [],
    "groups": [],
}


def placed(
    words: Words,
    language: str,
    view: Mapping[str, Any],
    cast: Sequence[str],
    offers: Sequence[Mapping[str, Any]],
    path: tuple[Any, ...],
    final: Callable[[Move], bool],
) -> dict[str, Any]:
    """{places: {hand, city, cast, shown: what it lies on -> answers}, shown: the cards that this seat is
    shown with the question, quick: answers for the question itself, picks: characters to choose
    from, groups: [(heading, answers)]}.

    An answer is a row of `Words.offers` with `sure`: why it asks once more ("own": it hurts oneself,
    "unused": something would be left untaken, "final": it can't be taken back), else "".
    `final`: whether an order is one of the last (final_orders.py).
    """
    ask, me = view["ask"], view["you"]
    listed = options(ask, view, path)
    verbs, drafting = [_verb(one) for one in listed], ask["kind"] in _DRAFT and not path
    rows = [{**row, "sure": _sure(one, ask, me, final)} for row, one in zip(offers, listed, strict=True)]
    places: dict[str, dict[str, list[dict[str, Any]]]] = {"hand": {}, "city": {}, "cast": {}, "shown": {}}
    shown = shown_cards(view)
    lying, loose = set[str](), {family[0] for family in ask["families"]}
    for one in [] if path or drafting else each_order(ask, view)[:_MOST]:
        where = _where(one, view, cast, shown)
        if where is None:
            loose.add(_verb(one))
            continue
        row: dict[str, Any] = {
            "order": one.order_text,
            "label": words.label(one, language, view),
            "verb": _verb(one),
        }
        row |= {"price": one.figures.price, "sure": _sure(one, ask, me, final)}
        places[where[0]].setdefault(where[1], []).append(row)
        lying.add(one.order_text)
    quick = [
        row
        for row, verb in zip(rows, verbs, strict=True)
        if verb and row["order"] not in lying and (verb in loose or not row["leads"] or not lying)
    ]
    return {
        "places": places,
        "shown": [card(name, view["edition"]) for name in shown],
        "picks": [row for row in rows if not row["leads"]] if drafting else [],
        "quick": [row for row in quick if row["leads"]] if drafting else quick,
        "groups": _grouped(rows, verbs, drafting),
    }


def shown_cards(view: Mapping[str, Any]) -> Sequence[str]:
    """The cards that a question is about and nobody else sees: those drawn, another's hand; none where it is
    a whole deck.
    """
    shown: Sequence[str] = view.get("drawn") or view.get("seen", {}).get("hand", ())
    return shown if len(shown) <= _MOST_SHOWN else ()


def _where(
    one: Option, view: Mapping[str, Any], cast: Sequence[str], shown: Sequence[str]
) -> tuple[str, str] | None:
    """What an order about one thing lies on."""
    match one.move.args if one.move is not None else ():
        case (str() as name,) | ((str() as name,),) if name in shown:
            return "shown", name
        case (str() as name,) if name in cast:
            return "cast", name
        case (str() as name,) if name in view["hand"]:
            return "hand", name
        case (int() as seat, str() as name) if 0 <= seat < len(view["players"]):
            city = view["players"][seat]["city"]
            return ("city", f"{seat} {name}") if any(one["name"] == name for one in city) else None
    return None


def _verb(one: Option) -> str:
    if one.move is not None:
        return one.move.verb
    return "" if one.step is None else one.step.pattern.split(" ")[0]


def _group(verb: str) -> str:
    return next((name for name, those in _GROUPS.items() if verb in those), "ability")


def _sure(one: Option, ask: Mapping[str, Any], me: SeatNo, final: Callable[[Move], bool]) -> str:
    """Why an answer asks once more.

    Of what can't be taken back only abilities in one's turn: to gather, to take one's income and to end the
    turn is the ordinary way, and what is asked by itself has been asked once already.
    """
    args = () if one.move is None else one.move.args
    if len(args) == 2 and args[0] == me and isinstance(args[1], str):
        return "own"
    if one.order_text == "end" and any(verb == "income" for verb, _ in ask["moves"]):
        return "unused"
    if one.move is None or ask["kind"] != "turn" or one.move.verb == "income":
        return ""
    return "final" if _group(one.move.verb) == "ability" and final(one.move) else ""


def _grouped(
    rows: list[dict[str, Any]], verbs: list[str], drafting: bool
) -> list[tuple[str, list[dict[str, Any]]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row, verb in sorted(zip(rows, verbs, strict=True), key=lambda pair: pair[0]["sure"] == "own"):
        if verb:
            group = _group(verb)
            found.setdefault("pick" if drafting and group == "ability" else group, []).append(row)
    return [(name, found[name]) for name in _ORDER if name in found]
