"""Telegram opens a table inside itself: the button below a question, and who is signed in by what Telegram
says; nobody by what it has not said, said too long ago, or said once before.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

from adapters.telegram import Settings, build
from referee import main
from referee.config import Configuration, RefereeSettings, StoreSettings, WebSettings
from referee.ids import NO_GAME
from referee.service.people import web_sessions
from referee.store import Blocked, Inbox, Outbox, Store, WebLink, WebSession
from tests.servers.botapi.mini_app import init_data
from tests.service.playing import asked, table
from tests.service.rig import House
from tests.service.web.running_site import Guest, Inn, lodging

TOKEN, OTHER = "123456789:" + "A" * 35, "987654321:" + "A" * 35
#: in this house addresses are as Telegram's are
ANA, BEA = "telegram:4400000017", "matrix:bea"
PEOPLE = [ANA, BEA]


def with_bot(inn: Inn) -> Inn:
    """The house has a bot of Telegram's, which is not asked for anything here but what it signs."""
    bot = build(Settings.model_validate({"token": TOKEN}), inn.house.clock)
    inn.house.referee.own_pages._verifiers = {"telegram": bot}
    return inn


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield with_bot(one)


def said(inn: Inn, *, number: int = 4_400_000_017, ago_s: int = 5, token: str = TOKEN) -> str:
    """What Telegram says of somebody who opened the page so many seconds ago."""
    user = {"id": number, "first_name": "Ana", "language_code": "en"}
    return init_data(token, user, inn.house.clock() // 1000 - ago_s)


async def enter(guest: Guest, data: str, game: object = "", **headers: str) -> tuple[int, str, Any]:
    """Send it as the page's script does."""
    given = {"Origin": guest.url} | headers
    return await guest.post("/me/app", {"data": data, "game": str(game)}, headers=given)


def sessions(inn: Inn) -> int:
    return inn.house.store.read_now(lambda tx: tx.count(WebSession))


async def test_who_opens_it_in_telegram_is_signed_in_and_sees_the_table(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    guest = inn.guest()
    guest.session.headers["User-Agent"] = "Mozilla/5.0 (Linux; Android 15; wv) Chrome/141.0 Mobile Safari/537"
    page = await guest.page(f"/me/app?game={game}")
    assert f'name="game" value="{game}"' in page
    status, _, headers = await guest.post(
        "/me/app", {"data": said(inn), "game": str(game), "inside": "1"}, headers={"Origin": inn.url}
    )
    assert (status, headers["Location"]) == (303, f"/me/{game}")
    for part in ("HttpOnly", "SameSite=Strict", "Path=/me"):
        assert part in headers["Set-Cookie"]
    assert f"Table #{game}" in await guest.page(f"/me/{game}")
    assert "Telegram, Android" in await guest.page("/me")


async def test_a_question_in_telegram_has_the_button_and_no_other_letter(tmp_path: Path) -> None:
    house = await House(
        tmp_path / "r.db", base_url="https://citadels.example.org/c", apps=("telegram",)
    ).open()
    try:
        game = await table(house, PEOPLE)
        await house.say(ANA, "rules Thief")
        found = {
            (who, button.link)
            for who in PEOPLE
            for letter in house.letters(who)
            for row in letter.buttons
            for button in row
            if button.app
        }
        if PEOPLE[asked(house, game)] == ANA:
            assert found == {(ANA, f"https://citadels.example.org/c/me/app?game={game}")}
        else:
            assert found == set()
    finally:
        await house.close()


@pytest.mark.parametrize(
    ("base_url", "apps"),
    [("https://citadels.example.org", ("telegram",)), ("http://citadels.example.org", ()), ("", ())],
)
def test_the_button_is_there_where_the_pages_are_reached_by_https(
    tmp_path: Path, base_url: str, apps: tuple[str, ...]
) -> None:
    config = Configuration(
        Path(),
        Path(),
        StoreSettings(url=f"sqlite:///{tmp_path / 'r.db'}"),
        RefereeSettings(),
        {"telegram": Settings.model_validate({"token": TOKEN})},
        web=WebSettings(listen="127.0.0.1:0", base_url=base_url),
    )
    store = Store.open(config.store.url)
    try:
        whole = main.referee(store, main.adapters(config), config)
        assert whole.context.settings.apps == apps
        assert set(whole.own_pages._verifiers) == {"telegram"}
    finally:
        store.close_now()


@pytest.mark.parametrize("ago_s", [-59, 0, 599])
async def test_it_is_believed_for_ten_minutes(inn: Inn, ago_s: int) -> None:
    await table(inn.house, PEOPLE)
    assert (await enter(inn.guest(), said(inn, ago_s=ago_s)))[0] == 303


@pytest.mark.parametrize("ago_s", [-3600, -62, 602, 86_400, 10**9])
async def test_and_no_longer(inn: Inn, ago_s: int) -> None:
    await table(inn.house, PEOPLE)
    status, text, headers = await enter(inn.guest(), said(inn, ago_s=ago_s))
    assert status == 403
    assert "too long ago" in text
    assert "Set-Cookie" not in headers
    assert sessions(inn) == 0


async def test_it_signs_in_once_and_the_same_browser_may_come_again(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    data, guest, thief = said(inn), inn.guest(), inn.guest()
    assert (await enter(guest, data))[0] == 303
    inn.house.clock.pass_(seconds=60)
    status, text, _ = await enter(thief, data)
    assert status == 403
    assert "used already" in text
    # a reload in Telegram sends the same again
    status, _, headers = await enter(guest, data)
    assert status == 303
    assert "Set-Cookie" not in headers
    # whatever is ended, it opens nothing again
    await inn.house.say(ANA, "web off")
    for again in (guest, thief):
        assert "used already" in (await enter(again, data))[1]
    await inn.house.say(ANA, "web")
    assert "used already" in (await enter(thief, data))[1]
    assert sessions(inn) == 0
    assert (await enter(guest, said(inn, ago_s=1)))[0] == 303


async def test_what_was_used_is_forgotten_when_it_has_run_out(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    for ago in range(5):
        assert (await enter(inn.guest(), said(inn, ago_s=ago)))[0] == 303
    inn.house.clock.pass_(seconds=web_sessions.APP_MS / 1000 + 1)
    assert (await enter(inn.guest(), said(inn)))[0] == 303
    assert inn.house.store.read_now(lambda tx: tx.count(WebLink)) == 1


@pytest.mark.parametrize("kind", ["forged", "other bot", "no data", "tampered", "long"])
async def test_nobody_is_signed_in_by_what_telegram_has_not_said(inn: Inn, kind: str) -> None:
    await table(inn.house, PEOPLE)
    fields = dict(parse_qsl(said(inn)))
    data = {
        "forged": urlencode({**fields, "hash": "0" * 64}),
        "other bot": said(inn, token=OTHER),
        "no data": "",
        "tampered": urlencode({**fields, "user": '{"id":1,"first_name":"Boss"}'}),
        "long": "a=" + "b" * 60_000,
    }[kind]
    status, text, headers = await enter(inn.guest(), data)
    assert status == 403
    assert "does not come from Telegram" in text
    assert "Set-Cookie" not in headers
    assert sessions(inn) == 0


async def test_somebody_unknown_is_told_what_to_do_and_made_nobody(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    people = inn.house.store.read_now(lambda tx: len(tx.all(Outbox)))
    status, text, _ = await enter(inn.guest(), said(inn, number=99))
    assert status == 403
    assert "Write /start to the bot" in text
    assert inn.house.store.read_now(lambda tx: tx.whose("telegram", "99")) is None
    assert inn.house.store.read_now(lambda tx: len(tx.all(Outbox))) == people


async def test_an_address_that_is_not_listened_to_is_not_let_in(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    row = {"channel": "telegram", "address": "4400000017", "reason": "", "by": "boss", "at_ms": 1}
    inn.house.store.write_now(lambda tx: tx.add(Blocked, **row))
    assert (await enter(inn.guest(), said(inn)))[0] == 403
    assert sessions(inn) == 0


async def test_another_site_signs_nobody_in(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert (await enter(inn.guest(), said(inn), **headers))[0] == 403
    assert (await inn.guest().post("/me/app", {"data": said(inn)}, headers={}))[0] == 403
    assert sessions(inn) == 0


async def test_who_was_signed_in_there_before_is_not_any_more(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    guest = await inn.signed_in(BEA)
    assert (await enter(guest, said(inn)))[0] == 303
    rows = inn.house.store.read_now(lambda tx: tx.all(WebSession))
    assert [row.person_id for row in rows] == [
        inn.house.store.read_now(lambda tx: tx.whose("telegram", "4400000017"))[0].id
    ]


@pytest.mark.parametrize("game", ["0", "-1", "x", "9" * 400, '"><b>', "1&2", NO_GAME])
async def test_a_strange_table_is_none(inn: Inn, game: object) -> None:
    await table(inn.house, PEOPLE)
    page = await inn.guest().page("/me/app?" + urlencode({"game": str(game)}))
    assert 'name="game" value=""' in page
    status, _, headers = await enter(inn.guest(), said(inn), game)
    assert (status, headers["Location"]) == (303, "/me")


async def test_only_this_page_may_stand_in_telegrams_frame_and_nothing_secret_is_kept(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    guest = inn.guest()
    _, _, headers = await guest.get("/me/app")
    assert "frame-ancestors https://web.telegram.org;" in headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in headers
    data = said(inn)
    await enter(guest, data)
    for path in ("/me", f"/me/{game}", "/"):
        _, _, headers = await guest.get(path)
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
    proof = dict(parse_qsl(data))["hash"]
    rows = inn.house.store.read_now(
        lambda tx: [*tx.all(WebLink), *tx.all(WebSession), *tx.all(Outbox), *tx.all(Inbox)]
    )
    assert all(proof not in str(row) for row in rows)


async def test_guessing_is_slowed_down(inn: Inn) -> None:
    guest = inn.guest()
    found = [(await enter(guest, "x=1"))[0] for _ in range(32)]
    assert found == [403] * 30 + [429] * 2
