"""What stands on a button can be typed: it is read back as the option that it stands for, in every language.

Over random games of every edition with any cast, for every option of every question, and for every entry
behind those that open into more.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from babel import localedata
from jinja2 import Environment

from referee import kept, rules
from referee.rules.facts import Move
from referee.text import MenuStep, NotUnderstood, Option, Reading, Words, options, read_order
from referee.text.folders import languages
from referee.text.meter import metered
from referee.text.reading.limits import READING_MS
from referee.text.rendering import phrases, times
from referee.text.rendering import words as rendered
from tests.seeds import share
from tests.text.editions import Moment, random_game
from tests.text.typed_orders import NAMES, TURN

WORDS = Words(strict=True)
LANGUAGES = [one for one in languages() if one in ("en", "pt-br")]
TABLES = [("classic", 4), ("deluxe", 7), ("original", 6), ("deluxe", 2), ("deluxe", 8), ("original", 2)]
#: one of so many decisions of a game is tried
_EVERY = 5


def asked(edition: str, players: int, number: int) -> Iterator[tuple[Moment, dict[str, Any]]]:
    for n, moment in enumerate(random_game(edition, players, number)):
        if moment.ask is not None and n % _EVERY == number % _EVERY:
            yield moment, rules.view(moment.state, moment.ask.seat)


def reading(
    moment: Moment, view: dict[str, Any], language: str, path: tuple[Any, ...] = ()
) -> tuple[Reading, list[Option]]:
    """How the seat asked is read that has this place before it, and what is offered there."""
    ask = view["ask"]
    shown = WORDS.shown(ask, view, language, path)
    known = rules.rulebook(moment.state)
    read = Reading(language, moment.names, ask, cards=known, shown=lambda: shown)
    return read, [one for one in options(ask, view, path) if one.move is not None or one.step is not None]


def check(said: str, option: Option, read: Reading) -> None:
    """It is that option, or is asked back where another one is called the same: never another."""
    found = read_order(said, read)
    if option.move is not None:
        assert found == option.move, (said, found)
    else:
        assert isinstance(found, NotUnderstood)
        assert found.step == option.step, (said, found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", share(range(24)))
def test_every_label_is_read_as_its_option(number: int, language: str) -> None:
    tried = 0
    for moment, view in asked(*TABLES[number % len(TABLES)], number):
        read, offered = reading(moment, view, language)
        for option in offered:
            label = WORDS.label(option, language, view)
            check(label, option, read)
            check(label.upper(), option, read)
            tried += 1
        for step in [one.step for one in offered if one.step is not None][:2]:
            inner, behind = reading(moment, view, language, step.path)
            for option in behind:
                check(WORDS.label(option, language, view), option, inner)
                tried += 1
    assert tried > 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", share(range(8)))
def test_every_line_of_a_letter_is_read_as_its_option(number: int, language: str) -> None:
    """As a mail shows it, copied whole: the number, the label, and the remark beside it."""
    for moment, view in asked(*TABLES[number % len(TABLES)], 100 + number):
        read, offered = reading(moment, view, language)
        rows = WORDS.offers(view["ask"], view, language)
        for option, row in zip(offered, rows, strict=True):
            if option.move is not None:
                note = f" – {row['note']}" if row.get("note") else ""
                check(f"{row['n']}. {row['label']}{note}", option, read)


def _reading(*labels: tuple[str, Move | MenuStep]) -> Reading:
    return Reading(names=NAMES, ask=TURN, shown=lambda: labels)


def test_what_the_grammar_knows_is_never_bent_by_a_label() -> None:
    read = _reading(("Take gold", Move("cards")), ("End turn", Move("income")))
    assert read_order("take gold", read) == Move("gold")
    assert read_order("end turn", read) == Move("end")


def test_a_label_without_price_or_remark() -> None:
    read = _reading(("Tear down your Fort (2 gold)", Move("smithy")))
    for said in ("Tear down your Fort (2 gold)", "tear down your fort", "TEAR DOWN YOUR FORT – military"):
        assert read_order(said, read) == Move("smithy")
    for said in ("tear down", "tear down your fort (3 gold) now", "fort"):
        assert isinstance(read_order(said, read), NotUnderstood)


@pytest.mark.parametrize(
    "beside", ["(no, build Temple)", "(cancel that)", "(Temple)", "(cards)", "– no, the Temple", "– end"]
)
def test_what_is_said_beside_a_label_and_counts_is_not_left_out(beside: str) -> None:
    """“Build Castle (no, build Tavern)” was played as the Castle, since labels have their prices there."""
    read = _reading(("Tear down your Fort (2 gold)", Move("smithy")))
    assert isinstance(read_order(f"tear down your fort {beside}", read), NotUnderstood)
    for said in ("(2)", "(2 gold)", "(I hope)", "– 2 gold", "(2 gold) – military"):
        assert read_order(f"tear down your fort {said}", read) == Move("smithy"), said


def test_two_labels_alike_are_asked_back() -> None:
    read = _reading(("Use your hat", Move("income")), ("Use your hat!", Move("smithy")))
    found = read_order("use your hat", read)
    assert isinstance(found, NotUnderstood)
    assert found.code == "ambiguous"
    assert set(found.candidates) == {"income", "smithy"}


def test_labels_are_not_looked_at_where_none_are_known() -> None:
    read = replace(_reading(("Use your hat", Move("income"))), shown=None)
    assert isinstance(read_order("use your hat", read), NotUnderstood)


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_nobody_pays_for_what_is_loaded_once(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first words after a start may need all sentences, the code that they are made into, and what Babel
    knows of the language: that it takes long is not the fault of anyone who writes them.
    """
    moment = next(one for one in random_game("deluxe", 4, 1) if Move("gold") in one.ask.moves)
    view, loaded = rules.view(moment.state, moment.ask.seat), Counter[str]()

    def slow(owner: Any, name: str) -> None:
        load = getattr(owner, name)

        def loading(*args: Any, **more: Any) -> Any:
            loaded[name] += 1
            begun = time.thread_time()
            while loaded[name] == 1 and time.thread_time() - begun < 2 * READING_MS / 1000:
                pass
            return load(*args, **more)

        monkeypatch.setattr(owner, name, loading)

    for known in (phrases._shipped, times.locale, times.plural):
        known.cache_clear()
    monkeypatch.setattr(rendered, "_SHIPPED", rendered._Read())
    for owner, name in ((kept, "toml"), (Environment, "from_string"), (localedata, "load")):
        slow(owner, name)
    words = Words(strict=True)
    read = Reading(
        language, moment.names, view["ask"], shown=lambda: words.shown(view["ask"], view, language)
    )
    with metered(READING_MS):
        assert isinstance(read_order("nothing that is offered", read), NotUnderstood)
    assert set(loaded) == {"toml", "from_string", "load"}
