"""Every no says the next thing to try: something to type, or what to do instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.rules.facts import REFUSALS, SETUP_ERRORS
from referee.text import TROUBLES
from referee.text.folders import languages
from referee.text.lexicon import lexicon
from referee.text.rendering.phrases import PhraseBook

SERVICE = Path(__file__).parents[2] / "referee" / "service"
#: how each language tells somebody to do something, where a clause begins
DO = {
    "en": (
        "add answer ask build change choose gather finish give go invite leave let make name open "
        "please press propose put rule say send take turn try use wait write"
    ),
    "pt_BR": "aguarde aumente coloque colete construa convide decida deixe diga dê encurte escolha escreva "
    "espere faça indique mande mude peça pegue ponha responda siga "
    "termine tire troque use volte abra proponha",
}
CLAUSE = {
    "en": "or|and|then|first|instead|else|please",
    "pt_BR": "ou|e|então|antes|primeiro|depois|disso|por favor",
}
#: what says all that there is to say, and why it needs no more
ENOUGH = {
    "must": "its sentence is what must be done",
    "ambiguous": "asks which of the two was meant",
    "incomplete": "quotes the whole form",
    "malformed": "quotes the whole form",
    "missing": "ends with the usage",
    "unknown-word": "lists what it could be",
    "out-of-range": "says from where to where",
    "option-value": "lists what is allowed",
    "unknown-option": "lists those that there are",
    "unknown-edition": "lists those that there are",
    "no-such-language": "lists those that there are",
    "no-such-topic": "lists those that there are",
    "league-not-later": "names the day that is too early, and asks for a later one",
    "talk-not-here": "ends with how one may talk there",
    "talk-wider": "ends with how one may talk there",
    "web-none": "says where to write instead",
    "block-what": "shows what an address looks like",
    "hint-league": "nothing else helps: it is the table that has none",
    "hint-once": "says that there is one, and the reader has it",
    "hint-enough": "says when there are more",
    "bot-kinds": "lists those that there are",
    "league-edition": "lists those that there are",
    "league-nobody": "shows the nearest names, or what an address looks like",
    "league-order": "lists who must be named",
    "league-no-setting": "lists those that there are",
    "league-number": "says from where to where",
    "league-points": "shows what it looks like",
    "league-unknown": "lists those that there are",
    "league-value": "shows what it looks like",
    "no-such-player": "lists those that there are",
    "no-such-zone": "shows the nearest ones, or what a zone looks like",
    "option-needs-cards": "its sentence is what to write",
    "not-mended": "an admin's: names the state that it is in, and which can be mended",
}


def raised() -> set[str]:
    """The codes that the service refuses with."""
    found: set[str] = set()
    for path in SERVICE.rglob("*.py"):
        for call in re.findall(r"Refusal\(([^)]*)", path.read_text(encoding="utf-8")):
            found |= set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', call.split("=", 1)[0]))
    return found


def told() -> set[str]:
    """The codes that the service writes out where it refuses, answers, or tells one thing in a letter."""
    says = re.compile(
        r"(?:\b(?:Refusal|[nN]otice)\(|\banswer\(\s*uow, speaker, came,)\s*\"([a-z]+(?:-[a-z]+)*)\""
    )
    return {code for path in SERVICE.rglob("*.py") for code in says.findall(path.read_text(encoding="utf-8"))}


BOOKS = {language: PhraseBook(lexicon(language, ()), ()) for language in languages()}
CODES = sorted(code for code in {*REFUSALS, *SETUP_ERRORS, *TROUBLES, *raised()} if BOOKS["en"].where(code))


def test_the_codes_are_found() -> None:
    assert len(CODES) > 180
    assert {"too-poor", "no-game", "league-none", "archive-later"} < set(CODES)


def test_every_code_has_a_sentence() -> None:
    said = told()
    assert len(said) > 300
    assert {"rematch-opened", "hints-are"} < said
    assert [code for code in sorted(said) if not BOOKS["en"].where(code)] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", CODES)
def test_it_says_what_would_be_right(code: str, language: str) -> None:
    book = BOOKS[language]
    said = book.raw(book.where(code) or "", code) or ""
    # a quotation that begins with letters is something to type; one that begins with a fact quotes what was
    # said
    typed = re.search(r"“(?:{{ sign\|default\(''\) }}|/)?[\w#]", said)
    bare = re.sub(r"{%.*?%}", ". ", re.sub(r"{{.*?}}", "X", said, flags=re.DOTALL), flags=re.DOTALL)
    told = re.search(
        rf"(?:^|[.:;,?!–] |\b(?:{CLAUSE[language]}) )\s*(?:{DO[language].replace(' ', '|')})\b",
        bare,
        re.IGNORECASE,
    )
    ok = bool(typed or told) or code in ENOUGH
    assert ok, said


def test_exceptions_are_codes_that_there_are() -> None:
    assert set(ENOUGH) <= set(CODES), set(ENOUGH) - set(CODES)
