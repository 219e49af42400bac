"""What is said to the league office, and by admins, in Brazilian Portuguese: the same wishes as in English,
and answers without a word of it.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from referee.text import Intent, NotUnderstood, Reading, Words, lexicon, read_intent
from referee.text.reading.league_args import ARGS, LeagueReading
from referee.text.reading.leagues import read_league
from referee.text.valuing import shown

NOW = 1_795_435_200_000  # Mon 23 Nov 2026 12:00 UTC
LEAGUES = {1: "Copa de Inverno", 2: "Winter Cup"}
ASKING = {name: LeagueReading(Reading(name), NOW, "America/Sao_Paulo", LEAGUES) for name in ("en", "pt_BR")}
WORDS = Words(strict=True)
ENGLISH = re.compile(
    r"\b(the|you|is|are|of|and|with|there|what|season|round|table|league|points|by|director|owner)\b",
    re.IGNORECASE,
)


def read(text: str, language: str = "pt_BR") -> Intent | NotUnderstood:
    return read_league(text, ASKING[language])


def meant(text: str, language: str) -> dict[str, Any]:
    """What is wanted, without how it was said."""
    found = read(text, language)
    assert isinstance(found, Intent), (text, found)
    return dict(found.args)


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("", ""),
        ("lista", "list"),
        ("ajuda", "help"),
        ("?", "?"),
        ("Copa de Inverno", "Copa de Inverno"),
        ("participar", "join"),
        ("entrar na Copa de Inverno", "join Copa de Inverno"),
        ("participar da Copa de Inverno", "join Copa de Inverno"),
        ("PARTICIPAR DA COPA DE INVERNO", "join #1"),
        ("Winter Cup inscrição", "join Winter Cup"),
        ("sair", "leave"),
        ("suplente", "alternate"),
        ("participantes", "people"),
        ("quem joga", "people"),
        ("classificação divisão 2 temporada 3", "standings division 2 season 3"),
        ("classificacao da copa de inverno divisao 2", "Copa de Inverno standings division 2"),
        ("tabela", "standings"),
        ("calendário rodada 4", "schedule round 4"),
        ("mesas rodada 2", "tables round 2"),
        ("mesa #12", "table 12"),
        ("jogador Ana Maria", "player Ana Maria"),
        ("estatísticas", "stats"),
        ("exportar json temporada 2", "export json season 2"),
        ("exportar resultados csv", "export results"),
        ("exportar calendario temporada 2", "export schedule season 2"),
        ("configurações", "settings"),
        ("cargos", "roles"),
        ("nova Copa da Primavera", "new Copa da Primavera"),
        ("renomear Copa “Nova”", "rename Copa “Nova”"),
        ("definir rodadas 7 dias 10 tamanhos 4-6 wanted 5", "set rounds 7 days 10 sizes 4-6 wanted 5"),
        ("definir pontos 6/4/3/2/1", "set points 6/4/3/2/1"),
        ("definir critérios de desempate wins, score share", "set tiebreaks wins, score share"),
        ("abrir rodadas 7 até 1 dez início 3 dez", "open rounds 7 until 1 Dec start 3 Dec"),
        (
            "abrir até 1º de dezembro às 18h início 3 de dezembro de 2026",
            "open until 1 Dec 18:00 start 3 Dec 2026",
        ),
        ("sortear", "draw"),
        ("sortear de novo", "redraw"),
        ("começar", "start"),
        ("adiar rodada 3 até 20 de dezembro", "postpone round 3 until 20 Dec"),
        ("adiar por 3 dias", "postpone by 3 days"),
        ("pausar até 7 jan", "pause until 7 Jan"),
        ("pausa 10 dias porque é Natal", "pause 10 days because é Natal"),
        ("pausar 24 dez a 2 jan", "pause 24 Dec to 2 Jan"),
        ("pausar desde 24 de dezembro até 2 de janeiro", "pause from 24 Dec until 2 Jan"),
        ("retomar", "resume"),
        ("adiar até domingo", "postpone until Sunday"),
        ("adiar para amanhã às 18:00", "postpone until tomorrow at 18:00"),
        ("admitir Bea", "admit Bea"),
        ("punir Ana Maria 1,5 pontos porque atrasou", "penalty Ana Maria 1.5 because atrasou"),
        ("substituir mesa 12 Ana Maria por Bea", "substitute table 12 Ana Maria by Bea"),
        ("folga Ana rodada 3", "bye Ana round 3"),
        ("remover Bea porque sumiu", "remove Bea because sumiu"),
        ("anular temporada porque nevou", "void season because nevou"),
        ("anular mesa 12", "void table 12"),
        ("repetir mesa 12", "replay table 12"),
        ("decidir mesa 12 por pontuação", "rule table 12 by scores"),
        ("decidir mesa 12 wo Ana porque sumiu", "rule table 12 forfeit Ana because sumiu"),
        ("decidir mesa 12 W.O. Ana, Bea", "rule table 12 forfeit Ana, Bea"),
        ("decidir 12 Ana, Bea Maria, Cy porque votaram", "rule 12 Ana, Bea Maria, Cy because votaram"),
        ("sala aqui", "room here"),
        ("sala não", "room off"),
        ("anunciar hoje tem jogo", "announce hoje tem jogo"),
        ("cargo Ana direção", "role Ana director"),
        ("cargo Ana de Souza na presidência", 'role "Ana de Souza" owner'),
        ("cargo moderadora Bea", "role moderator Bea"),
        ("cargo Cy nenhum", "role Cy none"),
        ("propostas", "proposals"),
        ("chave 12", "second 12"),
        ("recusar 12", "refuse 12"),
        ("auditoria 50", "audit 50"),
        ("encerrar", "close"),
        # both languages in one
        ("Copa de Inverno standings divisão 2", "Copa de Inverno standings division 2"),
        ("join na Copa de Inverno", "join Copa de Inverno"),
        ("set rodadas 7 days 10", "set rounds 7 days 10"),
        ("open até 1 Dec start 3 dez", "open until 1 Dec start 3 Dec"),
        ("penalty Ana 2 porque sim", "penalty Ana 2 because sim"),
        ("cargo Ana director", "role Ana director"),
    ],
)
def test_the_office_understands_both(said: str, english: str) -> None:
    assert meant(said, "pt_BR") == meant(english, "en")


@pytest.mark.parametrize("act", [act for act in ARGS if act != "announce"])
def test_what_help_shows_is_understood(act: str) -> None:
    """How each act is typed, without what may be left out."""
    usage = re.sub(r" \[[^]]*\]", "", str(lexicon("pt_BR").entry("leagues", act)["usage"]))
    found = read(usage.removeprefix("liga").strip())
    assert isinstance(found, Intent), found
    assert found.args["act"] == act


@pytest.mark.parametrize(
    "said",
    [
        "dançar",
        "participar da Copa de Verão",
        "Copa de Inverno dançar",
        "definir cor azul",
        "adiar até ontem",
        "adiar até 31 fev",
        "cargo Ana imperador",
        "mesa",
        "classificação divisão x",
        "punir Ana",
        "decidir mesa 12",
        "folga Ana rodada x",
        "anular",
        "sala",
        "chave doze",
        "substituir mesa 12 Ana",
        "exportar xml",
        "2 rodada adiar 3",
        '""',
    ],
)
def test_what_cannot_be_read_is_answered_in_portuguese(said: str) -> None:
    found = read(said)
    assert isinstance(found, NotUnderstood), found
    answered = WORDS.phrase(found.code, "pt_BR", **{"zone": "UTC", **found.facts, "quote": found.quote})
    assert not ENGLISH.findall(answered), answered
    assert not found.quote.startswith("league")


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("admin mesas", "admin games"),
        ("admin mesas arquivadas", "admin games archived"),
        ("admin mesas andamento 2", "admin games running 2"),
        ("admin ver #17", "admin look #17"),
        ("admin ver #17 ocultas Ana porque brigaram", "admin look #17 hidden Ana because brigaram"),
        ("admin mover #17 aqui", "admin move #17 here"),
        ("admin mover #17 para Citadels São Paulo", "admin move #17 to Citadels São Paulo"),
        ("admin pausar #17", "admin pause #17"),
        ("admin retomar #17", "admin resume #17"),
        ("admin estender 24h #17", "admin extend 24h #17"),
        ("admin expulsar Ana #17", "admin kick Ana #17"),
        ("admin voltar #17 rodada 4", "admin rewind #17 round 4"),
        ("admin chave 12", "admin second 12"),
        ("admin arquivar #17", "admin archive #17"),
        ("admin desarquivar #17", "admin unarchive #17"),
        ("admin descongelar #17", "admin thaw #17"),
        ("admin abandonar #17", "admin abandon #17"),
        ("admin envios", "admin letters"),
        ("admin recebidas 2", "admin inbox 2"),
        ("admin repetir envio 8", "admin retry letter 8"),
        ("admin descartar mensagem 5", "admin drop message 5"),
        ("admin bloquear telegram:6 porque spam", "admin block telegram:6 because spam"),
        ("admin desbloquear telegram:6", "admin unblock telegram:6"),
        ("admin bloqueados", "admin blocked"),
        ("admin diário", "admin log"),
        ("admin estatísticas", "admin stats"),
        ("estatísticas", "stats"),
        ("admin ajuda", "admin help"),
        ("admin look #17 ocultas porque sim", "admin look #17 hidden because sim"),
    ],
)
def test_admins_are_understood_in_both(said: str, english: str) -> None:
    found, wanted = (
        read_intent(said, Reading("pt_BR"), private=True),
        read_intent(english, Reading("en"), private=True),
    )
    assert isinstance(found, Intent), found
    assert isinstance(wanted, Intent)
    assert (found.kind, found.args, found.game) == (wanted.kind, wanted.args, wanted.game)


#: settings as the office tells them, and as Portuguese has them
VALUES = [
    ("edition", "classic", "clássica"),
    ("cast", "usual", "padrão"),
    ("cast", "random by round", "aleatório por rodada"),
    ("cast", "Cunning Agents with Patrician, Museum", "Agentes Sagazes com Patrício, Museu"),
    ("complete", "usual", "padrão"),
    ("complete", "8", "8"),
    ("talk", "open", "aberta"),
    ("plans", "all", "tudo"),
    ("plans", "no lists", "sem listas"),
    ("sizes", "4-6 wanted 5", "4-6 ideal 5"),
    ("points", "6/4/3/2.5/1", "6/4/3/2.5/1"),
    (
        "tiebreaks",
        "points, wins, score share, head to head, lot",
        "pontos, vitórias, parcela dos pontos, confronto direto, sorteio",
    ),
    ("bye", "average", "média"),
    ("bye", "2", "2"),
    ("overtime", "rule 3", "decide 3"),
    ("overtime", "wait", "espera"),
    ("early", "no", "não"),
    ("green", "yes", "sim"),
    ("reliability", "80% after 20", "80% após 20"),
    ("divisions", "20 up 2 down 3", "20 sobem 2 caem 3"),
    ("divisions", "none", "nenhuma"),
    ("policy", "daily days Mo-Fr", "diário dias seg-sex"),
]


@pytest.mark.parametrize(("key", "kept", "told"), VALUES)
def test_a_setting_is_shown_as_it_is_typed_and_kept_as_the_office_has_it(
    key: str, kept: str, told: str
) -> None:
    for language in ("en", "pt_BR"):
        assert shown(lexicon(language), key, kept) == (kept if language == "en" else told)
        for typed in (kept, told) if language == "pt_BR" else (kept,):
            got = meant(
                f"set {key} {typed}"
                if language == "en"
                else f"definir {lexicon(language).table('league_settings')[key][0]} {typed}",
                language,
            )
            assert got["settings"] == {key: kept}


def test_settings_may_be_said_without_accents_and_in_capitals() -> None:
    got = meant(
        "definir DESEMPATES vitorias, confronto direto folga MEDIA antecipar SIM política 24h, livre 12h",
        "pt_BR",
    )["settings"]
    assert {name: got[name] for name in ("tiebreaks", "bye", "early")} == {
        "tiebreaks": "wins, head to head",
        "bye": "average",
        "early": "yes",
    }
    assert got["policy"] == "daily"  # the same in its shortest words
    assert meant("definir política dançar", "pt_BR")["settings"] == {
        "policy": "dançar"
    }  # the office says what is wrong with it
