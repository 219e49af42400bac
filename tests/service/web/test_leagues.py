"""Pages of leagues for everybody: standings, schedule, strength, a player's record, files."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from typing import Any
from xml.etree import ElementTree

import icalendar

from referee.service.league.office import rulings
from referee.store import (
    Address,
    Entry,
    Game,
    League,
    Person,
    Season,
    SeasonDivision,
    SeasonRound,
    SeasonTable,
    TableResult,
    Tx,
)
from tests.service.league import ledger
from tests.service.league.seasons import begun, do, ready, season, tables
from tests.service.web.site import Standing, text_of

NOWHERE = (
    "/l/99",
    "/l/0",
    "/l/999999999",
    "/l/1/season/9",
    "/l/1/season/0",
    "/l/1?division=7",
    "/l/1?division=x",
    "/l/1?page=2",
    "/l/1?page=0",
    "/l/1?page=-1",
    "/l/1/schedule?round=9",
    "/l/1/schedule?round=99999999",
    "/l/1/strength?page=9",
    "/p/0",
    "/p/999",
    "/l/1/season/1/standings-9.svg",
    "/l/1/season/1/secrets.csv",
    "/l/1/season/1/hands-1.svg",
    "/l/1'--",
    "/l/1/season/1/season.xml",
    "/p/1%27%20OR%201=1",
)
SVG = "{http://www.w3.org/2000/svg}"


async def laid(site: Standing, **wanted: Any) -> int:
    """A league; its number."""
    return (await site.house.store.write(lambda tx: ledger.write(tx, **wanted)))[0]


async def test_a_league_shows_where_everybody_is(site: Standing) -> None:
    cup = await laid(site)
    page = text_of(await site.page(f"/l/{cup}"))
    assert "round 3 of 3 is being played by 16 people" in page
    assert page.count("Lines of places") == 0
    rows = re.findall(
        r'<tr><td class="n">(\d+)</td><th scope="row" class="who"><a href="/p/(\d+)">(\w+)</a>.*?</th>'
        r'<td class="n"><strong>([\d.]+)</strong>',
        await site.page(f"/l/{cup}"),
        re.DOTALL,
    )
    assert [int(rank) for rank, *_ in rows] == list(range(1, 17))
    assert {name for _, _, name, _ in rows} == set(ledger.NAMES)
    points = [float(worth) for *_, worth in rows]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 2 * 4 * 3 * 4  # three for each seat


async def test_ties_are_explained(site: Standing) -> None:
    cup = await laid(site)
    page = await site.page(f"/l/{cup}")
    tied = re.findall(r"before \w+ by (\D+?) ([-+.\d]+ : [-+.\d]+)", page)
    assert tied
    assert {one for one, _ in tied} <= {"wins", "score share", "head to head"}
    assert "told apart by wins, then score share, then head to head, then by lot" in page


async def test_all_leagues_are_listed_and_hidden_ones_are_nowhere(site: Standing) -> None:
    shown = await laid(site, name="Winter Cup")
    hidden = await laid(site, name="Secret Circle", visible=False, names=["Zed", "Yan", "Xia", "Wim"])
    listed = await site.page("/l")
    assert f'href="/l/{shown}"' in listed
    assert "Secret" not in listed
    zed = (await site.house.store.read(lambda tx: tx.all(Entry, season_id=2)))[0].person_id
    for path in (
        f"/l/{hidden}",
        f"/l/{hidden}/schedule",
        f"/l/{hidden}/strength",
        f"/l/{hidden}/hall",
        f"/l/{hidden}/season/1",
        f"/l/{hidden}.ics",
        f"/p/{zed}",
        f"/l/{hidden}/season/1/standings.csv",
        f"/l/{hidden}/season/1/season.json",
        f"/l/{hidden}/season/1/standings-1.svg",
    ):
        assert (await site.get(path))[0] == 404, path


async def test_what_is_not_there_is_not_found(site: Standing) -> None:
    await laid(site)
    for path in NOWHERE:
        assert (await site.get(path))[0] == 404, path


async def test_names_are_text_on_every_page(site: Standing) -> None:
    cup = await laid(site, name=ledger.ODD[0], names=ledger.ODD, divisions=1)
    ended = await laid(site, name=ledger.ODD[0] + "2", names=ledger.ODD, divisions=1, state="over", played=3)
    for path in (
        "/l",
        f"/l/{cup}",
        f"/l/{cup}/schedule",
        f"/l/{cup}/schedule?round=1",
        f"/l/{cup}/strength",
        f"/l/{ended}/hall",
        *(f"/p/{n}" for n in range(1, len(ledger.ODD) + 1)),
    ):
        page = await site.page(path)
        assert "<script>" not in page
        assert "{{ 49 }}" not in page
        assert "&lt;script&gt;" in page
        assert "\u202e" not in page
        assert "\u0007" not in page
    assert "DROP TABLE person" in unescape(await site.page(f"/l/{cup}"))


async def test_a_season_without_results(site: Standing) -> None:
    cup = await laid(site, played=0, state="drawn")
    page = text_of(await site.page(f"/l/{cup}"))
    assert "is drawn: 16 people, 3 rounds" in page
    assert "None" not in page
    assert "is drawn" in text_of(await site.page(f"/l/{cup}/schedule"))
    assert "No table is over yet." in text_of(await site.page(f"/l/{cup}/strength"))
    status, picture, _ = await site.get(f"/l/{cup}/season/1/progress-1.svg")
    assert status == 200
    ElementTree.fromstring(picture)


async def test_a_season_that_gathers_people(site: Standing) -> None:
    cup = await laid(
        site,
        played=0,
        rounds=0,
        state="signup",
    )
    assert "Sign-up for season 1 is open; 16 people are in so far" in text_of(await site.page(f"/l/{cup}"))
    assert "Nothing is drawn yet." in text_of(await site.page(f"/l/{cup}/schedule"))


async def test_a_league_without_a_season(site: Standing) -> None:
    cup = await laid(site)
    await site.house.store.write(drop)
    for path in (f"/l/{cup}", f"/l/{cup}/schedule", f"/l/{cup}/strength", f"/l/{cup}/hall", "/l"):
        assert "No" in text_of(await site.page(path))
    assert (await site.get(f"/l/{cup}/season/1/standings.csv"))[0] == 404
    calendar = icalendar.Calendar.from_ical(await site.page(f"/l/{cup}.ics"))
    assert not calendar.walk("VEVENT")


def drop(tx: Tx) -> None:
    """No season is left."""
    for one in (TableResult, SeasonTable, SeasonRound, SeasonDivision, Entry, Season):
        tx.drop(one)


async def test_someone_who_left_keeps_their_record(site: Standing) -> None:
    cup = await laid(site)

    def leave(tx: Tx) -> None:
        tx.change(Entry, {"person_id": 3}, state="withdrawn", penalty=150)
        tx.add(Address, person_id=3, channel="mail", address="cy@private.test")

    await site.house.store.write(leave)
    page = await site.page("/p/3")
    assert "has left" in page
    assert "private.test" not in page
    assert len(re.findall(r"round \d, table \d", text_of(page))) == 2
    standings = await site.page(f"/l/{cup}")
    row = next(one for one in standings.split("<tr>") if 'href="/p/3"' in one)
    assert "has left" in row
    assert "-1.5" in row


async def test_whoever_was_never_in_a_league_has_no_page(site: Standing) -> None:
    await laid(site)
    await site.house.say("telegram:stranger", "help")
    assert (await site.get("/p/17"))[0] == 404
    assert (await site.get("/p/16"))[0] == 200


async def test_a_league_of_240_stays_small(site: Standing) -> None:
    names = [f"Player with a rather long name {n}" for n in range(240)]
    cup = await laid(site, names=names, divisions=1, rounds=7, played=5, size=5)
    paths = (
        f"/l/{cup}",
        f"/l/{cup}?page=4",
        f"/l/{cup}?page=4&division=1",
        f"/l/{cup}/schedule?round=2",
        f"/l/{cup}/strength",
        f"/l/{cup}/season/1/progress-1.svg",
        f"/l/{cup}/season/1/standings-1.svg",
    )
    for path in paths:
        assert len((await site.page(path)).encode()) < 100_000, path
    assert "page=2" in await site.page(f"/l/{cup}")


async def test_divisions_stand_one_a_page_where_there_are_many_people(site: Standing) -> None:
    cup = await laid(site, names=[f"P{n}" for n in range(80)], divisions=4)
    first, third = await site.page(f"/l/{cup}"), await site.page(f"/l/{cup}?division=3")
    assert "<caption>Division 1</caption>" in first
    assert "<caption>Division 3</caption>" in third
    assert first.count("<caption>Division") == third.count("<caption>Division") == 1


async def test_the_hall_shows_every_season_and_who_did_most(site: Standing) -> None:
    cup, people = await site.house.store.write(
        lambda tx: ledger.write(tx, names=ledger.NAMES[:8], state="over", rounds=3, played=3)
    )
    await site.house.store.write(lambda tx: ended(tx, people))
    await site.house.store.write(
        lambda tx: ledger.write(tx, league_id=cup, people=people, no=2, rounds=3, played=1)
    )
    page = text_of(await site.page(f"/l/{cup}/hall"))
    assert "Seasons won Ana : 1" in page
    assert "Season 2 balanced, 3 rounds, 8 people; not over yet" in page
    assert "1. Ana 2. Bea 3. Cy" in page
    assert "Hall of fame" in text_of(await site.page(f"/l/{cup}"))


def ended(tx: Tx, people: list[int]) -> None:
    """The season is over, in this order."""
    tx.change(Season, {"no": 1}, drawn=json.dumps({"final": [people]}))


async def test_seasons_that_are_over_stay(site: Standing) -> None:
    cup = await laid(site, state="over", played=3)
    who = await site.house.store.read(lambda tx: [one.person_id for one in tx.all(Entry, season_id=1)])
    await laid(site, no=2, league_id=cup, people=who, seed=9, played=1)
    assert "Season 2: round 2 of 3" in text_of(await site.page(f"/l/{cup}"))
    old = text_of(await site.page(f"/l/{cup}/season/1"))
    assert "Season 1 is over" in old
    assert "season 1" in text_of(await site.page(f"/l/{cup}/season/1/schedule"))
    assert text_of(await site.page("/p/1")).count("Winter Cup") >= 2


async def test_pictures_hold_names_as_text(site: Standing) -> None:
    cup = await laid(site, name='<b>Cup</b> & "more"', names=ledger.ODD)
    for what in ("standings", "progress"):
        status, body, headers = await site.get(f"/l/{cup}/season/1/{what}-1.svg")
        assert status == 200
        assert headers["Content-Type"].startswith("image/svg+xml")
        assert "Content-Disposition" not in headers
        tree = ElementTree.fromstring(body)
        assert not tree.findall(f".//{SVG}script")
        assert any("<b>Cup</b>" in "".join(text.itertext()) for text in tree.iter(f"{SVG}text"))
    assert len(tree.findall(f".//{SVG}polyline")) == len(ledger.ODD)


async def test_files_can_be_saved(site: Standing) -> None:
    cup = await laid(site, names=ledger.ODD)
    status, text, headers = await site.get(f"/l/{cup}/season/1/standings.csv")
    assert (status, headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert headers["Content-Disposition"] == f'attachment; filename="league-{cup}-season-1-standings.csv"'
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert len(rows) == len(ledger.ODD)
    assert all(row["name"][:1] not in "=+-@" for row in rows)
    document = json.loads(await site.page(f"/l/{cup}/season/1/season.json"))
    assert [row["person"] for row in document["divisions"][0]["standings"]] == [
        int(row["person"]) for row in rows
    ]


async def test_the_dates_are_a_calendar_whose_entries_keep_their_names(site: Standing) -> None:
    cup = await laid(site)
    before = icalendar.Calendar.from_ical(await site.page(f"/l/{cup}.ics"))
    assert [str(one["summary"]) for one in before.walk("VEVENT")][:3] == [
        "Winter Cup: sign-up for season 1 ends",
        "Winter Cup: round 1 begins",
        "Winter Cup: round 1 ends",
    ]
    await site.house.store.write(
        lambda tx: tx.change(SeasonRound, {"no": 3}, ends_ms=ledger.START + 99 * ledger.DAY)
    )
    site.house.clock.pass_(seconds=30)
    after = icalendar.Calendar.from_ical(await site.page(f"/l/{cup}.ics"))
    names = [[str(one["uid"]) for one in each.walk("VEVENT")] for each in (before, after)]
    assert names[0] == names[1]
    assert len(set(names[0])) == 7
    assert before.walk("VEVENT")[-1].decoded("dtstart") != after.walk("VEVENT")[-1].decoded("dtstart")


async def test_a_table_of_a_league_says_so_while_strangers_may_see_the_league(site: Standing) -> None:
    cup = await laid(site, name="<Winter> Cup", games=True)

    def told(tx: Tx, visible: bool) -> None:
        tx.set(League, cup, settings=json.dumps({"visible": visible}))
        tx.set(
            Game,
            1,
            settings=json.dumps(
                {
                    "seats": 4,
                    "entry": "closed",
                    "hours": 24,
                    "options": {},
                    "league": {
                        "league": cup,
                        "name": "<Winter> Cup",
                        "season": 1,
                        "no": 1,
                        "round": 3,
                        "table": 9,
                        "division": 1,
                    },
                }
            ),
            status="mustering",
            page="public",
        )

    await site.house.store.write(lambda tx: told(tx, True))
    page = await site.page("/t/1")
    assert f'Table 9 of round 3, <a href="/l/{cup}">&lt;Winter&gt; Cup</a>, season 1' in page
    await site.house.store.write(lambda tx: told(tx, False))
    assert "Cup" not in await site.page("/t/1")


async def test_a_table_that_the_office_ended_reads_ruled_and_why(site: Standing) -> None:
    people = await begun(site.house, 4)
    table = tables(site.house, "gathering")[0]
    ready(site.house, table)
    do(site.house, lambda one: rulings.rule(one, season(site.house), table, why="a <b>row</b>"))
    page = await site.page(f"/t/{table.game_id}")
    assert "ruled by the office of its league" in page
    assert "ended this game and ruled who comes where (a &lt;b&gt;row&lt;/b&gt;)." in page
    assert "adjudicated by the office (a &lt;b&gt;row&lt;/b&gt;)" in await site.page("/l/1/schedule?round=1")
    assert ">adjudicated</small>" in await site.page(f"/p/{people[0]}")
    for path in (f"/t/{table.game_id}", f"/t/{table.game_id}/history", "/l/1", f"/p/{people[0]}"):
        assert "given up" not in await site.page(path), path


async def test_pages_are_made_of_what_was_read_lately(site: Standing) -> None:
    cup = await laid(site)
    before = await site.page(f"/l/{cup}"), await site.page("/p/1")
    await site.house.store.write(
        lambda tx: (tx.change(Entry, {"person_id": 1}, penalty=700), tx.set(Person, 1, name="Anastasia"))
    )
    assert (await site.page(f"/l/{cup}"), await site.page("/p/1")) == before
    site.house.clock.pass_(seconds=60)
    for path in (f"/l/{cup}", f"/l/{cup}/schedule", f"/l/{cup}/strength", "/p/1"):
        assert "Anastasia" in await site.page(path)
    assert "-7" in await site.page(f"/l/{cup}")
    await site.house.store.write(lambda tx: tx.set(League, cup, settings='{"visible": false}'))
    assert (await site.get(f"/l/{cup}"))[0] == 404  # what nobody may see any more is gone at once
    assert (await site.get(f"/l/{cup}/season/1/season.json"))[0] == 404
    assert (await site.get("/p/1"))[0] == 404
