"""Acts that take two keys, and the log of what was done: it tells everything, and nobody changes it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.rules import Refusal
from referee.service.core import audit_log
from referee.service.core.unit_of_work import Shell
from referee.service.league import console
from referee.service.league.log import verdicts
from referee.store import Entry, LeagueProposal, OfficeLog, Season, SeasonTable, StoreConflict
from referee.text import Words
from tests import books
from tests.service.league.talking import BEA, BOSS, CY, FLO, acts, founded, house_of, log, running, told
from tests.service.rig import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


def at_console(house: House, text: str, by: str = "zoe") -> str:
    """The same words from the command line."""
    here = Shell(Words(strict=True), house.settings, house.clock())
    return house.store.write_now(lambda tx: console.carry_out(tx, here, text, by))


def state(house: House) -> str:
    return house.store.read_now(lambda tx: tx.all(Season, order="-id", limit=1))[0].state


async def test_a_second_key_must_be_somebody_elses(house: House) -> None:
    await running(house)
    asked = await told(house, BEA, "league void season because of snow")
    assert "takes two keys" in asked
    assert "letting season 1 count for nothing because of snow" in asked
    letter = house.last(BOSS)
    assert "“league second 1”" in letter.text
    assert [[one.order for one in row] for row in letter.buttons] == [
        ["league second 1"],
        ["league refuse 1"],
    ]
    assert "your own" in await told(house, BEA, "league second 1")
    assert "your own" in await told(house, BEA, "league second")
    assert "needs a director" in await told(house, CY, "league second 1")
    assert "Proposal 1 is about that already, and it is yours" in await told(
        house, BEA, "league void season because of snow"
    )
    assert "by Bea: say “league second 1”" in await told(house, BOSS, "league void season because of snow")
    assert "1. Bea: letting season 1 count for nothing" in await told(house, BOSS, "league proposals")
    assert state(house) == "running"
    await house.press(BOSS, house.key(BOSS, "league second 1"))
    assert state(house) == "void"
    assert "Boss turned the second key" in "".join(one.text for one in house.letters(BEA))
    assert "is done already" in await told(house, BOSS, "league second 1")
    assert acts(house)[-2:] == ["propose", "void"]
    assert "(proposal 1 by Bea, seconded)" in await told(house, BOSS, "league audit")


async def test_a_proposal_lapses_after_a_day_and_can_be_refused(house: House) -> None:
    await running(house)
    assert "takes two keys" in await told(house, BEA, "league redraw")
    house.clock.pass_(hours=24.1)
    assert "has lapsed" in await told(house, BOSS, "league second 1")
    assert "nothing waits" in await told(house, BOSS, "league proposals")
    assert "takes two keys" in await told(house, BEA, "league redraw")
    assert "Proposal 2 in Winter Cup is refused" in await told(house, BOSS, "league refuse 2")
    assert "was refused" in await told(house, BOSS, "league second 2")
    assert "takes two keys" in await told(house, BEA, "league redraw")
    assert "taken back" in await told(house, BEA, "league refuse")
    assert [row.state for row in house.store.read_now(lambda tx: tx.all(LeagueProposal, order="id"))] == [
        "lapsed",
        "refused",
        "refused",
    ]
    assert acts(house)[-6:] == ["propose", "lapse", "propose", "refuse", "propose", "refuse"]
    assert "the clock: proposal 1 lapsing: drawing season 1 anew" in await told(house, BOSS, "league audit")


async def test_which_acts_take_two_keys(house: House) -> None:
    await founded(house, BEA, CY)
    await house.say(BOSS, "league role Bea director")
    await house.say(FLO, "hello")
    await house.say(BOSS, "league role Flo director")
    assert "Cy is out of season 1" in await told(
        house, BEA, "league remove Cy because so"
    )  # nobody loses anything by it yet
    assert "Cy is in season 1" in await told(house, BEA, "league admit Cy")
    for who in ("terminal:dan", "terminal:eve"):
        await house.say(who, "league join")
    await house.say(BOSS, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    for number, text in enumerate(
        (
            "league remove Cy because so",
            "league rule table 1 Bea, Cy, Dan, Eve",
            "league redraw",
            "league void season",
            "league bonus Cy 3 because of a prize",
        ),
        1,
    ):
        assert f"Proposal {number} " in await told(house, FLO, text), text
    assert "counts for nothing" in await told(house, FLO, "league void table 1")  # nobody has points from it
    assert house.store.read_now(lambda tx: tx.get(SeasonTable, 1)).state == "void"  # type: ignore[union-attr]  # it is there
    assert "can't be done" in await told(house, BOSS, "league second 2")
    rows = house.store.read_now(lambda tx: tx.all(LeagueProposal, order="id"))
    assert [row.state for row in rows] == ["open"] * 5  # what can't be done leaves its proposal open
    assert "Cy is out of season 1" in await told(house, BOSS, "league second 1")
    assert house.store.read_now(lambda tx: tx.one(Entry, person_id=3)).state == "removed"  # type: ignore[union-attr]  # they signed up


async def test_the_person_that_was_proposed_is_meant_whatever_names_say_later(house: House) -> None:
    await running(house)
    await house.say(BEA, "league remove Cy because so")
    await house.say(CY, "name Caesar")
    await house.say("terminal:dan", "name Cy")
    assert "Caesar is out" in await told(house, BOSS, "league second 1")


async def test_a_key_is_worth_nothing_without_the_role(house: House) -> None:
    await running(house)
    assert "takes two keys" in await told(house, BEA, "league redraw")
    assert "moderator" in await told(house, BOSS, "league role Bea moderator")
    assert "may not do it any more" in await told(house, BOSS, "league second 1")
    assert "director" in await told(house, BOSS, "league role Bea director")
    assert "being drawn anew" in await told(house, BOSS, "league second 1")


async def test_the_console_is_one_key(house: House) -> None:
    await running(house)
    assert "takes two keys" in at_console(house, "void season because of snow", "zoe")
    with pytest.raises(Refusal) as no:
        at_console(house, "second 1", "yann")
    assert no.value.code == "league-second-own"
    await house.settle()
    assert "Ask Boss" in await told(house, BEA, "league second 1")  # who plays where that counts
    assert "counts for nothing" in await told(house, BOSS, "league second 1")
    assert next(line for line in log(house) if line.act == "propose").by == "zoe"
    assert "zoe (console): proposal 1" in at_console(house, "audit")


async def test_closing_a_league_takes_its_owner_and_a_second_key(house: House) -> None:
    await founded(house)
    await house.say(BEA, "hello")
    await house.say(BOSS, "league role Bea director")
    assert "not over yet" in await told(house, BOSS, "league close")
    await house.say(BOSS, "league void season")
    await house.say(BEA, "league second")
    assert "takes two keys" in await told(house, BOSS, "league close")
    assert "is closed" in await told(house, BEA, "league second")
    assert "is closed: it has no more seasons" in await told(house, BOSS, "league winter cup open")
    assert "Winter Cup: season 1, void" in await told(
        house, CY, "league winter cup"
    ) or "closed" in await told(house, CY, "league winter cup")
    assert "There is no league here yet" in await told(house, CY, "league")


async def test_nobody_is_there_for_a_second_key(house: House) -> None:
    await founded(house)
    assert "There is nobody else who could" in await told(house, BOSS, "league void season")
    assert "count" in at_console(house, "second")
    assert state(house) == "void"


async def test_the_log_can_not_be_changed_from_inside(house: House) -> None:
    await founded(house, BEA)
    with pytest.raises(StoreConflict):
        house.store.write_now(lambda tx: tx.change(OfficeLog, {"no": 1}, by="somebody else"))
    with pytest.raises(StoreConflict):
        house.store.write_now(lambda tx: tx.drop(OfficeLog, no=1))
    assert len(log(house)) == 3
    assert house.store.read_now(lambda tx: audit_log.broken(tx, "league:1")) == 0
    assert "none was changed" in await told(house, BOSS, "league audit")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE office_log SET by = 'nobody' WHERE no = 2",
        "DELETE FROM office_log WHERE no = 2",
        "UPDATE office_log SET facts = replace(facts, 'Winter', 'Summer') WHERE no = 1",
        "UPDATE office_log SET facts = 'x' WHERE no = 1",
        "UPDATE office_log SET hash = '' WHERE no = 3",
    ],
)
async def test_the_log_tells_who_changed_it_from_outside(house: House, change: str) -> None:
    await founded(house, BEA)
    books.behind(house.path, "DROP TRIGGER office_log_no_update", "DROP TRIGGER office_log_no_delete", change)
    assert "Somebody has changed this log from outside" in await told(house, BOSS, "league audit")
    assert house.store.read_now(lambda tx: [one.broken > 0 for one in verdicts(tx)]) == [True]


async def test_who_is_taken_out_or_let_in_by_an_official_hears_so(house: House) -> None:
    await founded(house, BEA, CY)

    async def heard(*said: tuple[str, str]) -> list[str]:
        before = len(house.letters(CY))
        for who, words in said:
            await told(house, who, words)
        await house.settle()
        return [one.text for one in house.letters(CY)[before:]]

    (out,) = await heard((BOSS, "league remove Cy because rude"))
    assert "Cy was taken out of season 1 (rude)" in out
    (back,) = await heard((BOSS, "league admit Cy"))
    assert "Cy joins season 1" in back
    assert await heard((BOSS, "league role Bea director")) == []
