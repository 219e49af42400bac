"""What the referee offers can be typed back: canonically, and sloppily.

Every legal order of some hundred positions of real games is printed and read again; typed
carelessly it is still itself, or reported as ambiguous, and never anything else.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator

import pytest

from referee.rules import Setup, rulebook
from referee.rules.facts import Family, Move
from referee.rules.notation import order_text
from referee.text import Cards, NotUnderstood, Reading, read_order, squash
from referee.text.reading.open_question import OpenQuestion, offers
from tests.text.samples import game

AWKWARD = ("Zoë", "Jean-Luc O'Brien", "the King", "Market", "Ana Maria", "Ana", "小林")
TABLES = [(players, seed) for players in (2, 3, 4, 5, 7) for seed in (1, 2)]


def positions(players: int, seed: int) -> Iterator[Reading]:
    names = AWKWARD[:players]
    book = rulebook(Setup("classic", names, {}))
    for number, moment in enumerate(game(players, seed, names, bot="random")):
        if number % 3 == 0 and "ask" in moment.view:
            yield Reading(names=names, ask=moment.view["ask"], view=moment.view, cards=book)


def offered(reading: Reading, rng: random.Random) -> Iterator[Move]:
    now = OpenQuestion(reading.ask)
    for option in now.options:
        if isinstance(option, Family):
            for _ in range(3):
                size = rng.randint(option.least, option.most)
                yield option.move(tuple(rng.sample(option.cards, size)))
        else:
            yield option


def sloppy(text: str, rng: random.Random) -> str:
    """The same order typed by somebody in a hurry."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    changes = [
        str.upper,
        str.lower,
        str.swapcase,
        lambda t: t.replace("'", ""),
        lambda t: t.replace("-", " "),
        lambda t: t.replace(", ", ","),
        lambda t: t.replace(", ", " and "),
        lambda t: f"  {t}  ",
        lambda t: t + ".",
        lambda t: t.replace(" ", "  "),
        # nobody says it of a number
        lambda t: t if t.partition(" ")[2].strip()[:1].isdigit() else t.replace(" ", " the ", 1),
    ]
    for change in rng.sample(changes, rng.randint(1, 4)):
        plain = change(plain)
    return plain


def shortened(text: str, rng: random.Random) -> str:
    """Words after the verb cut down to a beginning."""
    verb, *rest = text.split(" ")
    return " ".join(
        [verb, *(w if w.endswith(",") or len(w) < 3 else w[: rng.randint(2, len(w))] for w in rest)]
    )


def is_legal(move: Move, reading: Reading) -> bool:
    now = OpenQuestion(reading.ask)
    return move in now.moves or any(offers(family, move) for family in now.families)


def spelled(arg: object, reading: Reading) -> str:
    """An argument's name in full, squashed."""
    if isinstance(arg, int):
        return squash(reading.names[arg])
    return squash(arg if isinstance(arg, str) else str(next(iter(arg), "")))  # type: ignore[call-overload]  # a tuple of names


@pytest.mark.parametrize(("players", "seed"), TABLES)
def test_offered_orders_read_back(players: int, seed: int) -> None:
    rng = random.Random(seed)
    seen = read = 0
    for reading in positions(players, seed):
        seen += 1
        for move in offered(reading, rng):
            text = order_text(move, reading.names)
            assert read_order(text, reading) == move, text
            typed = sloppy(text, rng)
            found = read_order(typed, reading)
            assert found == move or (isinstance(found, NotUnderstood) and found.code == "ambiguous"), (
                typed,
                text,
                found,
            )
            if any(isinstance(arg, tuple) for arg in move.args):
                continue  # a list cut down may have lost a card
            for typed in (shortened(text, rng), shortened(sloppy(text, rng), rng)):
                found = read_order(typed, reading)
                read += found == move
                if isinstance(found, Move) and found != move and is_legal(found, reading):
                    # cut down, a word may name something else in full ("Ana" of "Ana Maria"): only then
                    other = [a for a, b in zip(found.args, move.args, strict=False) if a != b] or list(
                        found.args
                    )
                    assert any(spelled(arg, reading) in squash(typed) for arg in other), (typed, text, found)
    assert seen >= 30
    assert read >= 100


def test_sloppy_typing_of_plain_names_is_always_understood() -> None:
    """With ordinary names, case, accents, hyphens and fillers never cost anything."""
    rng = random.Random(5)
    tried = 0
    for moment in game(4, 9, bot="random"):
        if "ask" not in moment.view:
            continue
        reading = Reading(names=moment.names, ask=moment.view["ask"], cards=Cards())
        for move in offered(reading, rng):
            typed = sloppy(order_text(move, moment.names), rng)
            assert read_order(typed, reading) == move, typed
            tried += 1
    assert tried >= 300
