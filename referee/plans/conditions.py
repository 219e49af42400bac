"""Whether a condition holds, as far as a seat can see; and whether it ever can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import eq, ge, gt, le, lt
from typing import Any

from .cards import characters, cost, districts
from .model import ME, NUMBERS, Condition, Fact

View = Mapping[str, Any]

_COMPARE: Mapping[str, Callable[[int, int], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt, "=": eq}
#: more than this nobody has of anything
_MOST = 200


def holds(condition: Condition, view: View, memory: Mapping[str, Any], character: str = "") -> bool:
    """Whether all of it holds; `character`: whose turn the planner has; a question without a card has no
    cost.
    """
    return all(_one(test, view, memory, character) for test in condition)


def _one(test: Fact, view: View, memory: Mapping[str, Any], character: str) -> bool:
    if test.kind in NUMBERS:
        number = _number(test.kind, view)
        return number is not None and _COMPARE[test.operator](number, test.value)
    return _fact(test, view, memory, character) == (test.operator == "is")


def _number(kind: str, view: View) -> int | None:
    me = view["players"][view["you"]]
    if kind == "cost":
        if "threat" in view:
            return int(view["threat"]["bribe"])
        card = in_question(view)
        return cost(view["edition"], card) if card else None
    return int(
        {"gold": me["gold"], "hand": len(view["hand"]), "city": len(me["city"]), "round": view["round"]}[kind]
    )


def _fact(test: Fact, view: View, memory: Mapping[str, Any], character: str) -> bool:
    if test.kind == "crown":
        return bool(view["crown"] == (view["you"] if test.value == ME else test.value))
    if test.kind == "holds":
        return bool(test.value in view["hand"])
    if test.kind == "faceup":
        return bool(test.value in view["faceup"])
    if test.kind == "card":
        return bool(in_question(view) in test.value)
    return befell(test.value, view, memory, character)


def marked(view: View) -> dict[str, list[str]]:
    """Which characters are marked, as everybody sees it: by the event that it means for their players.

    A warrant whose face is seen is spent, or one's own.
    """
    warrants = (view.get("warrants") or {}).items()
    return {
        "robbed": [view["robbed"]] if view.get("robbed") else [],
        "bewitched": [view["bewitched"]] if view.get("bewitched") else [],
        "threatened": sorted(view.get("threats") or ()),
        "warranted": sorted(name for name, face in warrants if face == "facedown"),
    }


def befell(event: str, view: View, memory: Mapping[str, Any], character: str) -> bool:
    """Whether that has happened to the planner, in the turn as that character."""
    if event == "changed":
        begun = str(memory["turn"]).startswith(f"{view['round']} ")
        return not begun and sorted(view["hand"]) != memory["dealt"]
    return character in marked(view)[event]


def in_question(view: View) -> str:
    """The district that the open question is about, "" for none."""
    if "claimed" in view:
        return str(view["claimed"]["district"])
    return str(view.get("destroyed", ""))


def never(
    condition: Condition, edition: str = "", now: int = 1, scope: int | None = None, me: int | None = None
) -> Condition:
    """The part of a condition that can never hold at once, () if all of it can.

    `edition` "" allows what any edition does; `now` is the present round, `scope` the only one in which it is
    asked.
    """
    for kind in NUMBERS:
        numeric = tuple(t for t in condition if t.kind == kind)
        if numeric and not any(
            all(_COMPARE[t.operator](n, t.value) for t in numeric) for n in _range(kind, edition, now, scope)
        ):
            return numeric
    for one in condition:
        if _alone(one, edition):
            return (one,)
    for place, one in enumerate(condition):
        for other in condition[place + 1 :]:
            if _against(one, other, me):
                return (one, other)
    cards = _cards(condition, edition)
    return cards


def _range(kind: str, edition: str, now: int, scope: int | None) -> Iterator[int]:
    if kind == "cost":
        yield from sorted({d.cost for d in districts(edition).values()})
    elif kind == "round":
        yield from (range(now, _MOST) if scope is None else (scope,))
    else:
        yield from range(_MOST)


def _alone(test: Fact, edition: str) -> bool:
    """A character that never lies faceup."""
    found = characters(edition).get(str(test.value)) if test.kind == "faceup" else None
    return found is not None and test.operator == "is" and not found.may_lie_faceup


def _against(one: Fact, other: Fact, me: int | None) -> bool:
    if one.kind != other.kind or one.kind in NUMBERS:
        return False
    same, signs = one.value == other.value, {one.operator, other.operator}
    if one.kind == "crown" and me is not None:
        same = {ME: me}.get(one.value, one.value) == {ME: me}.get(other.value, other.value)
    if one.kind == "card" and signs == {"is"}:
        return not set(one.value) & set(other.value)
    if one.kind == "crown" and signs == {"is"}:
        return not same and (me is not None or ME not in (one.value, other.value))
    return same and len(signs) == 2


def _cards(condition: Condition, edition: str) -> Condition:
    """A card that does not cost what it should."""
    named = next((t for t in condition if t.kind == "card" and t.operator == "is"), None)
    numeric = tuple(t for t in condition if t.kind == "cost")
    if (
        named
        and numeric
        and not any(
            all(_COMPARE[t.operator](cost(edition, c), t.value) for t in numeric) for c in named.value
        )
    ):
        return (named, *numeric)
    return ()
