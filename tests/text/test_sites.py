"""Web pages: an admin's own before the shipped ones, everything given is text, and nothing is asked of
anybody else.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from referee.text.folders import shipped
from referee.text.rendering.sites import Site

#: those that need no more facts than these; the others are looked at in tests/service/web
PAGES = ("broken", "not_found", "slow_down", "unsubscribe", "unsubscribed", "wrong_way")
FACTS = {"what": "game", "game": 17}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_whole_and_of_the_house(name: str) -> None:
    page = Site().page(name, **FACTS)
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert page.count("<title>") == page.count("<h1>") == 1
    for strange in ("http:", "https:", "<script", "src=", "@import", "url(", "<style", "style="):
        assert strange not in page


def test_no_page_has_anything_inline_or_from_elsewhere() -> None:
    looked = 0
    for path in (
        *shipped().glob("layouts/pages/**/*.j2"),
        *shipped().glob("*/sentences/*.toml"),
        *(one for one in shipped().glob("web/*") if one.suffix != ".png"),
    ):
        looked += 1
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        for strange in (
            "http:",
            "https:",
            "<style",
            "style=",
            "@import",
            "url(",
            " onclick",
            "javascript:",
            "<script>",
        ):
            assert strange not in text, path.name
    assert looked > 8


def test_what_pages_are_dressed_with_has_a_hash_and_an_admin_may_give_another(tmp_path: Path) -> None:
    address = Site(root="/cit").assets.address("style.css")
    assert address.startswith("/cit/static/style-")
    kept = address.rpartition("/")[2]
    found = Site().assets.file(kept)
    assert found is not None
    assert found[1] == "text/css"
    for wrong in ("style.css", "style-000000000000.css", "../style.css", ""):
        assert Site().assets.file(wrong) is None
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "style.css").write_text("body { color: red }", encoding="utf-8")
    (tmp_path / "web" / "notes.txt").write_text("no page of ours", encoding="utf-8")
    ours = Site([tmp_path])
    assert ours.assets.file(ours.assets.address("style.css").rpartition("/")[2]) == (
        b"body { color: red }",
        "text/css",
    )
    assert ours.assets.address("icon.svg") == Site().assets.address("icon.svg")
    with pytest.raises(LookupError):
        ours.assets.address("notes.txt")


@pytest.mark.parametrize(
    ("what", "said"), [("game", "game #17"), ("digest", "daily letter"), ("all", "any game")]
)
def test_the_leaving_page_says_what_it_ends_and_what_the_clock_does(what: str, said: str) -> None:
    page = Site().page("unsubscribe", **{**FACTS, "what": what})
    assert said in page
    assert ("answered for you" in page) == (what != "digest")


def test_an_admins_page_goes_before(tmp_path: Path) -> None:
    own = tmp_path / "en" / "pages"
    own.mkdir(parents=True)
    (own / "not_found.html.j2").write_text(
        '{% extends "frame.html.j2" %}{% block title %}Lost{% endblock %}{% block body %}Ours.{% endblock %}',
        encoding="utf-8",
    )
    site = Site([tmp_path])
    assert "Ours." in site.page("not_found")
    assert "Something broke" in site.page("broken")


@pytest.mark.parametrize(
    "theirs", ["{{ nonce }}", "{{ 1 / 0 }}", "{% nonsense %}", "{% extends 'gone.html.j2' %}"]
)
def test_an_admins_page_that_goes_wrong_gives_way_to_ours(
    tmp_path: Path, theirs: str, caplog: pytest.LogCaptureFixture
) -> None:
    own = tmp_path / "en" / "pages"
    own.mkdir(parents=True)
    (own / "frame.html.j2").write_text(theirs, encoding="utf-8")
    site = Site([tmp_path], "/cit")
    assert "Something broke" in site.page("broken")
    assert 'href="/cit/static/style-' in site.page("broken")
    assert any("the shipped ones are used" in record.message for record in caplog.records)
    with pytest.raises(LookupError):
        site.page("nowhere")


def test_what_is_given_is_text(tmp_path: Path) -> None:
    assert "&lt;b&gt;" in Site().page("unsubscribe", **{**FACTS, "game": "<b>{{ 7*7 }}"})
    assert "{{ 7*7 }}" in Site().page("unsubscribe", **{**FACTS, "game": "<b>{{ 7*7 }}"})


def test_what_is_missing_is_an_error() -> None:
    with pytest.raises(LookupError):
        Site().page("nowhere")
    with pytest.raises(LookupError):
        Site().page("../letters/prompt")
    with pytest.raises(UndefinedError):
        Site().page("unsubscribe")


@pytest.mark.parametrize(
    ("wanted", "lang"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("pt-BR", "pt-BR"),
        ("pt", "pt-BR"),
        ("", "en"),
        ("../x", "en"),
        ("*", "en"),
    ],
)
def test_a_language_is_always_found(wanted: str, lang: str) -> None:
    assert f'<html lang="{lang}">' in Site().page("broken", wanted)
