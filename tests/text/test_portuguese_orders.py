"""Orders in Brazilian Portuguese: word by word from the lexicon, as people type them, and mixed with English
ones.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules import Setup, rulebook
from referee.rules import view as view_of
from referee.rules.editions import EDITIONS
from referee.rules.facts import Family, Move
from referee.rules.notation import order_text
from referee.text import Reading, Trouble, Wish, read_order, read_wish
from referee.text.lexicon import lexicon
from referee.text.reading.plans import plan_begins, read_plan
from referee.text.rendering.typed import planned, typed
from tests.text.editions import random_game
from tests.text.samples import game
from tests.text.test_reading_roundtrip import offered, sloppy

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Fay", "Gil", "Hal")
LEX = lexicon("pt_BR")
#: our own scenarios, and those of everybody who writes such a referee, where their folder lies beside the
#: project (as .ci/run has it)
OURS = Path(__file__).parents[1] / "rules" / "scenarios"
SHARED = Path(__file__).parents[3] / "shared" / "scenarios"
SCENARIOS = [folder for folder in (OURS, SHARED) if folder.is_dir()]


def read(text: str, language: str = "pt_BR", **more: Any) -> Any:
    return read_order(text, Reading(language, names=NAMES, **more))


def scenario_orders(folder: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every order of a folder's scenarios, also those refused and those that shall be open or not, with the
    players' names.
    """
    for path in sorted(folder.rglob("*.yaml")):
        for scenario in yaml.safe_load(path.read_text(encoding="utf-8")):
            names = tuple(scenario["players"])
            for step in [*scenario.get("play", ()), {"expect": scenario.get("expect", {})}]:
                for who, said in step.items():
                    texts = said.values() if isinstance(said, dict) else [said]
                    if who == "expect":
                        texts = [
                            text
                            for kind in ("legal", "illegal")
                            for several in said.get(kind, {}).values()
                            for text in several
                        ]
                    yield from ((names, text) for text in texts if isinstance(text, str))


def hands(own: str) -> Iterator[str]:
    """The same words as different people type them: with their accents in either form, without any, and in
    capitals.
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFD", own) if not unicodedata.combining(sign))
    yield from (own, unicodedata.normalize("NFD", own), bare, own.upper(), bare.upper())


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: folder.parent.name)
def test_every_order_of_the_scenarios_word_by_word(folder: Path) -> None:
    seen: set[tuple[tuple[str, ...], str]] = set()
    for names, text in scenario_orders(folder):
        order = read_order(text, Reading(names=names))
        if (names, text) in seen or isinstance(order, Trouble):  # a scenario may refuse what is no order
            continue
        seen.add((names, text))
        own = typed(LEX, text, names)
        assert own != text or text in ("favor",), text
        for said in hands(own):
            assert read_order(said, Reading("pt_BR", names=names)) == order, (text, said)
        assert read_order(text, Reading("pt_BR", names=names)) == order, text
    assert len(seen) > 150


def careless(text: str, rng: random.Random) -> str:
    """With little words between, as people have them in Portuguese."""
    verb, _, rest = text.partition(" ")
    return sloppy(
        f"{verb} {rng.choice(('o', 'a', 'as', 'minha', 'do'))} {rest}"
        if rest and not rest[0].isdigit() and rng.random() < 0.5
        else text,
        rng,
    )


def typed_in_portuguese(reading: Reading, rng: random.Random) -> int:
    """Every order that is open, word by word, in everybody's hand and carelessly; how many there were."""
    tried = 0
    for move in offered(reading, rng):
        own = typed(LEX, order_text(move, reading.names), reading.names)
        for said in hands(own):
            assert read_order(said, reading) == move, said
        loose = careless(own, rng)
        found = read_order(loose, reading)
        assert found == move or (isinstance(found, Trouble) and found.code == "ambiguous"), (
            loose,
            move,
            found,
        )
        tried += 1
    return tried


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (4, 2), (7, 3)])
def test_what_is_offered_can_be_typed_in_portuguese(players: int, seed: int) -> None:
    rng, names = random.Random(seed), NAMES[:players]
    book = rulebook(Setup("classic", names, {}))
    tried = 0
    for number, moment in enumerate(game(players, seed, names, bot="random")):
        if number % 3 == 0 and "ask" in moment.view:
            tried += typed_in_portuguese(
                Reading("pt_BR", names=names, ask=moment.view["ask"], view=moment.view, cards=book), rng
            )
    assert tried > 100


@pytest.mark.parametrize("edition", ["deluxe", "original"])
def test_every_card_of_an_edition_can_be_typed_in_portuguese(edition: str) -> None:
    """Random casts and unique districts, until every character and district of the edition has been named in
    an order.
    """
    rng, book = random.Random(8), EDITIONS[edition]
    missing: set[object] = {each.name for each in book.characters} | {each.name for each, _ in book.districts}
    named: set[object] = set()
    for number in range(40):
        for moment in random_game(edition, 2 + number % (book.most - 1), number):
            if moment.ask is None:
                continue
            new = [one for one in (*moment.ask.moves, *moment.ask.families) if not parts(one) <= named]
            if new or rng.random() < 0.01:
                named.update(*map(parts, new))
                view = view_of(moment.state, moment.ask.seat)
                typed_in_portuguese(
                    Reading(
                        "pt_BR",
                        names=moment.names,
                        ask=view["ask"],
                        view=view,
                        cards=rulebook(moment.state.setup),
                    ),
                    rng,
                )
        if missing <= named:
            break
    assert missing - named == set()


def parts(one: Move | Family) -> set[object]:
    """A verb with each card it is said with, and each of those."""
    args = one.args if isinstance(one, Move) else one.before
    words = {
        word for arg in args for word in (arg if isinstance(arg, tuple) else (arg,)) if isinstance(word, str)
    }
    return words | {one.verb, *((one.verb, word) for word in words)}


@pytest.mark.parametrize(
    ("said", "canonical"),
    [
        ("construir mercado", "build Market"),
        ("construir o mercado", "build Market"),
        ("Construir Posto de Comércio", "build Trading Post"),
        ("construir posto comercio", "build Trading Post"),
        ("construo a torre de vigia", "build Watchtower"),
        ("construir tv", "build Watchtower"),
        ("construir palacio com a estrutura", "build Palace with Framework"),
        ("construir Necrópole com o Templo", "build Necropolis with Temple"),
        (
            "construir covil dos ladroes descartando templo e mercado",
            "build Thieves' Den discarding Temple, Market",
        ),
        (
            "construir Palácio emprestando de Bea dando Templo, Mercado",
            "build Palace borrowing Bea giving Temple, Market",
        ),
        ("matar o rei", "kill King"),
        ("mato o Senhor da Guerra", "kill Warlord"),
        ("assassinar a bruxa", "kill Witch"),
        ("roubar o ilusionista", "rob Magician"),
        ("roubar do mago", "rob Wizard"),
        ("roubar a comerciante", "rob Merchant"),
        ("roubar mercador", "rob Trader"),
        ("enfeitiçar o coletor de impostos", "bewitch Tax Collector"),
        ("mandado rei, bispo e comerciante", "warrant King, Bishop, Merchant"),
        ("ameaçar o rei e a rainha", "threaten King, Queen"),
        ("espionar a Bea comercial", "spy Bea trade"),
        ("espionar Bea religioso", "spy Bea religious"),
        ("ouro", "gold"),
        ("pegar ouro", "gold"),
        ("2 de ouro", "gold"),
        ("duas moedas", "gold"),
        ("cartas", "cards"),
        ("comprar cartas", "cards"),
        ("duas cartas", "cards"),
        ("ficar com o palácio", "keep Palace"),
        ("manter palacio, templo", "keep Palace, Temple"),
        ("renda", "income"),
        ("renda 2 de ouro e 1 carta", "income 2 gold 1 cards"),
        ("encerrar", "end"),
        ("encerrar a vez", "end"),
        ("fim do turno", "end"),
        ("passar a vez", "end"),
        ("passo", "pass"),
        ("não", "pass"),
        ("passar", "pass"),
        ("trocar mãos com Bea", "swap Bea"),
        ("trocar de mão com a Bea", "swap Bea"),
        ("trocar cartas templo, mercado", "redraw Temple, Market"),
        ("espiar Bea", "peek Bea"),
        ("ver a mão de Bea", "peek Bea"),
        ("pegar o castelo", "take Castle"),
        ("ver", "see"),
        ("dar Mercado para Bea", "give Market to Bea"),
        ("dar o mercado à Bea", "give Market to Bea"),
        ("dar mercado pra Bea", "give Market to Bea"),
        ("coroar Bea ouro", "crown Bea gold"),
        ("dar a coroa a Bea", "crown Bea"),
        ("coroa para Bea carta", "crown Bea card"),
        ("dízimo", "tithe"),
        ("dizimo de Bea", "tithe Bea"),
        ("bônus", "bonus"),
        ("ouro extra", "bonus"),
        ("extras", "draw"),
        ("navegar ouro", "sail gold"),
        ("navegar 4 cartas", None),
        ("estudar", "study"),
        ("destruir o mercado de Bea", "destroy Bea Market"),
        ("destruir Bea mercado", "destroy Bea Market"),
        ("destruir Bea Mercado embelezado", "destroy Bea Market beautified"),
        ("trocar Templo por Bea Mercado", "exchange Temple for Bea Market"),
        ("trocar o templo pelo mercado de Bea", "exchange Temple for Bea Market"),
        ("trocar Rei com Bea", "exchange King with Bea"),
        ("tomar Bea mercado", "seize Bea Market"),
        ("favor", "favor"),
        ("embelezar templo e mercado", "beautify Temple, Market"),
        ("coletar impostos", "collect"),
        ("laboratório mercado", "laboratory Market"),
        ("forja", "smithy"),
        ("museu templo", "museum Temple"),
        ("arsenal Bea mercado", "armory Bea Market"),
        ("tocar o sino", "finish"),
        ("resgatar", "buy"),
        ("subornar", "bribe"),
        ("recusar", "refuse"),
        ("revelar", "reveal"),
        ("confiscar", "confiscate"),
        ("escolher a arquiteta", "pick Architect"),
        ("quero ser o bispo", "pick Bishop"),
        ("descartar o alquimista", "discard Alchemist"),
        ("construir templo por favor", "build Temple"),
        ("pego duas moedas", "gold"),
        ("quero o rei", "pick King"),
        ("quero ouro", "gold"),
        ("troco de mão com a Ana", "swap Ana"),
        ("passar o turno", "end"),
        ("pago", "bribe"),
        ("não pago", "refuse"),
        ("não confiscar", "pass"),
        ("laboratório com o templo", "laboratory Temple"),
        ("usar o museu com o templo", "museum Temple"),
        ("ver a mão da Ana", "peek Ana"),
        ("descarto o rei", "discard King"),
        ("descarto templo e mercado", "redraw Temple, Market"),
        ("roubo a arquiteta", "rob Architect"),
        # both languages in one order, and English alone
        ("build mercado", "build Market"),
        ("construir Market", "build Market"),
        ("kill o rei", "kill King"),
        ("matar the King", "kill King"),
        ("destroy mercado de Bea", "destroy Bea Market"),
        ("take gold", "gold"),
        ("end turn", "end"),
        ("take 2 gold", "gold"),
        ("give Mercado to Bea", "give Market to Bea"),
        ("exchange Templo for Bea Market", "exchange Temple for Bea Market"),
    ],
)
def test_as_people_type_them(said: str, canonical: str | None) -> None:
    found = read(said)
    if canonical is None:
        assert isinstance(found, Trouble)
    else:
        assert found == read(canonical, "en"), (said, found)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("comprar", "ambiguous"),  # the Architect's extra cards, or to gather cards
        ("trocar com Bea", "ambiguous"),  # hands, or characters
        ("construir torre", "ambiguous"),  # there are three
        ("construir", "incomplete"),
        ("matar Bea", "unknown-name"),
        ("destruir o castelo do zé", "unknown-name"),
        ("batata", "unreadable"),
        ("o", "unreadable"),
        ("", "unreadable"),
    ],
)
def test_what_is_not_read(said: str, code: str) -> None:
    found = read(said)
    assert isinstance(found, Trouble)
    assert found.code == code


@pytest.mark.parametrize(
    "name", ["De", "A", "O", "Mercado", "Ouro", "Rei", "Para", "د ل", "🦊", "x" * 64, "Ana do Porto"]
)
def test_players_with_awkward_names(name: str) -> None:
    """A name that is also a little word, a card or a sign is still somebody's."""
    names = ("Ana Maria", name, "Cy")
    reading = Reading("pt_BR", names=names)
    for order in (f"swap {name}", f"destroy {name} Temple", f"give Temple to {name}", f"spy {name} noble"):
        meant = read_order(order, Reading(names=names))
        own = typed(LEX, order, names)
        assert name in own
        assert not isinstance(meant, Trouble)
        assert read_order(own, reading) == meant, own


def test_a_slip_is_answered_with_orders_that_are_possible() -> None:
    ask = {
        "seat": 0,
        "kind": "turn",
        "moves": [["build", ["Palace"]], ["build", ["Market"]], ["end", []]],
        "families": [],
    }
    found = read("construir palaciio", ask=ask)
    assert isinstance(found, Trouble)
    assert "build Palace" in found.suggestions
    found = read("contruir palácio", ask=ask)
    assert isinstance(found, Trouble)
    assert "build Palace" in found.suggestions


WORDS = st.sampled_from(
    [
        "o",
        "a",
        "de",
        "do",
        "no",
        "na",
        "para",
        "com",
        "por",
        "e",
        "ou",
        "se",
        "for",
        "se for",
        "senão",
        "sempre",
        "nunca",
        "não",
        "me pergunte",
        ":",
        ";",
        ",",
        "4",
        "#17",
        "construir",
        "Mercado",
        "Templo",
        "Rei",
        "Bea",
        "ouro",
        "cartas",
        "trocar",
        "mãos",
        "mais caro",
        "preferir",
        "qualquer",
        "nova mesa",
        "mesa",
        "liga",
        "idioma",
        "voltar",
        "build",
        "Market",
        "end",
        "{{ 7*7 }}",
        "<b>",
        "ã",
        "ﬁ",
        "\u202e",
        "🎲",
    ]
)
ANYTHING = st.one_of(st.lists(WORDS, max_size=14).map(" ".join), st.text(max_size=200))


@given(ANYTHING)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_nothing_that_is_typed_breaks_reading(text: str) -> None:
    reading = Reading("pt_BR", names=NAMES)
    assert isinstance(read_order(text, reading), Move | Trouble)
    assert isinstance(read_wish(text, reading, private=True), Wish | Trouble)
    read_plan(text, reading)
    plan_begins(text, reading)
    typed(LEX, text, NAMES)
    planned(LEX, text, NAMES)


@pytest.mark.parametrize(
    "said",
    [
        "é isso",
        "é isso aí",
        "acabou a luz aqui",
        "bom jogo pessoal",
        "que rodada!",
        "o rei morreu?",
        "e agora?",
        "não sei ainda",
        "passo mais tarde",
        "fim de semana eu jogo",
        "a Bea ganhou",
    ],
)
def test_talk_in_a_room_is_no_order(said: str) -> None:
    """Also of somebody who is asked just now."""
    ask = {
        "seat": 0,
        "kind": "turn",
        "moves": [["pass", []], ["end", []], ["build", ["Market"]]],
        "families": [],
    }
    found = read_wish(said, Reading("pt_BR", names=NAMES, ask=ask), private=False)
    assert isinstance(found, Wish)
    assert found.kind == "chatter"
