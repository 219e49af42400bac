"""What the log of a league says of points and tables, beside what its book says: they must be the same.

    ledgers(tx, league)     season -> its Ledger, replayed from the log alone
    flaws(tx, league)       where the book differs

So anyone who changes points or places from outside is found out, though the log itself is whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from referee.ids import PersonId, SeasonNo, TableNo
from referee.states import TableState
from referee.store import Entry, League, OfficeLog, Person, Season, SeasonTable, TableResult, Tx

from ...people import officials
from ..log import scope_of
from ..terms import hundredths

#: a season whose `open` line says so has everything in the log that its points hang on
LEDGER = 1
#: what only the office can make of a table
_DECIDED = (TableState.RULED, TableState.VOID, TableState.REPLAYED)


class Verdict(NamedTuple):
    """What the office made of a table last: its state, and who came where."""

    state: str
    places: frozenset[tuple[PersonId, int]] = frozenset()


@dataclass
class Ledger:
    """`taken`: from whom how many points were taken, in hundredths; `tables`: by their numbers; `void`: the
    season was called off.
    """

    taken: dict[PersonId, int] = field(default_factory=dict)
    tables: dict[TableNo, Verdict] = field(default_factory=dict)
    void: bool = False


class LedgerFlaw(NamedTuple):
    """Where the book differs: in which season, of whom (`what`: points) or of which table (places), what the
    log says and what the book says.
    """

    season: SeasonNo
    what: str
    about: str
    log: str
    book: str


def ledgers(tx: Tx, league: League) -> dict[SeasonNo, Ledger]:
    """Replay the log; seasons that were opened before all of it was written down are left out."""
    found: dict[SeasonNo, Ledger] = {}
    for row in tx.all(OfficeLog, scope=scope_of(league), order="no"):
        with suppress(
            ValueError, TypeError, KeyError, AttributeError
        ):  # a line that was changed from outside
            facts = json.loads(row.facts)
            if row.act == "open" and facts.get("ledger") == LEDGER:
                found[facts["season"]] = Ledger()
            ledger = found.get(facts.get("season", 0))
            if ledger is not None and row.act in _READ:
                _READ[row.act](tx, ledger, facts)
    return found


def _taken(tx: Tx, ledger: Ledger, facts: Mapping[str, Any]) -> None:
    """`points` as the log keeps them: what was taken, with a minus what was given back."""
    said = str(facts["points"])
    _book(tx, ledger, facts, hundredths(Fraction(said.lstrip("-"))) * (-1 if said.startswith("-") else 1))


def _given(tx: Tx, ledger: Ledger, facts: Mapping[str, Any]) -> None:
    _book(tx, ledger, facts, -hundredths(Fraction(facts["points"])))


def _left(tx: Tx, ledger: Ledger, facts: Mapping[str, Any]) -> None:
    _book(tx, ledger, facts, int(facts["cost"]))


def _book(tx: Tx, ledger: Ledger, facts: Mapping[str, Any], taken: int) -> None:
    who = officials.now(tx, PersonId(int(facts["person"])))
    ledger.taken[who] = ledger.taken.get(who, 0) + taken


def _ruled(tx: Tx, ledger: Ledger, facts: Mapping[str, Any]) -> None:
    ledger.tables[facts["table"]] = Verdict(TableState.RULED, _places(tx, facts["places"]))


def _void(tx: Tx, ledger: Ledger, facts: Mapping[str, Any]) -> None:
    if facts.get("what") == "season":
        ledger.void = True
    else:
        ledger.tables[facts["table"]] = Verdict(TableState.VOID)


def _replayed(tx: Tx, ledger: Ledger, facts: Mapping[str, Any]) -> None:
    ledger.tables[facts["table"]] = Verdict(TableState.REPLAYED)


def _places(tx: Tx, places: Iterable[tuple[int, int]]) -> frozenset[tuple[PersonId, int]]:
    return frozenset((officials.now(tx, PersonId(int(who))), int(place)) for who, place in places)


_READ: Mapping[str, Callable[[Tx, Ledger, Mapping[str, Any]], None]] = {
    "penalty": _taken,
    "league-penalty": _taken,
    "bonus": _given,
    "leave": _left,
    "rule": _ruled,
    "league-ruled": _ruled,
    "void": _void,
    "league-void": _void,
    "replay": _replayed,
}


def flaws(tx: Tx, league: League) -> list[LedgerFlaw]:
    """Where the book says something else than the log, in order."""
    found: list[LedgerFlaw] = []
    for no, ledger in sorted(ledgers(tx, league).items()):
        season = tx.one(Season, league_id=league.id, no=no)
        if season is not None:
            found += _points_flaws(tx, season, ledger)
            for table in tx.all(SeasonTable, season_id=season.id, order="no"):
                found += _table_flaws(tx, season, table, ledger)
    return found


def all_flaws(tx: Tx) -> list[tuple[str, LedgerFlaw]]:
    """The same of every league, with its name."""
    return [(league.name, one) for league in tx.all(League, order="id") for one in flaws(tx, league)]


def _points_flaws(tx: Tx, season: Season, ledger: Ledger) -> list[LedgerFlaw]:
    found = []
    for entry in tx.all(Entry, season_id=season.id, order="id"):
        said = ledger.taken.get(officials.now(tx, entry.person_id), 0)
        if said != entry.penalty:
            person = tx.get(Person, entry.person_id)
            name = "" if person is None else person.name
            found.append(
                LedgerFlaw(season.no, "points", name, f"{-said / 100:g}", f"{-entry.penalty / 100:g}")
            )
    return found


def _table_flaws(tx: Tx, season: Season, table: SeasonTable, ledger: Ledger) -> list[LedgerFlaw]:
    """A table that nobody ruled on has what its game came to."""
    rows = tx.all(TableResult, table_id=table.id, order="id")
    there = _places(tx, [(row.person_id, row.place) for row in rows])
    said = ledger.tables.get(table.no)
    if said is None:
        of_office = (table.state in _DECIDED and not (table.state == TableState.VOID and ledger.void)) or any(
            json.loads(row.flags).get("ruled") for row in rows
        )
        log, wrong = "-", of_office
    else:
        log, wrong = said.state, (said.state, said.places) != (table.state, there)
    return [LedgerFlaw(season.no, "table", str(table.no), log, table.state)] if wrong else []
