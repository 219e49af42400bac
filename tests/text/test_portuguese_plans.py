"""Plans in Brazilian Portuguese: as they are echoed, as people type them, and with English words among
them.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.plans.model import Plan
from referee.plans.notation import plan_text
from referee.text import Reading
from referee.text.lexicon import lexicon
from referee.text.reading.plans import plan_begins, read_plan
from referee.text.rendering.typed import planned

NAMES = ("Ana", "Bea", "Cy", "Dan")
OURS, THEIRS = Reading("pt_BR", NAMES), Reading("en", NAMES)
VIEW = {
    "round": 2,
    "phase": "draft",
    "players": [{"name": name} for name in NAMES],
    "characters": [],
    "edition": "deluxe",
    "you": 0,
}


def lines(text: str) -> Any:
    found = read_plan(text, OURS)
    return plan_text(found, NAMES) if isinstance(found, Plan) else found


@pytest.mark.parametrize(
    "canonical",
    [
        "prefer King, Bishop, any",
        "always prefer King",
        "prefer Thief if I don't have the crown and gold >= 4",
        "prefer King if Bea has the crown",
        "prefer King if Bea doesn't have the crown",
        "prefer King if my hand holds Temple",
        "prefer King if my hand does not hold Temple",
        "prefer King if Thief is faceup",
        "prefer King if Thief is not faceup",
        "prefer King if hand > 2 and city <= 3 and gold = 5",
        "when Merchant or King: gold; build dearest; end",
        "always otherwise: cards; keep dearest; try build Docks or build Tavern; end!",
        "when Warlord: gold; destroy Bea Market or destroy Bea Temple; end",
        "when Emperor: gold; crown Bea gold or crown Cy card; end",
        "when Diplomat: gold; exchange Temple for Bea Market",
        "confiscate if cost >= 4",
        "buy never",
        "bribe always",
        "bribe if cost < 2",
        "buy if not Temple or Market",
        "reveal ask me",
        "this round reveal ask me",
        "hospital gold always",
        "exchange never",
        "crown Bea always",
        "finish always",
        "keep cheapest always",
        "ask me if robbed",
        "ask me if my hand changed",
        "ask me if bewitched",
        "ask me if threatened",
        "ask me if warranted",
        "ask me if gold >= 9",
        "free benefits on",
        "free benefits off",
        "cancel plan",
        "cancel prefer",
        "cancel when",
        "cancel when King",
        "cancel otherwise",
        "cancel ask",
        "cancel answers",
        "cancel buy",
        "cancel graveyard",
        "cancel bell-tower",
        "cancel hospital",
    ],
)
def test_what_is_echoed_is_read_again(canonical: str) -> None:
    meant = read_plan(canonical, THEIRS)
    own = planned(lexicon("pt_BR"), canonical, NAMES)
    assert isinstance(meant, Plan), canonical
    assert own != canonical
    assert read_plan(own, OURS) == meant, own
    assert read_plan(canonical, OURS) == meant
    assert plan_begins(own, OURS)
    assert plan_begins(canonical, OURS)


@pytest.mark.parametrize(
    ("said", "canonical"),
    [
        ("preferir o Rei, o Bispo ou qualquer", "prefer King, Bishop, any"),
        ("prefiro a Rainha", "prefer Queen"),
        (
            "prefiro o Rei se eu tenho a coroa e tiver pelo menos 4 de ouro",
            "prefer King if I have the crown and gold >= 4",
        ),
        ("preferir ladrao se nao tenho a coroa", "prefer Thief if I don't have the crown"),
        ("preferir Rei se a Bea não tem a coroa", "prefer King if Bea doesn't have the crown"),
        (
            "se for a Comerciante: ouro; construir o mais caro; encerrar",
            "when Merchant: gold; build dearest; end",
        ),
        (
            "sempre se for Rei ou Rainha: ouro; tentar construir Docas ou Taverna; encerrar",
            "always when King or Queen: gold; try build Docks or build Tavern; end",
        ),
        ("senão: cartas\nmanter a mais cara\nencerrar", "otherwise: cards; keep dearest; end"),
        ("me pergunte se tiver menos de 4 de ouro", "ask me if gold < 4"),
        ("me pergunte se tiver mais de 4 de ouro", "ask me if gold > 4"),
        ("me pergunte se tiver no máximo 2 de ouro", "ask me if gold <= 2"),
        ("me pergunte se eu tiver 4 cartas ou mais", "ask me if hand >= 4"),
        ("me pergunte se a rodada for no mínimo 3", "ask me if round >= 3"),
        ("me pergunte se tenho Templo na mão", "ask me if my hand holds Temple"),
        ("me pergunte se não tiver o Templo", "ask me if my hand does not hold Temple"),
        ("pergunte se me roubarem ou me ameaçarem", None),
        ("me pergunte se for roubada", "ask me if robbed"),
        ("confiscar se o custo for mais de 3", "confiscate if cost > 3"),
        ("confiscar se for Palácio ou Catedral", "confiscate if Palace or Cathedral"),
        ("resgatar se não for Templo", "buy if not Temple"),
        ("resgatar sempre", "buy always"),
        ("subornar nunca", "bribe never"),
        ("benefícios grátis sim", "free benefits on"),
        ("cancelar meu plano", "cancel plan"),
        ("cancelar confiscar", "cancel warrant"),
        ("prefer Rei, Bishop, qualquer", "prefer King, Bishop, any"),
        ("when Comerciante: gold; construir dearest; end", "when Merchant: gold; build dearest; end"),
    ],
)
def test_as_people_type_them(said: str, canonical: str | None) -> None:
    assert lines(said) == ((canonical,) if canonical else ("ask me if robbed", "ask me if threatened"))
    assert plan_begins(said, OURS)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("preferir Rei se tiver 4 de ouro", "plan-compare"),  # at least? exactly?
        ("preferir Rei se tiver menos 4 de ouro", "plan-condition"),  # "pelo menos" or "menos de": opposites
        ("preferir Rei se chover", "plan-condition"),
        ("preferir Bea", "no-such-card"),
        ("se for Rei ouro; encerrar", "plan-no-colon"),
        ("preferir Rei, Rei", "plan-named-twice"),
        ("se for Rei: encerrar", "plan-must"),
        ("cancelar sorvete", ""),
        ("preferir Rei se Zé tem a coroa", "unknown-player"),
        ("cancelar jogo", ""),
    ],
)
def test_what_is_no_plan(said: str, code: str) -> None:
    found = read_plan(said, OURS)
    assert not isinstance(found, Plan)
    if code:
        assert code in [one.code for one in found]
    else:
        assert not plan_begins(said, OURS)


@pytest.mark.parametrize(
    "said",
    [
        "preferir e-mail, telegram",
        "ouro",
        "construir Mercado",
        "como jogar?",
        "quando começa?",
        "obrigado",
        "sempre",
        "tenho uma dúvida",
    ],
)
def test_what_is_something_else(said: str) -> None:
    assert not plan_begins(said, OURS)
