"""What a league shows, as facts: standings and what decided them, progress, figures, strength, somebody's
record.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar
from xml.etree import ElementTree

import pytest

from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league.scores import careers, standings, statistics, views
from referee.service.league.scores.season_book import SeasonRows
from referee.store import Entry, SeasonRound, SeasonTable, TableResult, Tx
from referee.text import Words
from referee.text.rendering import pictures
from referee.text.rendering.pictures import league
from referee.text.rendering.pictures.metrics import width
from tests.service.league import ledger
from tests.service.rig import House

T = TypeVar("T")
WORDS = Words(strict=True)
SVG = "{http://www.w3.org/2000/svg}"


async def shown(
    house: House,
    job: Callable[[UnitOfWork, SeasonRows], T],
    *,
    then: Callable[[Tx], object] = lambda tx: None,
    **wanted: Any,
) -> T:
    """What `job` makes of a league, after something has happened to it."""

    def laid(tx: Tx) -> int:
        cup = ledger.write(tx, **wanted)[0]
        then(tx)
        return cup

    cup = await house.store.write(laid)
    return await house.store.read(lambda tx: job(ledger.uow(tx), ledger.read(tx, cup)))


async def test_a_tie_says_what_broke_it_and_nothing_else_does(house: House) -> None:
    found = await shown(house, standings.standings, rounds=5, played=4)
    rows = found["divisions"][0]["rows"]
    for row, after in pairwise(rows):
        assert bool(row["tie"]) == (row["points"] == after["points"])
        assert row["tie"] in ("", row["decided"])
    assert rows[-1]["tie"] == ""
    assert any(row["tie"] for row in rows)


async def test_even_the_lot_is_said(house: House) -> None:
    def all_alike(tx: Tx) -> None:
        for row in tx.all(TableResult):
            tx.set(TableResult, row.id, place=1, score=10)

    rows = (await shown(house, standings.standings, then=all_alike))["divisions"][0]["rows"]
    assert {row["tie"] for row in rows[:-1]} == {"lot"}
    assert {row["points"] for row in rows} == {"6"}
    assert [row["figures"] for row in rows] == [[]] * len(rows)
    assert [row["before"] for row in rows] == [*(row["name"] for row in rows[1:]), ""]


async def test_a_tie_is_told_with_its_figures_and_before_whom(house: House) -> None:
    """As few decimals as show the difference; who has nothing to compare has none."""
    found = await shown(house, standings.standings, rounds=5, played=4)
    rows = found["divisions"][0]["rows"]
    for row, after in pairwise(rows):
        if row["tie"] == "wins":
            assert row["figures"] == [str(row["wins"]), str(after["wins"])]
        elif row["tie"] == "score share":
            own, other = map(float, row["figures"])
            assert own > other
            assert abs(own - row["share"]) < 0.01 > abs(other - after["share"])
        assert row["before"] == (after["name"] if row["tie"] else "")
    assert {"wins", "score share"} <= {row["tie"] for row in rows}
    for own, other, said in (
        (Fraction(3), Fraction(2), ["3", "2"]),
        (Fraction(9, 8), Fraction(1), ["1.12", "1.00"]),
        (Fraction(1124, 1000), Fraction(1122, 1000), ["1.124", "1.122"]),
        (Fraction(1, 2), None, ["0.50", "–"]),
        (Fraction(-1), Fraction(-2), ["-1", "-2"]),
    ):
        assert standings.figure_texts(own, other) == said


async def test_a_season_of_the_first_form_is_shown_as_it_was(house: House) -> None:
    found = await shown(house, standings.standings, form=1)
    assert (found["points"], found["share_of"]) == ("6/4/3/2/1/0/0", "all")
    rows = found["divisions"][0]["rows"]
    assert {row["share_text"] for row in rows} == {f"{100 * row['share']:.1f} %" for row in rows}
    assert all(0 < row["share"] < 0.5 for row in rows)  # the mean at four seats is a quarter
    found = await shown(house, standings.standings, name="Other", form=1, played=0)
    before = found["divisions"][0]["rows"]
    assert [row["rank"] for row in before] == list(range(1, len(before) + 1))


async def test_before_anything_was_played_nobody_is_ahead(house: House) -> None:
    rows = (await shown(house, standings.standings, played=0))["divisions"][0]["rows"]
    assert {row["tie"] for row in rows} == {""}
    assert {row["points"] for row in rows} == {"0"}
    assert {(row["rank"], row["share_text"]) for row in rows} == {(0, "–")}
    assert [row["name"] for row in rows] == [*ledger.NAMES]  # as they signed up


async def test_up_and_down_are_for_those_who_are_there_and_only_where_there_is_a_way(house: House) -> None:
    found = await shown(
        house,
        standings.standings,
        divisions=3,
        then=lambda tx: tx.change(Entry, {"division": 2, "person_id": (7, 8, 9)}, state="withdrawn"),
    )
    moves = [[row["move"] for row in one["rows"]] for one in found["divisions"]]
    assert moves[0].count("up") == 0
    assert moves[0][-2:] == ["down", "down"]
    assert moves[2].count("down") == 0
    assert moves[2][:2] == ["up", "up"]
    assert all(not row["move"] for row in found["divisions"][1]["rows"] if row["left"])
    assert moves[1].count("up") == 2


async def test_nobody_rises_before_anything_was_played(house: House) -> None:
    found = await shown(house, standings.standings, divisions=2, played=0)
    assert {row["move"] for one in found["divisions"] for row in one["rows"]} == {""}


async def test_progress_ends_where_the_standings_are(house: House) -> None:
    def job(uow: UnitOfWork, book: SeasonRows) -> tuple[dict[int, list[int]], list[int]]:
        return standings.progress(uow, book, 1), [
            row["person"] for row in standings.standings(uow, book)["divisions"][0]["rows"]
        ]

    ranks, order = await shown(house, job, rounds=4, played=4, state="over")
    assert sorted(ranks, key=lambda who: ranks[who][-1]) == order
    assert all(len(places) == 4 for places in ranks.values())
    for no in range(4):
        assert sorted(places[no] for places in ranks.values()) == list(range(1, 17))


async def test_figures_of_a_season(house: House) -> None:
    found = await shown(house, lambda _, book: statistics.of_season(book))
    assert found["tables"] == {"over": 8, "planned": 4}
    assert len(found["people"]) == 16
    assert found["all"]["questions"] == sum(one["questions"] for one in found["people"])
    shares = [one["in_time"] for one in found["people"]]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < one["median_ms"] <= one["slow_ms"] < ledger.DAY for one in found["people"])


async def test_whoever_left_a_table_finished_less(house: House) -> None:
    def left(tx: Tx) -> None:
        row = tx.all(TableResult, person_id=4)[0]
        tx.set(TableResult, row.id, flags=json.dumps({"left": True, "abandoned": True, "misses": 3}))

    found = await shown(house, lambda _, book: statistics.of_season(book), then=left)
    mine = next(one for one in found["people"] if one["person"] == 4)
    assert (mine["abandoned"], mine["finished"]) == (1, 50)
    assert found["people"].index(mine) > 10


async def test_a_season_without_answers_has_no_figures(house: House) -> None:
    found = await shown(house, lambda _, book: statistics.of_season(book), played=0)
    assert found["all"] == {
        "in_time": None,
        "finished": None,
        "median_ms": None,
        "slow_ms": None,
        "questions": 0,
    }


async def test_strength_goes_with_places(house: House) -> None:
    def two(tx: Tx) -> None:
        for table in tx.all(SeasonTable, state="over"):
            for row in tx.all(TableResult, table_id=table.id):
                tx.set(TableResult, row.id, place=row.person_id)

    rows = await shown(
        house, lambda uow, book: statistics.ratings(uow.tx, book.league), then=two, rounds=6, played=6
    )
    assert len(rows) == 16
    strengths = [row["strength"] for row in rows]
    assert strengths == sorted(strengths, reverse=True)
    assert {row["person"] for row in rows[:4]} <= set(range(1, 9))
    assert all(row["games"] == 6 for row in rows)


async def test_somebodys_record(house: House) -> None:
    found = await shown(
        house,
        lambda uow, _: careers.of_person(uow, 3),
        then=lambda tx: tx.change(Entry, {"person_id": 3}, state="withdrawn", penalty=100),
    )
    assert found is not None
    assert found["person"] == {"person": 3, "name": "Cy"}
    [season] = found["seasons"]
    assert (season["entry"], season["penalty"], season["played"]) == ("withdrawn", "1", 2)
    assert [one["round"] for one in found["results"]] == [2, 1]
    assert found["ratings"][0]["games"] == 2
    assert found["reliability"]["questions"] > 30
    assert set(found) == {"person", "seasons", "results", "ratings", "reliability"}


async def test_a_record_tells_of_visible_leagues_only_to_strangers(house: House) -> None:
    await shown(house, lambda uow, _: None, visible=False, name="Hidden")

    def look(tx: Tx, public: bool) -> dict[str, Any] | None:
        return careers.of_person(ledger.uow(tx), 1, public=public)

    inside, outside = await house.store.read(lambda tx: (look(tx, False), look(tx, True)))
    assert inside is not None
    assert outside is not None
    assert len(inside["seasons"]) == 1
    assert outside["seasons"] == outside["results"] == outside["ratings"] == []
    assert outside["reliability"]["questions"] == 0


async def test_nobody_has_no_record(house: House) -> None:
    assert await shown(house, lambda uow, _: careers.of_person(uow, 999)) is None


async def test_a_replayed_table_is_shown_once(house: House) -> None:
    def replay(tx: Tx) -> None:
        first = tx.all(SeasonTable, state="over", order="no")[0]
        tx.set(SeasonTable, first.id, state="replayed")
        tx.drop(TableResult, table_id=first.id)
        tx.add(
            SeasonTable,
            season_id=first.season_id,
            no=99,
            division=1,
            round=1,
            people=first.people,
            state="planned",
            replays=first.id,
        )

    rounds = await shown(house, lambda _, book: views.schedule(book), then=replay)
    assert [one["no"] for one in rounds[0]["tables"]] == [2, 3, 4, 99]
    assert rounds[0]["tables"][-1]["replays"] == 1


async def test_next_dates_are_those_to_come(house: House) -> None:
    now = ledger.START + 20 * ledger.DAY
    found = await shown(
        house,
        lambda _, book: views.next_dates(list(book.rounds), now),
        then=lambda tx: tx.change(SeasonRound, {"no": 1}, state="closed"),
        played=0,
    )
    assert [(one["no"], one["what"]) for one in found] == [(2, "ends"), (3, "starts"), (3, "ends")]


def division(points: list[str], **other: Any) -> dict[str, Any]:
    rows = [
        {"rank": n, "person": n, "name": f"P{n}", "points": worth, "move": "", "left": False, **other}
        for n, worth in enumerate(points, 1)
    ]
    return {"no": 1, "name": "", "several": False, "rows": rows}


SEASON = {"no": 1, "round": 2, "rounds": 5}


@pytest.mark.parametrize(
    "points",
    [
        [],
        ["0"],
        ["0", "0"],
        ["-2", "-5"],
        ["0.33", "0.17"],
        ["1000", "3"],
        [str(n) for n in range(240, 0, -1)],
    ],
)
@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("pt_BR", "dark")])
def test_every_picture_stays_within_its_frame(points: list[str], language: str, theme: str) -> None:
    one = division(points)
    ranks = {row["person"]: [row["rank"], len(points) + 1 - row["rank"]] for row in one["rows"]}
    for places, most in ((None, league.ROWS), (ranks, league.FEWER)):
        made = pictures.standings_picture(WORDS, language, theme, "Cup", SEASON, one, places)
        bars = [
            bar for bar in ElementTree.fromstring(made.svg).iter(f"{SVG}rect") if bar.get("height") == "6"
        ]
        assert len(bars) == sum(float(worth) > 0 for worth in points[:most])
        whole(made)
    made = pictures.progress_picture(WORDS, language, theme, "Cup", SEASON, one, ranks)
    assert len(ElementTree.fromstring(made.svg).findall(f".//{SVG}polyline")) == len(points)
    whole(made)


def whole(made: pictures.Picture) -> None:
    """Nothing of a picture is beside its sheet, and its words end before the edge."""
    tree = ElementTree.fromstring(made.svg)
    for box in tree.iter(f"{SVG}rect"):
        assert float(box.get("x", 0)) + float(box.attrib["width"]) <= made.width
        assert float(box.get("y", 0)) + float(box.attrib["height"]) <= made.height
    for line in tree.iter(f"{SVG}polyline"):
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 < x < made.width
            assert 0 < y < made.height
    for text in tree.iter(f"{SVG}text"):
        size, said = float(text.get("font-size", 11)), "".join(text.itertext())
        assert size >= 11
        assert float(text.attrib["y"]) < made.height
        end = float(text.attrib["x"]) + (
            0
            if text.get("text-anchor") == "end"
            else width(said, size, text.get("font-weight") == "bold")
            / (2 if text.get("text-anchor") == "middle" else 1)
        )
        assert end <= made.width, said


def test_what_a_picture_says_is_said_in_words_too() -> None:
    made = pictures.standings_picture(WORDS, "en", "light", "Cup", SEASON, division(["3", "1"], move="up"))
    assert made.alt == "Cup, season 1: standings; 1. P1, 3 points; 2. P2, 1 point."
    assert "▲ up" in "".join(ElementTree.fromstring(made.svg).itertext())


def test_names_that_nobody_should_have_and_long_ones() -> None:
    one = division(["3", "2", "1", "0"])
    for row, name in zip(
        one["rows"], ("W" * 200, "界" * 60, "🦊🐉", '<image href="file:///etc/passwd"/>'), strict=True
    ):
        row["name"] = name
    for made in (
        pictures.standings_picture(WORDS, "en", "light", "C" * 500, SEASON, one),
        pictures.progress_picture(
            WORDS, "en", "dark", "C" * 500, SEASON, one, {1: [1, 2], 2: [2, 1], 3: [3, 3]}
        ),
    ):
        whole(made)
        texts = [
            "".join(text.itertext()) for text in ElementTree.fromstring(made.svg).findall(f".//{SVG}text")
        ]
        assert any("WWW…" in text for text in texts)
        assert any("Player 2" in text for text in texts)
        assert any("Player 3" in text for text in texts)
        assert not any("界" in text or "🦊" in text for text in texts)
        assert "<image" not in made.svg


async def test_a_first_round_of_which_no_table_counts_has_pictures_without_places(house: House) -> None:
    """Nobody has a place after it; the bars stand as people signed up."""

    def none_counts(tx: Tx) -> None:
        tx.change(SeasonTable, {"round": 1}, state="void")

    found = await shown(
        house,
        lambda one, book: (standings.standings(one, book), standings.progress(one, book, 1)),
        played=1,
        then=none_counts,
    )
    told, places = found
    assert {row["rank"] for row in told["divisions"][0]["rows"]} == {0}
    assert places == {}
    drawn = pictures.standings_picture(
        Words(()), "en", "light", "Cup", told["season"], told["divisions"][0], places
    )
    ElementTree.fromstring(drawn.svg)
    assert ">–<" in drawn.svg
    ElementTree.fromstring(
        league.progress_picture(Words(()), "en", "light", "Cup", told["season"], told["divisions"][0], {}).svg
    )
