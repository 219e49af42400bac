"""The files of a league: read again as docs/admins/exports.md says, they say the same."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from referee import league as sums
from referee.ids import PersonId
from referee.service.league.public import exports
from referee.service.league.public.exports import harmless
from referee.service.league.same_names import told_apart
from referee.service.league.scores import standings
from referee.store import Entry, SeasonTable, TableResult, Tx
from referee.text import clean
from tests.service.league import ledger
from tests.service.rig import House

DOCS = Path(__file__).parents[3] / "docs" / "admins" / "exports.md"


def given(tx: Tx, **wanted: Any) -> int:
    return ledger.write(tx, **wanted)[0]


async def files(
    house: House, league_id: int
) -> tuple[dict[str, list[dict[str, str]]], dict[str, Any], list[dict[str, Any]]]:
    """CSV rows by sheet, the JSON, and the divisions as they are shown."""

    def job(tx: Tx) -> tuple[dict[str, bytes], bytes, list[dict[str, Any]]]:
        book, uow = ledger.read(tx, league_id), ledger.uow(tx)
        return (
            {sheet: exports.export_file(uow, book, "csv", sheet).data for sheet in exports.SHEETS},
            exports.export_file(uow, book, "json").data,
            standings.standings(uow, book)["divisions"],
        )

    sheets, document, shown = await house.store.read(job)
    return {name: rows(data) for name, data in sheets.items()}, json.loads(document), shown


def rows(data: bytes) -> list[dict[str, str]]:
    """A CSV as the page says: by name, with one apostrophe taken off what somebody typed."""
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.endswith(b"\r\n")
    found = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    return [
        {
            key: value[1:] if key in ("league", "name") and value[:1] == "'" else value
            for key, value in row.items()
        }
        for row in found
    ]


async def test_the_standings_read_again_are_the_same(house: House) -> None:
    cup = await house.store.write(
        lambda tx: given(tx, names=ledger.NAMES + ledger.ODD[:4], divisions=2, rounds=4, played=3)
    )
    sheets, document, shown = await files(house, cup)
    found = [
        (
            int(row["division"]),
            int(row["rank"] or 0),
            int(row["person"]),
            row["name"],
            row["points"],
            row["decided_by"],
            [one for one in (row["figure"], row["next_figure"]) if one],
            row["move"],
        )
        for row in sheets["standings"]
    ]
    assert found == [
        (
            one["no"],
            row["rank"],
            row["person"],
            row["name"],
            row["points"],
            row["decided"],
            row["figures"],
            row["move"],
        )
        for one in shown
        for row in one["rows"]
    ]
    assert [[row["person"] for row in one["standings"]] for one in document["divisions"]] == [
        [row["person"] for row in one["rows"]] for one in shown
    ]


@pytest.mark.parametrize("form", ["csv", "json"])
async def test_the_results_add_up_to_the_standings(house: House, form: str) -> None:
    cup = await house.store.write(
        lambda tx: given(tx, rounds=4, played=4, state="over", names=ledger.NAMES[:15])
    )
    sheets, document, shown = await files(house, cup)
    if form == "csv":
        results = [
            sums.Result(
                int(row["person"]),
                int(row["round"]),
                int(row["table"]),
                int(row["place"]),
                int(row["score"]),
                size=int(row["seats"]),
                played=row["result"] == "played",
            )
            for row in sheets["results"]
        ]
    else:
        results = [
            sums.Result(
                one["person"],
                row["no"],
                table["no"],
                one["place"],
                one["score"],
                size=table["seats"],
                played=table["result"] == "played",
            )
            for row in document["rounds"]
            for table in row["tables"]
            for one in table["people"]
        ]
    byes: dict[int, int] = {}
    for row in document["rounds"]:
        for who in row["byes"]:
            byes[who] = byes.get(who, 0) + 1
    season = document["season"]
    terms = sums.Terms(
        sums.read_points(season["points"]),
        order=tuple(sums.By(one) for one in ("points", *season["tiebreaks"], "lot")),
        seed=season["lot"],
    )
    people = [row["person"] for row in document["divisions"][0]["standings"]]
    again = sums.standings(sorted(people), results, terms, byes=byes)
    assert [(one.rank, one.person, sums.shown(one.points)) for one in again] == [
        (row["rank"], row["person"], row["points"]) for row in shown[0]["rows"]
    ]
    worth = {one["table"]: Fraction(0) for one in sheets["results"]}
    for one in sheets["results"]:
        worth[one["table"]] += Fraction(one["points"])
    assert worth == {one["table"]: 3 * Fraction(one["seats"]) for one in sheets["results"]}


async def test_every_seat_is_in_the_schedule(house: House) -> None:
    cup = await house.store.write(lambda tx: given(tx, names=ledger.NAMES[:13], rounds=3, played=1))
    sheets, _, _ = await files(house, cup)
    for no in ("1", "2", "3"):
        seats = [row for row in sheets["schedule"] if row["round"] == no]
        assert len(seats) == len({row["person"] for row in seats}) == 13
        assert [row["state"] for row in seats].count("bye") == 1
        for table in {row["table"] for row in seats} - {""}:
            assert [row["crown"] for row in seats if row["table"] == table].count("1") == 1


async def test_names_are_harmless_and_come_back(house: House) -> None:
    names = (*ledger.ODD, "-1+1", "＝1", "\t=1", "  =2", "''", "a=b")
    cup = await house.store.write(lambda tx: given(tx, name="=CMD()", names=names))
    sheets, _, _ = await files(house, cup)
    apart = told_apart((PersonId(no), name) for no, name in enumerate(names))  # a few look the same
    assert {row["name"] for row in sheets["standings"]} == {
        apart.get(PersonId(no), clean(name)) for no, name in enumerate(names)
    }
    assert {row["league"] for row in sheets["results"]} == {"=CMD()"}
    raw = (
        await house.store.read(
            lambda tx: exports.export_file(ledger.uow(tx), ledger.read(tx, cup), "csv", "standings")
        )
    ).data.decode("utf-8-sig")
    for cell in (cell for row in csv.reader(io.StringIO(raw, newline="")) for cell in row):
        assert not re.match(r"\s*[=+@＝]", cell), cell
        assert not cell.startswith("-") or re.fullmatch(r"-?\d+(\.\d+)?", cell), cell


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("Ana", "Ana"),
        ("=1", "'=1"),
        ("@x", "'@x"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("'x", "''x"),
        ("\u00a0=1", "'=1"),
        ("a\r\n=1", "a =1"),
        ("", ""),
    ],
)
def test_what_a_spreadsheet_would_reckon_with(name: str, cell: str) -> None:
    assert harmless(name) == cell


async def test_withdrawn_abandoned_and_fined(house: House) -> None:
    def job(tx: Tx) -> int:
        cup = given(tx)
        tx.change(Entry, {"person_id": 2}, state="withdrawn", penalty=150)
        table = next(one for one in tx.all(SeasonTable, state="over") if 2 in json.loads(one.people))
        tx.change(
            TableResult,
            {"table_id": table.id, "person_id": 2},
            place=4,
            flags='{"left": true, "abandoned": true}',
        )
        return cup

    cup = await house.store.write(job)
    sheets, document, _ = await files(house, cup)
    row = next(one for one in sheets["standings"] if one["person"] == "2")
    assert (row["state"], row["penalty"], row["abandoned"], row["move"]) == ("withdrawn", "1.5", "1", "")
    assert [one["flags"] for one in sheets["results"] if one["person"] == "2"].count("left abandoned") == 1
    assert [one["penalty"] for one in document["divisions"][0]["standings"] if one["person"] == 2] == ["1.5"]
    assert Fraction(row["points"]) < 10


async def test_before_the_first_result_files_have_no_places(house: House) -> None:
    cup = await house.store.write(lambda tx: given(tx, played=0))
    sheets, document, _ = await files(house, cup)
    assert {(row["rank"], row["score_share"], row["decided_by"]) for row in sheets["standings"]} == {
        ("", "", "")
    }
    assert {row["rank"] for row in document["divisions"][0]["standings"]} == {None}


async def test_how_and_why_a_table_was_decided_is_in_the_files(house: House) -> None:
    why = "=both asked\nfor it"

    def job(tx: Tx) -> int:
        cup = given(tx, played=1)
        table = tx.all(SeasonTable, state="over", order="no", limit=1)[0]
        facts = json.dumps({"outcome": {"code": "adjudicated", "cause": "", "why": why}})
        tx.set(SeasonTable, table.id, state="ruled", facts=facts)
        return cup

    sheets, document, _ = await files(house, await house.store.write(job))
    first = [row for row in sheets["results"] if row["table"] == "1"]
    assert {
        (row["state"], row["result"], row["cause"], row["why"], row["share"], row["flags"]) for row in first
    } == {("ruled", "adjudicated", "", "'=both asked for it", "", "adjudicated")}
    table = document["rounds"][0]["tables"][0]
    assert (table["result"], table["why"]) == ("adjudicated", "=both asked for it")
    assert {row["result"] for row in sheets["results"] if row["table"] != "1"} == {"played"}


async def test_a_season_that_has_not_begun_has_files_too(house: House) -> None:
    cup = await house.store.write(lambda tx: given(tx, played=0, rounds=0, state="signup", divisions=1))
    sheets, document, _ = await files(house, cup)
    assert sheets["results"] == sheets["schedule"] == []
    assert document["season"]["state"] == "signup"
    assert document["season"]["lot"] == ""


async def test_the_page_of_the_documents_names_every_column_and_key(house: House) -> None:
    cup = await house.store.write(given)
    sheets, document, _ = await files(house, cup)
    page = DOCS.read_text(encoding="utf-8")
    for sheet in sheets.values():
        for column in sheet[0]:
            assert f"`{column}`" in page, column

    def keys(value: Any) -> set[str]:
        if isinstance(value, dict):
            return set(value) | {key for each in value.values() for key in keys(each)}
        return {key for each in value for key in keys(each)} if isinstance(value, list) else set()

    for key in keys(document):
        assert f'"{key}"' in page or f"`{key}`" in page, key


async def test_no_other_form(house: House) -> None:
    cup = await house.store.write(given)
    with pytest.raises(KeyError):
        await house.store.read(lambda tx: exports.export_file(ledger.uow(tx), ledger.read(tx, cup), "xml"))
    with pytest.raises(KeyError):
        await house.store.read(
            lambda tx: exports.export_file(ledger.uow(tx), ledger.read(tx, cup), "csv", "hands")
        )
