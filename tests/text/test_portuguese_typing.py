"""What people type in Brazilian Portuguese, carelessly and mixed with English: orders as they are said,
slips, awkward names, talk, and anything at all.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.facts import Move
from referee.text import Intent, NotUnderstood, Reading, clean, read_intent, read_order
from referee.text.lexicon import lexicon
from referee.text.reading.plans import plan_begins, read_plan
from referee.text.rendering.typed import planned, typed
from tests.seeds import some

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Fay", "Gil", "Hal")
LEX = lexicon("pt_BR")


def read(text: str, language: str = "pt_BR", **more: Any) -> Any:
    return read_order(text, Reading(language, names=NAMES, **more))


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
        ("pegar 2 moedas de ouro", "gold"),
        ("puxo cartas", "cards"),
        ("trocar cartas com a Bea", "swap Bea"),
        ("termino meu turno", "end"),
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
        assert isinstance(found, NotUnderstood)
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
    assert isinstance(found, NotUnderstood)
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
        assert not isinstance(meant, NotUnderstood)
        assert read_order(own, reading) == meant, own


def test_a_slip_is_answered_with_orders_that_are_possible() -> None:
    ask = {
        "seat": 0,
        "kind": "turn",
        "moves": [["build", ["Palace"]], ["build", ["Market"]], ["end", []]],
        "families": [],
    }
    found = read("construir palaciio", ask=ask)
    assert isinstance(found, NotUnderstood)
    assert "build Palace" in found.suggestions
    found = read("contruir palácio", ask=ask)
    assert isinstance(found, NotUnderstood)
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
@settings(max_examples=some(300), deadline=None, derandomize=True)
def test_nothing_that_is_typed_breaks_reading(text: str) -> None:
    reading = Reading("pt_BR", names=NAMES)
    assert isinstance(read_order(text, reading), Move | NotUnderstood)
    assert isinstance(read_intent(text, reading, private=True), Intent | NotUnderstood)
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
    found = read_intent(said, Reading("pt_BR", names=NAMES, ask=ask), private=False)
    assert isinstance(found, Intent)
    assert found.kind == "chatter"


@pytest.mark.parametrize("name", ["ליאור", "مريم Temple"])
def test_an_order_with_a_name_from_right_to_left_is_shown_in_portuguese(name: str) -> None:
    """Such a line stands between marks that keep it apart from what is around it."""
    names = (clean(name), "Ana")
    for order, shown in (
        (f"swap {name}", f"trocar mãos {name}"),
        (f"destroy {name} Temple", f"destruir {name} Templo"),
        (f"gold; spy {name} noble; end", f"ouro; espionar {name} nobre; encerrar"),
    ):
        for as_typed in (typed, planned):
            assert as_typed(LEX, clean(order), names) == clean(shown)
    move = Move("destroy", (0, "Temple"))
    ask = {"kind": "turn", "number": 1, "moves": [move, Move("destroy", (0, "Market"))], "families": []}
    assert (
        read_order(clean(f"destruir {name} Templo"), Reading("pt_BR", names=(name, "Ana"), ask=ask)) == move
    )


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("tirar cartas", "cards"),
        ("tirar 2 cartas", "cards"),
        ("tirar ouro", "gold"),
        ("tirar 2 de ouro", "gold"),
    ],
)
def test_cards_and_gold_are_taken_and_no_seat(line: str, verb: str) -> None:
    intent = read_intent(line, Reading("pt_BR"), private=True)
    assert isinstance(intent, Intent)
    assert intent.kind == "orders"
    assert read_order(line, Reading("pt_BR")) == Move(verb)
    for name in ("Ana", "Cartola", "2"):
        kicked = read_intent(f"tirar {name} #17", Reading("pt_BR"), private=True)
        assert isinstance(kicked, Intent)
        assert (kicked.kind, kicked.args["player"]) == ("kick", name)


@pytest.mark.parametrize("line", ["é", "É!", "e", "E", "ou"])
def test_a_little_word_alone_ends_no_turn(line: str) -> None:
    ask = {"kind": "turn", "number": 1, "moves": [["gold", []], ["end", []]], "families": []}
    assert isinstance(read_order(line, Reading("pt_BR", ask=ask)), NotUnderstood)
