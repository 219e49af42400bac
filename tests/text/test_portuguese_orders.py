"""Every order there is, in Brazilian Portuguese: word by word from the lexicon, in everybody's hand, as the
scenarios and random games have them.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from referee.rules import Setup, rulebook
from referee.rules import view as view_of
from referee.rules.editions import EDITIONS
from referee.rules.facts import Family, Move
from referee.rules.notation import order_text
from referee.text import NotUnderstood, Reading, read_order
from referee.text.lexicon import lexicon
from referee.text.rendering.typed import typed
from tests.rules.test_rulings import QUICK
from tests.text.editions import random_game
from tests.text.samples import game
from tests.text.test_reading_roundtrip import offered, sloppy

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Fay", "Gil", "Hal")
LEX = lexicon("pt_BR")
#: our own scenarios, and those of everybody who writes such a referee, where their folder lies beside the
#: project (as .ci/run has it)
OURS = Path(__file__).parents[1] / "rules" / "scenarios"
SHARED = Path(__file__).parents[3] / "shared" / "scenarios"
SCENARIOS = [folder for folder in (OURS, SHARED) if folder.is_dir()]


def scenario_orders(folder: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every order of a folder's scenarios, also those refused and those that shall be open or not, with the
    players' names.
    """
    for path in sorted(folder.rglob("*.yaml")):
        for scenario in yaml.load(path.read_text(encoding="utf-8"), QUICK):
            names = tuple(scenario["players"])
            for step in [*scenario.get("play", ()), {"expect": scenario.get("expect", {})}]:
                for who, said in step.items():
                    texts = said.values() if isinstance(said, dict) else [said]
                    if who == "expect":
                        texts = [
                            text
                            for kind in ("legal", "illegal")
                            for several in said.get(kind, {}).values()
                            for text in several
                        ]
                    yield from ((names, text) for text in texts if isinstance(text, str))


def hands(own: str) -> Iterator[str]:
    """The same words as different people type them: with their accents in either form, without any, and in
    capitals.
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFD", own) if not unicodedata.combining(sign))
    yield from (own, unicodedata.normalize("NFD", own), bare, own.upper(), bare.upper())


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: folder.parent.name)
def test_every_order_of_the_scenarios_word_by_word(folder: Path) -> None:
    seen: set[tuple[tuple[str, ...], str]] = set()
    for names, text in scenario_orders(folder):
        order = read_order(text, Reading(names=names))
        if (names, text) in seen or isinstance(
            order, NotUnderstood
        ):  # a scenario may refuse what is no order
            continue
        seen.add((names, text))
        own = typed(LEX, text, names)
        assert own != text or text in ("favor",), text
        for said in hands(own):
            assert read_order(said, Reading("pt_BR", names=names)) == order, (text, said)
        assert read_order(text, Reading("pt_BR", names=names)) == order, text
    assert len(seen) > 150


def careless(text: str, rng: random.Random) -> str:
    """With little words between, as people have them in Portuguese."""
    verb, _, rest = text.partition(" ")
    return sloppy(
        f"{verb} {rng.choice(('o', 'a', 'as', 'minha', 'do'))} {rest}"
        if rest and not rest[0].isdigit() and rng.random() < 0.5
        else text,
        rng,
    )


def typed_in_portuguese(reading: Reading, rng: random.Random) -> int:
    """Every order that is open, word by word, in everybody's hand and carelessly; how many there were."""
    tried = 0
    for move in offered(reading, rng):
        own = typed(LEX, order_text(move, reading.names), reading.names)
        for said in hands(own):
            assert read_order(said, reading) == move, said
        loose = careless(own, rng)
        found = read_order(loose, reading)
        assert found == move or (isinstance(found, NotUnderstood) and found.code == "ambiguous"), (
            loose,
            move,
            found,
        )
        tried += 1
    return tried


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (4, 2), (7, 3)])
def test_what_is_offered_can_be_typed_in_portuguese(players: int, seed: int) -> None:
    rng, names = random.Random(seed), NAMES[:players]
    book = rulebook(Setup("classic", names, {}))
    tried = 0
    for number, moment in enumerate(game(players, seed, names, bot="random")):
        if number % 3 == 0 and "ask" in moment.view:
            tried += typed_in_portuguese(
                Reading("pt_BR", names=names, ask=moment.view["ask"], view=moment.view, cards=book), rng
            )
    assert tried > 100


@pytest.mark.parametrize("edition", ["deluxe", "original"])
def test_every_card_of_an_edition_can_be_typed_in_portuguese(edition: str) -> None:
    """Random casts and unique districts, until every character and district of the edition has been named in
    an order.
    """
    rng, book = random.Random(8), EDITIONS[edition]
    missing: set[object] = {each.name for each in book.characters} | {each.name for each, _ in book.districts}
    named: set[object] = set()
    for number in range(40):
        for moment in random_game(edition, 2 + number % (book.most - 1), number):
            if moment.ask is None:
                continue
            new = [one for one in (*moment.ask.moves, *moment.ask.families) if not parts(one) <= named]
            if new or rng.random() < 0.01:
                named.update(*map(parts, new))
                view = view_of(moment.state, moment.ask.seat)
                typed_in_portuguese(
                    Reading(
                        "pt_BR",
                        names=moment.names,
                        ask=view["ask"],
                        view=view,
                        cards=rulebook(moment.state.setup),
                    ),
                    rng,
                )
        if missing <= named:
            break
    assert missing - named == set()


def parts(one: Move | Family) -> set[object]:
    """A verb with each card it is said with, and each of those."""
    args = one.args if isinstance(one, Move) else one.before
    words = {
        word for arg in args for word in (arg if isinstance(arg, tuple) else (arg,)) if isinstance(word, str)
    }
    return words | {one.verb, *((one.verb, word) for word in words)}
