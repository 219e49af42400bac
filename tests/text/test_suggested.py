"""What letters and sentences suggest a person to type means the same in every language, and is read."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import Any

import pytest

from referee.rules import Setup, rulebook
from referee.rules.facts import REFUSALS, SETUP_ERRORS
from referee.text import TROUBLES, Intent, NotUnderstood, Reading, Words, read_intent, read_order
from referee.text.folders import languages
from tests.text.facts import FACTS, NAMES, facts
from tests.text.letters import contexts
from tests.text.notices import NOTICES

WORDS = Words(strict=True)
OTHERS = [language for language in languages() if language != "en"]
DECK = rulebook(Setup("deluxe", ("Ana", "Bea", "Cy", "Dan"), {}))
#: what an example says in its own words: free text, a room, a time zone near the reader, another language
_EXAMPLES = frozenset({"text", "speech", "room", "zone", "tongue"})
_CODE = re.compile(r"<code>(.*?)</code>", re.DOTALL)
_QUOTED = re.compile(r"“([^”]+)”")


def meaning(said: str, language: str) -> Any:
    """What is understood of a suggestion, alike for all languages; None for what is nothing to type (a hash,
    a link, a form with something to fill in: "unlink [address]").
    """
    if "[" in said:
        return None
    text = said.replace("CÓDIGO", "CODE").removeprefix("/").removeprefix("!").strip()
    at = Reading(language=language, names=(*NAMES, "Dan"), cards=DECK)
    intent = read_intent(text, at, private=True)
    if isinstance(intent, NotUnderstood):
        return None
    assert isinstance(intent, Intent)
    if intent.kind != "orders":
        return (
            intent.kind,
            intent.game,
            repr(sorted((key, value) for key, value in intent.args.items() if key not in _EXAMPLES)),
        )
    moves = tuple(read_order(chunk, at) for chunk in intent.args["chunks"])
    return (
        None
        if any(isinstance(move, NotUnderstood) for move in moves)
        else ("orders", intent.game, repr(moves))
    )


def suggested(texts: list[str], language: str) -> Counter[Any]:
    return Counter(found for text in texts if (found := meaning(text, language)) is not None)


def check(english: list[str], other: list[str], language: str) -> None:
    """The same is suggested; a plan's lines are read by the tests of plans."""
    ours, theirs = suggested(english, "en"), suggested(other, language)
    assert ours == theirs, (ours - theirs, theirs - ours, other)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", contexts(WORDS))
def test_letters(name: str, language: str) -> None:
    kind, context = contexts(WORDS)[name]
    said = [
        [unescape(x) for x in _CODE.findall(WORDS.letter(kind, one, "matrix", context).markup)]
        for one in ("en", language)
    ]
    check(said[0], said[1], language)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("table", ["lessons", "turn"])
def test_lessons(table: str, language: str) -> None:
    for code in sorted(WORDS.codes("en", table)):
        said = [
            _QUOTED.findall(
                WORDS.phrase(
                    f"{table}.{code}",
                    one,
                    goal=7,
                    players=4,
                    points=3,
                    edition="classic",
                    picking=(),
                    city=(),
                    other="Bea",
                    mine="King",
                    seats=(),
                    ask={"moves": (), "families": ()},
                )
            )
            for one in ("en", language)
        ]
        assert len(said[0]) == len(said[1]), code
        check(said[0], said[1], language)


#: sentences with facts; what "move-where" quotes is no suggestion but what was said
CODES = {
    code: spec
    for code, spec in {**REFUSALS, **SETUP_ERRORS, **TROUBLES, **NOTICES}.items()
    if code != "move-where"
}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("code", CODES)
def test_sentences(code: str, language: str) -> None:
    full = {
        "me_seat": 0,
        "me": 0,
        "names": NAMES,
        **facts(CODES[code]),
        **{key: FACTS[key] for key in ("verb", "line") if key in CODES[code]},
    }
    if code == "player-count":
        full["players"] = 9
    said = [_QUOTED.findall(WORDS.phrase(code, one, **full)) for one in ("en", language)]
    check(said[0], said[1], language)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("mode", ["anonymous", "open", "public", "off"])
def test_how_to_talk(mode: str, language: str) -> None:
    said = [_QUOTED.findall(WORDS.phrase(f"talk_modes.{mode}", one)) for one in ("en", language)]
    assert len(said[0]) == len(said[1])
    check(said[0], said[1], language)
