"""The language that nobody speaks: complete, readable, and without a plain English word that did not come
from outside.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from babel import Locale

from referee.text import NotUnderstood, Reading, Words, fold, lexicon, read_intent, read_order
from referee.text.gaps import gaps
from referee.text.pseudo import LANGUAGE, accented, sentence, template, write
from tests.text.letters import contexts

_WORD = re.compile(r"\b[A-Za-z]{3,}\b")
#: formats that are called so everywhere, what a sample brings along, an address, and a word typed after a
#: stroke
_SAME = frozenset({"CSV", "JSON", "csv", "anything", "took", "schedule", "join", "hall"})


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pseudo")
    assert write(folder) == folder / LANGUAGE
    return folder


def dates() -> set[str]:
    """What Babel says, not we."""
    english = Locale.parse(LANGUAGE)
    names = [
        name
        for by_width in (english.months, english.days)
        for widths in by_width.values()
        for each in widths.values()
        for name in each.values()
    ]
    return {*names, "hours", "hour", "minutes", "minute", "days", "day", "weeks", "week"}


def test_it_lacks_nothing(own: Path) -> None:
    assert gaps(LANGUAGE, (own,)) == []


def test_every_letter_is_written_and_says_nothing_plain(own: Path) -> None:
    words, allowed, seen = Words((own,), strict=True), dates() | _SAME, 0
    for name, (kind, context) in contexts(words, LANGUAGE).items():
        outside = set(_WORD.findall(json.dumps(context, default=str)))
        for markup in ("text", "telegram"):
            said = words.letter(kind, LANGUAGE, markup, context)
            assert set(_WORD.findall(f"{said.subject} {said.text}")) - outside - allowed == set(), name
            seen += 1
    assert seen > 100


def test_what_it_suggests_is_understood(own: Path) -> None:
    """Reading drops the marks again."""
    known = lexicon(LANGUAGE, (own,))
    tried = 0
    for command in known.keys("commands"):
        usage = str(known.entry("commands", command)["usage"])
        assert fold(usage) == fold(lexicon("en").entry("commands", command)["usage"])
        if not set("[<|…") & set(usage):
            read = read_intent(usage, Reading(LANGUAGE, own=(own,)), private=True)
            assert not isinstance(read, NotUnderstood), usage
            assert read.kind == ("rules" if command == "help" else command)
            tried += 1
    assert tried > 20
    assert read_order("ḃúíĺď Ťŕáďíñğ Ṗóšť", Reading(LANGUAGE, own=(own,))) == read_order(
        "build Trading Post", Reading()
    )


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("Hi {{ name }}", "Ĥí {{ name }}"),
        ("{{ 'you' if a == 'x' else 'they' }}", "{{ 'ýóú' if a == 'x' else 'ťĥéý' }}"),
        ("{{ n|n('card', 'cards') }}", "{{ n|n('çáŕď', 'çáŕďš') }}"),
        ("{% if x %}ok{% endif %}", "{% if x %}óķ{% endif %}"),
        ("{{ say('lines', 'dated') }}", "{{ say('lines', 'dated') }}"),
        (
            "{{ a['key'] }}{% for b in ['one'] %}{% endfor %}",
            "{{ a['key'] }}{% for b in ['óñé'] %}{% endfor %}",
        ),
        ("<b>x</b>&nbsp;{reply_to}", "<b>ẍ</b>&nbsp;{reply_to}"),
        ("{% block subject %}a{% endblock %}", "{% block subject %}á{% endblock %}"),
        ('{{ "%.1f"|format(x) }}', '{{ "%.1f"|format(x) }}'),
    ],
)
def test_templates_keep_their_logic(source: str, made: str) -> None:
    assert template(source) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Yes.", "[Ýéš.~~]"),
        ("", ""),
        ("…", "…"),
        ("{{ a }}", "[{{ a }}~]"),
        ("{% if a %}Yes{% endif %}", "{% if a %}Ýéš{% endif %}"),
        ("{% if a %}A{% endif %} of {{ b }}", "[{% if a %}Á{% endif %} óḟ {{ b }}~~]"),
    ],
)
def test_sentences_have_an_end_to_be_seen(text: str, made: Any) -> None:
    assert sentence(text) == made


def test_accents_fold_away() -> None:
    alphabet = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0-9"
    assert fold(accented(alphabet)) == fold(alphabet)
    assert accented("{name:<{wide}} https://x.test/a &amp;") == "{name:<{wide}} https://x.test/a &amp;"
