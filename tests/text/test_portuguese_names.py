"""The names of the Brazilian edition, card by card, with their articles, and the terms that go with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import Environment

from referee.rules.editions import EDITIONS
from referee.text import Reading, read_order
from referee.text.folders import shipped
from referee.text.lexicon import lexicon
from referee.text.rendering.filters import filters

LEX = lexicon("pt_BR")
#: rank by rank, as the box has them; the article tells the gender that sentences must agree with
CHARACTERS = {
    "Assassin": "a Assassina",
    "Witch": "a Bruxa",
    "Magistrate": "o Magistrado",
    "Thief": "o Ladrão",
    "Spy": "o Espião",
    "Blackmailer": "a Chantagista",
    "Magician": "o Ilusionista",
    "Wizard": "o Mago",
    "Seer": "a Vidente",
    "King": "o Rei",
    "Emperor": "o Imperador",
    "Patrician": "o Patrício",
    "Bishop": "o Bispo",
    "Abbot": "o Abade",
    "Cardinal": "o Cardeal",
    "Merchant": "a Comerciante",
    "Alchemist": "o Alquimista",
    "Trader": "o Mercador",
    "Architect": "a Arquiteta",
    "Navigator": "a Navegadora",
    "Scholar": "a Estudiosa",
    "Warlord": "o Senhor da Guerra",
    "Diplomat": "a Diplomata",
    "Marshal": "o Marechal",
    "Queen": "a Rainha",
    "Artist": "a Artista",
    "Tax Collector": "o Coletor de Impostos",
}
UNIQUES = {
    "Armory": "o Arsenal",
    "Basilica": "a Basílica",
    "Capitol": "o Capitólio",
    "Dragon Gate": "o Portão do Dragão",
    "Factory": "a Fábrica",
    "Framework": "a Estrutura",
    "Gold Mine": "a Mina de Ouro",
    "Great Wall": "a Muralha",
    "Haunted Quarter": "o Bairro Assombrado",
    "Imperial Treasury": "o Tesouro Imperial",
    "Ivory Tower": "a Torre de Marfim",
    "Keep": "a Torre de Menagem",
    "Laboratory": "o Laboratório",
    "Library": "a Biblioteca",
    "Map Room": "a Sala de Mapas",
    "Monument": "o Monumento",
    "Museum": "o Museu",
    "Necropolis": "a Necrópole",
    "Observatory": "o Observatório",
    "Park": "o Parque",
    "Poor House": "o Abrigo para Pobres",
    "Quarry": "a Pedreira",
    "School of Magic": "a Escola de Magia",
    "Secret Vault": "o Cofre Secreto",
    "Smithy": "a Forja",
    "Stables": "os Estábulos",
    "Statue": "a Estátua",
    "Theater": "o Teatro",
    "Thieves' Den": "o Covil dos Ladrões",
    "Wishing Well": "o Poço dos Desejos",
}
BASICS = {
    "Temple": "o Templo",
    "Church": "a Igreja",
    "Monastery": "o Mosteiro",
    "Cathedral": "a Catedral",
    "Watchtower": "a Torre de Vigia",
    "Prison": "a Prisão",
    "Barracks": "a Caserna",
    "Fortress": "a Fortaleza",
    "Manor": "o Solar",
    "Castle": "o Castelo",
    "Palace": "o Palácio",
    "Tavern": "a Taverna",
    "Market": "o Mercado",
    "Trading Post": "o Posto de Comércio",
    "Docks": "as Docas",
    "Harbor": "o Porto",
    "Town Hall": "a Prefeitura",
}
TYPES = {
    "noble": "nobre",
    "religious": "religioso",
    "trade": "comercial",
    "military": "militar",
    "unique": "especial",
}
#: names of the older box, and of the other card of a pair, which must not be taken for each other
TRAPS = {
    "Mago": "Wizard",
    "Ilusionista": "Magician",
    "Mercador": "Trader",
    "Comerciante": "Merchant",
    "Senhor da Guerra": "Warlord",
}
#: what nobody in Brazil says
ELSEWHERE = re.compile(
    r"\b(tu|teu|tua|teus|tuas|contigo|vós|vosso|vossa|ecrã|ficheiro|ficheiros|utilizador|utilizadores|"
    r"telemóvel|rato|palavra-passe|registo|registos|equipa|equipas|contacto|facto|acção|"
    r"actual|directo|óptimo|deletar|printar|randomizar|setar|startar|checar|jogador está|autocarro|estás|"
    r"tens|podes|queres|escreve-me|diz-me|ligue-se|clicar-se|sítio|"
    r"ter-se-á|dir-lhe|fá-lo|quaisquer um)\b",
    re.IGNORECASE,
)
#: two words that Portuguese makes one of; not before an infinitive's subject ("antes de o tempo acabar")
APART = re.compile(
    r"(?<!antes )(?<!depois )\b(?:de (?:o|a|os|as|este|esta|esse|essa|isto|isso|ela)|em (?:o|os|as|"
    r"este|esta|esse|essa|isto|isso|ele|ela)|por (?:o|os|as)|a (?:o|os|as)) (?=[A-ZÁ-Úa-zá-ú])"
)


def test_the_table_is_whole() -> None:
    deluxe = EDITIONS["deluxe"]
    assert {one.name for one in deluxe.characters} >= set(CHARACTERS)  # others are not in the box
    assert {one.name for one, _ in deluxe.districts} >= {*UNIQUES, *BASICS}
    assert (len(CHARACTERS), len(UNIQUES), len(BASICS)) == (27, 30, 17)


@pytest.mark.parametrize(("english", "own"), [*CHARACTERS.items(), *UNIQUES.items(), *BASICS.items()])
def test_a_card_s_name_its_article_and_what_it_is_typed_as(english: str, own: str) -> None:
    article, _, name = own.partition(" ")
    kind = "characters" if english in CHARACTERS else "districts"
    assert LEX.name(kind, english) == name
    said = Environment(autoescape=True)
    said.filters.update(filters(LEX, lambda table, code: None))
    made = said.from_string("{{ x|the }}|{{ x|of_the }}|{{ x|in_the }}|{{ x|by_the }}|{{ x|to_the }}").render(
        x=english
    )
    forms = {
        "o": ("o", "do", "no", "pelo", "ao"),
        "a": ("a", "da", "na", "pela", "à"),
        "os": ("os", "dos", "nos", "pelos", "aos"),
        "as": ("as", "das", "nas", "pelas", "às"),
    }[article]
    assert made == "|".join(f"{form} {name}" for form in forms)
    verb = ("matar", "kill") if kind == "characters" else ("construir", "build")
    if english not in ("Assassin", "Secret Vault"):
        for typed in (
            f"{verb[0]} {name}",
            f"{verb[0]} {own}",
            f"{verb[0]} {own.upper()}",
            f"{verb[0]} {english}",
        ):
            assert read_order(typed, Reading("pt_BR", names=("Ana", "Bea"))) == read_order(
                f"{verb[1]} {english}", Reading(names=("Ana", "Bea"))
            ), typed


@pytest.mark.parametrize(("name", "english"), TRAPS.items())
def test_cards_that_are_taken_for_each_other(name: str, english: str) -> None:
    assert read_order(f"matar {name}", Reading("pt_BR")) == read_order(f"kill {english}", Reading())


def test_types() -> None:
    assert {key: LEX.name("types", key) for key in TYPES} == TYPES


@pytest.mark.parametrize("path", sorted((shipped() / "pt_BR").rglob("*.*")), ids=lambda path: path.name)
def test_no_word_from_elsewhere_and_no_contraction_left_open(path: Path) -> None:
    text = re.sub(
        r"\{#.*?#\}|^#.*$|\{%.*?%\}|\{\{.*?\}\}|^\w+ = \[.*?\]$",
        " § ",
        path.read_text(encoding="utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    if path.name == "lexicon.toml" or path.name == "plans.toml":
        text = "\n".join(
            line
            for line in text.splitlines()
            if re.match(r"(text|line|plain|rulings|usage|[\w-]+) = \"|rulings", line)
        )
    assert ELSEWHERE.findall(text) == []
    assert APART.findall(text) == []
