"""A layout is one for all languages and says nothing itself; its sentences are each language's own."""

from __future__ import annotations

import logging
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import TemplateSyntaxError, UndefinedError

from referee.text import Words
from referee.text.folders import languages, shipped
from referee.text.rendering.layouts import Layouts, sentences
from referee.text.rendering.sites import Site

LAYOUTS = sorted((shipped() / "layouts").rglob("*.j2"))
NAMED = re.compile(r'words\("([\w.]+)"\)')
#: what is called so in every language
SAME = {"Citadels"}
UNDONE = {"game": None, "name": "<Bea>"}


def in_file(path: Path) -> set[str]:
    return set(NAMED.findall(path.read_text(encoding="utf-8")))


def said(*given: tuple[str, str]) -> Layouts:
    return Layouts(dict(given), autoescape=True)


def folder(tmp_path: Path, name: str, text: str) -> Path:
    """An admin's folder with one file."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_named_and_every_name_is_a_sentence(language: str) -> None:
    named = {code for path in LAYOUTS for code in in_file(path)}
    assert len(named) > 500
    assert named == set(sentences(language))


def test_no_table_of_sentences_stands_in_two_files() -> None:
    for language in languages():
        tables = [
            table
            for path in sorted((shipped() / language / "sentences").glob("*.toml"))
            for table in re.findall(r"(?m)^\[(\w+)\]", path.read_text(encoding="utf-8"))
        ]
        assert len(tables) > 50
        assert len(tables) == len(set(tables))


class Texts(HTMLParser):
    """What stands between the tags, and what an attribute says to people."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.said += [
            value or "" for key, value in attrs if key in ("alt", "aria-label", "title", "placeholder")
        ]


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.name)
def test_a_layout_says_nothing_itself(path: Path) -> None:
    source = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    texts = Texts()
    texts.feed(source)
    assert set(re.findall(r"[^\W\d_]{2,}", " ".join(texts.said))) <= SAME


def test_a_sentence_knows_what_its_place_knows_and_is_escaped_like_it() -> None:
    given = ("a.row", "{% if loop.first %}<i>{% endif %}{{ one }}")
    made = said(given).from_string('{% for one in all %}{{ words("a.row") }};{% endfor %}')
    assert made.render(all=["<1>", "<2>"]) == "<i>&lt;1&gt;;&lt;2&gt;;"
    value = said(given).from_string('{% for one in all %}{{ words("a.row")|upper }}{% endfor %}')
    assert value.render(all=["<1>", "<2>"]) == "&lt;I&gt;&lt;1&gt;&lt;2&gt;", (
        "a value is text, whatever is in it"
    )


def test_a_condition_in_a_value_is_a_choice() -> None:
    given = ("a.b", "{% if n == 1 %}one{% elif n == 2 %}two{% else %}{{ n }}{% endif %}!")
    made = said(given).from_string('{{ [words("a.b")]|first }}')
    assert [made.render(n=n) for n in (1, 2, 3)] == ["one!", "two!", "3!"]
    assert said(("a.b", "")).from_string('{{ [words("a.b")]|first }}').render() == ""


@pytest.mark.parametrize(
    ("sentence", "layout"),
    [
        ("{% include 'letters/prompt.j2' %}", '{{ words("a.b") }}'),
        ("{% import 'parts.j2' as p %}", '{{ words("a.b") }}'),
        ("{% extends 'frame.html.j2' %}", '{{ words("a.b") }}'),
        ("{% if x %}{% set name = 1 %}{% endif %}", '{{ words("a.b") }}'),
        ("{% macro p() %}{% endmacro %}", '{{ words("a.b") }}'),
        ("{% block body %}{% endblock %}", '{{ words("a.b") }}'),
        ("{% for x in y %}{{ x }}{% endfor %}", '{{ words("a.b")|upper }}'),
        ("{{ x", '{{ words("a.b") }}'),
        ("x", '{{ words("a.c") }}'),
        ("x", "{{ words(name) }}"),
        ("x", '{{ words("a", "b") }}'),
    ],
)
def test_what_a_sentence_may_not_have(sentence: str, layout: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        said(("a.b", sentence)).from_string(layout)


def test_a_sentence_names_no_other() -> None:
    made = said(("a.b", '{{ words("a.b") }}')).from_string('{{ words("a.b") }}')
    with pytest.raises(UndefinedError):
        made.render()


def test_an_admin_changes_one_sentence(tmp_path: Path) -> None:
    own = folder(tmp_path, "en/sentences/mine.toml", '[undone]\nsubject = "Oops"\n')
    words = Words([own], strict=True)
    ours = Words().letter("undone", "en", "matrix", UNDONE)
    assert words.letter("undone", "en", "matrix", UNDONE) == ours._replace(subject="Oops")
    assert words.letter("undone", "pt_BR", "text", UNDONE) == Words().letter(
        "undone", "pt_BR", "text", UNDONE
    )


def test_an_admin_changes_a_layout_for_everybody(tmp_path: Path) -> None:
    own = folder(
        tmp_path,
        "layouts/letters/undone.j2",
        '{% block subject %}{{ words("undone.subject") }}!{% endblock %}'
        "{% block body %}{{ name }}{% endblock %}",
    )
    for language in ("en", "pt_BR"):
        ours = Words().letter("undone", language, "telegram", UNDONE)
        said_ = Words([own], strict=True).letter("undone", language, "telegram", UNDONE)
        assert said_ == (ours.subject + "!", "<Bea>", "&lt;Bea&gt;")


def test_what_a_language_lacks_is_said_in_english(tmp_path: Path) -> None:
    folder(tmp_path, "pl/lexicon.toml", '[language]\nname = "polski"\n')
    own = folder(tmp_path, "pl/sentences/play.toml", '[undone]\nsubject = "Cofnięte"\n')
    ours = Words().letter("undone", "en", "text", UNDONE)
    assert Words([own], strict=True).letter("undone", "pl", "text", UNDONE) == ours._replace(
        subject="Cofnięte"
    )
    assert "Something broke" in Site([own]).page("broken", "pl")


def test_an_admin_s_sentence_that_goes_wrong_gives_way_to_ours(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own = folder(tmp_path, "en/sentences/play.toml", '[undone]\nsubject = "{% include name %}"\n')
    with caplog.at_level(logging.ERROR):
        assert Words([own]).letter("undone", "en", "text", UNDONE) == Words().letter(
            "undone", "en", "text", UNDONE
        )
    assert "the shipped ones are used" in caplog.text
