"""What people hear and see of a season that the office itself plays."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from referee.service.core import outbox
from referee.service.core.composing import Composing
from referee.service.core.unit_of_work import Sitting, States
from referee.service.league import letters as league_letters
from referee.service.league import results, standings, statistics
from referee.service.league.season_book import Book
from referee.store import LeagueRoom, Room, Season, TableResult, Tx
from referee.text import Words
from tests.service.office import ledger
from tests.service.office.seasons import begun, do, play_round, season, sitting
from tests.service.rig import House

ROOM = "telegram:-100"


def here(tx: Tx) -> None:
    """The league's room."""
    tx.add(LeagueRoom, league_id=1, room_id=tx.add(Room, channel="telegram", place="-100", name="League"))


async def rounds(office: House, many: int) -> None:
    """Play so many rounds, each to its date."""
    for _ in range(many):
        play_round(office)
        await office.referee.clocks.ring()
        await office.settle()
        office.clock.pass_(hours=24 * 7 + 1)
        await office.referee.clocks.ring()
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

    def counted(one: Sitting, book: Book, division: int = 0) -> dict[str, Any]:
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

    def reads(tx: Tx, data: dict[str, Any]) -> dict[str, Any] | None:
        return league_letters.filled(
            Composing(tx, office.clock(), Words(()), office.settings, States(), "text", False, b"k"),
            "league_news",
            data,
        )

    for one, number in ((old.id, old.no), (newer, old.no + 1)):
        data = {"league": {"id": 1}, "standings": {"season": one, "division": 0, "round": 1}}
        said = office.store.read_now(partial(reads, data=data))
        assert said is not None
        assert said["season"]["no"] == number


async def test_what_is_shown_is_what_the_office_reckons(office: House) -> None:
    await begun(office)
    await rounds(office, 3)
    assert season(office).state == "over"
    truth = do(office, lambda one: results.standings(one, season(office), 1))
    shown = office.store.read_now(lambda tx: standings.standings(sitting(office, tx), ledger.read(tx, 1)))
    assert [(row["rank"], row["person"]) for row in shown["divisions"][0]["rows"]] == [
        (one.rank, one.person) for one in truth
    ]
    ranks = office.store.read_now(lambda tx: standings.progress(sitting(office, tx), ledger.read(tx, 1), 1))
    assert [ranks[one.person][-1] for one in truth] == [one.rank for one in truth]
    over = [
        letter.text
        for letter in office.letters("terminal:p1")
        if "Season 1 of Winter Cup is over" in letter.text
    ]
    assert len(over) == 1
    assert f"Player {truth[0].person}x wins" in over[0]


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
        for kind, data in (
            ("league_standings", {}),
            ("league_schedule", {}),
            ("league_schedule", {"round": 3}),
            ("league_table", {"table": 1}),
            ("league_player", {"person": 1}),
            ("league_stats", {}),
            ("league_export", {}),
        ):
            before = len(office.letters("terminal:p1"))
            await office.store.write(
                lambda tx, kind=kind, data=data: outbox.to_person(
                    sitting(office, tx), 1, kind, data={"of": 1, **data}
                )
            )  # type: ignore[misc]  # mypy sees no types in defaults of a lambda
            await office.settle()
            assert len(office.letters("terminal:p1")) == before + 1, (stage, kind)
        if stage < 2:
            await rounds(office, 1)
    assert "Your tables" in "".join(letter.text for letter in office.letters("terminal:p1"))
