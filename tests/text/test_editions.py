"""Laws over letters: whatever is asked and whatever happens, in any edition with any cast, every channel has
words for it, its own words, within what the channel takes, and none that depends on what the reader can't
see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from referee import rules
from referee.rules import EVENTS
from referee.rules.model import Frame
from referee.rules.notation import shapes
from referee.service.core import tokens
from referee.service.core.letter_buttons import offered
from referee.text import KINDS, Option, Rendered, Words, options, so_far
from tests.seeds import ALL, PART
from tests.text.editions import RECORDS, Moment, notable, prompt, random_game, recorded, table
from tests.text.test_letters import parsed

WORDS = Words(strict=True)
TAKEN = 4096  # Telegram: UTF-16 units of a message, after the markup was read
KEYBOARD, CALLBACK = 100, 64
ODD = re.compile(
    r"None|Undefined|\{\{|\{%|\[\]|\( ?\)|  +\S| \.| ,|\.\.|,\.|\bof you\b(?! and)|: \.| \n|You kept \."
)
NOTHING = re.compile(r"\b0 (cards|gold|districts|points|characters)\b")


@cache
def sample() -> tuple[Moment, ...]:
    """Moments of games of every edition, recorded and random ones."""
    return (
        *notable(),
        *(
            m
            for edition, players, number in (
                ("deluxe", 7, 1),
                ("deluxe", 2, 2),
                ("deluxe", 8, 3),
                ("original", 7, 4),
                ("original", 3, 5),
            )
            for n, m in enumerate(random_game(edition, players, number))
            if n % 17 == 0
        ),
    )


def sound(said: Rendered, markup: str) -> None:
    """A letter as it may go out."""
    assert said.subject
    assert said.text
    assert "\n" not in said.subject
    plain = re.sub(r"^ +", "", said.text, flags=re.MULTILINE)
    found = ODD.search(plain)
    assert found is None, plain[max(0, found.start() - 60) : found.end() + 20]
    if markup != "text":
        parsed(said.markup)


def places(
    ask: Any, view: dict[str, Any], path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], list[Option]]]:
    """Every place of the way to an order at which something is offered: the first of each kind of step."""
    here = options(ask, view, path)
    yield path, here
    opened = set()
    for one in here:
        if one.step is not None and (one.step.pattern, len(one.step.path)) not in opened:
            opened.add((one.step.pattern, len(one.step.path)))
            yield from places(ask, view, one.step.path)


def test_the_sample_has_every_question_and_every_event() -> None:
    questions = {
        code
        for code, kind in Frame.registry.items()
        if kind.asked is not Frame.asked and kind.__module__.startswith("referee.")
    }
    asked = {m.ask.kind for m in sample() if m.ask}
    assert len(questions) >= 14
    assert questions - {"draft"} <= asked  # the draft asks "pick" and "discard"
    assert {"pick", "discard"} <= asked
    told = {event.name for m in sample() for event in m.events}
    assert set(EVENTS) <= told
    assert {m.edition for m in sample()} == set(rules.EDITIONS)


@pytest.mark.parametrize("markup", KINDS)
def test_every_seat_can_be_written_to(markup: str) -> None:
    """At a push each moment in two of the six ways of marking up, in `make soak` in all."""
    turn = list(KINDS).index(markup) + PART
    for moment in [one for place, one in enumerate(sample()) if ALL or (place + turn) % 3 == 0]:
        for seat in range(len(moment.names)):
            if moment.ask is None or seat in (moment.ask.seat, (moment.ask.seat + 1) % len(moment.names)):
                sound(WORDS.letter("prompt", "en", markup, prompt(moment, seat, WORDS)), markup)
        sound(WORDS.letter("table", "en", markup, table(moment)), markup)


def test_all_that_happened_has_words_from_every_side() -> None:
    said: dict[str, set[str]] = {}
    for moment in [m for m in sample() if m.ask is None] + [list(recorded(path))[-1] for path in RECORDS]:
        for event in moment.events:
            for me in {None, 0, 1, event.facts.get("seat")} if event.to is None else {event.to}:
                line = WORDS.event(
                    event.name, {"edition": moment.edition, **event.facts}, "en", moment.names, me
                )
                assert ODD.search(line) is None, (event, line)
                assert NOTHING.search(line) is None, (event, line)
                assert line == "" or ((line[0].isupper() or line[0].isdigit()) and line[-1] == "."), line
                said.setdefault(event.name, set()).add(line)
    assert set(said) == set(EVENTS)
    assert all(any(lines) for lines in said.values())


def test_no_question_and_no_answer_is_called_other() -> None:
    """Every question has its own words, every order a label of its own, and no two entries of a place the
    same.
    """
    questions, waits, labels = (WORDS.codes("en", one) for one in ("questions", "waits", "labels"))
    opened = set()
    for moment in sample():
        if moment.ask is None:
            continue
        assert moment.ask.kind in questions & waits
        assert {m.verb for m in moment.ask.moves} | {f.verb for f in moment.ask.families} <= labels
        view = rules.view(moment.state, moment.ask.seat)
        for path, here in places(view["ask"], view):
            said = [WORDS.label(one, "en", view) for one in here]
            assert len(set(said)) == len(said), said
            assert all(
                label and ODD.search(label) is None and NOTHING.search(label) is None and "‹" not in label
                for label in said
            ), said
            if not path:
                steps = [one for one in here if one.step is not None and len(one.step.path) == 1]
                opened |= {one.order_text for one in steps}
                assert all(one.order_text in WORDS.codes("en", "families") for one in steps), steps
    assert len(opened) >= 5


def test_whatever_can_become_a_step_has_a_name() -> None:
    every = {so_far((shape.text,), ()) for known in shapes().values() for shape in known if "<" in shape.text}
    assert len(every) > 25
    assert WORDS.codes("en", "families") == {*every, "other"}


def test_what_telegram_takes() -> None:
    """No letter is too long for one message, no keyboard too large, no button's key too long, at any place of
    an answer.
    """
    longest = widest = 0
    for moment in sample():
        if moment.ask is None:
            continue
        view = rules.view(moment.state, moment.ask.seat)
        for path, here in places(view["ask"], view):
            context = prompt(moment, moment.ask.seat, WORDS, path)
            for option in context["options"]:
                option["key"] = tokens.button(b"k", 2**39, option["n"])
            said = WORDS.letter("prompt", "en", "telegram", context)
            longest = max(longest, len("".join(parsed(said.markup).said).encode("utf-16-le")) // 2)
            keyboard = [one for row in offered(context) for one in row]
            assert len(keyboard) == len(here)  # nothing was left out
            widest = max(widest, len(keyboard))
            assert all(len(one.key.encode()) <= CALLBACK for one in keyboard)
    assert 1000 < longest <= TAKEN
    assert 10 < widest <= KEYBOARD // 2


def test_no_prompt_tells_what_its_reader_cannot_see() -> None:
    dice = Random(7)
    otherwise = 0
    for moment in sample():
        if moment.ask is None:
            continue
        for seat in {moment.ask.seat, dice.randrange(len(moment.names))}:
            other = rules.another(moment.state, seat, dice)
            otherwise += rules.dump(other) != rules.dump(moment.state)
            assert WORDS.letter("prompt", "en", "text", prompt(moment, seat, WORDS)) == WORDS.letter(
                "prompt", "en", "text", prompt(moment, seat, WORDS, state=other)
            )
    assert otherwise > 200


def asked(kind: str, edition: str = "deluxe") -> tuple[Moment, str]:
    """The first sampled question of that kind, and its prompt."""
    moment = next(m for m in sample() if m.ask and m.ask.kind == kind and m.edition == edition)
    assert moment.ask is not None
    return moment, WORDS.letter("prompt", "en", "telegram", prompt(moment, moment.ask.seat, WORDS)).text


@pytest.mark.parametrize(
    ("kind", "edition", "shown"),
    [
        ("wizard", "deluxe", "'s hand:"),
        ("seer", "deluxe", "A card is owed to"),
        ("warrant", "deluxe", "Under your warrant:"),
        ("threat", "deluxe", "the bribe is"),
        ("graveyard", "original", "Destroyed:"),
        ("lighthouse", "original", "In the deck:"),
        ("bell-tower", "original", "If you ring"),
        ("study", "deluxe", "Drawn:"),
    ],
)
def test_a_question_shows_what_it_opens(kind: str, edition: str, shown: str) -> None:
    assert shown in asked(kind, edition)[1]


def test_a_phone_shows_what_the_characters_do() -> None:
    """Buttons have no room for it, and every deluxe table has another cast."""
    moment, _ = asked("pick")
    assert moment.ask is not None
    said = WORDS.letter("prompt", "en", "telegram", prompt(moment, moment.ask.seat, WORDS)).markup
    for move in moment.ask.moves:
        line = next(x for x in said.split("\n") if x.startswith(f"• {move.args[0]}, rank "))
        assert len(line) > 30


def test_the_other_letters_fit_as_well() -> None:
    """The end of a game, its cards, and the living message, with as many players and cards as there can
    be.
    """
    longest = 0
    ends = [
        list(random_game(edition, players, 6))[-1] for edition, players in (("deluxe", 8), ("original", 7))
    ]
    for moment in ends:
        book = rules.rulebook(moment.state)
        public = table(moment)
        over = {
            **public,
            "result": public["view"]["result"],
            "seed": "0" * 64,
            "seed_hash": "0" * 64,
            "words": ["w" * 200] * len(moment.names),
        }
        cards = {key: public[key] for key in ("language", "zone", "now_ms", "game")} | {
            "cast": list(book.characters),
            "uniques": list(book.uniques),
        }
        for kind, context in (
            ("table", public),
            ("status", public | {"cast": cards["cast"], "uniques": cards["uniques"]}),
            ("over", over),
            ("cards", cards),
        ):
            said = WORDS.letter(kind, "en", "telegram", context)
            sound(said, "telegram")
            longest = max(longest, len("".join(parsed(said.markup).said).encode("utf-16-le")) // 2)
    assert 1000 < longest <= TAKEN
