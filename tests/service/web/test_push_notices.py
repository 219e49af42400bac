"""Browsers that are told whose turn it is: asked for on one's own page, told beside the letter and never in
its place, for as long as somebody is signed in there.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.push import new_key, public_key
from referee import main
from referee.config import load
from referee.states import OutboxState
from referee.store import Address, Outbox, WebSession
from tests.servers.push_service import PushService, UserAgent, push_service
from tests.service.playing import asked, legal, table
from tests.service.web.running_site import ANA, BEA, PEOPLE, Guest, Inn, lodging

KEY = new_key()


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with push_service() as one:
        yield one


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path, push_key=public_key(KEY), push=KEY) as one:
        yield one


async def subscribed(guest: Guest, service: PushService, path: str = "/b") -> UserAgent:
    """Another browser of this person's wants to be told."""
    browser = UserAgent()
    form = await guest.form("/me")
    said = {**form, "endpoint": service.url + path, **browser.keys}
    status, _, headers = await guest.post("/me/push", said)
    assert (status, headers["Location"]) == (303, "/me")
    return browser


def browsers(inn: Inn) -> int:
    """How many are told."""
    return inn.house.store.read_now(lambda tx: sum(bool(one.push) for one in tx.all(WebSession)))


def notices(inn: Inn) -> list[Outbox]:
    return inn.house.store.read_now(lambda tx: tx.all(Outbox, channel="push", order="id"))


def person(inn: Inn, who: str) -> int:
    channel, _, address = who.partition(":")
    found = inn.house.store.read_now(lambda tx: tx.one(Address, channel=channel, address=address))
    assert found is not None
    return found.person_id


async def turn_of_the_other(inn: Inn, game: int) -> str:
    """Play until somebody else is asked; who that is."""
    for _ in range(40):
        who = PEOPLE[asked(inn.house, game)]
        await inn.house.say(who, legal(inn.house, game)[0])
        await inn.house.settle()
        if PEOPLE[asked(inn.house, game)] != who:
            return PEOPLE[asked(inn.house, game)]
    raise AssertionError("nobody else was asked")


async def test_a_browser_that_asked_for_it_is_told_beside_the_letter(inn: Inn, service: PushService) -> None:
    game = await table(inn.house, PEOPLE)
    told = {who: await subscribed(await inn.signed_in(who), service, f"/{who[-3:]}") for who in PEOPLE}
    letters = {who: len(inn.house.letters(who)) for who in PEOPLE}
    who = await turn_of_the_other(inn, game)
    assert len(inn.house.letters(who)) > letters[who]  # the question itself
    (came,) = [one for one in service.handed if one.path == f"/{who[-3:]}"]
    said = json.loads(told[who].opened(came.body))
    assert said["text"] == f"Game #{game}: it is your turn."
    assert (said["at"], said["tag"]) == (f"/me/{game}", f"g{game}")
    assert came.claims(public_key(KEY))["aud"] == service.url
    (row,) = [one for one in notices(inn) if one.person_id == person(inn, who)]
    kept = json.loads(row.letter)
    assert (row.state, kept["text"], kept["facts"]) == (OutboxState.SENT, "", {})


async def test_it_is_in_the_language_of_its_reader(inn: Inn, service: PushService) -> None:
    game = await table(inn.house, PEOPLE)
    for who in PEOPLE:
        await inn.house.say(who, "language pt-br")
    told = [await subscribed(await inn.signed_in(who), service) for who in PEOPLE]
    who = await turn_of_the_other(inn, game)
    said = json.loads(told[PEOPLE.index(who)].opened(service.handed[-1].body))
    assert said["text"] == f"Partida #{game}: é a sua vez."


async def test_the_button_says_how_it_stands_and_ends_it(inn: Inn, service: PushService) -> None:
    guest = await inn.signed_in(ANA)
    page = await guest.page("/me")
    assert f'data-key="{public_key(KEY)}"' in page
    assert re.search(r'<form id="push"[^>]* hidden>', page)  # for browsers that can, which a script knows
    await subscribed(guest, service)
    page = await guest.page("/me")
    assert re.search(r'<form id="push"[^>]* data-on>', page)
    assert "This browser is told when it is your turn." in page
    status, _, _ = await guest.post("/me/push", await guest.form("/me"))
    assert (status, browsers(inn)) == (303, 0)


async def test_nobody_else_subscribes_and_nonsense_is_refused(inn: Inn, service: PushService) -> None:
    ana, stranger = await inn.signed_in(ANA), inn.guest()
    good = {**await ana.form("/me"), "endpoint": f"{service.url}/b", **UserAgent().keys}
    assert (await stranger.post("/me/push", good))[0] == 403
    assert (await ana.post("/me/push", good, {"Origin": "https://elsewhere.test"}))[0] == 403
    assert (await ana.post("/me/push", {**good, "form": "x"}))[0] == 403
    other = await inn.signed_in(BEA)
    assert (await other.post("/me/push", good))[0] == 403  # a form that was made for Ana
    for wrong in ({"endpoint": "https://x y"}, {"auth": ""}, {"p256dh": "A" * 87}):
        assert (await ana.post("/me/push", {**good, **wrong}))[0] == 400
    assert browsers(inn) == 0


async def test_a_browser_is_told_for_who_asked_last_there(inn: Inn, service: PushService) -> None:
    """Its cookie is gone, its address is not: who signed in next was told of turns of the one before."""
    browser = UserAgent()
    for who in (ANA, ANA, BEA):
        guest = await inn.signed_in(who)
        said = {**await guest.form("/me"), "endpoint": f"{service.url}/b", **browser.keys}
        assert (await guest.post("/me/push", said))[0] == 303
        assert browsers(inn) == 1
    assert "data-on" in await guest.page("/me")


async def test_whatever_ends_the_session_ends_the_notices(inn: Inn, service: PushService) -> None:
    game = await table(inn.house, PEOPLE)
    for how in ("web off", "the button"):
        for who in PEOPLE:
            guest = await inn.signed_in(who)
            await subscribed(guest, service)
            if how == "web off":
                await inn.house.say(who, "web off")
            else:
                status, _, headers = await guest.post("/me/out", await guest.form("/me"))
                assert (status, headers["Clear-Site-Data"]) == (200, '"storage"')
        assert browsers(inn) == 0
    await turn_of_the_other(inn, game)
    assert not service.handed


async def test_ones_data_says_which_browsers_are_told_and_by_whom(inn: Inn, service: PushService) -> None:
    await table(inn.house, PEOPLE)
    ana = await inn.signed_in(ANA)
    await inn.house.store.write(
        lambda tx: tx.set(WebSession, tx.all(WebSession)[0].id, browser="Firefox, Linux")
    )
    held = json.loads(await ana.page("/me/data"))["browsers"]
    assert [(one["calls_itself"], one["notices_by"]) for one in held] == [("Firefox, Linux", None)]
    browser = await subscribed(ana, service, "/secret-path")
    text = await ana.page("/me/data")
    assert json.loads(text)["browsers"][0]["notices_by"] == "127.0.0.1"
    assert not [one for one in ("secret-path", *browser.keys.values()) if one in text]


async def test_a_push_service_that_knows_it_no_more_ends_it(inn: Inn, service: PushService) -> None:
    game = await table(inn.house, PEOPLE)
    for who in PEOPLE:
        await subscribed(await inn.signed_in(who), service)
    service.status = 410
    who = await turn_of_the_other(inn, game)
    assert browsers(inn) == len(PEOPLE) - 1
    assert inn.house.letters(who)  # the letter went where it always goes, and nobody is out of reach
    assert "channel" not in inn.house.last(who).text


async def test_one_that_is_away_is_told_later(inn: Inn, service: PushService) -> None:
    game = await table(inn.house, PEOPLE)
    for who in PEOPLE:
        await subscribed(await inn.signed_in(who), service)
    service.status = 503
    await turn_of_the_other(inn, game)
    assert browsers(inn) == len(PEOPLE)
    (row,) = notices(inn)
    assert (row.state, row.tries) == (OutboxState.QUEUED, 1)
    service.status = 201
    inn.house.clock.pass_(seconds=60)
    await inn.house.settle()
    assert notices(inn)[0].state == OutboxState.SENT


async def test_a_question_that_is_answered_meanwhile_rings_nobody(inn: Inn, service: PushService) -> None:
    game = await table(inn.house, PEOPLE)
    for who in PEOPLE:
        await subscribed(await inn.signed_in(who), service)
    service.status = 503
    who = await turn_of_the_other(inn, game)
    rang = len(service.handed)
    await turn_of_the_other(inn, game)
    service.status = 201
    inn.house.clock.pass_(seconds=60)
    await inn.house.settle()
    mine = [one for one in notices(inn) if one.person_id == person(inn, who)]
    assert mine[0].state == OutboxState.DROPPED
    assert len(service.handed) > rang


@pytest.mark.parametrize("words", ["notify off", "quiet 14-20"])
async def test_whoever_is_not_written_to_is_not_rung(inn: Inn, service: PushService, words: str) -> None:
    game = await table(inn.house, PEOPLE, hours="100h")
    for who in PEOPLE:
        await subscribed(await inn.signed_in(who), service)
        await inn.house.say(who, "zone Lisbon")
        await inn.house.say(who, words)
    await turn_of_the_other(inn, game)
    assert not service.handed


async def test_a_house_without_a_key_offers_nothing(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        guest = await inn.signed_in(ANA)
        page = await guest.page("/me")
        assert 'id="push"' not in page
        said = {**await guest.form("/me"), "endpoint": "https://push.example/x", **UserAgent().keys}
        assert (await guest.post("/me/push", said))[0] == 403
        assert browsers(inn) == 0


async def test_the_worker_has_its_own_address_and_scope(inn: Inn) -> None:
    status, text, headers = await inn.guest().get("/me/worker.js")
    assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert (headers["Service-Worker-Allowed"], headers["Cache-Control"]) == ("/me", "no-cache")
    assert headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'"
    assert "showNotification" in text
    app = (Path(__file__).resolve().parents[3] / "templates/web/app.js").read_bytes()
    assert len(text.encode()) + len(app) < 6_500  # what a phone in the tram has to fetch


@pytest.mark.parametrize("lacks", ["", "push_key", "base_url", "listen"])
def test_the_channel_is_there_where_the_house_has_a_key_and_pages(tmp_path: Path, lacks: str) -> None:
    said = {"push_key": KEY, "base_url": "https://play.test", "listen": "127.0.0.1:8080"}
    file = tmp_path / "referee.toml"
    lines = [f'{name} = "{value}"' for name, value in said.items() if name != lacks]
    file.write_text("\n".join(["[web]", *lines]))
    config = load(file, {})
    assert [one.name for one in main.adapters(config)] == ([] if lacks else ["push"])
    assert main.push_key(config) == ("" if lacks else public_key(KEY))
