"""Commands in Brazilian Portuguese, with what follows them, with and without accents."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from referee.text import NotUnderstood, Reading, lexicon, reading
from referee.text.reading.dates import when_at
from referee.text.reading.intents import read_intent
from referee.text.reading.league_args import LeagueReading
from referee.text.reading.leagues import read_league
from referee.text.reading.policy import policy_text, read_policy
from referee.text.rendering.typed import example
from tests.service.english import words as english

OURS, THEIRS = Reading("pt_BR"), Reading("en")
READERS = Path(reading.__file__).parent
#: a Wednesday, 2026-11-18 09:46:40 in São Paulo
NOW, ZONE = 1_795_006_000_000, "America/Sao_Paulo"


def intent(text: str, reading: Reading = OURS) -> Any:
    found = read_intent(text, reading, private=True)
    return found if isinstance(found, NotUnderstood) else (found.kind, found.game, dict(found.args))


@pytest.mark.parametrize(
    ("said", "english"),
    [
        (
            "nova mesa deluxe agentes sagazes 5 jogadores 24h, com 2 robôs",
            "new deluxe cunning agents 5 players 24h, with 2 bots",
        ),
        ("nova classica 5 aberta", "new classic 5 open"),
        ("nova deluxe 6 jogadores 12 horas por resposta, convite", "new deluxe 6 players 12 hours invite"),
        ("nova deluxe aleatória cinco jogadores", "new deluxe random 5 players"),
        ("nova original 4 com 2 robôs gananciosos", "new original 4 with 2 greedy bots"),
        (
            "nova deluxe elenco Patrício, Cardeal especiais Covil, Muralha",
            "new deluxe cast Patrician, Cardinal uniques Den, Wall",
        ),
        ("nova deluxe 5 calmo seg-sex silêncio 22-07", "new deluxe 5 gentle Mo-Fr quiet 22-07"),
        ("nova deluxe 5 conversa pública completa 8", "new deluxe 5 talk public complete 8"),
        ("entrar #17", "join #17"),
        ("estou pronta!", "ready"),
        ("palavra banana", "word banana"),
        ("começar", "start"),
        ("robôs 2", "bot 2"),
        ("robô ganancioso", "bot greedy"),
        ("robô firme 2", "bot steady 2"),
        ("adicionar robôs tranquilos 2", "bot gentle 2"),
        ("nova clássica 4 com 2 robôs fortes", "new classic 4 with 2 strong bots"),
        ("nova clássica calmo com robô tranquilo", "new classic gentle with a gentle bot"),
        ("mesa #17", "status #17"),
        ("mão", "hand"),
        ("mao", "hand"),
        ("histórico 5", "history 5"),
        ("registro #17 partida 1", "record #17 deal 1"),
        ("quem joga", "who"),
        ("quem é Bea", "who"),
        ("quem está ganhando?", "status"),
        ("meus jogos", "games"),
        ("ajuda", "help"),
        ("ajuda relógio", "help time"),
        ("ajuda entrar", "help join"),
        ("como jogar?", "help play"),
        ("ajuda Rei", "rules King"),
        ("o que faz o Ladrão?", "rules Thief"),
        ("regras deluxe Torre de Menagem", "rules deluxe Keep"),
        ("regras Mago", "rules Wizard"),
        ("elenco", "cast"),
        ("desfazer", "undo"),
        ("plano", "plan"),
        ("vincular ABCD-EFGH", "link ABCD-EFGH"),
        ("me chame de Bea", "name Bea"),
        ("me ajuda", "help"),
        ("ajuda-me", "help"),
        ("recado pra Bea: oi", "tell Bea: oi"),
        ("fuso São Paulo", "zone America/Sao_Paulo"),
        ("fuso Lisboa", "zone Europe/Lisbon"),
        ("fuso Nova York", "zone America/New_York"),
        ("silêncio 22h-7h", "quiet 22-07"),
        ("horários segunda-feira 18-22, Sexta-Feira 9-10", "hours Mon 18-22, Fri 9-10"),
        ("silêncio nunca", "quiet none"),
        ("avisos turnos", "notify turns"),
        ("avisos nada", "notify off"),
        ("avisos resumo às 8h só", "notify digest 08:00 only"),
        ("#17 avisos urgente", "#17 notify urgent"),
        ("descadastrar tudo", "unsubscribe all"),
        ("inscrever", "subscribe"),
        ("relógio #17", "policy #17"),
        ("férias 3 dias", "vacation 3 days"),
        ("voltei", "here"),
        ("suplente não", "alternate off"),
        ("suplente recusar #17", "alternate no #17"),
        ("pausar #17", "pause #17"),
        ("retomar #17", "resume #17"),
        ("estender 24h #17", "extend 24h #17"),
        ("votar sim #17", "vote yes #17"),
        ("voto não", "vote no"),
        ("apoiar 12", "second 12"),
        ("oferecer Ana #17", "offer Ana #17"),
        ("substituir Ana #17", "replace Ana #17"),
        ("expulsar Ana #17", "kick Ana #17"),
        ("voltar para a rodada 4", "rewind 4"),
        ("voltar atrás #17 rodada 4", "rewind #17 round 4"),
        ("processar já #17", "process #17"),
        ("preferir e-mail e telegram", "prefer mail, telegram"),
        ("seguir #17", "watch #17"),
        ("deixar de seguir #17", "unwatch #17"),
        ("dizer oi", "say oi"),
        ("mensagem Ana oi", "tell Ana oi"),
        ("sussurrar psiu", "whisper psiu"),
        ("conversa anônima #17", "talk anonymous #17"),
        ("conversa sim #17", "talk on #17"),
        ("silenciar sussurros #17", "mute whispers #17"),
        ("ouvir Ana", "unmute Ana"),
        ("calendário e-mail", "calendar mail"),
        ("web sair", "web off"),
        ("web sair 2", "web off 2"),
        ("web sessões", "web sessions"),
        ("página pública #17", "page public #17"),
        ("admin jogos congelados", "admin games frozen"),
        ("estatísticas", "stats"),
        ("sair #17", "leave #17"),
        ("cancelar jogo #17", "abandon #17"),
        ("new deluxe 5 jogadores com 2 bots", "new deluxe 5 players with 2 bots"),
        ("vote sim", "vote yes"),
        ("Olá!\nouro; construir Mercado\nAbraços,\nBea", "gold; build Market"),
        ("join #17", "join #17"),
        ("help", "help"),
    ],
)
def test_a_command_means_what_the_english_one_means(said: str, english: str) -> None:
    meant, found = intent(english, THEIRS), intent(said)
    assert not isinstance(meant, NotUnderstood)
    if meant[0] == "orders":
        assert found == ("orders", None, {"chunks": ("ouro", "construir Mercado")})
    else:
        assert found == meant


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("votar talvez", "unknown-word"),
        ("avisos gritando", "unknown-word"),
        ("fuso Marte", "no-such-zone"),
        ("férias", "missing"),
        ("nova deluxe 99 jogadores", "out-of-range"),
        ("regras Dragão Voador", "no-such-card"),
        ("regras Torre", "several-cards"),
        ("ajuda batata", "no-such-topic"),
        ("mão; ouro", "command-alone"),
        ("nova deluxe blefe", "unknown-word"),
    ],
)
def test_what_is_wrong_changes_nothing(said: str, code: str) -> None:
    found = intent(said)
    assert isinstance(found, NotUnderstood)
    assert found.code == code


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("calmo", "gentle"),
        ("24h livre 12h banco 48h sem reserva", "24h free 12h bank 48h no reserve"),
        ("rápido seg-sex prazo 19:00 Lisbon", "brisk days Mo-Fr snap 19:00 Lisbon"),
        ("dias seg, qua, sáb", "days Mo, We, Sa"),
        ("2 dias por jogada", "2 days a move"),
        ("sem férias", "no vacation"),
        ("substituto robô", "standin bot"),
        ("brisk, banco 24h", "brisk, bank 24h"),
    ],
)
def test_policies(said: str, english: str) -> None:
    meant, found = read_policy(english, THEIRS), read_policy(said, OURS)
    assert not isinstance(meant, NotUnderstood)
    assert found == meant
    assert read_policy(policy_text(meant), OURS) == meant  # as it is printed it is read everywhere


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("amanhã", "tomorrow"),
        ("hoje às 18:00", "today at 18:00"),
        ("hoje às 18h", "today at 18:00"),
        ("hoje às 18h30", "today at 18:30"),
        ("1 de dezembro", "1 dec"),
        ("1º de dezembro", "1 dec"),
        ("20 dez 18:00", "20 dec 18:00"),
        ("20 de dezembro de 2027", "20 dec 2027"),
        ("20/12", "20 dec"),
        ("20/12/2027", "20 dec 2027"),
        ("20/12/27", "20/12/27"),
        ("20.12.27", "20 dec 2027"),
        ("30 set", "30 sept."),
        ("depois de amanhã", "the day after tomorrow"),
        ("domingo", "sunday"),
        ("segunda-feira", "monday"),
        ("em 10 dias", "in 10 days"),
        ("2026-12-01", "2026-12-01"),
        ("1 dec", "1 dec"),
        ("daqui a 3 dias", "in 3 days"),
    ],
)
def test_dates(said: str, english: str) -> None:
    meant, found = when_at(english.split(), THEIRS, NOW, ZONE), when_at(said.split(), OURS, NOW, ZONE)
    assert meant.used
    assert found.at_ms == meant.at_ms
    assert found.used == len(said.split())


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("entrar", "join"),
        ("classificação divisão 2 temporada 3", "standings division 2 season 3"),
        ("copa de inverno calendário rodada 3", "winter cup schedule round 3"),
        ("mesa 12", "table 12"),
        ("jogador Ana", "player Ana"),
        ("punir Ana 2 porque faltou", "penalty Ana 2 because faltou"),
        ("substituir mesa 12 Ana por Bea", "substitute table 12 Ana by Bea"),
        ("cargo Ana diretora", "role Ana director"),
        ("decidir mesa 12 por pontuação", "rule table 12 by scores"),
        ("sala aqui", "room here"),
        ("sala não", "room off"),
        ("anular temporada", "void season"),
        ("definir rodadas 7 dias 10", "set rounds 7 days 10"),
        ("abrir rodadas 7 até 1 de dezembro", "open rounds 7 until 1 dec"),
        ("adiar rodada 3 por 3 dias", "postpone round 3 by 3 days"),
        ("adiar até 20 dez", "postpone until 20 dec"),
        ("join", "join"),
        ("sortear de novo", "redraw"),
        ("ajuda", "help"),
        ("", ""),
    ],
)
def test_the_league_office(said: str, english: str) -> None:
    leagues = {1: "Copa de Inverno", 2: "Winter Cup"}
    meant = read_league(english, LeagueReading(THEIRS, NOW, ZONE, {1: "Winter Cup"}))
    found = read_league(said, LeagueReading(OURS, NOW, ZONE, {1: leagues[1]}))
    assert not isinstance(meant, NotUnderstood), english
    assert not isinstance(found, NotUnderstood), found
    assert found.args == meant.args


def examples() -> set[str]:
    """What readers name as something that could be typed instead."""
    found: set[str] = set()
    for path in sorted(READERS.glob("*.py")):
        for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(one, ast.Dict):
                told = [
                    value
                    for key, value in zip(one.keys, one.values, strict=True)
                    if isinstance(key, ast.Constant) and key.value == "expected"
                ]
            else:
                told = (
                    [arg for arg in one.args if isinstance(arg, ast.Tuple)]
                    if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "_unknown"
                    else []
                )
            found |= {
                text.value
                for each in told
                for text in ast.walk(each)
                if isinstance(text, ast.Constant) and isinstance(text.value, str)
            }
    return found


@pytest.mark.parametrize("said", sorted(examples() - {"channels"}))  # a table of the lexicon
def test_what_readers_suggest_is_said_in_portuguese(said: str) -> None:
    own = example(lexicon("pt_BR"), said)
    assert not (left := set(re.findall(r"[a-z]+", own)) & (english() | {"on", "off", "new", "all"})), left
    assert own != said or not re.search(r"[a-z]{3}", said) or said in ("csv", "json")
