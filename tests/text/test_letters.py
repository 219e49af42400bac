"""Every letter, for every channel, as it reads today.

The pages are files under tests/text/pages; after a wanted change write them anew with
``REFEREE_WRITE_LETTERS=1 pytest tests/text/test_letters.py`` and read the difference. A page of the web that
is as Matrix's, and one of a screen that is as Telegram's, is kept once (`LIKE`).
"""

from __future__ import annotations

import os
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from referee.text import KINDS, LETTERS, Rendered, Words
from tests.text.letters import contexts
from tests.text.samples import GAME, NAMES, common, frozen, game, told

WORDS = Words(strict=True)
SAMPLES = contexts(WORDS)
PAGES = Path(__file__).parent / "pages"
ENDINGS = {
    "text": "txt",
    "terminal": "screen.xml",
    "telegram": "telegram.html",
    "matrix": "matrix.html",
    "mail": "html",
    "web": "web.html",
}
#: a kind whose page is kept only where it differs from another kind's
LIKE = {"web": "matrix", "terminal": "telegram"}
TAGS = {
    "terminal": {"b", "i", "code", "h", "n", "o", "q", "r", "a"},
    "telegram": {"b", "i", "code", "blockquote", "a"},
    "matrix": {"strong", "em", "code", "h5", "p", "br", "ul", "ol", "li", "blockquote", "hr", "a"},
    "web": {
        "strong",
        "em",
        "code",
        "h3",
        "p",
        "br",
        "ul",
        "li",
        "blockquote",
        "hr",
        "a",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    },
    "mail": {
        "html",
        "head",
        "meta",
        "title",
        "body",
        "div",
        "b",
        "i",
        "code",
        "h2",
        "p",
        "br",
        "ul",
        "li",
        "hr",
        "a",
        "span",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    },
}


class Tags(HTMLParser):
    """Checks that elements nest, and collects their names and texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in ("br", "hr", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def parsed(markup: str) -> Tags:
    tags = Tags()
    tags.feed(markup)
    tags.close()
    assert tags.open == []
    return tags


def test_every_kind_of_letter_has_a_sample() -> None:
    assert {kind for kind, _ in SAMPLES.values()} == set(LETTERS)


@pytest.mark.parametrize("markup", KINDS)
@pytest.mark.parametrize("name", SAMPLES)
def test_the_page(name: str, markup: str) -> None:
    page, path = written(name, markup), PAGES / f"{name}.{ENDINGS[markup]}"
    once = markup in LIKE and page == written(name, LIKE[markup])
    if os.environ.get("REFEREE_WRITE_LETTERS"):
        path.parent.mkdir(exist_ok=True)
        if once:
            path.unlink(missing_ok=True)
        else:
            path.write_text(page, encoding="utf-8")
    if once:  # the other kind's page is compared with its file
        assert not path.exists()
    else:
        assert path.read_text(encoding="utf-8") == page


@cache
def letter(name: str, markup: str) -> Rendered:
    """A sample for a channel, made once for the tests that look at it."""
    kind, context = SAMPLES[name]
    return WORDS.letter(kind, "en", markup, context)


def written(name: str, markup: str) -> str:
    """The page of a sample, one element a line."""
    said = letter(name, markup)
    if markup == "text":
        return f"{said.subject}\n\n{said.text}\n"
    return said.markup.replace("><", ">\n<") + "\n"


@pytest.mark.parametrize("markup", [kind for kind in KINDS if kind != "text"])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_markup_is_sound(name: str, markup: str) -> None:
    said = letter(name, markup)
    tags = parsed(said.markup)
    assert tags.seen <= TAGS[markup]
    assert said.text
    assert "\n" not in said.subject
    assert not any(ord(c) < 32 and c != "\n" for c in said.text + said.markup)
    for odd in ("None", "Undefined", "{{", "{%", "[]", "  \n"):
        assert odd not in said.text.replace("{{ 7*7 }}", ""), odd


def test_no_page_is_left_over() -> None:
    """A page that is kept once is missing; that it is as the other kind's, `test_the_page` says."""
    there = {path.name for path in PAGES.iterdir()}
    assert there <= {f"{name}.{ending}" for name in SAMPLES for ending in ENDINGS.values()}
    assert there >= {f"{name}.{ENDINGS[kind]}" for name in SAMPLES for kind in KINDS if kind not in LIKE}


def test_the_living_message_fits() -> None:
    """Seven players with long names in the last round: no more than 1500 signs."""
    names = [f"{name} the Unreasonably Long" for name in NAMES]
    longest = 0
    for number, moment in enumerate(game(7, 4, names)):
        if number % 40 == 0 or moment.seat < 0:
            said = WORDS.letter(
                "table",
                "en",
                "telegram",
                common(view=moment.public, events=told(moment, None, 8), due_ms=None, waiting=[]),
            )
            longest = max(longest, len(said.text))
    assert 600 < longest <= 1500


def test_a_mail_has_room_for_orders_between_its_marker_lines() -> None:
    said = WORDS.letter(*_as("prompt-turn", "mail"))
    lines = said.text.split("\n")
    begin = lines.index("=====[ your orders below this line ]=====")
    assert lines[begin + 1 : begin + 3] == ["", "=====[ end of orders ]====="]
    assert "=====[ your orders below this line ]=====" in said.markup
    assert 'href="mailto:{reply_to}?subject=' in said.markup
    short = WORDS.letter(*_as("prompt-turn", "telegram"))
    assert "=====[" not in short.text + short.markup


def test_what_goes_in_its_markup_alone_has_the_same_words_as_text() -> None:
    for name in SAMPLES:
        said = WORDS.letter(*_as(name, "telegram"))
        assert said.text == "".join(parsed(said.markup).said) if said.markup else "<" not in said.text


def test_a_prompt_says_all_that_a_player_needs() -> None:
    for markup in KINDS:
        said = WORDS.letter(*_as("prompt-turn", markup))
        moment = frozen()["turn"]
        for option in SAMPLES["prompt-turn"][1]["options"] if markup != "telegram" else ():  # buttons there
            assert f"{option['n']}. {option['label']}" in said.text
        assert all(card in said.text for card in moment.view["hand"])
        assert all(p["name"] in said.text for p in moment.view["players"])
        assert "You have until Tue 24 Nov 11:00, your time (Lisbon); nights don't count." in said.text
        assert "Done: gold" in said.text


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({}, "You have until Tue 24 Nov 11:00, your time (Lisbon); nights don't count."),
        (
            {"policy": {"line": "", "nights": False, "days": ""}},
            "You have until Tue 24 Nov 11:00, your time (Lisbon).",
        ),
        (
            {"policy": {"line": "", "nights": True, "days": "Mo-Fr"}},
            "You have until Tue 24 Nov 11:00, your time (Lisbon); only Mon–Fri count, without nights.",
        ),
        ({"paused": True}, "The game is paused: all clocks stand still."),
        ({"alone": True}, ""),
        ({"guided": True}, ""),
    ],
)
def test_a_deadline_is_one_sentence(about: dict[str, Any], said: str) -> None:
    kind, _, markup, context = _as("prompt-turn", "text")
    text = WORDS.letter(kind, "en", markup, {**context, "game": {**GAME, **about}}).text
    found = [line for line in text.split("\n") if "until" in line or "paused" in line]
    assert found == ([said] if said else [])


@pytest.mark.parametrize(("game", "subject"), [(GAME, "[#17] Your games"), (None, "Your games")])
def test_a_subject_names_the_table(game: dict[str, Any] | None, subject: str) -> None:
    kind, _, markup, context = _as("games", "mail")
    assert WORDS.letter(kind, "en", markup, {**context, "game": game}).subject == subject


def test_a_trouble_says_nothing_twice() -> None:
    """What could not be read is quoted once; orders that the sentence names are not listed again as
    suggestions.
    """
    two = ["build Market", "build Manor"]
    trouble = {
        "code": "ambiguous",
        "facts": {"candidates": two},
        "quote": "build m",
        "suggestions": two,
        "not_done": ["gold", "build m", "end"],
    }
    context = SAMPLES["prompt-trouble"][1] | {
        "trouble": trouble,
        "view": None,
        "ask": None,
        "options": [],
        "game": None,
        "me": None,
    }
    said = WORDS.letter("prompt", "en", "text", context)
    assert said.text == (
        "Not done: This can be read in two ways. Which one: “build Market” or “build Manor”?\n\n> build m\n\n"
        "Not done either: gold; end"
    )


def test_something_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        WORDS.letter(
            "prompt",
            "en",
            "text",
            {
                "language": "en",
                "ask": {"kind": "turn", "number": 1},
                "view": None,
                "due_ms": None,
                "options": [],
            }
            | {"game": {"tag": "#1"}},
        )
    with pytest.raises(KeyError):
        WORDS.letter("love", "en", "text", {})
    with pytest.raises(KeyError):
        WORDS.letter("help", "en", "morse", common())


def _as(name: str, markup: str) -> tuple[str, str, str, dict[str, object]]:
    kind, context = SAMPLES[name]
    return kind, "en", markup, context


def test_whoever_won_is_spoken_to_in_a_whole_sentence() -> None:
    kind, context = SAMPLES["over"]
    winner = context["view"]["result"]["winners"][0]
    said = WORDS.letter(kind, "en", "text", {**context, "me": {"seat": winner, "name": "Bea"}}).text
    assert "\nYou win game #17." in said
