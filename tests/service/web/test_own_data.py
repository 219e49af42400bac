"""One's own pages: the order of tables, how one did, all one's data as a file, and the end of an account; by
HTTP and in a real browser on a phone.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from referee.rules import record
from referee.service.accounts import export
from referee.service.web.own import tables
from referee.store import Address, Bookmark, Game, Person, Seat
from tests.service.playing import FLAT, asked, legal, table, to_the_end
from tests.service.web.browser import PHONE, overflow, surfing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.test_public_browser import faults

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


async def test_tables_stand_in_the_order_in_which_they_wait(inn: Inn) -> None:
    house = inn.house
    slow = await table(house, PEOPLE, hours=FLAT.replace("24h", "72h"))
    await house.say(ANA, f"new classic 4 {FLAT}")
    gathers = 2
    quick = await table(house, PEOPLE)
    other = await table(house, PEOPLE)
    for game in (slow, quick):
        while asked(house, game) != 0:
            await house.say(BEA, f"#{game} {legal(house, game)[0]}")
    while asked(house, other) != 1:
        await house.say(ANA, f"#{other} {legal(house, other)[0]}")
    ana = await inn.signed_in(ANA)
    page = await ana.page("/me")
    found = [int(one) for one in re.findall(r'<h2 class="h3"><a href="/me/(\d+)"', page)]
    assert found == [quick, slow, other, gathers]


async def test_tables_that_ended_have_pages(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    house = inn.house
    await house.say(ANA, "hello")
    me = house.store.read_now(lambda tx: tx.one(Address, address="ana").person_id)

    def ended(tx: object) -> None:
        for n in range(23):
            game = tx.add(Game, creator_id=me, status="abandoned", ended_ms=n + 1)
            tx.add(Seat, game_id=game, no=0, person_id=me, name="Ana")

    house.store.write_now(ended)
    ana = await inn.signed_in(ANA)
    pages = [await ana.page(f"/me?page={n}") for n in (1, 2, 3)]
    listed = [[int(one) for one in re.findall(r'<li><a href="/me/(\d+)">#', page)] for page in pages]
    assert [len(one) for one in listed] == [10, 10, 3]
    assert [*listed[0], *listed[1], *listed[2]] == list(range(23, 0, -1))
    assert 'href="/me?page=2"' in pages[0]
    for wrong in ("4", "0", "x", "9999999"):
        assert (await ana.get(f"/me?page={wrong}"))[0] == 404


async def test_how_somebody_did(inn: Inn) -> None:
    house = inn.house
    ana = await inn.signed_in(ANA)
    assert "You have not played a table to its end yet" in await ana.page("/me/stats")
    game = await table(house, PEOPLE)
    await to_the_end(house, game, PEOPLE)
    row = house.store.read_now(lambda tx: tx.get(Game, game))
    result = json.loads(row.snapshot)["result"]
    scores = [one["score"] for one in result["scores"]]
    page = re.sub(r"<[^>]+>", " ", await ana.page("/me/stats"))
    assert re.search(rf"Most points\s+{scores[0]}\s", page)
    assert re.search(
        r"Bea\s+1\s+" + ("1\\s+0" if 0 in result["winners"] and 1 not in result["winners"] else "0\\s+1"),
        page,
    )
    await house.say(ANA, "my stats")
    told = house.last(ANA).text
    assert "1 table played to the end" in told
    assert f"{scores[0]} at best" in told
    assert (await inn.guest().get("/me/stats"))[0] == 403


async def test_all_data_is_a_file_of_their_own(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    await to_the_end(house, game, PEOPLE)
    playing = await table(house, PEOPLE)
    await house.say(ANA, f"when Merchant: gold; end #{playing}")
    ana = await inn.signed_in(ANA)
    status, text, headers = await ana.get("/me/data")
    assert status == 200
    assert headers["Cache-Control"] == "no-store"
    assert headers["Content-Disposition"] == f'attachment; filename="{export.FILE}"'
    held = json.loads(text)
    assert held["person"]["name"] == "Ana"
    assert held["addresses"][0]["address"] == "ana"
    assert held["seats"][1]["plan"]["scripts"]
    assert [one["table"] for one in held["orders"]] == [game]
    assert held["statistics"]["games"] == 1
    assert any(one["text"].startswith("new classic") for one in held["messages"])
    assert len(held["browsers"]) == 1
    assert not any(one["text"].startswith("join") for one in held["messages"]), "Bea wrote that"
    secrets = house.store.read_now(lambda tx: [tx.get(Game, playing).seed, tx.get(Game, playing).seed_hash])
    assert secrets[0] not in text
    assert (await inn.guest().get("/me/data"))[0] == 403
    answers = [(await ana.get("/me/data"))[0] for _ in range(5)]
    assert 429 in answers, "not as often as one likes"
    await house.say(ANA, "my data")
    (file,) = house.last(ANA).attachments
    assert json.loads(file.data)["person"]["name"] == "Ana"
    await house.say(BEA, "my data")
    assert f"{house.settings.base_url}/me/data" in house.last(BEA).text


async def test_pages_that_were_made_before_name_them_no_more(inn: Inn) -> None:
    house = inn.house
    await house.say(ANA, "name Zoë Quixano")
    game = await table(house, PEOPLE, command="new deluxe")
    await to_the_end(house, game, PEOPLE)
    bea, stranger = await inn.signed_in(BEA), inn.guest()
    paths = [f"/t/{game}", f"/t/{game}/history", f"/t/{game}/step/5", f"/t/{game}/record.txt"]
    mine = [f"/me/{game}", f"/me/{game}/step/5", "/me/stats"]
    for one, some in ((stranger, paths), (bea, mine)):
        for path in some:
            assert "Quixano" in await one.page(path), path
    await house.say(ANA, "delete my account")
    await house.say(ANA, house.last(ANA).buttons[0][0].order)
    for _ in range(40):
        await house.referee.scheduler.tidy()
    assert not house.store.read_now(lambda tx: tx.count(Bookmark, channel="account deletion"))
    for one, some in ((stranger, paths), (bea, mine)):
        for path in some:
            text = await one.page(path)
            assert "Quixano" not in text, path
            assert "Former player" in text, path
    assert record.verify(await stranger.page(f"/t/{game}/record.txt")).finished


@pytest.mark.parametrize("dark", [False, True])
async def test_an_account_is_deleted_on_a_phone(
    inn: Inn, browser: Browser, dark: bool, tmp_path: Path
) -> None:
    house = inn.house
    over = await table(house, PEOPLE)
    await to_the_end(house, over, PEOPLE)
    game = await table(house, PEOPLE)
    async with surfing(browser, PHONE, dark=dark) as one:
        page = one.page
        await page.goto(inn.url + await inn.link(ANA, "web"))
        await page.get_by_role("button", name="Sign in as").click()
        await page.get_by_role("link", name="How you did").click()
        await expect(page.get_by_role("heading", name="By character")).to_be_visible()
        assert await faults(page) == []
        assert await overflow(page) <= 0
        await page.get_by_role("link", name="Your tables").last.click()
        assert await faults(page) == []
        assert await overflow(page) <= 0
        async with page.expect_download() as waiting:
            await page.get_by_role("link", name="Download all my data").click()
        download = await waiting.value
        assert download.suggested_filename == export.FILE
        await download.save_as(tmp_path / "data.json")
        assert json.loads((tmp_path / "data.json").read_text())["person"]["name"] == "Ana"
        await page.get_by_role("button", name="Delete my account").click()
        answer = page.get_by_role("region", name="Answer")
        await expect(answer).to_contain_text(f"At #{game} you are playing")
        assert house.store.read_now(lambda tx: tx.count(Address, address="ana")) == 1
        await answer.get_by_role("button", name="Delete it for good").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Done")
        assert house.store.read_now(lambda tx: tx.count(Address, address="ana")) == 0
        assert house.store.read_now(lambda tx: tx.count(Person, name="Ana")) == 0
        assert (one.strangers,) == ([],)


async def test_what_waits_comes_first() -> None:
    def row(
        number: int, status: str, *, asked: bool = False, due: int | None = None, ready: bool = True
    ) -> dict:
        return {"id": number, "status": status, "asked": asked, "due_ms": due, "ready": ready}

    rows = [
        row(1, "lobby"),
        row(2, "running"),
        row(3, "running", asked=True),
        row(4, "mustering", ready=False),
        row(5, "running", asked=True, due=9),
        row(6, "running", asked=True, due=7),
        row(7, "mustering"),
        row(8, "frozen"),
    ]
    assert [one["id"] for one in sorted(rows, key=tables.by_urgency)] == [6, 5, 3, 4, 2, 8, 1, 7]
