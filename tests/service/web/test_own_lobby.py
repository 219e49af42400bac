"""A table that gathers on the web: who may look, who may join, and that each button is a word of chat."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest

from referee.store import Game, Inbox, Seat
from tests.service.playing import FLAT, running
from tests.service.web.running_site import ANA, BEA, Inn, lodging
from tests.service.web.site import text_of

CY = "telegram:cy"


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        for who in (ANA, BEA, CY):
            await one.house.say(who, "hello")
        yield one


def buttons(page: str) -> list[str]:
    """The orders of all buttons."""
    return [unescape(one) for one in re.findall(r'<button[^>]* name="order" value="([^"]*)"', page)]


def names(inn: Inn, game: int) -> list[str]:
    """Who sits there."""
    return [one.name for one in inn.house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))]


def settings(inn: Inn, game: int) -> str:
    """What the table plays by."""
    return str(inn.house.store.read_now(lambda tx: tx.get(Game, game)).settings)


async def test_a_new_table_that_is_refused_keeps_what_was_chosen(inn: Inn) -> None:
    """All was to be chosen anew."""
    ana = await inn.signed_in(ANA)
    page = await ana.page("/me/new")
    assert re.findall(r'<option value="([^"]*)" selected', page) == ["4 players", "24h"]
    assert 'action="/me/new"' in page
    form = (await ana.form("/me/new"))["form"]
    for cards, why in (("classic", "2 to 7 can play"), ("deluxe random gentle", "Say fewer")):
        parts = [
            cards,
            "8 players" if cards == "classic" else "2 players",
            "with 7 strong bots",
            "48h",
            "invite",
        ]
        sent = [("form", form), ("order", "new"), *(("order", one) for one in parts)]
        status, _, headers = await ana.post("/me/new", sent)
        assert (status, headers["Location"].partition("?")[0]) == (303, "/me/new")
        page = await ana.page(headers["Location"])
        assert why in text_of(page.partition("<form")[0])
        assert re.findall(r'<option value="([^"]*)" selected', page) == parts
    parts = ["new", "classic", "7 players", "24h", "open"]
    _, _, headers = await ana.post("/me/new", [("form", form), *(("order", one) for one in parts)])
    assert headers["Location"].partition("?")[0] == "/me/1"
    _, _, headers = await ana.post("/me/new", [("form", form), *(("order", one) for one in parts)])
    status, _, headers = await ana.get(headers["Location"])
    assert (status, headers["Location"].partition("?")[0]) == (303, "/me/1"), (
        "a second tap opens no second one"
    )


async def test_a_new_table_leads_to_its_own_page_and_there_by_buttons_to_a_game(inn: Inn) -> None:
    ana, bea = await inn.signed_in(ANA), await inn.signed_in(BEA)
    form = {name: value for name, value in (await ana.form("/me/new")).items() if name == "form"}
    parts = ["new", "deluxe cunning agents", "4 players", "with 1 strong bots", "48h", "open"]
    status, _, headers = await ana.post("/me", [("form", form["form"]), *(("order", one) for one in parts)])
    assert (status, headers["Location"].partition("?")[0]) == (303, "/me/1")
    page = await ana.page(headers["Location"])
    assert "2 of 4 seats taken" in text_of(page)
    assert "Blackmailer" in text_of(page), "the cast is shown"
    assert f"{inn.url}/t/1" in page
    assert 'class="qr"' in page
    assert {
        "ready #1",
        "#1 bot gentle",
        "#1 bot steady",
        "#1 bot strong",
        "#1 bot 2",
        "leave #1",
        "abandon #1",
    } <= set(buttons(page))
    assert "start #1" not in buttons(page), "Ana has not said that she is ready"
    page = await bea.page("/me/1")
    assert [one for one in buttons(page) if "#1" in one] == ["join #1"]
    page = await bea.send("/me/1", await bea.form("/me/1"), order="join #1")
    assert "3 of 4 seats taken" in text_of(page)
    assert "#1 bot steady" not in buttons(page), "bots are for the person who opened the table"
    assert "kick Bea #1" in buttons(await ana.page("/me/1"))
    for guest in (bea, ana):
        page = await guest.send("/me/1", await guest.form("/me/1"), order="ready #1")
    assert "start #1" in buttons(page)
    page = await ana.send("/me/1", await ana.form("/me/1"), order="start #1")
    assert running(inn.house, 1).status == "running"
    assert "Your cards" in page
    assert {one.channel for one in inn.house.store.read_now(lambda tx: tx.all(Inbox))} == {
        "telegram",
        "matrix",
        "web",
    }


async def test_whoever_is_sent_an_invitation_joins_by_one_tap_and_nobody_else(inn: Inn) -> None:
    ana, bea = await inn.signed_in(ANA), await inn.signed_in(BEA)
    page = await ana.write("/me", f"new classic 3 seats invite {FLAT}")
    link = re.findall(r'id="address" readonly value="([^"]+)"', page)[0].removeprefix(inn.url)
    assert re.fullmatch(r"/i/1-[A-Z2-7]{8}", link)
    code = link.partition("-")[2]
    assert (await bea.get("/t/1"))[0] == (await bea.get("/me/1"))[0] == 404
    for wrong in ("/i/1-AAAAAAAA", f"/i/2-{code}", "/i/1-AAAA", f"/i/1-{code}A"):
        assert (await bea.get(wrong))[0] == 404, wrong
    for wrong in ("AAAAAAAA", code[:-1], f"{code}A", "ção", "-" + "a" * 16, "'; drop"):
        assert (await bea.session.get("/me/1", params={"key": wrong})).status == 404, wrong
    public = await bea.page(link)
    assert f"join {code}" in text_of(public)
    assert f'href="/me/1?key={code}"' in public
    page = await bea.page(f"/me/1?key={code}")
    assert buttons(page) == [f"join {code}"]
    page = await bea.send(f"/me/1?key={code}", await bea.form(f"/me/1?key={code}"), order=f"join {code}")
    assert "2 of 3 seats taken" in text_of(page)
    assert names(inn, 1) == ["Ana", "Bea"]
    _, _, headers = await bea.post("/me/1", {**await bea.form("/me/1"), "order": "leave #1"})
    _, _, headers = await bea.get(headers["Location"])
    assert "You have left table #1" in text_of(await bea.page(headers["Location"])), "told among her tables"
    assert names(inn, 1) == ["Ana"]
    cy = await inn.signed_in(CY)
    for guest in (bea, cy):
        await guest.send(f"/me/1?key={code}", await guest.form(f"/me/1?key={code}"), order=f"join {code}")
    status, _, headers = await inn.guest().get(link)
    assert (status, headers["Location"][:5]) == (301, "/t/1-"), "all seats are taken"


async def test_the_person_who_opened_a_table_sets_it_by_buttons(inn: Inn) -> None:
    ana, bea = await inn.signed_in(ANA), await inn.signed_in(BEA)
    await ana.write("/me", f"new classic 4 seats {FLAT}")
    await bea.send("/me/1", await bea.form("/me/1"), order="join #1")
    for order in ("talk public #1", "page private #1", "kick Bea #1"):
        page = await ana.page("/me/1")
        assert order in buttons(page)
        assert order not in buttons(await bea.page("/me/1")) if "kick" not in order else True
        page = await ana.send("/me/1", await ana.form("/me/1"), order=order)
    assert '"talk": "public"' in settings(inn, 1).replace('":"', '": "')
    assert running(inn.house, 1).page == "private"
    assert names(inn, 1) == ["Ana"]
    assert (await bea.get("/me/1"))[0] == 404, "the page is not for everybody any more"
    data = [("form", (await ana.form("/me/1"))["form"]), ("order", "word"), ("order", "tango")]
    status, _, headers = await ana.post("/me/1", data)
    assert status == 303
    assert 'value="tango"' in await ana.page(headers["Location"])
    page = await ana.send("/me/1", await ana.form("/me/1"), order="abandon #1")
    assert "given up" in text_of(page)
    assert not [one for one in buttons(page) if "#1" in one]


async def test_a_full_table_and_a_stranger(inn: Inn) -> None:
    ana, cy = await inn.signed_in(ANA), await inn.signed_in(CY)
    await ana.write("/me", f"new classic 2 seats with 1 bot {FLAT}")
    page = await cy.page("/me/1")
    assert "All seats are taken" in text_of(page)
    assert not [one for one in buttons(page) if "#1" in one]
    assert "I am ready: begin" in await ana.page("/me/1")
    status, text, _ = await inn.guest().get("/me/1")
    assert status == 403
    assert "write" in text_of(text).lower(), "how to sign in"
    refused = await cy.send("/me/1", await cy.form("/me/1"), order="join #1")
    assert names(inn, 1)[0] == "Ana"
    assert len(names(inn, 1)) == 2
    assert 'class="note answer"' in refused


async def test_bots_are_put_in_one_by_one_or_all_at_once(inn: Inn) -> None:
    ana = await inn.signed_in(ANA)
    await ana.write("/me", f"new deluxe 5 seats {FLAT}")
    await ana.send("/me/1", await ana.form("/me/1"), order="#1 bot gentle")
    page = await ana.page("/me/1")
    bot = inn.house.store.read_now(lambda tx: tx.one(Seat, game_id=1, no=1))
    assert bot.bot == "gentle"
    assert f"{bot.name} bot (gentle)" in text_of(page)
    await ana.send("/me/1", await ana.form("/me/1"), order="#1 bot 3")
    assert len(names(inn, 1)) == 5
    assert "#1 bot 3" in buttons(page)
    page = await ana.send("/me/1", await ana.form("/me/1"), order="ready #1")
    assert running(inn.house, 1).status == "running"
