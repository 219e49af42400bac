"""Reading the steps of a script: orders with "or", "try" and the value words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...plans.foreseeing import foreign, missing
from ...plans.model import VALUES, Order, Step, worded
from ...plans.notation import step_text
from ...plans.questions import elsewhere
from ...rules.catalog import every_card
from ...rules.facts import Move
from ...rules.powers import Heir
from ..folding import clean, fold, squash
from .naming import cards_of, nearest_cards
from .orders import read_order
from .plan_words import PlanMistake, spelled
from .terms import NotUnderstood, Reading

_WORD = re.compile(r"\S+")
#: more alternatives of one step are not looked at
_MOST = 6
#: orders after which the turn goes no further
_LAST = frozenset({"end", "bewitch"})
_GATHER = frozenset({"gold", "cards"})
#: a character of whom any reader knows
_ANYBODY = next(card.name for card in every_card() if isinstance(card, Heir))
#: districts any of which may stand for a value word while a line is read
_STANDS = ("Temple", "Tavern", "Watchtower", "Manor")


def read_step(chunk: str, reading: Reading) -> Step:
    """One step.  Raises PlanMistake."""
    said, words = spelled(reading), chunk.split()
    tried = next(
        (n for n in (2, 1) if len(words) > n and said.whole(fold(" ".join(words[:n])).split(), "try")), 0
    )
    return Step(_alternatives(" ".join(words[tried:]), reading), bool(tried))


def _alternatives(text: str, reading: Reading) -> tuple[Order, ...]:
    """The whole as one order; else cut at "or", each part an order or the rest of one with the verb before
    it.
    """
    whole = _order(text, reading)
    if isinstance(whole, Order):
        return (whole,)
    said = spelled(reading)
    cuts = [m.span() for m in _WORD.finditer(text) if said.whole(fold(m.group()).split(), "or")][:_MOST]
    if not cuts:
        raise _worded(whole, reading)
    found = _parts(text, cuts, "", reading)
    if isinstance(found, NotUnderstood):
        raise _worded(found, reading)
    return tuple(dict.fromkeys(found))


def _parts(
    text: str, cuts: Sequence[tuple[int, int]], verb: str, reading: Reading
) -> tuple[Order, ...] | NotUnderstood:
    """Orders with "or" between them; the first part as short as it can be read."""
    trouble: NotUnderstood | None = None
    for place in range(len(cuts) + 1):
        first = text[: cuts[place][0]] if place < len(cuts) else text
        found = _order(first, reading)
        if verb and (isinstance(found, NotUnderstood) or not found.args):
            inherited = _order(f"{verb} {first}", reading)
            if isinstance(found, NotUnderstood):
                found = inherited if isinstance(inherited, Order) or found.code == "unreadable" else found
            elif isinstance(inherited, Order) and _named(first, inherited, reading):
                found = inherited  # "build Library or Smithy": a card, though "smithy" is an order as well
        if isinstance(found, NotUnderstood):
            trouble = trouble or found
            continue
        if place == len(cuts):
            return (found,)
        start = cuts[place][1]
        rest = _parts(
            text[start:], [(a - start, b - start) for a, b in cuts[place + 1 :]], found.verb, reading
        )
        if not isinstance(rest, NotUnderstood):
            return (found, *rest)
        trouble = rest
    assert trouble is not None
    return trouble


def _named(text: str, order: Order, reading: Reading) -> bool:
    """Whether a text is nothing but the whole name of the one card that an order takes."""
    return (
        len(order.args) == 1
        and order.args[0] in reading.lexicon.table("districts")
        and fold(text) == fold(reading.lexicon.card(order.args[0]))
    )


def _order(text: str, reading: Reading) -> Order | NotUnderstood:
    """One order as it would be typed, without looking at what is legal now."""
    line = text.strip()
    bare = line.endswith("!")
    line = line.rstrip("!").rstrip() if bare else line
    plain = replace(reading, ask=None, numbers=False)
    found = read_order(line, plain)
    if isinstance(found, Move):
        return Order(found.verb, found.args, bare and found.verb == "end")
    if found.code == "courtesy":  # in a script it is in the way
        found = replace(found, code="unreadable")
    return _with_value(line, plain) or found


def _with_value(line: str, reading: Reading) -> Order | None:
    """The order with one of its words taken for a value word; None where that reads no better, or two
    ways.
    """
    said = spelled(reading)
    known = cards_of(reading.cards, "districts") or _STANDS
    stand = next((name for name in (*_STANDS, *known) if name in known and fold(name) not in fold(line)), "")
    spots = list(_WORD.finditer(line))
    found: dict[Order, None] = {}
    for first in range(len(spots)):
        for last in range(first, min(first + 3, len(spots))):
            words = fold(line[spots[first].start() : spots[last].end()]).split()
            word = next((w for w in VALUES if said.whole(words, w)), "")
            if word and stand:
                move = read_order(
                    f"{line[: spots[first].start()]}{stand}{line[spots[last].end() :]}", reading
                )
                if isinstance(move, Move):
                    found[Order(move.verb, tuple(_stood(arg, stand, word) for arg in move.args))] = None
                elif not isinstance(
                    read_order(
                        f"{line[: spots[first].start()]}{_character(reading)}{line[spots[last].end() :]}",
                        reading,
                    ),
                    NotUnderstood,
                ):
                    raise PlanMistake("plan-value-word", word=word)
    return next(iter(found)) if len(found) == 1 else None


def _character(reading: Reading) -> str:
    return next(iter(cards_of(reading.cards, "characters")), _ANYBODY)


def _stood(arg: Any, stand: str, word: str) -> Any:
    if arg in (stand, (stand,)):
        return worded(word)
    if isinstance(arg, tuple) and stand in arg:
        raise PlanMistake("plan-value-word", word=word)
    return arg


def _worded(trouble: NotUnderstood, reading: Reading) -> PlanMistake:
    """The trouble of an order as a mistake, with the names that may have been meant."""
    mistake = PlanMistake(trouble.code)
    word = str(trouble.facts.get("word", ""))
    near = (
        nearest_cards(squash(word), reading)
        if trouble.code == "unknown-name" and word and not trouble.suggestions
        else trouble.suggestions
    )
    mistake.trouble = replace(trouble, suggestions=tuple(near))
    return mistake


def check_script(characters: Sequence[str], steps: Sequence[Step], reading: Reading) -> None:
    """What could never be done as any of these characters (() for all in the game).  Raises PlanMistake."""
    names, edition = tuple(reading.names), str((reading.view or {}).get("edition", ""))
    who = tuple(characters) or tuple(cards_of(reading.cards, "characters"))
    gathered = ended = False
    for place, step in enumerate(steps):
        said = clean(step_text(step, names), 120)
        if ended:
            raise PlanMistake("plan-after-end", step=said)
        verbs = {order.verb for order in step.orders}
        for order in step.orders:
            if elsewhere(order.verb, order.args):
                raise PlanMistake("plan-not-in-turn", step=said)
            needs = foreign(order, who, edition) if who else ()
            if needs:
                raise PlanMistake("plan-not-yours", step=said, needs=needs, characters=who)
        if not step.attempt and verbs & _GATHER and gathered:
            raise PlanMistake("plan-twice", step=said)
        if not step.attempt and verbs <= {"build"} and not gathered:
            raise PlanMistake("plan-early", step=said)
        gathered = gathered or bool(verbs & _GATHER)
        if "end" in verbs and not step.attempt:
            for character in characters:
                left = missing(steps[:place], character, edition)
                if left:
                    raise PlanMistake(
                        "plan-must",
                        character=character,
                        missing=("gold", "cards") if left[0] == "gold" else left,
                    )
            if not characters and not any(
                not one.attempt and {order.verb for order in one.orders} & _GATHER for one in steps[:place]
            ):
                raise PlanMistake(
                    "plan-must", character=who[0] if who else _ANYBODY, missing=("gold", "cards")
                )
        ended = bool(verbs & _LAST) and not step.attempt
