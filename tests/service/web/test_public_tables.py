"""What a stranger finds: the list of tables, a table before, during and after its game, and nothing that is
not for them.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from referee import rules
from referee.rules import record
from referee.service import ForTesting
from referee.service.admin.console import decide
from referee.service.core.unit_of_work import StateCache, encoded
from referee.service.play import replay
from referee.service.web.site import HistoryCache, all_pages
from referee.service.web.site.page_cache import PageContext
from referee.store import Game, GameEvent, GameRoom, Room, Seat, Tx
from tests.service.hidden_cards import Behind, hidden
from tests.service.playing import asked, legal, running, table, to_the_end
from tests.service.web.site import Standing, text_of

ANA, BEA, CY = "telegram:ana", "matrix:bea", "telegram:cy"
PEOPLE = [ANA, BEA, CY]
#: the pictures that there may be of a table
WHATS = ("table", "score", "course", "chances")


async def play(
    site: Standing, game: int, orders: int, seed: int = 1, people: list[str] | None = None
) -> None:
    """So many random orders."""
    dice = random.Random(seed)
    for _ in range(orders):
        if running(site.house, game).status == "running":
            await site.house.say(
                (people or PEOPLE)[asked(site.house, game)], f"#{game} {dice.choice(legal(site.house, game))}"
            )


async def test_an_empty_house(site: Standing) -> None:
    assert "Nobody is playing just now" in await site.page("/tables")
    assert "No table is looking for players" in await site.page("/tables?show=gathering")
    assert "No table has ended yet" in await site.page("/tables?show=over")


async def test_from_the_first_seat_to_the_score(site: Standing) -> None:
    await site.house.say(ANA, "new classic 3")
    page = await site.page("/t/1")
    assert "1 of 3 seats taken, opened by Ana" in text_of(page)
    assert running(site.house, 1).seed_hash in page
    assert running(site.house, 1).seed not in page
    assert "join #1" in page
    assert "Table #1" in await site.page("/tables?show=gathering")
    game = await table(site.house, PEOPLE)
    await play(site, game, 40)
    page = await site.page(f"/t/{game}")
    assert f'href="/t/{game}/cards"' in page
    assert "rank 8 destroys a district" in text_of(page)
    view = rules.view(rules.load(json.loads(running(site.house, game).snapshot)), None)
    for player in view["players"]:
        assert player["name"] in page
        for district in player["city"]:
            assert district["name"] in page
    waiting = [view["players"][one["seat"]]["name"] for one in view["waiting"]]
    assert f"{waiting[0]} has the turn until" in text_of(
        page
    ) or f"{waiting[0]} picks a character until" in text_of(page)
    assert f"Waiting for {waiting[0]}" in text_of(await site.page("/"))
    assert running(site.house, game).seed not in page
    assert (await site.get(f"/t/{game}/record.txt"))[0] == 404  # everybody's orders, while it is played
    await to_the_end(site.house, game, PEOPLE)
    page = await site.page(f"/t/{game}")
    assert "Final score" in page
    assert running(site.house, game).seed in page
    assert f"Table #{game}" in await site.page("/tables?show=over")
    status, text, headers = await site.get(f"/t/{game}/record.txt")
    assert status == 200
    assert headers["Content-Disposition"] == f'attachment; filename="citadels-{game}.txt"'
    assert record.verify(text)


async def test_pages_change_when_the_table_does_and_are_kept_otherwise(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    _, before, first = await site.get(f"/t/{game}")
    assert (await site.get(f"/t/{game}", headers={"If-None-Match": first["ETag"]}))[0] == 304
    await play(site, game, 1)
    status, after, second = await site.get(f"/t/{game}", headers={"If-None-Match": first["ETag"]})
    assert status == 200
    assert after != before
    assert second["ETag"] != first["ETag"]
    site.house.clock.pass_(hours=2)  # also when only the time left does
    assert (await site.get(f"/t/{game}", headers={"If-None-Match": second["ETag"]}))[0] == 200
    assert site.house.store.write_now(lambda tx: decide(tx, game, "pause", site.house.shell()))
    assert json.loads(running(site.house, game).clocks).get("paused")
    assert "All clocks stand still" in await site.page(f"/t/{game}")


async def test_lists_come_in_pages_of_fifty(site: Standing) -> None:
    await site.house.say(ANA, "hello")
    for n in range(51):
        site.house.store.write_now(
            lambda tx, n=n: tx.add(
                Game, creator_id=1, settings=json.dumps({"seats": 4, "entry": "open"}), created_ms=n
            )
        )
    first, second = (
        await site.page("/tables?show=gathering"),
        await site.page("/tables?show=gathering&page=2"),
    )
    assert (first.count('<li class="card">'), second.count('<li class="card">')) == (50, 1)
    assert "Page 1 of 2" in first
    assert 'href="/tables?show=gathering&amp;page=2"' in first
    assert len(first.encode()) < 100_000
    for wrong in (
        "/tables?page=0",
        "/tables?page=3&show=gathering",
        "/tables?page=-1",
        "/tables?page=x",
        "/tables?page=99999999999999999999",
        "/tables?page=٢",
        "/tables?show=all",
        "/tables?show=",
        "/tables?show=running%00",
        "/tables?show=" + "a" * 3000,
    ):
        assert (await site.get(wrong))[0] == 404, wrong
    assert (await site.get("/?x=1&x=2&show=running&utm=' OR 1=1 --"))[0] == 200


async def invited(site: Standing, place: str | None = None) -> int:
    await site.house.say(ANA, "hello")
    await site.house.say(ANA, f"{'/' if place else ''}new classic 3 invite", place=place)
    return int(site.house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0].id or 0)


async def address(site: Standing, who: str, words: str, **other: Any) -> str:
    await site.house.say(who, words, **other)
    found = re.search(r"http://play\.test(/t/\S+)", site.house.last(who).text)
    return found[1] if found else ""


async def test_a_table_by_invitation_has_an_address_that_nobody_guesses(site_with_links: Standing) -> None:
    site = site_with_links
    game = await invited(site)
    assert (await site.get(f"/t/{game}"))[0] == 404
    assert f"Table #{game}" not in await site.page("/tables?show=gathering")
    own = await address(site, ANA, f"page #{game}")
    assert re.fullmatch(rf"/t/{game}-[a-z2-7]{{16}}", own)
    assert "to whom you give this address" in site.house.last(ANA).text
    page = await site.page(own)
    assert f"Table #{game}" in page
    for wrong in (
        own[:-1] + ("a" if own[-1] != "a" else "b"),
        own.replace(f"/{game}-", f"/{game + 1}-"),
        f"/t/{game}-",
    ):
        assert (await site.get(wrong))[0] == 404
    assert await address(site, BEA, f"page #{game}") == ""  # somebody who does not play there
    assert "those who play there" in site.house.last(BEA).text
    await site.house.say(ANA, f"/page #{game}", place="group")  # not for all who read the group
    assert "/t/" not in site.house.last("telegram:group").text


async def test_a_group_that_watches_makes_it_public_and_its_people_may_say_otherwise(
    site_with_links: Standing,
) -> None:
    site = site_with_links
    game = await invited(site, place="group")
    assert (await site.get(f"/t/{game}"))[0] == 200
    assert await address(site, BEA, f"page #{game}") == f"/t/{game}"
    await site.house.say(BEA, f"page private #{game}")
    assert "no seat" in site.house.last(BEA).text
    assert (await site.get(f"/t/{game}"))[0] == 200
    await site.house.say(ANA, f"page private #{game}")
    assert (await site.get(f"/t/{game}"))[0] == 404
    own = await address(site, ANA, f"page #{game}")
    assert (await site.get(own))[0] == 200
    await site.house.say(BEA, f"page public #{game}")
    assert "not for everybody" in site.house.last(BEA).text
    await site.house.say(ANA, f"page public #{game}")
    assert (await site.get(f"/t/{game}"))[0] == 200
    assert (await site.get(own))[0] == 200  # an old address still leads there
    assert "unknown" not in site.house.last(ANA).text


async def test_a_word_that_is_none_changes_nothing(site_with_links: Standing) -> None:
    site = site_with_links
    game = await invited(site)
    for words in (f"page sideways #{game}", "page #99", f"page public private #{game}"):
        await site.house.say(ANA, words)
        assert "/t/" not in site.house.last(ANA).text
    assert running(site.house, game).page == "watched"
    settings = site.house.settings.__class__(base_url="", testing=ForTesting(bell=False))
    site.house.referee.reception.worker._context = replace(site.house.referee.context, settings=settings)
    await site.house.say(ANA, f"page #{game}")
    assert "no web pages here" in site.house.last(ANA).text
    assert running(site.house, game).page == "watched"


async def test_names_are_text_everywhere(site: Standing) -> None:
    bad = [
        "telegram:<script>alert(1)</script>",
        "telegram:'; DROP TABLE game; --",
        "telegram:{{ 7*7 }}{% raw %}",
    ]
    game = await table(site.house, bad)
    sharper = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'; DROP TABLE game; --"]
    for seat, name in enumerate(sharper):  # what no name can be any more, should it ever have been one
        site.house.store.write_now(
            lambda tx, seat=seat, name=name: tx.change(
                Seat, {"game_id": game, "no": seat}, name=name, word=name
            )
        )
    for path in ("/", f"/t/{game}"):
        page = await site.page(path)
        assert "<script" not in page.replace('<script src="/static/live-', "")
        assert "<img src=x" not in page
        assert "49" not in text_of(page).replace(str(running(site.house, game).seed_hash), "")
    assert "&lt;script&gt;" in await site.page("/")
    assert running(site.house, game).id == game


@pytest.mark.parametrize(
    "wanted",
    ["de-DE,de;q=0.9", "xx", "../../etc/passwd", "*", "en;q=x", ",,,;;;", "a" * 4000, "de-DE-1996-x-y"],
)
async def test_any_language_is_answered(site: Standing, wanted: str) -> None:
    game = await table(site.house, PEOPLE)
    for path in ("/", f"/t/{game}", f"/t/{game}/history"):
        assert '<html lang="en">' in await site.page(path, headers={"Accept-Language": wanted})


async def test_heads_have_no_body_and_long_addresses_no_answer(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    for path in ("/", f"/t/{game}", f"/t/{game}/step/1"):
        status, text, headers = await site.get(path, "HEAD")
        assert (status, text) == (200, "")
        assert headers["ETag"] == (await site.get(path))[2]["ETag"]
    assert (await site.get("/t/" + "1" * 9000))[0] in (400, 404, 414)
    assert (await site.get(f"/t/{game}/" + "x" * 2000))[0] == 404
    assert (await site.get("/"))[0] == 200


class Past(Behind):
    """The same transaction, in which single seats were told nothing of what they were told."""

    def events_of(self, *which: Any) -> list[GameEvent]:
        found: list[GameEvent] = self._tx.events_of(*which)
        return [one if one.to_seat is None else one._replace(facts="{}") for one in found]


def pages_of(site: Standing, game: int, snapshot: bytes, behind: type[Behind]) -> dict[tuple[str, str], Any]:
    """What every page for everybody that is about a table, or names it, would be filled with if the position
    were this one: nothing of it is from before.
    """
    words, shelf = site.house.referee.outbox_worker._words, HistoryCache()

    def job(tx: Tx) -> dict[tuple[str, str], Any]:
        seen: Any = behind(tx, game, snapshot)
        look = PageContext(seen, site.house.clock(), words, "en", StateCache(), site.house.settings, "")
        found = {}
        for name, page in all_pages(shelf, site.house.referee.pages.demo).items():
            for what in WHATS if "what" in page.takes else ("",):
                wanted, fill = {"game": str(game), "key": "", "what": what}, page.file or page.facts
                about = "game" in page.takes or name in ("home", "tables")
                shown = fill(look, wanted) if about and fill and page.version(look, wanted) else None
                if shown is not None:
                    found[name, what] = json.dumps(shown, sort_keys=True, default=str)
        return found

    return site.house.store.read_now(job)


async def test_no_page_knows_anything_of_the_hidden_part(
    site: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice, seen, kinds, packed = random.Random(3), 0, set(), replay.packed
    await site.page("/demo")
    game = await table(site.house, [ANA, BEA], bots=2, command="new deluxe")
    people = {
        seat.no: who
        for seat, who in zip(
            [
                s
                for s in site.house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
                if not s.bot
            ],
            [ANA, BEA],
            strict=True,
        )
    }
    for n in range(25):
        row = running(site.house, game)
        if row.status != "running":
            break
        if n % 5 == 0:
            state = rules.load(json.loads(row.snapshot))
            before = pages_of(site, game, row.snapshot, Behind)
            kinds |= set(before)
            for seat in people:
                # dealt afresh for a seat and then for a stranger: what even that seat knows lies otherwise,
                # too, and so does what is hidden in the positions of the past
                def afresh(now: rules.State, seat: int = seat) -> rules.State:
                    return rules.another(rules.another(now, seat, dice), (seat + 1) % 4, dice)

                with monkeypatch.context() as patch:
                    patch.setattr(replay, "packed", lambda now, whose=None: packed(afresh(now), whose))
                    assert pages_of(site, game, encoded(afresh(state)), Past) == before
            seen += hidden(site.house, game, dice)
        await site.house.say(
            people[asked(site.house, game)], f"#{game} {dice.choice(legal(site.house, game))}"
        )
    assert seen > 10
    assert {name for name, _ in kinds} == {"table", "history", "cards", "table_picture", "home", "tables"}


async def test_no_page_of_a_running_table_names_a_card_in_a_hand(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    await play(site, game, 30)
    state = rules.load(json.loads(running(site.house, game).snapshot))
    public = json.dumps(rules.view(state, None))
    hands = {name for seat in range(3) for name in rules.view(state, seat)["hand"] if name not in public}
    assert hands
    # the page of all cards names every unique district of the game, no matter who has it
    cards = text_of(await site.page(f"/t/{game}/cards"))
    assert all(f"{name}, cost" in cards for name in rules.rulebook(state).uniques)
    for path in (f"/t/{game}", "/"):
        whole = await site.page(path)
        page = text_of(whole)
        assert not [
            name
            for name in hands
            if f"{name} " in page
            and name not in public
            and f"built {name}" not in page
            and f"{name} " not in " ".join(text_of(await site.page(f"/t/{game}/history")).split("built "))
        ]


async def test_a_room_that_stops_watching_takes_the_page_with_it(site: Standing) -> None:
    game = await invited(site, place="group")
    assert (await site.get(f"/t/{game}"))[0] == 200
    site.house.store.write_now(lambda tx: tx.drop(GameRoom, game_id=game))
    assert (await site.get(f"/t/{game}"))[0] == 404
    assert site.house.store.read_now(lambda tx: tx.count(Room)) == 1
