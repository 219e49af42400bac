"""Each round has one place for everybody: a table or a bye, never both, and never two seats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.ids import DivisionNo, RoundNo, SeatNo
from referee.league.standings import Standing
from referee.rules import Refusal, lists
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.deadlines import clock_state
from referee.service.league import lookup
from referee.service.league.entry import sign_up
from referee.service.league.office import rulings
from referee.service.league.scores import brackets, results, season_book, standings
from referee.service.league.season import rounds
from referee.service.league.terms import read_terms
from referee.service.tables import lobby
from referee.store import Address, Season, SeasonTable, SeatOffer
from tests.service.league.seasons import (
    QUICK,
    begun,
    do,
    game,
    person,
    play,
    play_round,
    ready,
    rows,
    season,
    tables,
)
from tests.service.rig import House

#: a cast that three may play, and two may not
OF_THREE = (
    "Assassin",
    "Thief",
    "Magician",
    "King",
    "Bishop",
    "Merchant",
    "Architect",
    "Warlord",
    "Tax Collector",
)


async def next_round(office: House) -> None:
    """The first is played, and the second opens."""
    play_round(office)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=192)
    await office.referee.scheduler.ring()
    assert [row.state for row in rows(office)][:2] == ["closed", "open"]


def come(uow: UnitOfWork, table: SeasonTable, who: int) -> None:
    """Somebody says that they are there."""
    at = uow.tx.one(Address, person_id=who)
    assert at is not None
    lobby.ready(uow, lobby.reload(uow, table.game_id), person(uow, who), at)


def put_in(office: House, table: SeasonTable, out: int, into: int) -> None:
    """An official puts somebody in for somebody else, whatever the table is at by now."""
    do(
        office,
        lambda uow: rulings.substitute(
            uow,
            season(office),
            lookup.table_of(uow, season(office), table.no),
            person(uow, out),
            person(uow, into),
        ),
    )


async def test_an_alternate_who_left_the_table_gets_no_second_seat_there(office: House) -> None:
    await begun(office, 8)
    first = tables(office, "gathering")[0]
    one, two, *_ = lookup.people_of(first)
    do(office, lambda uow: sign_up.leave_season(uow, season(office), person(uow, one)))
    do(office, lambda uow: sign_up.alternate(uow, season(office), person(uow, one)))
    do(office, lambda uow: sign_up.leave_season(uow, season(office), person(uow, two)))
    sits = do(office, lambda uow: [seat.person_id for seat in uow.seats(first.game_id)])
    assert len(set(sits)) == len(sits) == 4


async def test_who_rests_and_is_put_in_for_somebody_has_no_bye_besides(office: House) -> None:
    found = await begun(office, 9, replace(QUICK, bye="3"))
    rests = found[0]
    play_round(office)
    await office.referee.scheduler.ring()
    do(office, lambda uow: rulings.bye(uow, season(office), person(uow, rests), RoundNo(2)))
    office.clock.pass_(hours=192)
    await office.referee.scheduler.ring()
    assert lookup.facts_of(rows(office)[1])["byes"] == [rests]
    table = tables(office, "gathering")[0]
    out = lookup.people_of(table)[0]
    put_in(office, table, out, rests)
    ready(office, table)
    play(office, tables(office, "playing")[0])
    await office.referee.scheduler.ring()
    played = do(office, lambda uow: results.results(uow, season(office)))
    assert [one.round for one in played if one.person == rests] == [1, 2]
    assert do(office, lambda uow: results.byes(uow, season(office))) == {out: 1}


async def test_who_rests_and_takes_a_seat_over_has_no_bye_besides(office: House) -> None:
    """They left, stood by and took a seat: that round counted twice for them."""
    rests = (await begun(office, 9, replace(QUICK, bye="3", least=4, most=4, points="6/4/3/2")))[0]
    do(office, lambda one: rulings.bye(one, season_of(one), person(one, rests), RoundNo(2)))
    await next_round(office)
    assert rests in lookup.facts_of(rows(office)[1])["byes"]
    table = tables(office, "gathering")[0]
    do(office, lambda one: sign_up.leave_season(one, season_of(one), person(one, rests)))
    do(office, lambda one: sign_up.alternate(one, season_of(one), person(one, rests)))
    ready(office, table, but=lookup.people_of(table)[:1])
    office.clock.pass_(hours=49)
    await office.referee.scheduler.ring()
    assert rests in do(office, lambda one: lookup.sitting(one, table))
    assert rests not in do(office, lambda one: results.byes(one, season_of(one)))


def season_of(uow: UnitOfWork) -> Season:
    """The only one."""
    (found,) = uow.tx.all(Season)
    return found


async def test_who_would_rest_in_a_round_to_come_and_is_put_in_there_does_not_rest(office: House) -> None:
    await begun(office, 9, replace(QUICK, bye="3", least=4, most=4, points="6/4/3/2"))
    (rests,) = lookup.facts_of(rows(office)[1])["byes"]
    table = tables(office, "planned", round_no=2)[0]
    out = lookup.people_of(table)[0]
    put_in(office, table, out, rests)
    await next_round(office)
    sits = [who for one in tables(office, "gathering", round_no=2) for who in lookup.people_of(one)]
    assert sits.count(rests) == 1
    assert lookup.facts_of(rows(office)[1])["byes"] == [out]


async def test_people_of_a_table_that_is_void_before_its_round_have_a_bye_and_no_table(
    office: House,
) -> None:
    await begun(office, 8, replace(QUICK, bye="3"))
    planned = tables(office, "planned", round_no=2)[0]
    do(office, lambda uow: rulings.void(uow, season(office), planned, why="a slip"))
    await next_round(office)
    sits = [who for one in tables(office, "gathering", round_no=2) for who in lookup.people_of(one)]
    byes = do(office, lambda uow: results.byes(uow, season(office)))
    there = lookup.people_of(planned)
    assert len(there) == 4
    assert [(sits.count(who), byes[who]) for who in there] == [(0, 1)] * 4


async def test_who_was_given_a_bye_does_not_play_a_void_table_again(office: House) -> None:
    """They had both: the points of the table, and those of a bye on top."""
    await begun(office, 8, replace(QUICK, rounds=2))
    the = season(office)
    later = tables(office, round_no=2)[0]
    rests, *others = lookup.people_of(later)
    do(office, lambda one: rulings.bye(one, the, person(one, rests), RoundNo(2)))
    do(office, lambda one: rulings.void(one, the, later))
    await next_round(office)
    do(office, lambda one: rulings.replay(one, lookup.fresh(one, the), lookup.table_of(one, the, later.no)))
    assert lookup.people_of(tables(office, round_no=2)[-1]) == others
    for _ in range(2):
        play_round(office)
        await office.referee.scheduler.ring()
    found = do(office, lambda one: results.results(one, the))
    assert do(office, lambda one: results.byes(one, the))[rests] == 1
    assert [one.round for one in found if one.person == rests] == [1]


async def test_a_bye_of_a_later_round_changes_no_place_of_an_earlier_one(office: House) -> None:
    found = await begun(office, 8, spare=1)
    await next_round(office)

    def first_round() -> dict[int, object]:
        table = do(office, lambda uow: results.standings(uow, season(office), 1, RoundNo(1)))
        return {one.person: one.points for one in table if one.person in found[:8]}

    before = first_round()
    second = tables(office, "gathering")[0]
    out = lookup.people_of(second)[0]
    put_in(office, second, out, found[-1])
    ready(office, second)
    play(office, tables(office, "playing")[0])
    await office.referee.scheduler.ring()
    assert out in do(office, lambda uow: results.byes(uow, season(office)))
    assert first_round() == before


async def test_a_table_is_not_played_again_by_fewer_than_its_cards_need(office: House) -> None:
    """Such a table could not be opened, and nothing of its season went on."""
    terms = replace(QUICK, edition="deluxe", choice=lists.Choice(cast=OF_THREE).facts())
    await begun(office, 8, terms)
    play_round(office)
    await office.referee.scheduler.ring()
    first = tables(office, "over")[0]
    for who in lookup.people_of(first)[:2]:
        do(office, lambda uow, who=who: sign_up.leave_season(uow, season(office), person(uow, who)))
    with pytest.raises(Refusal) as refused:
        do(office, lambda uow: rulings.replay(uow, season(office), first))
    assert refused.value.code == "league-too-few-left"


async def test_whom_an_official_took_out_wins_no_season(
    office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {}
    await begun(office, 8)
    play_round(office)
    await office.referee.scheduler.ring()
    best, second, *_ = do(office, lambda uow: results.standings(uow, season(office), 1))
    do(office, lambda uow: sign_up.remove(uow, season(office), person(uow, best.person), "cheated"))
    monkeypatch.setattr(rounds, "announce", lambda uow, league, code, facts, *to: said.update({code: facts}))
    do(office, lambda uow: rounds.finish(uow, season(office), read_terms(season(office))))
    winners = said["league-over"]["winners"]
    assert f"Player {second.person}x" in winners
    assert f"Player {best.person}x" not in winners


async def test_whom_an_official_took_out_has_no_seat_to_come_back_to(office: House) -> None:
    """Who leaves may play on until somebody comes; who was taken out may not."""
    await begun(office, 8, spare=1)
    first = tables(office, "gathering")[0]
    ready(office, first)
    who, other = (do(office, lambda uow, n=n: uow.seats(first.game_id)[n].person_id) for n in (0, 1))
    do(office, lambda uow: sign_up.remove(uow, season(office), person(uow, who), "cheated"))
    do(office, lambda uow: sign_up.leave_season(uow, season(office), person(uow, other)))
    seats = do(office, lambda uow: uow.seats(first.game_id))
    assert [seats[n].person_id for n in (0, 1)] == [None, other]
    clocks = clock_state.read_clocks(game(office, first))
    assert clocks.kicked == [who]
    assert clocks.seat(SeatNo(0)).offered
    await office.settle()
    assert "was taken away" in "".join(one.text for one in office.wires["terminal"].sent)
    asked = office.store.read_now(lambda tx: tx.column(SeatOffer, "seat", game_id=first.game_id))
    assert asked == [0]


async def test_whom_an_official_took_out_does_not_come_to_a_table_that_gathers(office: House) -> None:
    """Nobody is there to replace them: the table begins without them, or with a stand-in in their seat."""
    terms = replace(QUICK, edition="deluxe", choice=lists.Choice(cast=OF_THREE).facts())
    await begun(office, 8, terms)
    first, second = tables(office, "gathering")
    few, out = lookup.people_of(first)[:2], lookup.people_of(second)[0]
    for who in (few[0], out):
        do(office, lambda uow, who=who: sign_up.remove(uow, season(office), person(uow, who), "cheated"))
        table = first if who in few else second
        with pytest.raises(Refusal) as refused:
            do(office, lambda uow, who=who, table=table: come(uow, table, who))
        assert refused.value.code == "league-removed-before"
    ready(office, first, but=few)
    ready(office, second, but=[out])
    office.clock.pass_(hours=192)
    await office.referee.scheduler.ring()
    there = do(office, lambda uow: [seat.person_id for seat in uow.seats(second.game_id)])
    assert len(there) == 3
    assert out not in there
    seats = do(office, lambda uow: uow.seats(first.game_id))
    assert game(office, first).status == "running"
    assert [seat.person_id for seat in seats if seat.person_id in (None, *few)] == [None, few[1]]
    assert clock_state.read_clocks(game(office, first)).kicked == [few[0]]


async def test_who_left_and_stands_by_neither_rises_nor_falls_nor_wins(
    office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {}
    await begun(office, 8)
    play_round(office)
    await office.referee.scheduler.ring()
    best, second, *_ = do(office, lambda uow: results.standings(uow, season(office), 1))
    do(office, lambda uow: sign_up.leave_season(uow, season(office), person(uow, best.person)))
    do(office, lambda uow: sign_up.alternate(uow, season(office), person(uow, best.person)))
    monkeypatch.setattr(rounds, "announce", lambda uow, league, code, facts, *to: said.update({code: facts}))
    do(office, lambda uow: rounds.finish(uow, season(office), read_terms(season(office))))
    (final,) = lookup.mind(season(office))["final"]
    assert best.person not in final
    assert final[0] == second.person
    assert f"Player {best.person}x" not in said["league-over"]["winners"]


async def test_who_changes_divisions_by_a_seat_stands_in_both(office: House) -> None:
    """They left the one, and what they played stays there; what they play from now on is in the other."""
    await begun(office, 16, replace(QUICK, division=8, up=2, down=2, withdrawal="1", team=2))
    who = lookup.people_of(next(one for one in tables(office) if one.division == 1))[0]
    play_round(office)
    await office.referee.scheduler.ring()

    def of(division: int) -> dict[int, Standing]:
        found = do(office, lambda uow: results.standings(uow, season(office), DivisionNo(division)))
        return {one.person: one for one in found}

    first = of(1)[who]
    do(office, lambda uow: sign_up.leave_season(uow, season(office), person(uow, who)))
    office.clock.pass_(hours=192)
    await office.referee.scheduler.ring()
    do(office, lambda uow: sign_up.alternate(uow, season(office), person(uow, who)))
    table = next(one for one in tables(office, "gathering") if one.division == 2)
    out = lookup.people_of(table)[0]
    put_in(office, table, out, who)
    play_round(office)
    await office.referee.scheduler.ring()
    high, low = of(1)[who], of(2)[who]
    assert (high.points, high.played, high.penalty) == (first.points, 1, 0)
    assert (low.played, low.penalty) == (1, 1)
    shown = do(
        office,
        lambda uow: standings.standings(
            uow, season_book.load_season(uow.tx, lookup.league_of(uow, season(office)), season(office))
        ),
    )["divisions"]
    mine = [row for division in shown for row in division["rows"] if row["person"] == who]
    assert [(row["state"], row["left"], len(row["corrections"])) for row in mine] == [
        ("withdrawn", True, 0),
        ("playing", False, 1),
    ]
    do(office, lambda uow: rounds.finish(uow, season(office), read_terms(season(office))))
    assert [who in group for group in lookup.mind(season(office))["final"]] == [False, True]


async def test_a_division_that_everybody_left_has_no_tables_any_more(office: House) -> None:
    """Its tables were laid, and those who had left were asked whether they are ready."""
    await begun(office, 8, replace(QUICK, division=4, up=1, down=1, least=3, most=4, points="6/4/2/0"))
    play_round(office)
    await office.referee.scheduler.ring()
    low = {who for one in tables(office) if one.division == 2 for who in lookup.people_of(one)}
    assert len(low) == 4
    for who in low:
        do(office, lambda uow, who=who: sign_up.leave_season(uow, season(office), person(uow, who)))
    office.clock.pass_(hours=192)
    await office.referee.scheduler.ring()
    assert [one.division for one in tables(office, round_no=2)] == [1]


async def test_who_comes_back_to_a_division_that_everybody_left_plays_with_the_latecomers(
    office: House,
) -> None:
    """Alone there they would have had byes to the end, and have won the season."""
    await begun(office, 8, replace(QUICK, division=4, up=1, down=1, least=3, most=5, points="6/4/2/1/0"))
    play_round(office)
    await office.referee.scheduler.ring()
    the = season(office)
    top = sorted({who for one in tables(office) if one.division == 1 for who in lookup.people_of(one)})
    for who in top:
        do(office, lambda uow, who=who: sign_up.leave_season(uow, the, person(uow, who)))
    do(office, lambda uow: sign_up.join(uow, the, person(uow, top[0])))
    office.clock.pass_(hours=192)
    await office.referee.scheduler.ring()
    second = tables(office, "gathering", round_no=2)
    assert top[0] in {who for one in second for who in lookup.people_of(one)}
    assert lookup.facts_of(rows(office)[1])["byes"] == []


async def test_an_alternate_who_plays_at_one_table_is_put_in_at_no_other_of_that_round(office: House) -> None:
    found = await begun(office, 8, spare=1)
    first, second = tables(office, "gathering")
    for table in (first, second):
        ready(office, table)

    put_in(office, first, lookup.people_of(first)[0], found[-1])
    with pytest.raises(Refusal) as refused:
        put_in(office, second, lookup.people_of(second)[0], found[-1])
    assert refused.value.code == "league-plays-elsewhere"


async def test_a_void_table_is_a_bye_for_who_sat_there_and_not_for_who_had_left_it(office: House) -> None:
    everybody, now = await begun(office, 8, replace(QUICK, bye="3"), spare=2), season(office)
    played, other = tables(office, "gathering")
    ready(office, played)
    gone, stays, out, *_ = lookup.people_of(played)
    takes, put = everybody[-2:]
    do(office, lambda uow: sign_up.leave_season(uow, now, person(uow, gone)))
    await office.settle()
    await office.say(f"terminal:p{takes}", f"join #{played.game_id}")
    put_in(office, played, out, put)
    do(office, lambda uow: rulings.void(uow, now, lookup.table_of(uow, now, played.no)))
    byes = do(office, lambda uow: results.byes(uow, now))
    assert gone not in byes, "who left it to others has no bye for it"
    assert (byes[stays], byes[takes], byes[out], byes[put]) == (1, 1, 1, 1)
    assert not set(byes) & set(lookup.people_of(other))
    void = tables(office, "void")[0]
    went_on = do(office, lambda uow: brackets.places_at(uow, void, stayed=True))
    assert set(went_on) == set(byes) - {out}, "nor does who had left it go on from it in a knock-out"
