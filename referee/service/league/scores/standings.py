"""Standings as they are shown: who is where, with how many points, what decided a tie, who rises and who
falls.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee import league as sums
from referee.ids import ALL_DIVISIONS, ALL_ROUNDS, DivisionNo, PersonId
from referee.states import EntryState, RoundState, SeasonState
from referee.store import Entry

from ...core.unit_of_work import UnitOfWork
from ..lookup import COUNTED
from ..terms import Terms
from . import penalties, results, teams
from .season_book import SeasonRows
from .views import league_facts, points_text, season_facts

#: the most corrections that stand in a row
CORRECTIONS_MOST = 5


def standings(uow: UnitOfWork, book: SeasonRows, division: DivisionNo = ALL_DIVISIONS) -> dict[str, Any]:
    """league, season, `teams` (see teams.py), points ("4: 6/4/2/0, 5: …"), tiebreaks in order, share_of
    (mean, or all: of all scores at a table, as seasons of the first form have it), lot (the word it is drawn
    from, once the season is over), divisions [{no, name, several, rows}] (`division`: only that one).

    A row: rank (0: nothing is decided yet), person, name, points, played, wins, share (None: no table to
    reckon it from) and shown as people read it, byes, penalty, corrections, abandoned, state (of the entry),
    `left`: they are in the season no more, or in another division (then the state is withdrawn), `decided`:
    what puts them before the next row ("": nothing does, or there is no next), `tie`: the same where both
    have the same points and something was played, `before`: the name of the next row then, `figures`: what
    both have of it, as text (none for a lot), `move`: up or down, as it stands.
    """
    several = len(book.divisions) > 1
    numbers = [row.no for row in book.divisions] or [ALL_DIVISIONS]
    # nobody rises into a division that everybody has left or where nothing is decided, or falls into one
    held = {one.division for one in book.entries if one.state == EntryState.PLAYING}
    rise, fall = sums.crossed(sorted(held), {one.division for one in book.tables if one.state in COUNTED})
    return {
        "league": league_facts(book.league),
        "season": season_facts(book),
        "points": book.terms.points_told(),
        "tiebreaks": list(book.terms.tiebreaks),
        "share_of": "all" if book.terms.form == 1 else "mean",
        "bye": book.terms.bye,
        "teams": teams.team_standings(uow, book),
        "lot": book.season.seed if book.season.state == SeasonState.OVER else "",
        "divisions": [
            {
                "no": no,
                "name": next((row.name for row in book.divisions if row.no == no), ""),
                "several": several,
                "rows": rows(uow, book, no, no in rise, no in fall),
            }
            for no in numbers
            if division in (0, no)
        ],
    }


def rows(
    uow: UnitOfWork, book: SeasonRows, division: DivisionNo, rises: bool, falls: bool
) -> list[dict[str, Any]]:
    """The rows of one division; whether its best rise and its last fall."""
    # somebody who plays in another division by now has left this one
    state = {
        one.person_id: one.state if one.division == division else EntryState.WITHDRAWN for one in book.entries
    }
    corrected = {one.person_id: corrections(one) for one in book.entries if one.division == division}
    found = results.standings(uow, book.season, division) if division else ()
    there = [one.person for one in found if state.get(one.person) == EntryState.PLAYING]
    begun = any(one.played for one in found)
    up, down = map(
        set,
        sums.movers(
            there, book.terms.up if rises and begun else 0, book.terms.down if falls and begun else 0
        ),
    )
    following: list[sums.Standing | None] = [*found[1:], None]
    return [
        {
            "rank": one.rank,
            "person": one.person,
            "name": book.name(one.person),
            "points": points_text(one.points),
            "played": one.played,
            "wins": one.wins,
            "share": None if one.share is None else round(float(one.share), 4),
            "share_text": share_text(one.share, book.terms),
            "byes": one.byes,
            "penalty": points_text(one.penalty),
            "corrections": corrected.get(one.person, []),
            "abandoned": one.abandoned,
            "state": state.get(one.person, ""),
            "left": state.get(one.person) != EntryState.PLAYING,
            "decided": "" if one.decided is None else str(one.decided),
            **_tie(book, one, after, begun),
            "move": "up" if one.person in up else "down" if one.person in down else "",
        }
        for one, after in zip(found, following, strict=False)
    ]


def _tie(book: SeasonRows, one: sums.Standing, after: sums.Standing | None, begun: bool) -> dict[str, Any]:
    """What told somebody and the next row apart, who have the same points."""
    if not begun or one.decided is None or after is None or after.points != one.points:
        return {"tie": "", "before": "", "figures": []}
    return {
        "tie": str(one.decided),
        "before": book.name(after.person),
        "figures": figure_texts(*one.figures) if one.figures else [],
    }


def figure_texts(own: Fraction | None, other: Fraction | None) -> list[str]:
    """Two figures with as few decimals, but two at least where they are no whole numbers, as show that they
    differ; `–` for none.
    """
    whole = all(one is None or one.denominator == 1 for one in (own, other))
    for decimals in (0,) if whole else (2, 3, 4, 6, 9):
        said = ["–" if one is None else f"{float(one):.{decimals}f}" for one in (own, other)]
        if said[0] != said[1]:
            break
    return said


def share_text(share: Fraction | None, terms: Terms) -> str:
    """A share as people read it; `–` for none."""
    if share is None:
        return "–"
    return f"{100 * float(share):.1f} %" if terms.form == 1 else f"{float(share):.2f}"


def corrections(entry: Entry) -> list[dict[str, str]]:
    """What officials and the office gave to somebody and took from them, lately: points ("+3", "-2"), kind
    and why (`penalties.Correction`).
    """
    return [
        {
            "points": f"{'+' if one.points > 0 else ''}{penalties.points_text(one.points)}",
            "kind": one.kind,
            "why": one.why,
        }
        for one in penalties.corrections(entry)[-CORRECTIONS_MOST:]
    ]


def progress(uow: UnitOfWork, book: SeasonRows, division: DivisionNo) -> dict[PersonId, list[int]]:
    """Everybody's place after each round that is over: person -> places; of a season that is over, the last
    ones are those of the standings.
    """
    closed = [row.no for row in book.rounds if row.state == RoundState.CLOSED]
    found: dict[PersonId, list[int]] = {}
    for no in closed:
        for one in results.standings(
            uow,
            book.season,
            division,
            ALL_ROUNDS if book.season.state == SeasonState.OVER and no == closed[-1] else no,
        ):
            found.setdefault(one.person, []).append(one.rank)
    return {
        who: places for who, places in found.items() if len(places) == len(closed) and all(places)
    }  # where no table of the first round counts, nobody had a place after it
