"""Web pages: an admin's own before the shipped ones, everything given is text, and nothing is asked of anybody else."""
from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from referee.text.folders import shipped
from referee.text.rendering.sites import Site

PAGES = sorted(path.name.removesuffix(".html.j2") for path in (shipped() / "en" / "pages").glob("*.html.j2") if not path.name.startswith("frame"))
FACTS = {"nonce": "n", "what": "game", "game": 17}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_whole_and_of_the_house(name: str) -> None:
    page = Site().page(name, **FACTS)
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert page.count("<title>") == page.count("<h1>") == 1
    for strange in ("http:", "https:", "<script", "src=", "@import", "url("):
        assert strange not in page


@pytest.mark.parametrize(("what", "said"), [("game", "game #17"), ("digest", "daily letter"), ("all", "any game")])
def test_the_leaving_page_says_what_it_ends_and_what_the_clock_does(what: str, said: str) -> None:
    page = Site().page("unsubscribe", **{**FACTS, "what": what})
    assert said in page
    assert ("answered for you" in page) == (what != "digest")


def test_an_admins_page_goes_before(tmp_path: Path) -> None:
    own = tmp_path / "en" / "pages"
    own.mkdir(parents=True)
    (own / "not_found.html.j2").write_text('{% extends "frame.html.j2" %}{% block title %}Lost{% endblock %}{% block body %}Ours.{% endblock %}', encoding="utf-8")
    site = Site([tmp_path])
    assert "Ours." in site.page("not_found", nonce="n")
    assert "Something broke" in site.page("broken", nonce="n")


def test_what_is_given_is_text(tmp_path: Path) -> None:
    assert "&lt;b&gt;" in Site().page("unsubscribe", **{**FACTS, "game": "<b>{{ 7*7 }}"})
    assert "{{ 7*7 }}" in Site().page("unsubscribe", **{**FACTS, "game": "<b>{{ 7*7 }}"})


def test_what_is_missing_is_an_error() -> None:
    with pytest.raises(LookupError):
        Site().page("nowhere", nonce="n")
    with pytest.raises(LookupError):
        Site().page("../letters/prompt", nonce="n")
    with pytest.raises(UndefinedError):
        Site().page("unsubscribe", nonce="n")


@pytest.mark.parametrize("wanted", ["en", "en-GB", "pt-BR", "", "../x", "*"])
def test_a_language_is_always_found(wanted: str) -> None:
    assert '<html lang="en">' in Site().page("broken", wanted, nonce="n")
