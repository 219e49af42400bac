"""What others show who are given the address of a table: its title, a sentence, a picture; nothing that the
page does not show. And what makes an app of the pages.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.web.guard import POLICY
from tests.service.playing import asked, legal, state, table
from tests.service.web.app_icons import SIZES, WEB, drawn
from tests.service.web.site import Standing, standing

ANA, BEA = "telegram:ana", "telegram:bea"
PEOPLE = [ANA, BEA]
BASE = "https://play.test/citadels"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Standing]:
    async with standing(tmp_path, base_url=BASE, pictures=True) as one:
        yield one


def told(page: str) -> dict[str, str]:
    """What a page tells those who make previews."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page)
    return {name: html.unescape(said) for name, said in found}


async def picture(site: Standing, path: str) -> bytes:
    async with site.session.get(path) as answer:
        assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png"), path
        return await answer.read()


async def test_a_link_to_a_table_shows_what_it_is_in_the_reader_s_language(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    said = told(await site.page(f"/t/{game}"))
    waits = ("Ana", "Bea")[asked(site.house, game)]
    assert said["og:title"] == f"Table #{game}"
    assert said["og:description"].endswith(f", running, round 1: Ana and Bea. Waiting for {waits}.")
    assert said["og:url"] == f"{BASE}/t/{game}"
    assert said["og:image"].startswith(f"{BASE}/t/{game}/table.png?seen=")
    theirs = told(await site.page(f"/t/{game}?lang=pt_BR"))
    assert theirs["og:title"] == f"Mesa #{game}"
    assert theirs["og:description"].endswith(f"Ana e Bea. À espera de {waits}.")
    made = await picture(site, said["og:image"].removeprefix(BASE))
    assert made.startswith(b"\x89PNG")
    assert made == await picture(site, f"/t/{game}/table.png")
    await site.house.say(PEOPLE[asked(site.house, game)], legal(site.house, game)[0])
    again = told(await site.page(f"/t/{game}"))["og:image"]
    assert again != said["og:image"]  # another position has another address: nobody shows the old one


async def test_a_preview_shows_no_more_than_the_page(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    page = await site.page(f"/t/{game}")
    now = state(site.house, game)
    for player in now.players:
        assert not any(card in json.dumps(told(page)) for card in now.names(player.hand))
    await site.house.say(ANA, f"page private #{game}")
    for path in (f"/t/{game}", f"/t/{game}/table.png"):
        status, text, _ = await site.get(path)
        assert (status, told(text)) == (404, {}), path
    await site.house.say(ANA, f"page #{game}")
    path = re.search(rf"/t/{game}-[a-z2-7]{{16}}", site.house.last(ANA).text)
    assert path is not None
    kept = told(await site.page(path.group()))
    assert kept["og:image"].startswith(f"{BASE}{path.group()}/table.png")
    assert await picture(site, f"{path.group()}/table.png")
    wrong = path.group()[:-1] + ("a" if path.group()[-1] != "a" else "b")
    assert (await site.get(f"{wrong}/table.png"))[0] == 404


async def test_a_table_that_gathers_has_no_picture_yet(site: Standing) -> None:
    await site.house.say(ANA, "new classic 3")
    said = told(await site.page("/t/1"))
    assert "og:image" not in said
    assert said["og:description"] == "Classic, gathering: Ana."
    assert (await site.get("/t/1/table.png"))[0] == 404


async def test_who_draws_no_pictures_promises_none(tmp_path: Path) -> None:
    async with standing(tmp_path, base_url=BASE) as site:
        game = await table(site.house, PEOPLE)
        assert "og:image" not in told(await site.page(f"/t/{game}"))
        assert (await site.get(f"/t/{game}/table.png"))[0] == 404


async def test_many_pictures_at_once_are_refused_and_none_is_lost(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    pages, begun, go = site.house.referee.pages, asyncio.Event(), asyncio.Event()
    real = pages._renderer.file

    async def slow(name: str, svg: bytes) -> bytes | None:
        begun.set()
        await go.wait()
        return await real(name, svg)

    pages._renderer.file = slow
    some = [asyncio.create_task(site.get_status(f"/t/{game}/table.png")) for _ in range(6)]
    await begun.wait()
    while sum(one.done() for one in some) < 2:
        await asyncio.sleep(0.01)
    go.set()
    assert sorted([await one for one in some]) == [200] * 4 + [503] * 2


async def test_the_pages_are_an_app_in_the_reader_s_language(site: Standing) -> None:
    page = await site.page("/", headers={"Accept-Language": "pt-BR"})
    link = re.search(r'<link rel="manifest" href="([^"]+)">', page)
    assert link is not None
    status, text, headers = await site.get(link.group(1).removeprefix("/citadels"))
    said = json.loads(text)
    assert (status, headers["Content-Type"]) == (200, "application/manifest+json")
    assert (said["name"], said["lang"], said["display"]) == ("Citadels: suas mesas", "pt-BR", "standalone")
    assert (said["start_url"], said["scope"]) == ("/citadels/me", "/citadels/")
    assert {one["sizes"] for one in said["icons"]} == {"192x192", "512x512"}
    for one in said["icons"]:
        assert (await picture(site, one["src"].removeprefix("/citadels"))).startswith(b"\x89PNG")
    assert json.loads((await site.get("/manifest.webmanifest"))[1])["name"] == "Citadels: your tables"
    assert "manifest-src 'self'" in POLICY


@pytest.mark.parametrize("size", SIZES)
def test_the_app_s_pictures_are_drawn_from_our_icon(size: int) -> None:
    assert (WEB / f"app-{size}.png").read_bytes() == drawn(size)
