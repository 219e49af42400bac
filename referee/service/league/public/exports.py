"""A season as files for other programs: CSV (RFC 4180, UTF-8 with a byte order mark) and JSON.
docs/admins/exports.md says what stands where.

Names are what people typed: a cell that a spreadsheet would take for a formula gets an apostrophe before it,
which the reader of the file takes away.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.states import TableState
from referee.text import clean
from referee.text.rendering.times import iso

from ...core.unit_of_work import UnitOfWork
from ..scores import views
from ..scores.season_book import SeasonRows
from ..scores.standings import standings

#: the shape of the JSON; it changes when something in it means something else
VERSION = 2
#: what a CSV can hold -> its columns
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "standings": (
        "league",
        "season",
        "division",
        "rank",
        "person",
        "name",
        "points",
        "played",
        "wins",
        "score_share",
        "byes",
        "penalty",
        "abandoned",
        "decided_by",
        "figure",
        "next_figure",
        "state",
        "move",
    ),
    "results": (
        "league",
        "season",
        "division",
        "round",
        "table",
        "state",
        "result",
        "cause",
        "why",
        "game",
        "ended",
        "seats",
        "person",
        "name",
        "place",
        "score",
        "points",
        "share",
        "flags",
    ),
    "schedule": (
        "league",
        "season",
        "round",
        "starts",
        "ends",
        "division",
        "table",
        "state",
        "game",
        "seat",
        "person",
        "name",
        "crown",
    ),
}
SHEETS = tuple(COLUMNS)
#: what is worded for people in a row of the standings, and stands there in figures, too
_FOR_READERS = ("left", "share_text", "before")
#: signs at which a spreadsheet begins to reckon, also in their wide forms, and the apostrophe itself
_ACTIVE = frozenset("=+-@\t\r\n'＝＋－＠﹦﹢﹣﹫")


class ExportFile(NamedTuple):
    """A file to be saved."""

    name: str
    media_type: str
    data: bytes


def export_file(uow: UnitOfWork, book: SeasonRows, form: str, sheet: str = "standings") -> ExportFile:
    """`form`: csv or json; a CSV holds one of `SHEETS`.  Raises KeyError for another."""
    stem = f"league-{book.league.id}-season-{book.season.no}"
    if form == "json":
        return ExportFile(
            f"{stem}.json",
            "application/json",
            json.dumps(document(uow, book), ensure_ascii=False, indent=1).encode() + b"\n",
        )
    if form != "csv":
        raise KeyError(form)
    return ExportFile(f"{stem}-{sheet}.csv", "text/csv", sheet_of(COLUMNS[sheet], _SHEETS[sheet](uow, book)))


def sheet_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as CSV; text cells are made harmless.  What a row does not have is an empty cell."""
    out = io.StringIO()
    pen = csv.writer(out, lineterminator="\r\n")
    pen.writerow(columns)
    for row in rows:
        pen.writerow(
            [
                harmless(cell) if isinstance(cell, CellText) else cell
                for cell in (row.get(name, "") for name in columns)
            ]
        )
    return b"\xef\xbb\xbf" + out.getvalue().encode()


class CellText(str):
    """A cell that somebody typed."""

    __slots__ = ()


def harmless(text: str) -> str:
    """What somebody typed, so that no spreadsheet takes it for a formula."""
    line = clean(text)
    return f"'{line}" if line.lstrip(" \u00a0\u2068")[:1] in _ACTIVE or line[:1] == "'" else line


def standings_rows(uow: UnitOfWork, book: SeasonRows) -> list[dict[str, Any]]:
    """The standings, a row a person."""
    return [
        {
            "league": CellText(book.league.name),
            "season": book.season.no,
            "division": division["no"],
            "rank": row["rank"] or "",
            "person": row["person"],
            "name": CellText(row["name"]),
            "points": row["points"],
            "played": row["played"],
            "wins": row["wins"],
            "score_share": "" if row["share"] is None else row["share"],
            "byes": row["byes"],
            "penalty": row["penalty"],
            "abandoned": row["abandoned"],
            "decided_by": row["decided"],
            **dict(zip(("figure", "next_figure"), map(_known, row["figures"]), strict=False)),
            "state": row["state"],
            "move": row["move"],
        }
        for division in standings(uow, book)["divisions"]
        for row in division["rows"]
    ]


def results_rows(uow: UnitOfWork, book: SeasonRows) -> list[dict[str, Any]]:
    """Every result, a row for each person at a table."""
    return [
        {
            "league": CellText(book.league.name),
            "season": book.season.no,
            "division": table["division"],
            "round": table["round"],
            "table": table["no"],
            "state": table["state"],
            "result": table["result"],
            "cause": table["cause"],
            "why": CellText(table["why"]),
            "game": table["game"] or "",
            "ended": moment(table["ended_ms"]),
            "seats": table["seats"],
            "person": one["person"],
            "name": CellText(one["name"]),
            "place": one["place"],
            "score": one["score"],
            "points": one["points"],
            "share": "" if one["share"] is None else one["share"],
            "flags": " ".join(one["flags"]),
        }
        for row in views.schedule(book)
        for table in row["tables"]
        if table["state"] in views.DECIDED
        for one in table["people"]
    ]


def _known(figure: str) -> str:
    """A figure, nothing where there was none to compare."""
    return "" if figure == "–" else figure


def schedule_rows(uow: UnitOfWork, book: SeasonRows) -> list[dict[str, Any]]:
    """Who sits where, a row a seat; anyone who has a bye has no table."""
    found: list[dict[str, Any]] = []
    places = {one.id: one for one in book.tables}
    for row in book.rounds:
        base = {
            "league": CellText(book.league.name),
            "season": book.season.no,
            "round": row.no,
            "starts": moment(row.starts_ms),
            "ends": moment(row.ends_ms),
        }
        for number, table in places.items():
            if table.round == row.no and table.state != TableState.REPLAYED:
                found += [
                    {
                        **base,
                        "division": table.division,
                        "table": table.no,
                        "state": table.state,
                        "game": table.game_id or "",
                        "seat": seat + 1,
                        "person": who,
                        "name": CellText(book.name(who)),
                        "crown": int(seat == table.crown),
                    }
                    for seat, who in enumerate(book.people[number])
                ]
        found += [
            {**base, "state": "bye", "person": who, "name": CellText(book.name(who))}
            for who in book.byes().get(row.no, ())
        ]
    return found


def document(uow: UnitOfWork, book: SeasonRows) -> dict[str, Any]:
    """All of a season as JSON: what it is played by, its divisions with their standings, its rounds with
    their tables and results.
    """
    shown = standings(uow, book)
    return {
        "format": "citadels-league",
        "version": VERSION,
        "league": {"id": book.league.id, "name": clean(book.league.name)},
        "season": {
            **_dated(shown["season"]),
            "pause": [moment(at) for at in shown["season"]["pause"] or ()],
            "points": shown["points"],
            "tiebreaks": list(shown["tiebreaks"]),
            "share_of": shown["share_of"],
            "bye": book.terms.bye,
            "form": book.terms.format,
            "lot": shown["lot"],
        },
        "divisions": [
            {
                "no": one["no"],
                "name": clean(one["name"]),
                "standings": [
                    {
                        **{key: value for key, value in row.items() if key not in _FOR_READERS},
                        "rank": row["rank"] or None,
                        "name": clean(row["name"]),
                        "figures": [_known(one) or None for one in row["figures"]],
                    }
                    for row in one["rows"]
                ],
            }
            for one in shown["divisions"]
        ],
        "teams": [
            {
                **one,
                "team": clean(one["team"]),
                "people": [each["person"] for each in one["people"]],
            }
            for one in shown["teams"]
        ],
        "rounds": [
            {
                **_dated(row),
                "byes": [one["person"] for one in row["byes"]],
                "tables": [_table(one) for one in row["tables"]],
            }
            for row in views.schedule(book)
        ],
    }


def _table(one: Mapping[str, Any]) -> dict[str, Any]:
    people = [
        {
            "person": each["person"],
            "name": clean(each["name"]),
            **(
                {name: each[name] for name in ("place", "score", "points", "share", "flags")}
                if one["state"] in views.DECIDED
                else {"crown": each["crown"]}
            ),
        }
        for each in one["people"]
    ]
    return {**_dated(one), "people": people}


def _dated(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Moments as text instead of milliseconds."""
    return {
        key.removesuffix("_ms"): moment(value) if key.endswith("_ms") else value
        for key, value in facts.items()
        if key not in ("people", "byes", "tables")
    }


def moment(ms: int) -> str:
    """A moment as programs read it (ISO 8601, UTC), "" for none."""
    return iso(ms) if ms else ""


_SHEETS: Mapping[str, Callable[[UnitOfWork, SeasonRows], list[dict[str, Any]]]] = {
    "standings": standings_rows,
    "results": results_rows,
    "schedule": schedule_rows,
}
