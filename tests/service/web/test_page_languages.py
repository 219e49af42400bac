"""Pages in the language of the person who reads them: what the address says, what was said before, what the
browser asks for, a person's own.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.service.core import tokens
from referee.store import Person
from referee.text.folders import languages
from referee.text.lexicon import lexicon
from tests.service.english import Quoted
from tests.service.league import ledger
from tests.service.playing import table, to_the_end, turn_to
from tests.service.web.running_site import Inn, lodging
from tests.service.web.site import Standing, text_of

PEOPLE = ["telegram:ana", "matrix:bea"]
FOUR = [*PEOPLE, "telegram:cy", "telegram:dan"]
PORTUGUESE = {"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.8"}
#: words that no Portuguese page has
ENGLISH = re.compile(
    r"\b(the|you|your|is|are|was|of|and|with|that|this|it|by|to|from|nobody|game|round|table|seat|player|"
    r"waits?|waiting|until|rank|noble|trade|"
    r"gold|cards?|points?|places?|season|league|standings|yet|nothing|after|ago|hours?|days?|None|"
    r"Undefined)\b",
    re.IGNORECASE,
)
#: what is no word of ours: what anybody typed, and names of orders as they are printed
NAMES = re.compile(r"Plackett-Luce|referee record verify \w+|Citadels|Winter Cup|CSV|JSON|UTC|[0-9a-f]{64}")


class Sound(HTMLParser):
    """Whether elements nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "hr", "meta", "link", "img", "input", "source"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def spoken(page: str) -> str:
    """A page whose elements nest, as words: also what only machines read aloud."""
    sound = Sound()
    sound.feed(page)
    assert sound.open == []
    aloud = " ".join(re.findall(r'(?:aria-label|alt|content)="([^"]*)"', page.split("<body", 1)[1]))
    title = page.split("<title>", 1)[1].split("</title>")[0]
    rest = re.sub(
        r"<nav aria-label=\"(?:Language|Língua)\">.*?</nav>", " ", page.split("<body", 1)[1], flags=re.DOTALL
    )
    return unescape(f"{title} {aloud} {re.sub(r'<[^>]+>', ' ', rest)}")


def in_portuguese(page: str, *strangers: str) -> None:
    """Nothing in it is English, and it says that it is Portuguese."""
    assert '<html lang="pt-BR">' in page
    said = NAMES.sub(" ", spoken(page))
    for one in strangers:
        said = said.replace(one, " ")
    assert not (found := ENGLISH.findall(said)), (found, said)
    assert not (left := list(Quoted([], strangers).english(said))), left


async def test_every_page_of_a_table_is_in_portuguese_from_the_lobby_to_the_end(site: Standing) -> None:
    await site.house.say("telegram:eva", "new deluxe 5 24h")
    game = await table(site.house, FOUR, command="new deluxe")
    await turn_to(site.house, game, FOUR, 1)
    for path in (
        "/",
        "/tables?show=gathering",
        "/tables?show=over",
        f"/t/{game - 1}",
        f"/t/{game}",
        f"/t/{game}/step/1",
        f"/t/{game}/step/3",
        f"/t/{game}/history",
    ):
        in_portuguese(await site.page(path, headers=PORTUGUESE))
    await to_the_end(site.house, game, FOUR)
    for path in ("/tables?show=over", f"/t/{game}", f"/t/{game}/history"):
        in_portuguese(await site.page(path, headers=PORTUGUESE))
    page = text_of(await site.page(f"/t/{game}", headers=PORTUGUESE))
    assert "Pontuação final" in page
    assert "Primeira cidade completa" in page


async def test_every_page_of_a_league_is_in_portuguese(site: Standing) -> None:
    cup, *_ = await site.house.store.write(lambda tx: ledger.write(tx))
    for path in (
        "/l",
        f"/l/{cup}",
        f"/l/{cup}/schedule",
        f"/l/{cup}/schedule?round=1",
        f"/l/{cup}/strength",
        f"/l/{cup}/hall",
        "/p/1",
    ):
        in_portuguese(await site.page(path, headers=PORTUGUESE))
    assert "Classificação" in text_of(await site.page(f"/l/{cup}", headers=PORTUGUESE))


async def test_what_is_not_there_is_told_in_portuguese(site: Standing) -> None:
    for path, status in (
        ("/t/99", 404),
        ("/l/7", 404),
        ("/nowhere", 404),
        ("/u/" + "x" * 43, 404),
        ("/me", 403),
        ("/me/in/" + "x" * 43, 404),
    ):
        found, page, _ = await site.get(path, headers=PORTUGUESE)
        assert found == status
        in_portuguese(page)


ASKED = [
    ("pt-BR", "pt-BR"),
    ("pt", "pt-BR"),
    ("pt-PT,pt;q=0.9", "pt-BR"),
    ("de-DE,de;q=0.9,pt;q=0.8,en;q=0.7", "pt-BR"),
    ("en;q=0.5,pt;q=0.9", "pt-BR"),
    ("fr, en;q=0.3, pt;q=0.2", "en"),
    ("pt;q=0", "en"),
    ("pt;q=x, en", "en"),
    ("*", "en"),
    ("", "en"),
    ("pt_BR", "pt-BR"),
    ("PT-br", "pt-BR"),
    ("../pt_BR", "en"),
    ("," * 300 + "pt", "en"),
]


async def test_the_most_wanted_of_those_there_are(site: Standing) -> None:
    for header, language in ASKED:
        assert f'<html lang="{language}">' in await site.page("/", headers={"Accept-Language": header}), (
            header
        )


async def test_the_address_says_it_once_and_the_browser_keeps_it(site: Standing) -> None:
    assert "lang" not in (await site.get("/"))[2].get("Set-Cookie", "")
    status, page, headers = await site.get("/?lang=pt_BR")
    assert (status, headers["Set-Cookie"].partition(";")[0]) == (200, "lang=pt_BR")
    assert "HttpOnly" in headers["Set-Cookie"]
    assert '<html lang="pt-BR">' in page
    assert '<html lang="pt-BR">' in await site.page(
        "/", headers={"Cookie": "lang=pt_BR", "Accept-Language": "en"}
    )
    assert '<html lang="en">' in await site.page(
        "/?lang=en", headers={"Cookie": "lang=pt_BR", "Accept-Language": "pt-BR"}
    )


async def test_a_language_that_is_none_changes_nothing(site: Standing) -> None:
    for odd in ("xx", "../../etc", "<script>", "pt_BR;Path=/", "x" * 300, "pt\r\nX-Evil: 1", "🇧🇷", "en en"):
        status, page, headers = await site.get("/", params={"lang": odd}, headers=PORTUGUESE)
        assert status == 200
        assert '<html lang="pt-BR">' in page  # what the browser asks for otherwise
        assert "<script>" not in page
        assert odd == "xx" or "Set-Cookie" not in headers
        assert "X-Evil" not in headers


async def test_every_page_leads_to_itself_in_the_other_languages(site: Standing) -> None:
    for name in languages():
        page = await site.page(f"/?lang={name}")
        others = re.findall(r'<a href="\?lang=([\w]+)"', page)
        assert sorted([name, *others]) == sorted(languages())
        for other in others:
            assert str(lexicon(other).table("language")["name"]) in page


async def test_another_language_shows_the_same_part_of_a_page(site: Standing) -> None:
    cup, *_ = await site.house.store.write(lambda tx: ledger.write(tx, rounds=4, played=3))
    await site.house.say("telegram:eva", "new deluxe 5 24h")
    game = await table(site.house, FOUR)
    for path, said in (
        ("/tables?show=gathering", "Mesas abertas"),
        (f"/l/{cup}/schedule?round=2", "Mesas da rodada 2"),
        (f"/t/{game}/history?step=1", f"Mesa #{game}, passo 1"),
    ):
        page = await site.page(path, headers={"Accept-Language": "en"})
        other = unescape(re.findall(r'<a href="(\?[^"]*lang=pt_BR)"', page)[0])
        there = await site.page(path.partition("?")[0] + other, headers={"Accept-Language": "en"})
        in_portuguese(there)
        assert said in text_of(there), path


async def test_the_page_behind_a_letter_s_link_is_in_the_letter_s_language(site: Standing) -> None:
    """Also in a mail program's own browser, which asks for its own; unless the reader asks for another
    there.
    """
    game = await table(site.house, PEOPLE)
    letter = site.house.last(PEOPLE[0])
    number = site.house.number(letter)
    token = site.house.store.write_now(lambda tx: tokens.unsubscribe(tokens.secret(tx), number))
    path = f"/u/{token}"
    english = {"Accept-Language": "en-US"}
    assert '<html lang="en">' in await site.page(path, headers=PORTUGUESE)
    await site.house.store.write(lambda tx: tx.change(Person, {"name": "Ana"}, language="pt_BR"))
    in_portuguese(await site.page(path, headers=english))
    assert '<html lang="en">' in await site.page(f"{path}?lang=en", headers=PORTUGUESE)
    status, page, _ = await site.get(path, "POST", headers=english)
    assert status == 200
    assert str(game) in page
    in_portuguese(page)


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


async def test_ones_own_pages_are_in_ones_own_language_whatever_the_browser_says(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    ana = inn.guest()
    await ana.post(await inn.link(PEOPLE[0]), {})
    assert '<html lang="en">' in await ana.page("/me")
    await inn.house.store.write(lambda tx: tx.change(Person, {"name": "Ana"}, language="pt_BR"))
    for path in ("/me", f"/me/{game}"):
        in_portuguese(await ana.page(path))
    assert f"Mesa #{game}" in await ana.page("/me?lang=en")
    assert "Suas cartas" in await ana.page(f"/me/{game}?lang=en")
    answered = await ana.write(f"/me/{game}", "mão")
    assert "Resposta" in answered
    in_portuguese(answered)
    refused = await ana.write(f"/me/{game}", "construir Xyzzy")
    assert "Xyzzy" in refused
    in_portuguese(refused, "Xyzzy")


async def test_a_link_that_signs_in_is_shown_in_the_language_that_its_reader_asks_for(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    link = await inn.link(PEOPLE[0])
    assert '<html lang="en">' in await inn.guest().page(link)
    in_portuguese(await inn.guest().page(f"{link}?lang=pt_BR"))


async def test_an_answer_to_a_form_leads_nowhere_in_another_language(inn: Inn) -> None:
    """At its address there is something else, or nothing: goodbye in another language was "Not like this"."""
    game = await table(inn.house, PEOPLE)
    ana = await inn.signed_in(PEOPLE[0])
    form = await ana.form("/me")
    for path, sent, status in (
        (f"/me/{game}", {"form": "x"}, 403),
        (f"/me/{game}", {"order": "x" * 70_000}, 413),
        ("/me/out", {}, 403),
        ("/me/out", form, 200),
    ):
        found, page, _ = await ana.post(path, sent)
        assert found == status, path
        assert "?lang=" not in page.partition("<body")[2], path


async def test_a_button_changes_ones_language(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    ana = inn.guest()
    await ana.post(await inn.link(PEOPLE[0]), {})
    page = await ana.page("/me")
    for language in ("pt-BR", "en"):
        page = await ana.write("/me", re.findall(r'name="order" value="(language [\w-]+)"', page)[0])
        assert f'<html lang="{language}">' in page
