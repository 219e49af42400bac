"""All cards of all editions: no two of one name, and what they declare names things that are there."""

from __future__ import annotations

import pkgutil
from collections import defaultdict
from importlib import import_module

import pytest

from referee.rules.cards import characters, districts
from referee.rules.catalog import EVENTS, declared, every_card
from referee.rules.declared import Free, Question, Told, Use
from referee.rules.editions import registered
from referee.rules.editions.classic import Classic
from referee.rules.notation import shapes
from referee.rules.seams import Card, Character, District
from tests.rules.invented.mint import Mint


class Tower(District):
    """Another card by the name of one that there is."""

    name, cost = "Mint", 3


class Doubled(Classic):
    name = "doubled"
    districts = (*Classic.districts, (Mint(), 1), (Tower(), 1))


class Twice(Classic):
    name = "twice"
    districts = (*Classic.districts, (Mint(), 1), (Mint(), 2))


class Plundered(Classic):
    """A character by the name of a district."""

    name = "plundered"
    characters = (*Classic.characters, type("Mint", (Character,), {"name": "Mint", "rank": 8})())


def test_two_cards_of_one_name_are_refused_with_both_files() -> None:
    with pytest.raises(ValueError, match="'Mint'") as raised:
        registered([Classic(), Doubled()])
    assert "tests/rules/invented/mint.py" in str(raised.value)
    assert "tests/rules/test_catalog.py" in str(raised.value)


def test_they_are_refused_in_two_editions_and_as_character_and_district_too() -> None:
    class One(Classic):
        name = "one"
        districts = (*Classic.districts, (Mint(), 1))

    with pytest.raises(ValueError, match="'Mint'"):
        registered([One(), Plundered()])


def test_one_card_listed_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="'Mint'"):
        registered([Twice()])


def test_no_two_files_have_a_card_of_one_name() -> None:
    files = defaultdict(set)
    for room in (characters, districts):
        for found in pkgutil.iter_modules(room.__path__):
            module = import_module(f"{room.__name__}.{found.name}")
            for kind in vars(module).values():
                if isinstance(kind, type) and issubclass(kind, Card) and kind.__module__ == module.__name__:
                    files[kind.name].add(module.__name__)
    files.pop("")  # the ordinary districts, which are rows of a table
    assert len(files) > 60
    assert {name: places for name, places in files.items() if len(places) > 1} == {}
    assert set(files) <= {card.name for card in every_card()}


def test_what_is_declared_names_orders_and_events_that_there_are() -> None:
    orders = {one.verb for _, one in declared(Use)} | {one.verb for _, one in declared(Free)}
    orders |= {verb for _, one in declared(Question) for verb in (*one.yes, one.no) if verb}
    assert len(orders) > 20
    assert orders <= set(shapes())
    told = [one.event for _, one in declared(Told)]
    assert len(told) > 40
    assert len(told) == len(set(told))
    assert set(told) < set(EVENTS)
