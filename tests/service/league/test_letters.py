"""What people hear and see of a season that the office itself plays."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from referee.ids import LeagueId, PersonId, SeasonId
from referee.service.core import outbox
from referee.service.core.composing import ComposeContext
from referee.service.core.letters import Facts
from referee.service.core.unit_of_work import StateCache, UnitOfWork
from referee.service.league import letters as league_letters
from referee.service.league.letter_facts import (
    ExportFacts,
    Named,
    NewsFacts,
    PlayerFacts,
    ScheduleFacts,
    Standing,
    StandingsFacts,
    StatsFacts,
    TableFacts,
)
from referee.service.league.scores import results, standings, statistics
from referee.service.league.scores.season_book import SeasonRows
from referee.store import LeagueRoom, Room, Season, TableResult, Tx
from referee.text import Words
from tests.service.league import ledger
from tests.service.league.seasons import begun, do, play_round, season, uow
from tests.service.rig import House

ROOM = "telegram:-100"
LEAGUE = LeagueId(1)


def here(tx: Tx) -> None:
    """The league's room."""
    tx.add(LeagueRoom, league_id=1, room_id=tx.add(Room, channel="telegram", place="-100", name="League"))


async def rounds(office: House, many: int) -> None:
    """Play so many rounds, each to its date."""
    for _ in range(many):
        play_round(office)
        await office.referee.scheduler.ring()
        await office.settle()
        office.clock.pass_(hours=24 * 7 + 1)
        await office.referee.scheduler.ring()
        await office.settle()


async def test_a_round_that_is_over_is_told_with_the_standings(office: House) -> None:
    await begun(office)
    await office.store.write(here)
    await rounds(office, 1)
    for who in (ROOM, "terminal:p1"):
        told = [letter.text for letter in office.letters(who) if "round 1 of 3 is over" in letter.text]
        assert len(told) == 1
        assert "1. Player" in told[0]
    assert "round 2 of 3 is open at 2 tables" in "".join(
        letter.text for letter in office.letters("terminal:p8")
    )


async def test_the_standings_of_one_piece_of_news_are_reckoned_once(
    office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(office, 12)
    reckoned: list[int] = []
    real = standings.standings

    def counted(one: UnitOfWork, book: SeasonRows, division: int = 0) -> dict[str, Any]:
        reckoned.append(one.now_ms)
        return real(one, book, division)

    monkeypatch.setattr(standings, "standings", counted)
    await rounds(office, 1)
    told = [
        letter
        for n in range(1, 13)
        for letter in office.letters(f"terminal:p{n}")
        if "round 1 of 3 is over" in letter.text
    ]
    assert len(told) == 12
    assert len(reckoned) == 1
    await rounds(office, 1)
    assert len(reckoned) == 2
    assert office.letters("terminal:p1")[-1].text != told[0].text


async def test_news_that_are_read_late_keep_their_season(office: House) -> None:
    """Somebody's daily letter may come when the next season has been opened."""
    await begun(office)
    play_round(office)
    old = season(office)
    newer = office.store.write_now(lambda tx: tx.add(Season, league_id=1, no=old.no + 1, state="signup"))

    def reads(tx: Tx, news: NewsFacts) -> dict[str, Any] | None:
        return league_letters.letter_contents(
            ComposeContext(tx, office.clock(), Words(()), office.settings, StateCache(), "text", False, b"k"),
            news,
            league_letters.Reader(),
        )

    for one, number in ((old.id, old.no), (newer, old.no + 1)):
        league, shown = Named(LEAGUE, "Winter Cup"), Standing(SeasonId(one), 0, 1)
        news = NewsFacts(league=league, about_you=False, standings=shown, notices=[])
        said = office.store.read_now(partial(reads, news=news))
        assert said is not None
        assert said["season"]["no"] == number


async def test_what_is_shown_is_what_the_office_reckons(office: House) -> None:
    await begun(office)
    await rounds(office, 3)
    assert season(office).state == "over"
    truth = do(office, lambda one: results.standings(one, season(office), 1))
    shown = office.store.read_now(lambda tx: standings.standings(uow(office, tx), ledger.read(tx, 1)))
    assert [(row["rank"], row["person"]) for row in shown["divisions"][0]["rows"]] == [
        (one.rank, one.person) for one in truth
    ]
    ranks = office.store.read_now(lambda tx: standings.progress(uow(office, tx), ledger.read(tx, 1), 1))
    assert [ranks[one.person][-1] for one in truth] == [one.rank for one in truth]
    over = [
        letter.text
        for letter in office.letters("terminal:p1")
        if "Season 1 of Winter Cup is over" in letter.text
    ]
    assert len(over) == 1
    assert f"Player {truth[0].person}x wins" in over[0]


@pytest.mark.whole_games
async def test_figures_come_from_the_results(office: House) -> None:
    await begun(office)
    await rounds(office, 1)
    flags = office.store.read_now(lambda tx: [json.loads(row.flags) for row in tx.all(TableResult)])
    assert all(
        one["answers"] > 10 and one["misses"] == 0 and len(one["times"]) == one["answers"] for one in flags
    )
    found = office.store.read_now(lambda tx: statistics.of_season(ledger.read(tx, 1)))
    assert found["all"]["in_time"] == 100
    assert found["all"]["questions"] == sum(one["answers"] for one in flags)


async def test_every_list_can_be_asked_for_at_any_time(office: House) -> None:
    await begun(office)
    await office.say("terminal:p1", "help")
    for stage in range(3):
        for what in (
            StandingsFacts(LEAGUE, 0),
            ScheduleFacts(LEAGUE, 0),
            ScheduleFacts(LEAGUE, 0, round=3),
            TableFacts(LEAGUE, 0, 1),
            PlayerFacts(LEAGUE, PersonId(1)),
            StatsFacts(LEAGUE, 0),
            ExportFacts(LEAGUE, 0),
        ):
            before = len(office.letters("terminal:p1"))

            def ask(tx: Tx, what: Facts = what) -> None:
                outbox.to_person(uow(office, tx), PersonId(1), what)

            await office.store.write(ask)
            await office.settle()
            assert len(office.letters("terminal:p1")) == before + 1, (stage, what)
        if stage < 2:
            await rounds(office, 1)
    assert "Your tables" in "".join(letter.text for letter in office.letters("terminal:p1"))
