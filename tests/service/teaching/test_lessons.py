"""Every question of every edition is explained to somebody who meets it for the first time, and so is every
character.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from itertools import islice
from typing import Any

import pytest

from referee import rules
from referee.rules import Move
from referee.rules.editions import EDITIONS
from referee.rules.model import Frame
from referee.rules.notation import order_text
from referee.service.teaching.lesson_state import (
    HINTS,
    LEARN,
    choose_lessons,
    had,
    remembered,
    set_mode,
    told_with,
)
from referee.service.teaching.lessons import LESSONS, Lesson, LessonContext
from referee.text import Reading, Words, read_order
from referee.text.folders import languages, shipped
from tests.text.editions import Moment, notable, prompt, random_game

pytestmark = pytest.mark.whole_games
WORDS = Words(strict=True)
#: what lessons know of a table
AT_A_TABLE: dict[str, Any] = {
    "goal": 7,
    "players": 4,
    "picking": (),
    "city": (),
    "other": "Bea",
    "mine": "King",
    "seats": (),
    "ask": {"moves": (), "families": ()},
}


def opening(name: str, language: str, edition: str = "classic") -> str:
    """How a lesson begins, by which other tests find it; what depends on the table comes later."""
    return " ".join(WORDS.phrase(f"lessons.{name}", language, **AT_A_TABLE, edition=edition).split())[:27]


def moments() -> tuple[Moment, ...]:
    """The questions of the recorded games that are asked there for the first time."""
    return tuple(moment for moment in notable() if moment.ask)


def seen(moment: Moment, last: int = 40) -> LessonContext:
    """What the asked seat sees, where it was told nothing for so many events."""
    assert moment.ask is not None
    seat = moment.ask.seat
    mine = [{"name": e.name, "facts": dict(e.facts)} for e in moment.events if e.to is None or e.to == seat][
        -last:
    ]
    orders = [order_text(move, moment.names) for move in moment.ask.moves] + [
        family.verb for family in moment.ask.families
    ]
    return LessonContext(
        moment.ask.kind,
        frozenset(order.split(" ", 1)[0] for order in orders),
        mine,
        rules.view(moment.state, seat),
    )


@cache
def fitting() -> tuple[tuple[Moment, tuple[Lesson, ...]], ...]:
    """Each question with the lessons that fit it."""
    return tuple((moment, tuple(one for one in LESSONS if one.due(seen(moment)))) for moment in moments())


def test_every_question_that_the_rules_can_ask_has_its_lesson() -> None:
    """Also those of an edition to come: a frame that asks has its words here."""
    kinds = {
        code
        for code, kind in Frame.registry.items()
        if kind.asked is not Frame.asked and kind.__module__.startswith("referee.")
    }
    kinds = kinds - {"draft"} | {"pick", "discard"}
    known = {
        kind
        for kind in kinds
        if any(
            one.part == "ask"
            and one.due(
                LessonContext(
                    kind,
                    frozenset({"gold"}),
                    (),
                    {"edition": edition, "round": 1, "you": 0, "players": [{"revealed": []}]},
                )
            )
            for one in LESSONS
            for edition in EDITIONS
        )
    }
    assert len(kinds) >= 16
    assert kinds == known


def test_each_question_that_was_ever_asked_is_explained() -> None:
    asked = {(moment.state.setup.edition, moment.ask.kind) for moment, _ in fitting() if moment.ask}
    told = {
        (moment.state.setup.edition, moment.ask.kind)
        for moment, found in fitting()
        if moment.ask and any(one.part in ("ask", "then") for one in found)
    }
    assert len(asked) > 20
    assert asked == told


#: what no question in those games has before it
RARE: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "as-trader": ([], {"players": [{"revealed": ["Trader"]}]}),
    "you-bewitched": ([], {"players": [{"revealed": ["King"]}], "bewitched": "King"}),
    "you-changed": ([{"name": "theater", "facts": {"seat": 1, "other": 0}}], {}),
    "you-lent": ([{"name": "borrowed", "facts": {"seat": 1, "victim": 0, "gold": 1}}], {}),
}


def test_each_lesson_comes_some_time() -> None:
    came = {one.name for _, found in fitting() for one in found}
    assert {one.name for one in LESSONS} - came == set(RARE)
    for name, (events, view) in RARE.items():
        one = next(one for one in LESSONS if one.name == name)
        empty = {"edition": "deluxe", "round": 1, "you": 0, "players": [{"revealed": []}]}
        assert one.due(LessonContext("turn", frozenset({"gold"}), events, {**empty, **view}))
        assert not one.due(LessonContext("turn", frozenset({"gold"}), (), empty))


def test_who_is_bewitched_is_not_told_of_abilities() -> None:
    view = {
        "edition": "deluxe",
        "round": 1,
        "you": 0,
        "players": [{"revealed": ["King"]}],
        "bewitched": "King",
    }
    found = choose_lessons(LEARN + ",goal,gather", "turn", ["gold", "cards"], (), view)
    assert found == [("event", "you-bewitched")]


def test_every_character_is_explained_when_somebody_has_it() -> None:
    cast = {card.name for edition in EDITIONS.values() for card in edition.characters}
    assert len(cast) >= 27
    assert {f"as-{name.lower().replace(' ', '-')}" for name in cast} == {
        one.name for one in LESSONS if one.part == "character"
    }


@pytest.mark.parametrize("language", languages())
def test_every_lesson_has_words_in_each_language_and_edition(language: str) -> None:
    for one in LESSONS:
        for edition in EDITIONS:
            said = WORDS.phrase(f"lessons.{one.name}", language, **AT_A_TABLE, edition=edition)
            assert 30 < len(said) < 520, (one.name, len(said))
            assert said[-1] in ".!"
            assert said.count("“") == said.count("”")
            assert language == "en" or said != WORDS.phrase(
                f"lessons.{one.name}", "en", **AT_A_TABLE, edition=edition
            )


@pytest.mark.parametrize("language", languages())
def test_each_lesson_is_known_by_its_beginning(language: str) -> None:
    assert len({opening(one.name, language) for one in LESSONS}) == len(LESSONS)


def test_a_letter_has_few_of_them() -> None:
    for moment, _ in fitting():
        one = seen(moment)
        for mode, most in ((LEARN, 2), (HINTS, 1)):
            found = choose_lessons(mode, one.kind, sorted(one.verbs), one.events, one.view)
            assert len(found) <= most
            if mode == HINTS and moment.state.round > 2:
                assert not found


@pytest.mark.parametrize("language", languages())
def test_each_sentence_of_a_lesson_begins_with_a_capital_whatever_is_left_out(language: str) -> None:
    lessons = tomllib.loads((shipped() / language / "lessons.toml").read_text(encoding="utf-8"))
    for name, said in lessons["lessons"].items():
        for text in (said, re.sub(r"{% if .*?{% endif %}", "", said)):
            plain = re.sub(r"{{.*?}}", "X", re.sub(r"{%.*?%}", "", text))
            assert not re.search(r"[.!?] +[a-zà-ÿ]", plain), (name, plain)


def test_somebody_is_killed_in_the_news_long_after_they_picked() -> None:
    chose, killed = (
        {"name": "chose", "facts": {"character": "King"}},
        {"name": "killed", "facts": {"character": "King"}},
    )
    view = {"round": 2, "edition": "classic", "you": 0, "players": [{"revealed": []}]}
    news = [killed, {"name": "round_began", "facts": {}}]
    assert ("event", "you-killed") in choose_lessons(
        HINTS + ",draft,draft-again", "pick", ["pick King"], news, view, [chose]
    )
    assert ("event", "you-killed") not in choose_lessons(
        HINTS + ",draft", "pick", ["pick King"], news, view, [chose, {"name": "round_began", "facts": {}}]
    )


def test_what_a_seat_remembers() -> None:
    memory = remembered(LEARN, ["goal", "draft"], 3)
    assert [name for _, name in told_with(memory, 3)] == ["goal", "draft"]
    assert told_with(memory, 4) == []
    again = remembered(memory, ["gather"], 7)
    assert told_with(again, 3) == []
    assert told_with(again, 7) == [("ask", "gather")]
    assert had(again) == {"goal", "draft", "gather"}
    assert remembered(again, [], 9) == again
    assert remembered(again, ["gather"], 8).count("gather") == 1
    assert told_with(set_mode(again, "off"), 7) == []
    assert had(set_mode(again, "off")) == had(again)
    assert remembered(set_mode("learn,goal,draft", HINTS), ["keep"]) == "hints,goal,draft,keep"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("lesson", "verb", "players"),
    # at a small table everybody has two characters, and says which of them goes
    [
        ("theater", "exchange", 3), ("theater", "exchange", 5), ("as-wizard", "peek", 4),
        ("wizard", "take", 4), ("seer", "give", 4), ("as-magistrate", "warrant", 4),
        ("as-blackmailer", "threaten", 5), ("as-artist", "beautify", 4),
    ],
)  # fmt: skip
def test_what_a_lesson_shows_is_an_order_at_that_table(
    lesson: str, verb: str, players: int, language: str
) -> None:
    """Whatever the cast is, and who has cards: at several tables."""
    fits = (
        next(found, None)
        for number in range(99)
        for found in [(one for one in random_game("deluxe", players, number) if offers(one, lesson, verb))]
    )
    for moment in islice(filter(None, fits), 6):
        assert moment.ask is not None
        context = prompt(moment, moment.ask.seat, WORDS) | {"teaching": HINTS, "lessons": [("ask", lesson)]}
        told = WORDS.letter("prompt", language, "text", context).text
        (shown,) = [line for line in told.splitlines() if opening(lesson, language) in line]
        ask = rules.view(moment.state, moment.ask.seat)["ask"]
        reading = Reading(language, names=moment.names, ask=ask)
        read = [read_order(said, reading) for said in re.findall("“([^”]+)”", shown)]
        (order,) = [one for one in read if isinstance(one, Move) and one.verb == verb]
        rules.play(moment.state, moment.ask.seat, order)


def offers(moment: Moment, lesson: str, verb: str) -> bool:
    """Whether that may be ordered, at the question of that lesson."""
    if moment.ask is None or (lesson in ("theater", "wizard", "seer") and moment.ask.kind != lesson):
        return False
    return verb in {one.verb for one in (*moment.ask.moves, *moment.ask.families)}


@pytest.mark.parametrize(("character", "verb"), [("Warlord", "destroy"), ("Diplomat", "exchange")])
def test_what_ends_a_turn_of_the_older_edition_is_said_to_come_last(character: str, verb: str) -> None:
    """Who destroys first there builds nothing more, and takes no income."""
    moment, move = next(
        (one, move)
        for number in range(99)
        for one in random_game("original", 4, number)
        if one.ask and one.ask.kind == "turn" and "build" in {move.verb for move in one.ask.moves}
        for move in one.ask.moves
        if move.verb == verb
    )
    assert moment.ask is not None
    (ask,) = rules.play(moment.state, moment.ask.seat, move).asks
    if ask.seat == moment.ask.seat and ask.kind == "turn":
        assert {one.verb for one in ask.moves} == {"end"}
    for edition in EDITIONS:
        name = f"lessons.as-{character.lower()}"
        told = WORDS.phrase(name, "en", **AT_A_TABLE, edition=edition)
        assert ("Do it last" in told) == (edition == "original")
