"""The commands that channels offer while people type: plain letters, and read back to the same command."""

from __future__ import annotations

from typing import Any

import pytest

from referee.text import Intent, NotUnderstood, Reading, Words, read_intent
from referee.text.reading import tables
from referee.text.reading.commands import COMMANDS

WORDS = Words(strict=True)


@pytest.mark.parametrize("language", WORDS.languages)
def test_a_dozen_commands_are_offered_and_read(language: str) -> None:
    offered, english = WORDS.commands(language), WORDS.commands("en")
    assert len(offered) == len(english) == len({word for word, _ in offered}) == 12
    for (word, text), (command, _) in zip(offered, english, strict=True):
        assert word.isascii() and word.isalpha() and word == word.lower() and 1 <= len(word) <= 32  # noqa: PT018 - one look at one word
        assert 1 <= len(text) <= 256
        intent = read_intent(f"/{word}", Reading(language), private=True)
        assert (
            intent.kind == command if isinstance(intent, Intent) else intent.facts.get("command") == command
        ), (
            word,
            intent,
        )
        assert not isinstance(intent, NotUnderstood) or intent.code == "missing"


def test_they_are_in_the_languages_own_words() -> None:
    found = dict(WORDS.commands("pt_BR"))
    assert {"nova", "entrar", "mesa", "mao", "partidas", "aprender", "idioma", "ajuda"} <= set(found)
    assert found["mao"].startswith("as suas cartas")


@pytest.mark.parametrize(
    ("said", "searches"),
    [
        ("classic 4 seats 24h no bank no quiet remind 25% with 1 bots", 0),
        ("classic 4 players 24h", 0),
        ("classic 4 clasp", 3),
        ("classic 4 clasp no bank", 3),
        ("cunning agents with Patrickan", 1),
    ],
)
def test_similar_cards_are_looked_for_only_where_an_order_is_not_understood(
    monkeypatch: pytest.MonkeyPatch, said: str, searches: int
) -> None:
    """The search takes longer than all the rest of the reading."""
    typed: list[str] = []
    nearest = tables.nearest_cards

    def counted(word: str, reading: Reading) -> tuple[str, ...]:
        typed.append(word)
        return nearest(word, reading)

    monkeypatch.setattr(tables, "nearest_cards", counted)
    found = COMMANDS["new"](said, Reading())
    assert (isinstance(found, NotUnderstood), len(typed)) == (searches > 0, searches)


@pytest.mark.parametrize(
    ("said", "kind", "args", "game", "language"),
    [
        ("undo please", "undo", {}, None, "en"),
        ("Undo, please!", "undo", {}, None, "en"),
        ("join #17 please", "join", {}, 17, "en"),
        ("#17 join please", "join", {}, 17, "en"),
        ("kick Ana pls", "kick", {"player": "Ana"}, None, "en"),
        ("start please", "start", {"payload": ""}, None, "en"),
        ("say hi please", "say", {"text": "hi please"}, None, "en"),
        ("desfazer, por favor", "undo", {}, None, "pt_BR"),
        ("entrar #17 por favor", "join", {}, 17, "pt_BR"),
        ("bot strong 2 #17", "bot", {"kind": "strong", "count": 2}, 17, "en"),
        ("history 20 #17", "history", {"count": 20}, 17, "en"),
        ("history 20 #17 please", "history", {"count": 20}, 17, "en"),
    ],
)
def test_a_command_as_people_say_it(said: str, kind: str, args: Any, game: int | None, language: str) -> None:
    found = read_intent(said, Reading(language), private=True)
    assert isinstance(found, Intent)
    assert (found.kind, dict(found.args), found.game) == (kind, args, game)


LENGTHS: list[tuple[str, str, float]] = [
    ("en", "vacation 2 weeks", 336),
    ("en", "vacation for two weeks", 336),
    ("en", "vacation a week", 168),
    ("en", "vacation 1,5 days", 36),
    ("en", "extend a day", 24),
    ("en", "extend 1,5 days #17", 36),
    ("en", "new classic 4 1 week", 168),
    ("en", "new deluxe 2,5 days", 60),
    ("pt_BR", "férias de 2 semanas", 336),
    ("pt_BR", "férias por uma semana", 168),
    ("pt_BR", "férias 1,5 dias", 36),
    ("pt_BR", "prorrogar um dia", 24),
    ("pt_BR", "nova mesa deluxe 2,5 dias", 60),
    ("pt_BR", "nova clássica 4 uma semana", 168),
]


@pytest.mark.parametrize(("language", "said", "hours"), LENGTHS)
def test_lengths_as_people_say_them(language: str, said: str, hours: float) -> None:
    """In weeks, in words, with a decimal comma: “2,5 days” opened a table of two with five days."""
    found = read_intent(said, Reading(language), private=True)
    assert isinstance(found, Intent)
    assert found.args["hours"] == hours


@pytest.mark.parametrize("said", ["new classic 4, 5 days", "new classic 4,5 days each", "new classic 5,24h"])
def test_a_comma_between_two_things_parts_them(said: str) -> None:
    found = read_intent(said, Reading(), private=True)
    assert isinstance(found, Intent)
    seats, hours = {"4, 5 days": (4, 120), "4,5 days each": (None, 108), "5,24h": (5, 24)}[said[12:]]
    assert (found.args["seats"], found.args["hours"]) == (seats, hours)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "hours Saturday from 18 to 22"),
        ("en", "hours Sat 6pm to 10pm"),
        ("en", "hours Sat between 18 and 22"),
        ("pt_BR", "horas sábado das 18 às 22"),
        ("pt_BR", "horas sáb 18h às 22h"),
        ("pt_BR", "posso sáb de 18h até 22h"),
    ],
)
def test_hours_said_in_words(language: str, said: str) -> None:
    found = read_intent(said, Reading(language), private=True)
    assert isinstance(found, Intent)
    assert found.args["windows"] == [{"weekday": 5, "start": 18 * 60, "end": 22 * 60}]


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "quiet from 22 to 7"), ("en", "quiet 10pm to 7am"), ("pt_BR", "silêncio das 22 às 7")],
)
def test_quiet_hours_said_in_words(language: str, said: str) -> None:
    found = read_intent(said, Reading(language), private=True)
    assert isinstance(found, Intent)
    assert found.args["quiet"] == [22.0, 7.0, "hold"]


@pytest.mark.parametrize(
    ("language", "said", "kind"),
    [
        ("en", "leave the game", "leave"),
        ("en", "start the game", "start"),
        ("en", "abandon the game #17", "abandon"),
        ("en", "show my hand", "hand"),
        ("pt_BR", "sair da mesa", "leave"),
        ("pt_BR", "sair do jogo #17", "leave"),
    ],
)
def test_little_words_within_a_command(language: str, said: str, kind: str) -> None:
    found = read_intent(said, Reading(language), private=True)
    assert isinstance(found, Intent)
    assert (found.kind, found.game) == (kind, 17 if "#" in said else None)


@pytest.mark.parametrize(
    ("said", "kind", "language"),
    [
        ("can you help", "help", "en"),
        ("Can you help me?", "help", "en"),
        ("pode me ajudar?", "help", "pt_BR"),
        ("undo 🙈", "undo", "en"),
        ("undo, thanks!", "undo", "en"),
        ("status thx 🙏", "status", "en"),
        ("desfazer, valeu 😅", "undo", "pt_BR"),
        ("vacation off", "here", "en"),
        ("voltei de férias", "here", "pt_BR"),
        ("can Sat 18-22", "hours", "en"),
        ("i can tomorrow 18-20", "hours", "en"),
        ("we can on Sat 18-22", "unknown-word", "en"),
        ("posso sáb 18-22", "hours", "pt_BR"),
        ("can I undo", "orders", "en"),
        ("can you pause the game", "orders", "en"),
        ("posso pegar ouro", "orders", "pt_BR"),
        ("gold. Thanks!", "orders", "en"),
    ],
)
def test_what_is_asked_politely(said: str, kind: str, language: str) -> None:
    """“Can you help” was answered with how hours are said, “undo 🙈” with a game’s number."""
    found = read_intent(said, Reading(language), private=True)
    assert (found.code if isinstance(found, NotUnderstood) else found.kind) == kind


def test_a_thank_you_is_no_order_of_a_message() -> None:
    found = read_intent("Hi. Kill Merchant. Thanks!", Reading(), private=True)
    assert isinstance(found, Intent)
    assert found.args["chunks"] == ("Kill Merchant",)
    alone = read_intent("Thanks!", Reading(), private=True)
    assert isinstance(alone, Intent)
    assert alone.args["chunks"] == ("Thanks!",)


def test_hours_without_a_day_are_told_with_one() -> None:
    found = read_intent("hours from 18 to 22", Reading(), private=True)
    assert isinstance(found, NotUnderstood)
    assert found.facts["expected"] == ("Sat 18-22",)
