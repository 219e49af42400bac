"""One order as people type it: what it means, or why it means nothing."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import Setup, rulebook
from referee.rules.facts import Move
from referee.text import TROUBLES, Cards, NotUnderstood, Reading, Words, options, read_order
from tests.text.typed_orders import GRAVE, KEEP, KILL, MAGICIAN, NAMES, PICK, READ, TURN, WARLORD

WRONG: list[tuple[dict[str, Any] | None, str, str, tuple[str, ...]]] = [
    # ask, what was typed, code, suggestions or candidates that must be among those offered
    (TURN, "", "unreadable", ()),
    (TURN, "???", "unreadable", ()),
    (TURN, "hello there", "courtesy", ()),
    (TURN, "I don't understand", "unreadable", ()),
    (TURN, "build", "incomplete", ("build Market",)),
    (TURN, "build t", "ambiguous", ("build Trading Post", "build Town Hall")),
    (TURN, "buld market", "unreadable", ("build Market",)),
    (TURN, "build markt", "unknown-name", ("build Market",)),
    (TURN, "build fortres of doom", "unknown-name", ()),
    (TURN, "12", "no-such-option", ()),
    (TURN, "0", "no-such-option", ()),
    (TURN, "99999", "unreadable", ()),
    (TURN, "3. gold", "ambiguous", ("income", "gold")),
    (TURN, "gold end", "unknown-name", ("gold",)),
    (TURN, "not gold", "unreadable", ("gold",)),
    (TURN, "don't build Market", "unreadable", ("build Market",)),
    (TURN, "gold or cards", "unknown-name", ()),
    (WARLORD, "destroy Temple", "ambiguous", ("destroy Ana Temple", "destroy Bea Temple")),
    (WARLORD, "destroy a Temple", "ambiguous", ("destroy Ana Temple", "destroy Bea Temple")),
    (WARLORD, "destroy Zoe Market", "unknown-name", ("destroy Bea Market",)),
    (TURN, "1?", "question", ("gold",)),
    (TURN, "-1", "unreadable", ()),
    (TURN, "1/2", "unreadable", ()),
    (TURN, "No. 2 gold", "unknown-name", ()),
    (PICK, "take the King", "unknown-name", ("pick King",)),
    (PICK, "keep king", "unknown-name", ("pick King",)),
    (MAGICIAN, "4 temple", "unreadable", ()),
    (MAGICIAN, "6", "option-needs-cards", ("redraw Temple",)),
    (MAGICIAN, "swap", "incomplete", ("swap Bea",)),
    (PICK, "a", "ambiguous", ("pick Assassin", "pick Architect")),
    (PICK, "pick", "incomplete", ("pick King",)),
    (KILL, "kill m", "ambiguous", ("kill Magician", "kill Merchant")),
    (KILL, "kill", "incomplete", ("kill Thief",)),
    (None, "1", "no-options", ()),
    (None, "build t", "ambiguous", ()),
]


def reading(ask: dict[str, Any] | None, **other: Any) -> Reading:
    return Reading(names=NAMES, ask=ask, **other)


def test_a_verb_alone_is_told_the_forms_that_may_follow_now() -> None:
    """“build” named the forms of cards that nobody had."""
    found = read_order("build", Reading(names=NAMES, ask=TURN))
    assert isinstance(found, NotUnderstood)
    assert found.facts["forms"] == ("build <D>",)
    absent = read_order("destroy", Reading(names=NAMES, ask=TURN))
    assert isinstance(absent, NotUnderstood)
    assert absent.facts["forms"] == ("destroy <P> <B>",)


@pytest.mark.parametrize(("ask", "typed", "meant"), READ, ids=lambda v: v if isinstance(v, str) else None)
def test_is_read(ask: dict[str, Any] | None, typed: str, meant: Move) -> None:
    assert read_order(typed, reading(ask)) == meant


@pytest.mark.parametrize(
    "said", ["{} (flower on Bishop)", "{} (not Bishop)", "{} (or Tax Collector)", "{} (for Bea)"]
)
def test_brackets_that_name_something_are_not_left_out(said: str) -> None:
    ask = {"moves": [["threaten", [["King", "Bishop"]]], ["threaten", [["Bishop", "King"]]]], "families": []}
    people = Reading(names=("Ana", "Bea"), ask=ask)
    assert isinstance(read_order(said.format("threaten King, Bishop"), people), NotUnderstood)
    for remark in ("", " (2)", " (not in play)", " (if I may)"):
        assert read_order(f"threaten King, Bishop{remark}", people) == Move("threaten", (("King", "Bishop"),))


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("gold (no wait, cards)", "en"),
        ("gold (cards)", "en"),
        ("gold (wait)", "en"),
        ("gold (undo)", "en"),
        ("ouro (não, espera, cartas)", "pt_BR"),
        ("ouro (não)", "pt_BR"),
    ],
)
def test_brackets_that_take_an_order_back_are_not_left_out(said: str, language: str) -> None:
    assert isinstance(read_order(said, Reading(language, ask=TURN)), NotUnderstood)
    assert read_order(f"{said.split()[0]} (:-)", Reading(language, ask=TURN)) == Move("gold")


@pytest.mark.parametrize(
    ("typed", "language"),
    [
        ("income 2 gold 1 card", "en"),
        ("income: 2 gold and 1 card", "en"),
        ("renda 2 ouros e 1 carta", "pt_BR"),
        ("renda 2 moedas e 1 carta", "pt_BR"),
    ],
)
def test_a_split_of_one_card_is_read(typed: str, language: str) -> None:
    assert read_order(typed, Reading(language)) == Move("income", (2, "gold", 1, "cards"))


@pytest.mark.parametrize(
    ("said", "language", "move"),
    [
        ("hi, gold please", "en", Move("gold")),
        ("Good morning! I'd like to take gold", "en", Move("gold")),
        ("I want to build the Market, thank you", "en", Move("build", ("Market",))),
        ("let's take gold asap", "en", Move("gold")),
        ("draw 2 cards pls 🙏", "en", Move("cards")),
        ("boa noite, quero pegar ouro, muito obrigada", "pt_BR", Move("gold")),
        ("eu gostaria de construir o mercado pfv", "pt_BR", Move("build", ("Market",))),
    ],
)
def test_a_greeting_and_a_wish_are_talk_around_an_order(said: str, language: str, move: Move) -> None:
    assert read_order(said, Reading(language, ask=TURN)) == move


@pytest.mark.parametrize(
    ("said", "language"), [("give me 2", "en"), ("I want two", "en"), ("quero 2", "pt_BR")]
)
def test_a_number_that_is_wished_for_is_no_option(said: str, language: str) -> None:
    """“Give me 2” may be two gold as well as the second option."""
    assert isinstance(read_order(said, Reading(language, ask=TURN)), NotUnderstood)


def test_a_yes_before_a_no_is_asked_back() -> None:
    found = read_order("yes, no", Reading(ask=GRAVE))
    assert isinstance(found, NotUnderstood)
    assert found.candidates == ("buy", "pass")
    assert read_order("yes, buy", Reading(ask=GRAVE)) == Move("buy")


def test_a_name_is_no_verb_cut_down() -> None:
    """“Bea is slow” was answered with “I understood “beautify””."""
    found = read_order("Bea is slow", Reading(names=("Ana", "Bea"), ask=TURN))
    assert isinstance(found, NotUnderstood)
    assert found.code == "unreadable"


def test_there_are_many_cases() -> None:
    assert len(READ) + len(WRONG) >= 150


@pytest.mark.parametrize(
    ("ask", "typed", "code", "offered"), WRONG, ids=lambda v: v if isinstance(v, str) else None
)
def test_is_not_guessed(ask: dict[str, Any] | None, typed: str, code: str, offered: tuple[str, ...]) -> None:
    found = read_order(typed, reading(ask))
    assert isinstance(found, NotUnderstood)
    assert found.code == code
    assert code in TROUBLES
    assert found.quote == " ".join(typed.split())
    assert set(offered) <= {*found.suggestions, *found.candidates}
    assert len(found.suggestions) <= 3


def test_options_are_numbered_as_the_reader_counts_them() -> None:
    view = {"players": [{"name": name} for name in NAMES]}
    for ask in (TURN, WARLORD, MAGICIAN, PICK, KEEP, GRAVE):
        offered = options(ask, view)
        assert [o.n for o in offered] == list(range(1, len(offered) + 1))
        for option in offered:
            found = read_order(str(option.n), reading(ask))
            if option.move is None:
                assert isinstance(found, NotUnderstood)
                assert option.order_text.endswith("…")
            else:
                assert found == option.move
                assert read_order(option.order_text, reading(ask)) == option.move


def test_a_later_number_is_refused() -> None:
    found = read_order("2", reading(TURN, numbers=False))
    assert isinstance(found, NotUnderstood)
    assert found.code == "number-later"


def test_an_exact_name_is_never_bent_into_a_longer_one() -> None:
    """An is at the table but can't be chosen; Ana can.  "An" must not become Ana."""
    ask = {"kind": "turn", "number": 1, "moves": [["swap", [1]]], "families": []}
    found = read_order("swap An", Reading(names=("An", "Ana"), ask=ask))
    assert found == Move("swap", (0,))


def test_names_that_are_cards() -> None:
    names = ("Market", "King", "Gold", "seat 1")
    ask = {
        "kind": "turn",
        "number": 1,
        "moves": [["destroy", [0, "Market"]], ["destroy", [1, "Market"]], ["crown", [2, "gold"]]],
        "families": [],
    }
    at = Reading(names=names, ask=ask)
    assert read_order("destroy Market Market", at) == Move("destroy", (0, "Market"))
    assert read_order("destroy King Market", at) == Move("destroy", (1, "Market"))
    assert read_order("crown Gold gold", at) == Move("crown", (2, "gold"))
    assert read_order("swap seat 1", at) == Move("swap", (3,))  # the name before the number of a seat


def test_two_players_of_nearly_one_name_are_ambiguous() -> None:
    at = Reading(
        names=("José", "Jose"),
        ask={"kind": "turn", "number": 1, "moves": [["swap", [0]], ["swap", [1]]], "families": []},
    )
    found = read_order("swap jose", at)
    assert isinstance(found, NotUnderstood)
    assert found.code == "ambiguous"
    assert set(found.candidates) == {"swap José", "swap Jose"}


def test_a_name_of_signs_alone() -> None:
    names = ("🎲", "!!!", "Ana")
    ask = {
        "kind": "turn",
        "number": 1,
        "moves": [["swap", [0]], ["swap", [1]], ["swap", [2]]],
        "families": [],
    }
    at = Reading(names=names, ask=ask)
    assert read_order("swap 🎲", at) == Move("swap", (0,))
    assert read_order("swap seat 2", at) == Move("swap", (1,))


def test_only_the_cards_of_this_game_are_known() -> None:
    at = Reading(names=NAMES, ask=None, cards=Cards(("King", "Thief"), ("Temple", "Market")))
    assert read_order("build t", at) == Move("build", ("Temple",))
    found = read_order("build Statue", at)
    assert isinstance(found, NotUnderstood)
    assert (found.code, found.facts["name"]) == ("absent", "Statue")


@pytest.mark.parametrize(
    ("line", "name", "instead", "said"),
    [
        (
            "kill Witch",
            "Witch",
            "Assassin",
            "Witch is not in this game: here Assassin has that rank. “rules Witch” tells more.",
        ),
        ("kill the queen", "Queen", "", "Queen is not in this game. “rules Queen” tells more."),
        (
            "build bell tower",
            "Bell Tower",
            "",
            (
                "Bell Tower is not in this game, but belongs to the original edition. "
                "“rules Bell Tower” tells more."
            ),
        ),
        (
            "destroy Bea University",
            "University",
            "",
            (
                "University is not in this game, but belongs to the classic or original edition. "
                "“rules University” tells more."
            ),
        ),
        (
            "redraw Temple, Hospital",
            "Hospital",
            "",
            "Hospital is not in this game, but belongs to the original edition. “rules Hospital” tells more.",
        ),
    ],
)
def test_a_card_of_another_edition_is_named_as_such(line: str, name: str, instead: str, said: str) -> None:
    here = rulebook(Setup("deluxe", ("Ana", "Bea", "Cy", "Dan")))
    found = read_order(line, Reading(names=("Ana", "Bea", "Cy", "Dan"), ask=KILL, cards=here))
    assert isinstance(found, NotUnderstood)
    assert (found.code, dict(found.facts)) == ("absent", {"name": name, "instead": instead})
    assert Words(strict=True).phrase("absent", "en", edition="deluxe", **found.facts) == said


def test_who_has_the_rank_here_is_suggested_and_nobody_else() -> None:
    here = rulebook(Setup("deluxe", ("Ana", "Bea", "Cy", "Dan")))
    ask = {
        "kind": "turn",
        "number": 3,
        "moves": [["kill", ["Thief"]], ["kill", ["King"]], ["kill", ["Bishop"]]],
        "families": [],
    }
    at = Reading(names=("Ana", "Bea", "Cy", "Dan"), ask=ask, cards=here)
    for line, near in (("kill Emperor", ("kill King",)), ("kill Queen", ()), ("kill Witch", ())):
        found = read_order(line, at)
        assert isinstance(found, NotUnderstood)
        assert (found.code, found.suggestions) == ("absent", near)
