"""In which order alternates are asked for a seat: as they signed up, or the nearest in strength first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import league as sums
from referee.service.league import hooks, lookup
from referee.service.league.office import rulings
from referee.service.league.scores import careers, season_book
from referee.service.league.seats import substitutes
from referee.service.league.terms import text_of
from referee.store import Season, SeatOffer
from tests.service.league.seasons import QUICK, begun, do, game, person, play_round, ready, season, tables
from tests.service.rig import House


def by_rating(office: House) -> None:
    office.store.write_now(
        lambda tx: tx.set(
            Season, season(office).id, settings=text_of(replace(QUICK, substitutes="by rating"))
        )
    )


def rated(monkeypatch: pytest.MonkeyPatch, strengths: dict[int, float]) -> None:
    """People of these strengths."""
    found = {who: sums.Rated(mu=one + 3, sigma=1.0, games=3) for who, one in strengths.items()}
    monkeypatch.setattr(substitutes.sums, "ratings", lambda games: found)


async def test_the_nearest_in_strength_is_asked_first(office: House, monkeypatch: pytest.MonkeyPatch) -> None:
    found = await begun(office, 8, spare=3)
    weak, near, strong = found[8:]
    first = tables(office, "gathering")[0]
    gone = lookup.people_of(first)[0]
    people = do(office, lambda one: substitutes.in_order(one, season(office), [weak, near, strong], gone))
    assert people == [weak, near, strong], "first come is usual"
    by_rating(office)
    rated(monkeypatch, {weak: 1.0, near: 9.5, strong: 20.0, gone: 10.0})
    people = do(office, lambda one: substitutes.in_order(one, season(office), [weak, near, strong], gone))
    assert people == [near, weak, strong]
    rated(monkeypatch, {gone: 10.0})
    people = do(office, lambda one: substitutes.in_order(one, season(office), [weak, near, strong], gone))
    assert people == [weak, near, strong], "equally near: as they signed up"


async def test_a_seat_of_a_table_that_gathers_goes_to_the_nearest(
    office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await begun(office, 8, spare=2)
    far, near = found[8:]
    by_rating(office)
    first = tables(office, "gathering")[0]
    gone = lookup.people_of(first)[0]
    rated(monkeypatch, {far: 0.0, near: 8.0, gone: 9.0})
    ready(office, first, but=(gone,))
    office.clock.pass_(hours=49)
    await office.referee.scheduler.ring()
    assert near in lookup.people_of(tables(office)[0])
    assert far not in lookup.people_of(tables(office)[0])


async def test_a_seat_of_a_running_table_is_offered_to_the_nearest(
    office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.service.league.seats import absences

    found = await begun(office, 8, spare=2)
    far, near = found[8:]
    by_rating(office)
    first = tables(office, "gathering")[0]
    ready(office, first)
    gone = lookup.people_of(first)[0]
    rated(monkeypatch, {far: 0.0, near: 8.0, gone: 9.0})
    do(office, lambda one: absences.release_tables(one, season(office), gone))
    asked = office.store.read_now(lambda tx: tx.column(SeatOffer, "person_id", game_id=first.game_id))
    assert asked == [near]
    assert hooks.read_league(game(office, first)) is not None


async def test_by_games_that_were_played(office: House) -> None:
    """The strength is that of the league's own games: somebody who won is further from a newcomer."""
    await begun(office, 8)
    by_rating(office)
    play_round(office)
    await office.referee.scheduler.ring()
    rows = do(office, lambda one: sums.ratings(substitutes.statistics.league_games(one.tx, 1)))
    best, worst = max(rows, key=lambda one: rows[one].ordinal), min(rows, key=lambda one: rows[one].ordinal)
    people = do(office, lambda one: substitutes.in_order(one, season(office), [best, worst], worst))
    assert people == [worst, best]


async def test_who_took_a_seat_over_is_shown_at_the_table_that_they_play_at(office: House) -> None:
    """Their own page and schedule had no table of theirs, and that of who had left still had it."""
    found = await begun(office, 8, spare=1)
    first = tables(office, "gathering")[0]
    ready(office, first)
    gone, fresh = lookup.people_of(first)[0], found[-1]
    do(
        office,
        lambda one: rulings.substitute(
            one,
            season(office),
            lookup.table_of(one, season(office), first.no),
            person(one, gone),
            person(one, fresh),
        ),
    )
    book = do(
        office,
        lambda one: season_book.load_season(one.tx, lookup.league_of(one, season(office)), season(office)),
    )
    assert [one["no"] for one in careers.tables_of(book, fresh)][:1] == [first.no]
    assert first.no not in [one["no"] for one in careers.tables_of(book, gone)]
