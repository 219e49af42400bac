"""Orders as people write them: several in one line, talk around them, numbers in brackets and in words."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.facts import Move
from referee.text import Intent, NotUnderstood, Reading, as_number, part, read_intent, read_order
from referee.text.rendering.typed import typed
from tests.text.typed_orders import KEEP, KILL, MAGICIAN, NAMES, TURN

GOLD, MARKET, END = Move("gold"), Move("build", ("Market",)), Move("end")
SEVERAL: list[tuple[str, str, list[str]]] = [
    ("en", "gold, build market, end", ["gold", "build market", "end"]),
    ("en", "gold then build market", ["gold", "build market"]),
    ("en", "gold, and then build market, then end", ["gold", "build market", "end"]),
    ("en", "gold and build market and end", ["gold", "build market", "end"]),
    ("en", "ok gold, then end 👍", ["ok gold", "end 👍"]),
    ("en", "I take gold, build market", ["I take gold", "build market"]),
    ("en", "redraw Temple, Market, end", ["redraw Temple, Market", "end"]),
    ("en", "redraw Temple and Market, end", ["redraw Temple and Market", "end"]),
    ("en", "swap Bea, gold", ["swap Bea", "gold"]),
    ("en", "redraw Temple, gold", ["redraw Temple", "gold"]),  # which is not the Gold Mine, cut short
    ("pt-br", "trocar Templo, ouro", ["trocar Templo", "ouro"]),
    ("pt-br", "ouro, construir mercado, fim", ["ouro", "construir mercado", "fim"]),
    ("pt-br", "ouro depois construir mercado", ["ouro", "construir mercado"]),
    ("pt-br", "ouro, e depois construir mercado e então fim", ["ouro", "construir mercado", "fim"]),
    ("pt-br", "eu pego ouro e construir mercado", ["eu pego ouro", "construir mercado"]),
]
#: what is no list of orders, or might be several lists
WHOLE = [
    ("en", "gold"),
    ("en", "build Market"),
    ("en", "gold, please do"),
    ("en", "gold, help"),
    ("en", "Market, Temple"),
    ("en", "gold, 2"),
    ("en", "1 and 3"),
    ("en", "1, 3"),
    ("en", "gold or cards"),
    ("en", "not gold, end"),
    ("en", "then"),
    ("en", ",,,"),
    ("en", ", ".join(["gold"] * 30)),
    ("en", "hello, how are you and your friends"),
    ("pt-br", "ouro ou cartas"),
    ("pt-br", "1 e 3"),
]
ONE: list[tuple[str, str, Move]] = [
    ("en", "gold 👍", GOLD),
    ("en", "gold 👍🏽 🎉", GOLD),
    ("en", "gold :D", GOLD),
    ("en", "I take gold because I'm so poor", GOLD),
    ("pt-br", "ouro pq estou pobre", GOLD),
    ("en", "gold xD <3", GOLD),
    ("en", "gold :", GOLD),
    ("en", "Ok gold", GOLD),
    ("en", "ok, I take gold", GOLD),
    ("en", "I'll build Market please", MARKET),
    ("en", "I build Market, thanks", MARKET),
    ("en", "and then end", END),
    ("en", "(2)", Move("cards")),
    ("en", "[2]", Move("cards")),
    ("en", "2.", Move("cards")),
    ("en", "#2.", Move("cards")),
    ("en", "#2 👍", Move("cards")),
    ("en", "2)", Move("cards")),
    ("en", "2:", Move("cards")),
    ("en", "two", Move("cards")),
    ("en", "Two!", Move("cards")),
    ("en", "option two", Move("cards")),
    ("en", "ok 2", Move("cards")),
    ("pt-br", "ouro 👍", GOLD),
    ("pt-br", "Ok ouro", GOLD),
    ("pt-br", "eu pego ouro", GOLD),
    ("pt-br", "tá, vou pegar ouro", GOLD),
    ("pt-br", "então fim", END),
    ("pt-br", "um", GOLD),
    ("pt-br", "Dois", Move("cards")),
    ("pt-br", "duas", Move("cards")),
    ("pt-br", "(2)", Move("cards")),
]
NOT = [
    "not gold",
    "ok not gold",
    "I don't take gold",
    "gold no",
    "#2 gold",
    "#2:gold",
    "then #2: gold",
    "gold (#2)",
    "gold because I am not to end yet",
    "gold because Ana has none",
    "gold because wait",
    "gold because I am poor and end my turn now",
    "gold because I am poor, not cards",
    "ok",
    "👍",
    "first",
    "ok build Zzz",
    "thirteen",
]


def reading(language: str = "en", names: tuple[str, ...] = NAMES, **other: Any) -> Reading:
    ask = {**TURN, "moves": [["gold", []], ["cards", []], *TURN["moves"][2:]]}
    return Reading(language, names, ask, **other)


@pytest.mark.parametrize(
    ("language", "line", "orders"), SEVERAL, ids=lambda v: v if isinstance(v, str) else None
)
def test_a_line_of_several_orders(language: str, line: str, orders: list[str]) -> None:
    assert isinstance(read_order(line, reading(language)), NotUnderstood)
    assert list(part(line, reading(language))) == orders
    assert all(isinstance(read_order(one, reading(language)), Move) for one in orders)


@pytest.mark.parametrize(("language", "line"), WHOLE)
def test_a_line_that_is_not_parted(language: str, line: str) -> None:
    assert part(line, reading(language)) == ()


@pytest.mark.parametrize(("language", "line", "meant"), ONE, ids=lambda v: v if isinstance(v, str) else None)
def test_talk_around_an_order(language: str, line: str, meant: Move) -> None:
    assert read_order(line, reading(language)) == meant


@pytest.mark.parametrize("line", NOT)
def test_what_is_said_against_it_is_no_talk(line: str) -> None:
    assert isinstance(read_order(line, reading()), NotUnderstood)


def test_a_number_is_in_words_unless_somebody_is_called_so() -> None:
    assert as_number("Two.", reading()) == "2"
    assert as_number("two", reading(names=("Ana", "Two"))) == "two"
    assert isinstance(read_order("two", reading(names=("Ana", "Two"))), NotUnderstood)
    assert as_number("gold", reading()) == "gold"
    assert as_number("(12)", reading()) == "12"
    assert as_number("dois", reading("pt-br")) == "2"


def test_a_later_number_is_none() -> None:
    for said in ("two", "(2)", "ok 2"):
        found = read_order(said, reading(numbers=False))
        assert isinstance(found, NotUnderstood)


@pytest.mark.parametrize("said", ["two", "(2)", "2", "ok 2", "ok 👍"])
def test_people_in_a_room_count_for_other_reasons(said: str) -> None:
    intent = read_intent(said, reading(), private=False)
    assert isinstance(intent, Intent)
    assert intent.kind == "chatter"


@pytest.mark.parametrize(
    ("language", "line"), [("en", "1 and 3"), ("en", "1, 3"), ("en", "one + three"), ("pt-br", "1 e 3")]
)
def test_several_numbers_are_asked_back(language: str, line: str) -> None:
    found = read_order(line, reading(language))
    assert isinstance(found, NotUnderstood)
    assert found.code == "ambiguous"
    assert found.candidates == ("gold", "income")


@pytest.mark.parametrize("line", ["1 and 99", "1 and gold", "2 gold and 3", "1 3", "0 and 1"])
def test_numbers_that_are_no_options(line: str) -> None:
    found = read_order(line, reading())
    assert isinstance(found, NotUnderstood)
    assert found.code != "ambiguous"


def test_lists_over_several_lines() -> None:
    for said in (
        "1. gold\n2. build Market\n3. end",
        "- gold,\n- build Market,\n- end",
        "gold,\nbuild Market,\nend.",
    ):
        intent = read_intent(said, Reading(), private=True)
        assert isinstance(intent, Intent)
        assert [read_order(one, reading()) for one in intent.args["chunks"]] == [GOLD, MARKET, END]


def test_two_cards_are_one_choice() -> None:
    """Commas and "and" between cards part no orders."""
    family = {**KEEP, "moves": [], "families": [["keep", ["Temple", "Market", "Manor"], 2, 2, [], False]]}
    read = Reading(names=NAMES, ask=family)
    for said in ("keep Temple, Market", "keep Temple and Market", "Temple and Market"):
        assert read_order(said, read) == Move("keep", (("Temple", "Market"),))


def test_an_order_that_is_to_go_on_is_not_played() -> None:
    """What stands on the step of a choice of cards, without the letter that shows it."""
    assert isinstance(read_order("Redraw Temple, …", reading()), NotUnderstood)
    assert read_order("gold…", reading()) == GOLD


@pytest.mark.parametrize("language", ["en", "pt-br"])
def test_names_that_end_in_a_little_word_or_begin_with_one(language: str) -> None:
    """To the letter it is that player and no other; cut down it may be several."""
    names = ("Jogador A", "Jogador O", "The Fox", "Fox")
    ask = {**TURN, "moves": [["swap", [seat]] for seat in range(4)]}
    read = Reading(language, names=names, ask=ask)
    swap = "swap" if language == "en" else "trocar com"
    for seat, name in enumerate(names):
        assert read_order(f"swap {name}", read) == Move("swap", (seat,))
        assert read_order(f"{swap} {name.upper()}", read) == Move("swap", (seat,))
    found = read_order(f"{swap} jogador", read)
    assert isinstance(found, NotUnderstood)
    assert found.candidates == ("swap Jogador A", "swap Jogador O")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        *(
            ("en", one)
            for one in ("gold?", "Gold ?", "take gold??", "gold? please", "gold? 🤔", "ok, gold?!", "1?")
        ),
        *(("pt-br", one) for one in ("ouro?", "pego ouro ?", "ouro? por favor")),
    ],
)
def test_a_question_is_no_order(language: str, line: str) -> None:
    found = read_order(line, reading(language))
    assert isinstance(found, NotUnderstood)
    assert (found.code, found.suggestions) == ("question", ("gold",))


def test_a_question_within_several_orders() -> None:
    assert part("gold, build Market?", reading()) == ()
    chunks = read_intent("gold; end?", Reading(), private=True)
    assert isinstance(chunks, Intent)
    assert isinstance(read_order(chunks.args["chunks"][1], reading()), NotUnderstood)


def test_a_name_may_end_in_a_question_mark() -> None:
    read = Reading(names=("Ana", "Who?"), ask={**TURN, "moves": [["swap", [1]], ["gold", []]]})
    assert read_order("swap Who?", read) == read_order("swap who?", read) == Move("swap", (1,))
    assert isinstance(read_order("swap Who??", read), NotUnderstood)
    # a mail program that lost the sign
    assert read_order("build Thieves? Den", reading()) == Move("build", ("Thieves' Den",))


@pytest.mark.parametrize(
    "said", ["leave?", "leave #17?", "abandon ?", "undo?", "kick Ana?", "vote yes?", "ready?"]
)
def test_a_command_with_a_question_mark_is_explained(said: str) -> None:
    found = read_intent(said, Reading(), private=True)
    assert isinstance(found, Intent)
    assert (found.kind, found.args["command"]) == ("help", said.split()[0].rstrip("?"))


@pytest.mark.parametrize(
    ("language", "ask", "line"),
    [
        *(("en", TURN, one) for one in ("build the", "build a", "build it", "build the a")),
        *(("en", KEEP, one) for one in ("keep it", "keep the", "keep a", "keep", "it", "the")),
        *(("en", KILL, one) for one in ("kill me", "kill it", "kill the")),
        *(("pt-br", TURN, one) for one in ("construir o", "construir a", "construir uma")),
        *(("pt-br", KEEP, one) for one in ("manter o", "ficar com ele", "o", "a")),
        *(("pt-br", KILL, one) for one in ("matar me", "matar a")),
    ],
)
def test_an_order_that_breaks_off_names_no_card(language: str, ask: dict[str, Any], line: str) -> None:
    """A little word is not cut short from a card's name: "the" is no Theater, "it" no Ivory Tower."""
    found = read_order(line, Reading(language, NAMES, ask))
    assert isinstance(found, NotUnderstood)
    assert found.code != "ambiguous"
    assert not found.candidates


def test_a_letter_still_names_who_can_only_be_meant() -> None:
    assert read_order("keep k", Reading(names=NAMES, ask=KEEP)) == Move("keep", (("Keep",),))
    assert read_order("keep keep", Reading(names=NAMES, ask=KEEP)) == Move("keep", (("Keep",),))
    assert read_order("swap a", Reading(names=("Ana", "Bea"), ask=MAGICIAN)) == Move("swap", (0,))


@pytest.mark.parametrize(
    ("language", "names", "line"),
    [
        ("en", ("Ana", "Ana Gold"), "crown Ana Gold"),
        ("en", ("Ana", "Ana Gold"), "Crown Ana Gold!"),
        ("pt_BR", ("Ana", "Ana Ouro"), "coroar Ana Ouro"),
    ],
)
def test_a_name_with_a_word_of_orders_in_it(language: str, names: tuple[str, ...], line: str) -> None:
    """Which of two players is meant is asked; what is suggested is then read as it is meant."""
    crown = [["crown", [seat, what]] for seat in (0, 1) for what in ("gold", "card")]
    read = Reading(language, names, {**TURN, "moves": crown})
    found = read_order(line, read)
    assert isinstance(found, NotUnderstood)
    assert found.candidates == ("crown Ana gold", f"crown {names[1]} gold", f"crown {names[1]} card")
    meant = [read_order(typed(read.lexicon, one, names), read) for one in found.candidates]
    assert meant == [Move("crown", (0, "gold")), Move("crown", (1, "gold")), Move("crown", (1, "card"))]
