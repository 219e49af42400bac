"""What may be typed stands in quotation marks wherever it is named: text without markup shows it, too."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from html import unescape

import pytest
from jinja2 import Environment

from referee.text import Words
from referee.text.folders import language_folders, languages
from referee.text.lexicon import lexicon
from tests.text.letters import contexts

WORDS = Words(strict=True)
LANGUAGES = languages()
#: what layouts write with `c.code`, as Matrix shows it
_TYPED = re.compile(r"“<code>(.*?)</code>”", re.DOTALL)
#: all that is marked: quoted, or written out to the letter (a hash, an address, an order that was given)
_MARKED = re.compile(r"“[^”]*”|<code>.*?</code>|<[^<>]*>", re.DOTALL)
#: files of sentences that are in no letter; tables of words that are only read, or that name what was done
_NOT_SAID = (
    {"lexicon.toml", "admin.toml", "pictures.toml"},
    {"plan_words", "letter_kinds", "logged", "league_acts"},
)
#: what stands in the lexicon for readers
_EXPLAINED = ("text", "more", "line")

#: names of commands that sentences also have as words of the language: a plan, the table, who sits there
ORDINARY = {
    "en": "accounts admin alternate answers bonus bot bye calendar close comment draw games hall hand"
    " handled help here hint hints history hours invitations invite join kick language leave league link list"
    " name new offer open page pause people pictures plan player policy quiet ready record refuse rematch"
    " remind report review room rule rules say schedule seasons second set settings show standings start"
    " subscribe table tables talk team tell vacation vote waiting web who word yes zone",
    "pt_BR": "abrir admin ajuda análise bônus calendário cargo cargos chave classificação começar"
    " configurações contas conversa convites desfazer dica dicas dizer encerrar entrar"
    " esperando expulsar folga fuso galeria histórico horas idioma imagens inscrever jogador"
    " liga lista mesa mesas mão nome nova ouvir palavra participar partidas pausar plano"
    " preferir pronto página quem recusar registro regras relógio repetir resolvido respostas"
    " revanche robô sair sala seguir silêncio sim suplente temporadas time ver web férias",
}
#: words that are a command with its words behind it only by chance: "a liga Winter Cup ainda não tem mesas"
CHANCE = {"en": set[str](), "pt_BR": {"liga Winter <Cup>", "calendário não"}}
#: before the name of a command, these make it one
ASKING = {
    "en": "say write answer type",
    "pt_BR": "diga dizer disser escreva escrever responda digite",
}
#: … unless they ask: "say who has it", "answer here", or are an answer: "say yes"
ASKED = {"who", "here", "quem", "yes", "sim"}


@cache
def marked(language: str) -> frozenset[str]:
    """What letters name as something to type, without the sign of a room before it."""
    letters = (
        WORDS.letter(kind, language, "matrix", about).markup for kind, about in contexts(WORDS).values()
    )
    return frozenset(unescape(one).lstrip("/!") for said in letters for one in _TYPED.findall(said))


@cache
def named(language: str) -> frozenset[str]:
    """What commands, and the acts of a league, are called."""
    lex = lexicon(language)
    return frozenset(lex.name(kind, key) for kind in ("commands", "leagues") for key in lex.keys(kind))


def prose(language: str) -> Iterator[tuple[str, str]]:
    """What letters and sentences say, by their name, without what is marked."""
    for name, (kind, about) in contexts(WORDS).items():
        yield name, unescape(_MARKED.sub("◌", WORDS.letter(kind, language, "matrix", about).markup))
    files, tables = _NOT_SAID
    for path in sorted(one for folder in language_folders(language) for one in folder.glob("*.toml")):
        for table, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for code, text in entries.items() if path.name not in files and table not in tables else ():
                if isinstance(text, str):
                    yield f"{table}.{code}", _MARKED.sub("◌", _said(text))
    lex = lexicon(language)
    for kind in ("commands", "leagues", "characters", "districts"):
        for key in lex.keys(kind):
            for part in _EXPLAINED:
                yield f"{key}.{part}", _MARKED.sub("◌", str(lex.entry(kind, key).get(part, "")))


def _said(template: str) -> str:
    """The words of a template, with something in place of what it fills in."""
    tokens = Environment(autoescape=True).lex(template)
    return "".join(
        said if kind == "data" else "▢" for _, kind, said in tokens if kind in ("data", "variable_end")
    )


def unmarked(language: str, wanted: set[str] | frozenset[str], before: str = "") -> list[str]:
    """Where one of these stands in prose."""
    found = re.compile(rf"{before}(?<![\w#]){_one_of(wanted)}(?!\w)")
    return [
        f"{name}: …{said[max(0, m.start() - 40) : m.end() + 20]}…"
        for name, said in prose(language)
        for m in found.finditer(said)
    ]


def _one_of(words: set[str] | frozenset[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_with_its_words_is_never_bare(language: str) -> None:
    first = tuple(f"{one} " for one in named(language))
    several = {one for one in marked(language) if one.startswith(first)} - CHANCE[language]
    assert len(several) > 60
    assert unmarked(language, several) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_that_is_no_other_word_is_never_bare(language: str) -> None:
    ordinary = set(ORDINARY[language].split())
    only = named(language) - ordinary
    assert len(only) > 25
    assert unmarked(language, only) == [], "quote it; or is it a word of the language there (`ORDINARY`)?"
    assert ordinary - named(language) == set(), "no command is called that"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_somebody_is_asked_to_say_is_never_bare(language: str) -> None:
    asked = rf"(?<!\w){_one_of(set(ASKING[language].split()))} "
    assert unmarked(language, named(language) - ASKED, asked) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_text_shows_the_marks(language: str) -> None:
    """In the text of a letter and in every markup."""
    for name, (kind, about) in contexts(WORDS).items():
        for typed in _TYPED.findall(WORDS.letter(kind, language, "matrix", about).markup):
            assert f"“{unescape(typed)}”" in WORDS.letter(kind, language, "text", about).text, name
    kind, about = contexts(WORDS)["prompt-turn"]
    for channel in ("telegram", "matrix", "terminal"):
        assert "“<code>" in WORDS.letter(kind, language, channel, about).markup, channel
