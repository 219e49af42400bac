"""A whole evening in Portuguese has no English in it, and in the language that nobody speaks no word that the
templates don't have.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.text import lexicon
from referee.text.folders import shipped
from referee.text.lexicon import Lexicon
from referee.text.pseudo import LANGUAGE, write
from tests import books
from tests.service import program
from tests.service.english import Quoted
from tests.service.evening import Evening
from tests.text.test_pseudo import dates

pytestmark = pytest.mark.skipif(
    books.ON_POSTGRES, reason="words don't depend on what a book is kept in, and this takes its time"
)
#: letters that the evening has none of: what they say stands in others
UNSENT = {"undone", "stand_in", "turn_notice"}
#: a plan as it is written and kept
_PLAN = re.compile(
    r"(?:prefer|discard|when|otherwise|ask me|always)\b[^\n]*|\w+ ha(?:ve|s) the \w+|My \w+ changed|Robbed|"
    r"Bewitched|Threatened|Warranted|\w+ (?:dearest|cheapest)\b(?: (?:always|ask me))?|"
    r"\w+ (?:if cost [<>]= \d|always|never|ask me)\b"
)
_PLAIN = re.compile(r"(?<![^\W_])[A-Za-z]{3,}(?![^\W_]|[^\s]*…)")
_CALENDAR = re.compile(
    r"^(?!SUMMARY|DESCRIPTION|X-WR-CALNAME).*$|^(?:SUMMARY|DESCRIPTION|X-WR-CALNAME):", re.MULTILINE
)


def of(one: Evening) -> list[tuple[str, str]]:
    """What was read, as far as it is anybody's words: of a calendar only those. What was read in many places
    stands here once, with the last of them: labels, names, whole letters that went to several people.
    """
    last = {
        _CALENDAR.sub("", text.replace("\r\n ", "")) if where.endswith("file") else text: where
        for where, text in one.seen()
    }
    return [(where, text) for text, where in last.items()]


async def spent(path: Path, language: str, own: tuple[Path, ...] = ()) -> Evening:
    one = Evening(path, language, own)
    await one.open()
    await program.play(one)
    await one.close()
    return one


async def test_no_english_is_left_over(tmp_path: Path) -> None:
    one = await spent(tmp_path, "pt_BR")
    assert {path.stem for path in (shipped() / "layouts" / "letters").glob("*.j2")} - one.kinds == UNSENT
    quoted = Quoted(one.typed, one.orders)
    found = [(word, where, around) for where, text in of(one) for word, around in quoted.english(text)]
    assert found == []
    assert sum(where.startswith("drawing") for where, _ in one.seen()) > 80
    assert {letter.channel for letter in one.letters()} == {"telegram", "matrix", "mail", "terminal"}


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    write(folder)
    return folder


def vocabulary(lex: Lexicon) -> set[str]:
    """Words that are typed, so that a letter may suggest them in any language: keys of the lexicon, and what
    else is read for them.
    """
    found: set[str] = set()

    def take(value: object, key: str = "") -> None:
        if isinstance(value, dict):
            for name, one in value.items():
                found.update(str(name).replace("_", " ").split())
                take(one, name)
        elif isinstance(value, list) and key != "rulings":
            found.update(word for one in value for word in str(one).split())
        elif isinstance(value, str) and key == "usage":
            found.update(value.split())

    take(
        {
            table: lex.table(table)
            for table in (
                "verbs",
                "commands",
                "leagues",
                "words",
                "setup",
                "policy",
                "talk",
                "admin",
                "notify",
                "types",
                "characters",
                "districts",
                "league_words",
                "league_settings",
                "league_values",
                "topics",
                "bots",
                "alternate",
                "calendar",
                "web",
                "hints",
                "page",
                "lists",
                "editions",
                "channels",
                "pictures",
            )
        }
    )
    return {part for word in found for part in re.findall("[A-Za-z]+", word)}


async def test_every_word_went_through_the_templates(tmp_path: Path, pseudo: Path) -> None:
    one = await spent(tmp_path, LANGUAGE, (pseudo,))
    quoted = Quoted(one.typed, one.orders)
    known = {
        word.casefold()
        for word in (
            *vocabulary(lexicon("en")),
            *" ".join(lexicon("pt_BR").table("league_values")).split(),
            *dates(),
            *lexicon("en").table("language")["bot_names"],
            "Ana",
            "Bea",
            "Cy",
            "Dan",
            "Eve",
            "Root",
            "UTC",
            "Winter",
            "Spring",
            "Cup",
            "Lisbon",
            "English",
            "Português",
            "Brasil",
            "gente",
            "tags",
            "sent",
        )
    }
    left = {
        (word, where, text[max(0, text.find(word) - 60) :][:120])
        for where, text in of(one)
        for word in _PLAIN.findall(_PLAN.sub(" ", quoted.without(text)))
        if word.casefold() not in known
    }
    assert left == set()
