"""Who rises and who falls is the same in the standings, in the news of a season's end, and in the next draw,
also where a division has become small, or everybody has left it.
"""

from __future__ import annotations

import json

import pytest

from referee.league.lots import divided
from referee.service.league import lookup
from referee.service.league.entry import sign_up
from referee.service.league.office import rulings
from referee.service.league.public import archive
from referee.service.league.scores import standings
from referee.service.league.scores.season_book import load_season
from referee.service.league.season import draw
from referee.service.league.terms import Terms
from referee.store import Entry, Outbox, Person
from tests.service.league.seasons import begun, do, ended, joined, person, play_round, season, tables
from tests.service.rig import House

TERMS = Terms(least=2, most=5, wanted=3, points="6/4/3/2/1", rounds=1, round_days=7, division=7, up=2, down=2)


def marked(office: House) -> dict[str, list[str]]:
    """Who rises and falls by the standings."""
    the = season(office)
    book = do(office, lambda one: load_season(one.tx, lookup.league_of(one, the), the))
    shown = do(office, lambda one: standings.standings(one, book))
    rows = [row for division in shown["divisions"] for row in division["rows"]]
    return {way: sorted(row["name"] for row in rows if row["move"] == way) for way in ("up", "down")}


def told(office: House) -> dict[str, list[str]]:
    """Who rises and falls by the letters."""
    letters = office.store.read_now(lambda tx: tx.column(Outbox, "data", order="id"))
    (notice,) = next(
        found
        for text in letters
        if (found := [one for one in json.loads(text)["notices"] if one["code"] == "league-over"])
    )
    return {way: sorted(notice["facts"][way]) for way in ("up", "down")}


def drawn(office: House) -> dict[str, list[str]]:
    """Who has risen and fallen when all of them play on."""
    before = season(office)
    final = lookup.mind(before)["final"]
    everybody = [who for group in final for who in group]
    do(office, lambda one: sign_up.open_season(one, lookup.league_of(one, before), 0, 0))
    joined(office, everybody)
    the = season(office)
    now = divided(do(office, lambda one: draw.lots(one, the)), everybody)
    was = {who: number for number, group in enumerate(final) for who in group}
    by = {who: number - was[who] for number, group in enumerate(now) for who in group}
    names = {one.id: one.name for one in office.store.read_now(lambda tx: tx.all(Person))}
    return {
        "up": sorted(names[who] for who in by if by[who] < 0),
        "down": sorted(names[who] for who in by if by[who] > 0),
    }


@pytest.mark.parametrize(
    ("gone", "counts"),
    [
        ({}, (4, 4)),
        ({3: 4}, (4, 4)),
        ({2: 5}, (4, 2)),
        ({1: 7}, (2, 2)),
        ({2: 7}, (2, 2)),
        ({3: 7}, (2, 2)),
    ],
)
async def test_the_same_everywhere(office: House, gone: dict[int, int], counts: tuple[int, int]) -> None:
    await begun(office, 21, TERMS)
    play_round(office)
    the = season(office)
    for division, many in gone.items():
        there = office.store.read_now(
            lambda tx, division=division: tx.column(Entry, "person_id", division=division, order="id")
        )
        for who in there[:many]:
            do(office, lambda one, who=who: sign_up.leave_season(one, the, person(one, who)))
    await ended(office)
    assert season(office).state == "over"
    shown = marked(office)
    assert shown == told(office)
    assert (len(shown["up"]), len(shown["down"])) == counts
    assert drawn(office) == shown


@pytest.mark.parametrize(
    ("void", "counts", "podiums"),
    [((1, 2, 3), (0, 0), []), ((1,), (2, 2), [2, 3]), ((3,), (2, 2), [1, 2])],
)
async def test_where_no_table_counts_nobody_wins_rises_or_falls(
    office: House, void: tuple[int, ...], counts: tuple[int, int], podiums: list[int]
) -> None:
    await begun(office, 21, TERMS)
    play_round(office)
    the = season(office)
    for table in tables(office):
        if table.division in void:
            do(office, lambda one, table=table: rulings.void(one, the, table))
    await ended(office)
    assert season(office).state == "over"
    shown, here = marked(office), do(office, lambda one: lookup.league_of(one, the))
    assert shown == told(office)
    assert (len(shown["up"]), len(shown["down"])) == counts
    letters = office.store.read_now(lambda tx: tx.column(Outbox, "data", order="id"))
    over = next(
        one for text in letters for one in json.loads(text)["notices"] if one["code"] == "league-over"
    )
    assert len(over["facts"]["winners"]) == (1 not in void)
    (kept,) = office.store.read_now(lambda tx: archive.seasons(tx, here))
    assert [one["no"] for one in kept["divisions"]] == podiums
    titles = office.store.read_now(lambda tx: archive.hall(tx, here))["titles"]
    assert len(titles) == (1 not in void)
    assert drawn(office) == shown


async def test_the_archive_numbers_divisions_as_the_standings_do(office: House) -> None:
    """Also where everybody has left one."""
    await begun(office, 21, TERMS)
    play_round(office)
    the = season(office)
    gone = office.store.read_now(lambda tx: tx.column(Entry, "person_id", division=1, order="id"))
    for who in gone:
        do(office, lambda one, who=who: sign_up.leave_season(one, the, person(one, who)))
    await ended(office)
    here = do(office, lambda one: lookup.league_of(one, the))
    (kept,) = office.store.read_now(lambda tx: archive.seasons(tx, here))
    assert [one["no"] for one in kept["divisions"]] == [2, 3]
    assert kept["several"]
