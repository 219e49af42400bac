"""Who plays whom: the rounds of a season, or one more round.

Designs first (they repeat nothing), then a seeded search; the bound says how far from the best possible the result can be.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

from . import annealing, designs
from .annealing import Rounds
from .bound import bound
from .faults import Unseatable
from .order import imbalances, ordered
from .shapes import NOTHING, Past, Plan, Round, Table, pair
from .sizes import Sizes, sizes

#: meeting somebody one must not meet costs as much as so many repeats
APART = 1000
#: steps of the search
STEPS = 400_000


def plan(people: Sequence[int], rounds: int, *, least: int = 4, most: int = 7, wanted: int = 5, seed: int | str = 0, steps: int = STEPS,
         past: Past = NOTHING, apart: Collection[tuple[int, int]] = ()) -> Plan:
    """The rounds of a season.

    people   everybody who plays in all of the rounds, each once
    rounds   how many, 1 to 100
    seed     the same seed gives the same plan, on every machine
    steps    how long to search at most
    past     what they played before: those pairs count as met, seats and crowns and byes are continued
    apart    pairs who must not sit at one table

    Raises `Unseatable`: those of `sizes`, "rounds-out-of-range" (rounds, most), "seated-twice" (person), "apart-impossible" (one, other) when
    some who must not meet would have to.
    """
    if not 1 <= rounds <= 100:
        raise Unseatable("rounds-out-of-range", rounds=rounds, most=100)
    for who in people:
        if people.count(who) > 1:
            raise Unseatable("seated-twice", person=who)
    cut = sizes(len(people), least, most, wanted)
    dice = Random(f"seating {seed}")
    everybody = dice.sample(sorted(people), len(people))
    index = {who: number for number, who in enumerate(everybody)}
    before = _before(index, past, apart)
    kept_apart = {pair(index[one], index[other]) for one, other in apart if one in index and other in index}
    allowed = [row[other] for number, row in enumerate(before) for other in range(number + 1, len(row)) if (number, other) not in kept_apart]
    best, had = bound([cut] * rounds, allowed), annealing.cost(before)
    out = _byes(everybody, cut, rounds, past, dice)
    found, cost = _searched(index, cut, rounds, out, before, dice, steps, best + had)
    _refuse_meetings(found, everybody, kept_apart)
    named = [[[everybody[number] for number in table] for table in each] for each in found]
    tables = ordered(named, past, dice)
    seats, crowns = imbalances(tables, past)
    whole = tuple(Round(tuple(each), tuple(sorted(absent))) for each, absent in zip(tables, out, strict=True))
    return Plan(whole, cost - had, best, seats, crowns)


def _before(index: Mapping[int, int], past: Past, apart: Collection[tuple[int, int]]) -> list[list[int]]:
    before = [[0] * len(index) for _ in index]
    for (one, other), count in [*past.met.items(), *((each, APART) for each in apart)]:
        if one in index and other in index and one != other:
            before[index[one]][index[other]] += count
            before[index[other]][index[one]] += count
    return before


def _byes(everybody: Sequence[int], cut: Sizes, rounds: int, past: Past, dice: Random) -> list[list[int]]:
    """Who sits out in each round: those who did least often."""
    had = {who: past.byes.get(who, 0) for who in everybody}
    out: list[list[int]] = []
    for _ in range(rounds):
        absent = sorted(dice.sample(list(everybody), len(everybody)), key=had.__getitem__)[:cut.byes]
        for who in absent:
            had[who] += 1
        out.append(absent)
    return out


def _searched(index: Mapping[int, int], cut: Sizes, rounds: int, out: Sequence[Sequence[int]], before: Sequence[Sequence[int]], dice: Random,
              steps: int, enough: int) -> tuple[Rounds, int]:
    """The rounds, by a design where one fits and by the search, and their cost."""
    starts: list[tuple[Rounds, int]] = []
    if not cut.byes and (made := designs.transversal(len(index), len(cut.tables), rounds, dice)):
        worth = annealing.cost(annealing.meetings(made, before))
        if worth <= enough:
            return made, worth
        starts.append((made, worth))
    loose = [_cut(dice.sample([number for who, number in index.items() if who not in absent], sum(cut.tables)), cut) for absent in map(set, out)]
    starts.append(annealing.annealed(loose, before, dice, steps, enough=enough))
    return min(starts, key=lambda each: each[1])


def _cut(people: Sequence[int], cut: Sizes) -> list[list[int]]:
    line = iter(people)
    return [[next(line) for _ in range(size)] for size in cut.tables]


def _refuse_meetings(found: Rounds, everybody: Sequence[int], apart: Collection[tuple[int, int]]) -> None:
    for each in found:
        for table in each:
            for one in table:
                for other in table:
                    if (one, other) in apart:
                        raise Unseatable("apart-impossible", one=everybody[one], other=everybody[other])


def plan_round(people: Sequence[int], *, least: int = 4, most: int = 7, wanted: int = 5, seed: int | str = 0, steps: int = STEPS // 4,
               past: Past = NOTHING, apart: Collection[tuple[int, int]] = (), strength: Mapping[int, float] | None = None) -> Plan:
    """One more round: of those who play in it, whoever they are.

    strength   Swiss: points of everybody (whoever has none counts as 0); they are sorted by it and cut into tables of like strength, and
               repeats are avoided by exchanges between neighbouring tables, near ones before far ones

    Otherwise like `plan`; `repeats` are the meetings of this round with earlier ones.
    """
    if strength is None:
        return plan(people, 1, least=least, most=most, wanted=wanted, seed=seed, steps=steps, past=past, apart=apart)
    cut = sizes(len(people), least, most, wanted)
    dice = Random(f"round {seed}")
    (absent,) = _byes(sorted(people), cut, 1, past, dice)
    line = sorted((who for who in people if who not in absent), key=lambda who: (-strength.get(who, 0), who))
    tables = _cut(line, cut)
    (round_tables,) = ordered([tables], past, dice)
    repeats = sum(past.met.get(pair(one, other), 0) for table in tables for number, one in enumerate(table) for other in table[number + 1:])
    seats, crowns = imbalances([round_tables], past)
    return Plan((Round(tuple(round_tables), tuple(absent)),), repeats, 0, seats, crowns)


def plan_at_once(people: Sequence[int], *, seed: int | str = 0) -> Plan:
    """One round of many tables for 7, 13, 21, 31 or 57 people: each pair meets exactly once, everybody sits at several tables at the same
    time, once in each seat, and has the first crown once.

    Raises `Unseatable` "no-design" (people, known: the numbers there are designs for).
    """
    made = designs.at_once(len(people))
    if made is None:
        raise Unseatable("no-design", people=len(people), known=tuple(designs.DIFFERENCES))
    dice = Random(f"at once {seed}")
    everybody = dice.sample(sorted(people), len(people))
    tables = tuple(Table(tuple(everybody[number] for number in table)) for table in made)
    return Plan((Round(tables),), 0, 0, *imbalances([tables]))
