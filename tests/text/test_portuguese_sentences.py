"""Sentences in Brazilian Portuguese: every code has one, articles follow the card, verbs the number, and
nobody's gender is needed.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from referee import rules
from referee.rules import EVENTS
from referee.rules.facts import REFUSALS, SETUP_ERRORS, Move
from referee.text import TROUBLES, Words, options
from tests.text.editions import notable, prompt
from tests.text.facts import FACTS, NAMES, facts, sentence
from tests.text.notices import NOTICES
from tests.text.samples import frozen
from tests.text.test_editions import ODD
from tests.text.test_phrases import WHYS
from tests.text.test_portuguese import ALIKE, ENGLISH, QUOTED

WORDS = Words(strict=True)
PT = "pt_BR"
#: codes with facts that other sentences have otherwise
OTHER: dict[str, dict[str, Any]] = {"player-count": {"players": 9}}
CODES = {**REFUSALS, **SETUP_ERRORS, **TROUBLES, **NOTICES}
#: words that would give a player a gender
GENDERED = re.compile(r"\b(você|bea|ana|cy) (está|foi|ficou|é) (?:\w+ )?[a-z]+(ado|ada|ido|ida)\b")


def portuguese(text: str) -> None:
    plain = ALIKE.sub("", QUOTED.sub("", text))
    assert not ENGLISH.search(plain), text
    assert not GENDERED.search(text[:1].lower() + text[1:].replace("Bea ", "bea ")), text


@pytest.mark.parametrize("code", CODES)
def test_every_sentence(code: str) -> None:
    text = WORDS.phrase(
        code, PT, **{"me_seat": 0, "me": 0, "names": NAMES, **facts(CODES[code]), **OTHER.get(code, {})}
    )
    sentence(text)
    portuguese(text)


@pytest.mark.parametrize(("code", "told", "said"), WHYS)
def test_why_a_table_is_not_set_up(code: str, told: dict[str, Any], said: str) -> None:
    text = WORDS.phrase(code, PT, **told)
    sentence(text)
    portuguese(text)
    assert text != said


@pytest.mark.parametrize("name", EVENTS)
def test_events_from_every_side(name: str) -> None:
    full = facts(EVENTS[name])
    for me in (None, 0, 1, 2):
        text = WORDS.event(name, full, PT, NAMES, me)
        if text:
            sentence(text)
            portuguese(text)
        if me is None and not EVENTS[name].startswith("private"):
            assert not re.search(r"\b(você|seu|sua)\b", text.lower()), text
        if me == 1 and "seat" in full and text and name != "called":
            assert re.search(r"\b(você|seu|sua)\b", text.lower()), text
            assert "Bea" not in text


@pytest.mark.parametrize(
    ("name", "told", "me", "said"),
    [
        (
            "built",
            {"seat": 0, "district": "Watchtower", "paid": 1},
            None,
            "Ana construiu a Torre de Vigia por 1 de ouro.",
        ),
        ("built", {"seat": 0, "district": "Docks", "paid": 3}, 0, "Você construiu as Docas por 3 de ouro."),
        ("built", {"seat": 0, "district": "Stables", "paid": 0}, 1, "Ana construiu os Estábulos."),
        (
            "destroyed",
            {"seat": 0, "victim": 1, "district": "Keep", "paid": 2},
            1,
            "Ana destruiu a sua Torre de Menagem por 2 de ouro.",
        ),
        (
            "destroyed",
            {"seat": 0, "victim": 1, "district": "Market", "paid": 0},
            2,
            "Ana destruiu o Mercado de Bea.",
        ),
        (
            "destroyed",
            {"seat": 1, "victim": 1, "district": "Market", "paid": 0},
            1,
            "Você destruiu o Mercado da própria cidade.",
        ),
        (
            "exchanged",
            {"seat": 0, "victim": 1, "card": "Temple", "district": "Docks", "paid": 1},
            1,
            "Ana deu o Templo e levou as suas Docas, pagando 1 de ouro.",
        ),
        ("revealed", {"seat": 0, "character": "Queen"}, None, "Ana é a Rainha."),
        ("revealed", {"seat": 0, "character": "King"}, 0, "Chegou a vez do Rei: é você."),
        ("revealed", {"seat": 0, "character": "Merchant"}, 0, "Chegou a vez da Comerciante: é você."),
        ("called", {"rank": 8, "character": "Warlord"}, None, "8, o Senhor da Guerra: ninguém respondeu."),
        ("robbed", {"seat": 0, "victim": 1, "gold": 4}, 1, "Ana roubou 4 de ouro de você."),
        ("robbed", {"seat": 0, "victim": 1, "gold": 0}, 1, "Ana roubou você, que não tinha ouro."),
        ("drew", {"seat": 0, "count": 1}, None, "Ana comprou 1 carta."),
        ("drew", {"seat": 0, "count": 2}, None, "Ana comprou 2 cartas."),
        ("museum", {"seat": 0, "count": 1}, None, "Ana pôs uma carta no Museu; agora há 1 carta ali."),
        (
            "bell_rung",
            {"seat": 0, "count": 6},
            None,
            "Ana tocou o sino: a partir de agora 6 distritos completam uma cidade.",
        ),
        ("game_over", {"winners": [0]}, None, "A partida acabou: Ana vence."),
        ("game_over", {"winners": [0, 1]}, None, "A partida acabou: Ana e Bea vencem."),
        (
            "proposed",
            {"seat": 0, "by": "", "act": "kick", "player": 1, "number": 3},
            1,
            "Ana pede para tirar você da mesa: votação 3.",
        ),
    ],
)
def test_sentences_in_full(name: str, told: dict[str, Any], me: int | None, said: str) -> None:
    assert WORDS.event(name, told, PT, NAMES, me) == said


def test_refusals_in_full() -> None:
    assert (
        WORDS.phrase("not-in-city", PT, card="Docks", player=1, names=NAMES, me_seat=1)
        == "Na sua cidade não há Docas. “mesa” mostra as cidades."
    )
    assert (
        WORDS.phrase("identical", PT, card="Market", player=1, names=NAMES)
        == "A cidade de Bea já tem Mercado. Construa outra coisa."
    )
    assert (
        WORDS.phrase("protected", PT, card="Market", player=1, by="Great Wall", names=NAMES)
        == "Ninguém pode mexer no Mercado da cidade de Bea: é a proteção da Muralha. Escolha outro distrito."
    )
    assert WORDS.phrase("no-target", PT, target="Witch", why="self") == (
        "Aqui não dá para escolher a Bruxa: seria você. Escolha outra coisa: “mão” mostra o que é possível."
    )
    assert WORDS.phrase("no-target", PT, target=2, why="not-richest", names=NAMES) == (
        "Aqui não dá para escolher Cy: há gente com mais ouro. Escolha outra coisa: "
        "“mão” mostra o que é possível."
    )
    assert (
        WORDS.phrase("limit", PT, limit=1)
        == "Neste turno você pode construir no máximo 1 distrito. Siga com outra coisa, ou “encerrar”."
    )
    assert (
        WORDS.phrase("malformed", PT, verb="build", expected=["build <D>"])
        == "Falta algo em “construir”. A forma é: “construir ‹distrito›”."
    )
    assert WORDS.phrase("not-your-power", PT, verb="kill", needs=["Assassin", "Smithy"]) == (
        "“matar” exige Assassina ou Forja, e isso não é seu neste turno. “mão” mostra o que você pode fazer."
    )


@pytest.mark.parametrize(
    ("code", "told", "said"),
    [
        (
            "clock-off",
            {"machine": "casa", "seconds": 1},
            (
                "O relógio da máquina casa está 1 segundo adiantado em relação ao do banco de dados. "
                "Vou pelo do banco de dados, então ninguém sai perdendo; por favor acerte."
            ),
        ),
        (
            "clock-off",
            {"machine": "casa", "seconds": -90},
            (
                "O relógio da máquina casa está 90 segundos atrasado em relação ao do banco de dados. "
                "Vou pelo do banco de dados, então ninguém sai perdendo; por favor acerte."
            ),
        ),
        (
            "account-alone",
            {"channel": "mail"},
            "A minha conta de e-mail é só minha outra vez, e eu continuo. O tempo desde então é devolvido.",
        ),
    ],
)
def test_what_an_admin_is_told_in_full(code: str, told: dict[str, Any], said: str) -> None:
    assert (
        WORDS.letter("alert", PT, "text", {"now_ms": 0, "code": code, "facts": told}).text
        == f"Para a administração: {said}"
    )


@pytest.mark.parametrize(
    ("tables", "letters", "said"),
    [
        (
            1,
            1,
            (
                "1 mesa foi avisada; 1 mensagem que esperava naquela hora pode já ter ido e não será "
                "enviada (“referee"
            ),
        ),
        (
            12,
            3,
            (
                "12 mesas foram avisadas; 3 mensagens que esperavam naquela hora podem já ter ido e não "
                "serão enviadas (“referee"
            ),
        ),
    ],
)
def test_how_many_a_restore_told(tables: int, letters: int, said: str) -> None:
    text = WORDS.letter(
        "alert",
        PT,
        "text",
        {
            "now_ms": 0,
            "code": "restored",
            "facts": {"made": "2026-09-21 14:13 UTC", "tables": tables, "letters": letters},
        },
    ).text
    assert said in " ".join(text.split())


def test_every_question_of_every_edition() -> None:
    """Labels, notes and whole letters of moments in which something is asked or offered for the first
    time.
    """
    looked = 0
    for moment in notable():
        if moment.ask is None:
            continue
        view = rules.view(moment.state, moment.ask.seat)
        offered, english = (WORDS.offers(view["ask"], view, language) for language in (PT, "en"))
        labels = [one["label"] for one in offered]
        looked += len(labels)
        assert all(label and len(label) <= 60 for label in labels)
        assert len(set(labels)) == len({one["label"] for one in english}), labels
        for one in offered:
            assert not ENGLISH.search(ALIKE.sub("", f"{one['label']} {one.get('note', '')}")), one
        context = prompt(moment, moment.ask.seat, WORDS) | {
            "options": [{**one, "key": f"k{one['n']}"} for one in offered]
        }
        said = WORDS.letter("prompt", PT, "text", context)
        text = said.text.replace(context["game"]["policy"]["line"], "")
        assert ODD.search(re.sub(r"^ +", "", text, flags=re.MULTILINE)) is None, text
        assert not ENGLISH.search(ALIKE.sub("", QUOTED.sub("", text))), text
    assert looked > 300


def test_labels() -> None:
    view = frozen()["warlord"].view
    labels = [WORDS.label(one, PT, view) for one in options(view["ask"], view)]
    assert {
        "Pegar 2 de ouro",
        "Comprar 2 cartas, ficar com 1",
        "Destruir a Torre de Vigia de Cy de graça",
        "Destruir a sua Igreja por 1 de ouro",
    } <= set(labels)
    assert WORDS.label(Move("gold"), PT, view) == "Pegar ouro"
    assert WORDS.label("build Market", PT) == "Construir Mercado"
    assert WORDS.label("end", PT) == "Encerrar o turno"
    assert set(FACTS) > {"tongue"}


def test_several_who_are_missing_are_several() -> None:
    said = [WORDS.phrase("lobby-above", PT, game=1, missing=missing) for missing in (["Ana"], ["Ana", "Bea"])]
    assert said[0].endswith(" Ainda falta: Ana.")
    assert said[1].endswith(" Ainda faltam: Ana e Bea.")
