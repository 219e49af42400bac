"""Words that agree with a card's name: articles, contractions, whose it is; and a language that leans on
English.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined

from referee.text import Words, lexicon
from referee.text.gaps import TranslationGap, gaps
from referee.text.rendering.filters import filters
from referee.text.rendering.typed import example

NAMES = ["Bea", "Ana <b>"]


def said(template: str, language: str = "pt_BR", **facts: Any) -> str:
    environment = Environment(undefined=StrictUndefined, autoescape=True)
    environment.filters.update(filters(lexicon(language), lambda table, code: None))
    return environment.from_string(template).render(names=NAMES, me_seat=0, **facts)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (
            "{{ 'Temple'|the }}, {{ 'Watchtower'|the }}, {{ 'Docks'|the }}, {{ 'Stables'|the }}",
            "o Templo, a Torre de Vigia, as Docas, os Estábulos",
        ),
        (
            "{{ 'Temple'|of_the }}, {{ 'Smithy'|of_the }}, {{ 'Docks'|of_the }}, {{ 'Stables'|of_the }}",
            "do Templo, da Forja, das Docas, dos Estábulos",
        ),
        (
            (
                "{{ 'King'|in_the }}, {{ 'Witch'|in_the }}, {{ 'King'|to_the }}, {{ 'Witch'|to_the }}, "
                "{{ 'Warlord'|by_the }}, {{ 'Queen'|by_the }}"
            ),
            "no Rei, na Bruxa, ao Rei, à Bruxa, pelo Senhor da Guerra, pela Rainha",
        ),
        (
            "{{ 'Temple'|a }}, {{ 'Smithy'|a }}, {{ 'Smithy'|no }}, {{ 'Stables'|this }}",
            "um Templo, uma Forja, nenhuma Forja, estes Estábulos",
        ),
        ("{{ 'Watchtower'|The }} {{ 'Docks'|Of_the }}", "A Torre de Vigia Das Docas"),
        (
            "{{ 'Market'|the(1) }}; {{ 'Market'|of_the(0) }}; {{ 'Docks'|by_the(0) }}",
            "o Mercado de Ana &lt;b&gt;; do seu Mercado; pelas suas Docas",
        ),
        (
            "{{ 'Market beautified'|the }}, {{ 'Docks beautified'|card }}",
            "o Mercado embelezado, Docas embelezadas",
        ),
        (
            "{{ 1|of_the }} {{ 0|of_the }} {{ 0|The }} {{ 1|The }} {{ 0|to_the }}",
            "de Ana &lt;b&gt; de você Você Ana &lt;b&gt; a você",
        ),
        (
            (
                "{{ 'Docks'|agree('caiu', 'caiu', 'caíram', 'caíram') }} {{ 'Queen'|agree('morto', "
                "'morta') }} {{ 'Stables'|agree('um', 'dois') }}"
            ),
            "caíram morta um",
        ),
        (
            (
                "{{ 0|if_me('a sua cidade', 'a cidade de {}') }}, {{ 1|if_me('a sua cidade', "
                "'a cidade de {}') }}"
            ),
            "a sua cidade, a cidade de Ana &lt;b&gt;",
        ),
        (
            (
                "{{ ['King', 'Witch', 'Bishop']|map('the')|all_of }}; {{ ['King', 'Witch']|"
                "map('of_the')|either }}; {{ ['King', 'Witch']|cards }}"
            ),
            "o Rei, a Bruxa e o Bispo; do Rei ou da Bruxa; Rei e Bruxa",
        ),
        (
            (
                "{{ 1|n('carta', 'cartas', many='de cartas') }}, {{ 2|n('carta', 'cartas', "
                "many='de cartas') }}, {{ 1000000|n('carta', 'cartas', many='de cartas') }}"
            ),
            "1 carta, 2 cartas, 1000000 de cartas",
        ),
        (
            "{{ 'kill'|verb }} {{ 'join'|command }} {{ 'notices'|topic }} {{ 'trade'|kind }}",
            "matar entrar avisos comercial",
        ),
    ],
)
def test_portuguese_sentences(template: str, text: str) -> None:
    assert said(template) == text


def test_english_has_none_of_these_and_says_what_it_said() -> None:
    environment = Environment()
    environment.filters.update(filters(lexicon("en"), lambda table, code: None))
    assert "of_the" not in environment.filters
    assert (
        said(
            (
                "{{ 'Market beautified'|card }} {{ 'kill'|verb }} {{ 'notices'|topic }} {{ 1|whose }} {{ "
                "'vote yes'|example }}"
            ),
            "en",
        )
        == "Market beautified kill notices Ana &lt;b&gt;&#39;s vote yes"
    )


def test_every_card_is_of_a_class_that_there_is() -> None:
    table = lexicon("pt_BR").table("grammar")
    classes = table["classes"]
    for name, forms in table.items():
        if name != "classes":
            assert set(classes) <= set(forms), name
    for kind in ("characters", "districts"):
        for card, entry in lexicon("pt_BR").table(kind).items():
            assert entry.get("gender", "m") in classes, card
            assert entry["name"], card


@pytest.mark.parametrize(
    ("given", "own"),
    [
        ("vote yes", "votar sim"),
        ("league standings division 2", "liga classificação division 2"),
        ("join #17", "entrar #17"),
        ("24h", "24h"),
        ("nonsense here", "nonsense here"),
        ("", ""),
    ],
)
def test_examples(given: str, own: str) -> None:
    assert example(lexicon("pt_BR"), given) == own
    assert example(lexicon("en"), given) == given


def test_what_a_language_lacks_is_said_in_english_and_listed(tmp_path: Path) -> None:
    """A folder with two words in it is already a language: an unfinished one never stops a game."""
    folder = tmp_path / "eo"
    folder.mkdir()
    (folder / "lexicon.toml").write_text(
        '[language]\nname = "Esperanto"\nfillers = ["la"]\n[districts.Market]\nname = '
        '"Foiro"\n[verbs.build]\nname = "konstrui"\naliases = ["end"]\n'
    )
    words = Words((tmp_path,), strict=True)
    assert words.phrase("frozen", "eo") == words.phrase("frozen", "en")
    assert words.lexicon("eo").card("Market") == "Foiro"
    assert words.lexicon("eo").card("Temple") == "Temple"
    assert "mia" not in words.lexicon("eo").fillers
    assert "end" in words.lexicon("eo").spellings("verbs", "build")  # its own words win over English ones
    assert "done" in words.lexicon("eo").spellings("verbs", "end")
    found = gaps("eo", (tmp_path,))
    assert (
        TranslationGap("lexicon.toml", "districts.Temple", "missing") in found
        or TranslationGap("lexicon.toml", "districts.Keep", "missing") in found
    )
    assert TranslationGap("phrases.toml", "notices.frozen", "missing") in found


def test_a_word_that_means_something_else_here_is_not_taken_from_english() -> None:
    own = lexicon("pt_BR")
    assert "no" not in own.spellings("verbs", "pass")  # "no rei" begins no order
    assert "draw" not in own.spellings("verbs", "cards")
    assert "take gold" in own.spellings("verbs", "gold")
    assert "y" in own.words("yes", "deciding")
