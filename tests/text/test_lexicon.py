"""The lexicon: every card has its words, and no word has two meanings."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path
from unittest.mock import Mock

import pytest

from referee import kept
from referee.text import Words, lexicon, squash
from referee.text.folders import languages, nearest
from referee.text.reading.commands import COMMANDS
from referee.text.reading.shapes import SHAPES

KINDS = (
    "characters",
    "districts",
    "types",
    "verbs",
    "commands",
    "channels",
    "editions",
    "bots",
    "lists",
    "leagues",
)


def test_there_are_languages() -> None:
    assert "en" in languages()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", KINDS)
def test_no_alias_has_two_meanings(language: str, kind: str) -> None:
    lex = lexicon(language)
    shared = {squash(word) for word in lex.table("verbs").get("shared", ())} if kind == "verbs" else set()
    meant: dict[str, set[str]] = defaultdict(set)
    for key in lex.keys(kind):
        for spelling in lex.spellings(kind, key):
            assert squash(spelling) or spelling == "?", (key, spelling)
            meant[squash(spelling)].add(key)
    assert meant
    assert {word: keys for word, keys in meant.items() if len(keys) > 1 and word not in shared} == {}
    assert all(len(meant[word]) > 1 for word in shared), "listed as shared without need"


@pytest.mark.parametrize("language", languages())
def test_commands_are_not_orders(language: str) -> None:
    lex = lexicon(language)
    orders = {squash(s) for verb in lex.keys("verbs") for s in lex.spellings("verbs", verb)}
    commands = {squash(s) for command in lex.keys("commands") for s in lex.spellings("commands", command)}
    assert orders
    assert orders & commands == set()


@pytest.mark.parametrize("language", languages())
def test_commands_are_not_cards(language: str) -> None:
    """A question for a character or a district is answered by its bare name."""
    lex = lexicon(language)
    cards = {
        squash(s)
        for kind in ("characters", "districts")
        for card in lex.keys(kind)
        for s in lex.spellings(kind, card)
    }
    commands = {squash(s) for command in lex.keys("commands") for s in lex.spellings("commands", command)}
    assert cards
    assert cards & commands == set()


@pytest.mark.parametrize("language", languages())
def test_every_verb_and_command_is_there(language: str) -> None:
    lex = lexicon(language)
    assert set(lex.keys("verbs")) == set(SHAPES)
    assert set(lex.keys("commands")) == set(COMMANDS)
    for command in COMMANDS:
        assert {"usage", "text"} <= set(lex.entry("commands", command))


def test_every_order_of_the_rules_is_in_the_readers_shapes() -> None:
    from referee.rules.notation import shapes

    def same(parts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            p.replace("<B>", "<D>") for p in parts
        )  # the reader allows "beautified" wherever a district stands in a city

    known = {(verb, same(parts)) for verb, several in SHAPES.items() for parts in several}
    rules = {(verb, same(shape.parts)) for verb, several in shapes().items() for shape in several}
    assert rules
    assert rules <= known


def test_an_admins_words_go_before_ours(tmp_path: Path) -> None:
    folder = tmp_path / "en"
    folder.mkdir()
    (folder / "lexicon.toml").write_text('[districts.Market]\nname = "Bazaar"\naliases = ["souk"]\n')
    lex = lexicon("en", (tmp_path,))
    assert lex.card("Market") == "Bazaar"
    assert lex.card("Temple") == "Temple"
    assert list(lex.spellings("districts", "Market")) == ["Market", "Bazaar", "souk"]


def test_a_short_name_is_the_same_languages_as_the_name(tmp_path: Path) -> None:
    assert lexicon("en").short("Merchant") == "Mer\u00adchant"
    assert lexicon("en").short("King") == "King"
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "lexicon.toml").write_text(
        '[language]\nname = "X"\n[characters.Merchant]\nname = "Negociante"\n', encoding="utf-8"
    )
    lex = lexicon("xx", (tmp_path,))
    assert lex.short("Merchant") == "Negociante"
    assert lex.short("Warlord") == "War\u00adlord"


def test_a_file_is_read_once_however_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The English one stands beside each other language, and to read it is a part of each start."""
    read = Mock(side_effect=tomllib.loads)
    monkeypatch.setattr(tomllib, "loads", read)
    monkeypatch.setattr(kept, "_place", [])  # nothing is kept from an earlier start
    own = (tmp_path,)  # nothing is in it, and nobody has asked for the words with this folder
    for _ in range(2):
        for language in languages():
            lexicon(language, own)
            lexicon(language=language, own=own)
    assert read.call_count == len(languages())


def test_an_unknown_language() -> None:
    with pytest.raises(FileNotFoundError, match="xx"):
        lexicon("xx")
    known = ("en", "pt_BR")
    assert nearest("pt-BR", known) == "pt_BR"
    assert nearest("pt", known) == "pt_BR"
    assert nearest("en-GB", known) == "en"
    assert nearest("", known) == "en"
    assert nearest("xx", known) == "en"


def test_which_words_are_the_referee_s_own() -> None:
    """Names are not, though they stand in examples and addresses."""
    names = ["Ana", "Bea", "João", "Zoë Quixano", "Ana Gold", "Felix"]
    plain = ["Castle", "castelo", "the gold", "build Castle", "new classic 5", "or", "🙈", "May"]
    assert Words().ordinary([*names, *plain]) == set(plain)
