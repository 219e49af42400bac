"""A league of hundreds: what is said of it, and what it costs."""

from __future__ import annotations

from referee.service.league.entry import sign_up
from referee.service.league.office import questions, waiting
from tests.service.league import seasons
from tests.service.league.talking import told
from tests.service.rig import House


async def test_a_list_of_many_says_how_many_it_does_not_name(office: House) -> None:
    """It said that 300 play where 600 did, and named no alternate."""
    the = seasons.league(office)
    seasons.do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    many = seasons.people(office, questions.PEOPLE_MOST + 12)
    seasons.joined(office, many[:-2])
    for who in many[-2:]:
        seasons.do(
            office,
            lambda one, who=who: sign_up.alternate(one, seasons.season(office), seasons.person(one, who)),
        )
    said = await told(office, "terminal:p1", "league people")
    assert f"({len(many) - 2}): Player 1x, Player 2x" in said
    assert "Player 300x … and 10 more people" in said
    assert "(2)" in said


async def test_a_name_is_looked_for_among_hundreds_at_once(office: House) -> None:
    """Anybody may ask for one; each of the people cost two questions of the store."""
    the = seasons.league(office)
    seasons.do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    seasons.joined(office, seasons.people(office, 60))
    for name, answer in (("Player 60x", "season 1: signed up"), ("nobody", "nobody")):
        with seasons.questions() as asked:
            assert answer in await told(office, "terminal:p1", f"league player {name}")
        assert len(asked) < 60


async def test_who_is_awaited_is_looked_up_table_by_table(office: House) -> None:
    """The page of the office and a reminder asked four questions for each of six hundred."""
    await seasons.begun(office, 16)
    the = seasons.season(office)
    with seasons.questions() as asked:
        found = seasons.do(office, lambda one: waiting.board(one, the))
    assert sum(len(table.people) for table in found) == 16
    assert len(asked) <= 1 + 5 * len(found)
