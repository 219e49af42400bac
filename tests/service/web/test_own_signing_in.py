"""Signing in to one's own pages: the word, its link, the cookie, and how it ends in one browser or in all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.people import web_sessions
from referee.store import Inbox, Outbox, WebLink, WebSession
from tests.service.playing import greet, table
from tests.service.web.running_site import Inn, lodging

ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path, admins=(("telegram", "boss"),)) as one:
        yield one


async def test_a_link_signs_in_once(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    ana = inn.guest()
    status, text, headers = await ana.get("/me")
    assert status == 403
    assert "Write <code>web</code>" in text
    assert "Set-Cookie" not in headers
    path = await inn.link(ANA)
    for _ in range(3):  # whatever looks at links uses nothing up
        status, text, headers = await ana.get(path)
        assert status == 200
        assert "Sign in as Ana?" in text
        assert "Set-Cookie" not in headers
    status, _, headers = await ana.post(path, {})
    assert (status, headers["Location"]) == (303, "/me")
    assert f"Table #{game}" in await ana.page("/me")


async def test_a_link_to_a_table_leads_there_and_the_cookie_is_kept_close(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    ana = inn.guest()
    status, _, headers = await ana.post(await inn.link(ANA, f"web #{game}"), {})
    assert (status, headers["Location"]) == (303, f"/me/{game}")
    cookie = headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Strict", "Path=/me", "Max-Age=2592000"):
        assert part in cookie
    assert "Secure" not in cookie  # this house is reached by http
    assert "Domain" not in cookie


async def test_behind_tls_and_under_a_path_the_cookie_is_too(tmp_path: Path) -> None:
    async with lodging(tmp_path, base_url="https://play.example.org/citadels") as inn:
        await table(inn.house, PEOPLE)
        await inn.house.say(ANA, "web")
        path = next(word for word in inn.house.last(ANA).text.split() if "/me/in/" in word).removeprefix(
            "https://play.example.org/citadels"
        )
        status, _, headers = await inn.guest().post(path, {}, headers={"Origin": "https://play.example.org"})
        assert (status, headers["Location"]) == (303, "/citadels/me")
        assert "Secure" in headers["Set-Cookie"]
        assert "Path=/citadels/me" in headers["Set-Cookie"]


@pytest.mark.parametrize("who", ["telegram:ana", "matrix:ana", "terminal:ana", "mail:ana@x.test"])
async def test_the_word_is_heard_on_every_channel_and_nothing_secret_is_kept(inn: Inn, who: str) -> None:
    await greet(inn.house, who)
    path = await inn.link(who)
    token = path.removeprefix("/me/in/")
    assert "30 minutes and once" in inn.house.last(who).text
    rows = inn.house.store.read_now(
        lambda tx: [*tx.all(Outbox), *tx.all(WebLink), *tx.all(WebSession), *tx.all(Inbox)]
    )
    assert all(token not in str(row) for row in rows)
    guest = inn.guest()
    _, _, headers = await guest.post(path, {})
    secret = headers["Set-Cookie"].split("=")[1].split(";")[0]
    assert len(secret) == 43
    rows = inn.house.store.read_now(
        lambda tx: [*tx.all(Outbox), *tx.all(WebLink), *tx.all(WebSession), *tx.all(Inbox)]
    )
    assert all(secret not in str(row) for row in rows)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("web #99", "There is no game #99"),
        ("web banana", "I don't know what “banana” means"),
        ("#2 web", "You have no seat"),
        ("web off", "not signed in anywhere"),
    ],
)
async def test_what_the_word_can_not_do_is_said(inn: Inn, words: str, answer: str) -> None:
    await table(inn.house, PEOPLE)
    await table(inn.house, [BEA, "terminal:cy"])
    await inn.house.say(ANA, words)
    assert answer in inn.house.last(ANA).text
    assert inn.house.store.read_now(lambda tx: tx.count(WebLink)) == 0


async def test_in_a_group_no_link_is_told(inn: Inn) -> None:
    await inn.house.say(ANA, "/web", place="group")
    assert "in private" in inn.house.last("telegram:group").text
    assert inn.house.store.read_now(lambda tx: tx.count(WebLink)) == 0


async def test_where_there_are_no_pages_that_is_said(tmp_path: Path) -> None:
    async with lodging(tmp_path, base_url="") as inn:
        await inn.house.say(ANA, "web")
        assert "no web pages here" in inn.house.last(ANA).text


async def test_a_browser_in_use_stays_signed_in_and_an_unused_one_does_not(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    guest = await inn.signed_in(ANA)
    for _ in range(3):
        inn.house.clock.pass_(hours=20 * 24)
        assert (await guest.get("/me"))[0] == 200
    inn.house.clock.pass_(seconds=web_sessions.SESSION_MS / 1000)
    status, text, _ = await guest.get(f"/me/{game}")
    assert status == 403
    assert "Show my page" in text
    assert "nobody is signed in" in (await guest.get(f"/me/{game}", **{"Sec-Fetch-Site": "none"}))[1]


async def test_web_off_and_the_button_end_every_browser(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    bea = await inn.signed_in(BEA)
    for way in ("word", "button"):
        guests = [await inn.signed_in(ANA), await inn.signed_in(ANA)]
        link = await inn.link(ANA)
        if way == "word":
            await inn.house.say(ANA, "web off")
            assert "signed out of your pages in 2 browsers" in inn.house.last(ANA).text
        else:
            status, text, headers = await guests[0].post("/me/out", await guests[0].form("/me"))
            assert status == 200
            assert "You are signed out" in text
            assert "Max-Age=0" in headers["Set-Cookie"]
        assert [(await guest.get("/me"))[0] for guest in guests] == [403, 403]
        assert (await inn.guest().get(link))[0] == 404
    assert (await bea.get("/me"))[0] == 200


async def test_one_person_has_so_many_browsers_and_no_more(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    guests = []
    for _ in range(9):
        guests.append(await inn.signed_in(ANA))
        inn.house.clock.pass_(seconds=5)
    assert [(await guest.get("/me"))[0] for guest in guests] == [403] + [200] * 8
