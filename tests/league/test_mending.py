"""A planned round for the people who are there: nobody twice, nobody forgotten, and hardly anybody moved."""

from __future__ import annotations

import random

from referee.league import EarlierRounds, Round, Table, past_of, sizes
from referee.league.lots import Lots, divided, drawn
from referee.league.mending import mended


def seated(each: Round) -> list[int]:
    return [who for table in each.tables for who in table.people]


def cut(many: int, dice: random.Random) -> Round:
    """So many people at tables, by chance."""
    line, how = dice.sample(range(many), many), sizes(many, 3, 5, 4)
    tables = [Table(tuple(line.pop() for _ in range(size)), dice.randrange(size)) for size in how.tables]
    return Round(tuple(tables), tuple(line))


def test_nothing_changes_where_everybody_is_there() -> None:
    planned = Round((Table((1, 2, 3, 4), 2), Table((5, 6, 7, 8), 0)), (9,))
    assert mended(planned, range(1, 10), least=3, most=5).round == planned


def test_a_newcomer_takes_the_seat_of_who_left_before_anybody_with_a_bye_does() -> None:
    planned = Round((Table((1, 2, 3, 4), 1), Table((5, 6, 7, 8), 0)), (9,))
    now = mended(planned, [1, 3, 4, 5, 6, 7, 8, 9, 10], least=3, most=5).round
    assert now.tables[0].people == (1, 10, 3, 4)
    assert now.byes == (9,)


def test_the_crown_goes_to_the_next_where_its_holder_left() -> None:
    planned = Round((Table((1, 2, 3, 4), 3), Table((5, 6, 7, 8), 1)))
    now = mended(planned, [1, 2, 3, 5, 7, 8], least=3, most=5).round
    assert now.tables == (Table((1, 2, 3), 0), Table((5, 7, 8), 1))


def test_whoever_has_had_most_byes_is_called_first_and_then_the_spare() -> None:
    planned = Round((Table((1, 2, 3, 4), 0),), (8, 9))
    now = mended(planned, [1, 8, 9], least=3, most=5, past=EarlierRounds(byes={8: 1, 9: 2}), spare=[20, 21])
    assert now.round.tables[0].people == (1, 9, 8, 20)
    assert now.called == (20,)


def test_a_table_too_small_takes_from_a_larger_one_or_is_given_up() -> None:
    planned = Round((Table((1, 2, 3, 4, 5), 0), Table((6, 7, 8, 9), 0)))
    now = mended(planned, [1, 2, 3, 4, 5, 6, 7], least=3, most=5).round
    assert sorted(len(table.people) for table in now.tables) == [3, 4]
    assert sorted(seated(now)) == [1, 2, 3, 4, 5, 6, 7]
    few = mended(planned, [1, 2, 3, 6], least=3, most=5).round
    assert [sorted(table.people) for table in few.tables] == [[1, 2, 3, 6]]
    none = mended(planned, [1, 6], least=3, most=5).round
    assert (none.tables, none.byes) == ((), (1, 6))


def test_whatever_happens_everybody_is_there_once() -> None:
    dice = random.Random(5)
    for _ in range(400):
        many = dice.randint(6, 30)
        rounds = [cut(many, dice), cut(many, dice)]
        people = [who for who in range(many + 6) if dice.random() < 0.75]
        spare = list(range(100, 100 + dice.randint(0, 3)))
        now = mended(rounds[1], people, least=3, most=5, past=past_of(rounds[:1]), spare=spare)
        everybody = seated(now.round) + list(now.round.byes)
        assert sorted(everybody) == sorted([*people, *now.called])
        assert all(
            3 <= len(table.people) <= 5 and 0 <= table.crown < len(table.people) for table in now.round.tables
        )
        assert len(now.round.byes) < 3 or not people
        assert set(now.called) <= set(spare)


def test_a_first_season_is_cut_by_strength_into_equal_divisions() -> None:
    groups = divided(Lots(tuple(range(10)), size=4, least=3), list(range(10)))
    assert groups == ((0, 1, 2, 3), (4, 5, 6), (7, 8, 9))
    assert divided(Lots(tuple(range(10))), list(range(10))) == (tuple(range(10)),)


def test_a_season_later_some_rise_and_some_fall_unless_the_number_of_divisions_changes() -> None:
    before = ((1, 2, 3, 4), (5, 6, 7, 8))
    lots = Lots((1, 2, 3, 4, 5, 6, 7, 8), before=before, size=4, up=1, down=1, least=3)
    assert tuple(map(set, divided(lots, range(1, 9)))) == ({1, 2, 3, 5}, {4, 6, 7, 8})
    small = Lots((1, 2, 3, 5, 6, 7), before=before, size=6, up=1, down=1, least=3)
    assert set(divided(small, [1, 2, 3, 5, 6, 7])[0]) == {1, 2, 3, 5, 6, 7}


def test_the_same_lots_are_drawn_the_same() -> None:
    lots = Lots(tuple(range(12)), rounds=2, least=3, most=5, wanted=4, seed="x", mark="m")
    assert drawn(lots) == drawn(lots)
    assert drawn(lots).mark == "m"
    assert [len(each.tables) for each in drawn(lots).plans[0].rounds] == [3, 3]


def test_alternates_make_a_table_where_none_is_planned() -> None:
    """Two who were left had a bye in each round while others stood by."""
    for planned in (Round((), (1, 2)), Round((Table((3, 4, 5), 0),), (1, 2))):
        now = mended(planned, {1, 2}, least=3, most=4, spare=[9, 10])
        assert [sorted(seated(now.round)), now.called, now.round.byes] == [[1, 2, 9], (9,), ()]


def test_an_alternate_for_whom_there_is_no_table_goes_on_standing_by() -> None:
    """They were in the season from then on, with a bye in each round."""
    planned = Round((Table((1, 2, 3), 0),), ())
    now = mended(planned, {1}, least=3, most=4, spare=[9])
    assert (now.round, now.called) == (Round((), (1,)), ())
