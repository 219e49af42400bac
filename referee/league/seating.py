"""Who plays whom: the rounds of a season, or one more round.

Designs first (they repeat nothing), then a seeded search; the bound says how far from the best possible the
result can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from random import Random

from . import annealing, designs, swiss
from .annealing import Rounds
from .bound import bound
from .evening import evened
from .faults import Unseatable
from .order import imbalances, ordered
from .relabelling import relabelled
from .shapes import NOTHING, EarlierRounds, Plan, Round, Table, pair
from .sizes import Sizes, sizes

#: meeting somebody one must not meet costs as much as this many repeats
APART = 1000
#: steps of the search, about two microseconds each
STEPS = 1_500_000
#: how freely a design is changed at first: less than what was thrown together
WARM = 0.3


def plan(
    people: Sequence[int],
    rounds: int,
    *,
    least: int = 4,
    most: int = 7,
    wanted: int = 5,
    seed: int | str = 0,
    steps: int = STEPS,
    past: EarlierRounds = NOTHING,
    apart: Collection[tuple[int, int]] = (),
    mates: Collection[tuple[int, int]] = (),
) -> Plan:
    """The rounds of a season.

    people   everybody who plays in all of the rounds, each once
    rounds   how many, 1 to 100
    seed     the same seed gives the same plan, on every machine
    steps    how long to search at most
    past     what they played before: those pairs count as met, seats and crowns and byes are continued
    apart    pairs who must not sit at one table
    mates    pairs who sit at one table only where nothing else is found

    Raises `Unseatable`: those of `sizes`, "rounds-out-of-range" (rounds, most), "seated-twice" (person),
    "apart-impossible" (one, other) when no way was found to keep those two apart.
    """
    if not 1 <= rounds <= 100:
        raise Unseatable("rounds-out-of-range", rounds=rounds, most=100)
    _refuse_people(people)
    cut = sizes(len(people), least, most, wanted)
    dice = Random(f"seating {seed}")
    everybody = dice.sample(sorted(people), len(people))
    index = {who: number for number, who in enumerate(everybody)}
    before = _before(index, past, {pair(*each) for each in (*apart, *mates)})
    kept_apart = {pair(one, other) for one, other in apart}
    best = bound([cut] * rounds, [count for each, count in _pairs(people, past) if each not in kept_apart])
    had = annealing.cost(before)
    out = _byes(everybody, cut, rounds, past)
    found, cost = _searched(
        cut, [[index[who] for who in absent] for absent in out], before, dice, steps, best + had
    )
    named = [[[everybody[number] for number in table] for table in each] for each in found]
    _refuse_meetings(named, kept_apart)
    tables = ordered(named, past, dice)
    whole = tuple(Round(tuple(each), tuple(sorted(absent))) for each, absent in zip(tables, out, strict=True))
    unavoidable = APART * _together(named, {pair(one, other) for one, other in mates} - kept_apart)
    return Plan(whole, cost - had - unavoidable, best, *imbalances(tables, past))


def _together(found: Rounds, pairs: Collection[tuple[int, int]]) -> int:
    """How often those of these pairs sit at one table."""
    return sum(
        pair(one, other) in pairs for each in found for table in each for one, other in combinations(table, 2)
    )


def _before(
    index: Mapping[int, int], past: EarlierRounds, apart: Collection[tuple[int, int]]
) -> list[list[int]]:
    before = [[0] * len(index) for _ in index]
    for (one, other), count in [*past.met.items(), *((each, APART) for each in apart)]:
        if one in index and other in index and one != other:
            before[index[one]][index[other]] += count
            before[index[other]][index[one]] += count
    return before


def _byes(line: Sequence[int], cut: Sizes, rounds: int, past: EarlierRounds) -> list[list[int]]:
    """Who sits out in each round: those who did least often, the last of the line first."""
    had, place = (
        {who: past.byes.get(who, 0) for who in line},
        {who: number for number, who in enumerate(line)},
    )
    out: list[list[int]] = []
    for _ in range(rounds):
        absent = sorted(line, key=lambda who: (had[who], -place[who]))[: cut.byes]
        for who in absent:
            had[who] += 1
        out.append(absent)
    return out


def _searched(
    cut: Sizes,
    absent: Sequence[Sequence[int]],
    before: Sequence[Sequence[int]],
    dice: Random,
    steps: int,
    enough: int,
) -> tuple[Rounds, int]:
    """The rounds, by a design where one fits and by the search, and their cost.

    `absent`: the byes of each round.
    """
    people, rounds = len(before), len(absent)
    starts: list[tuple[Rounds, int]] = []
    if not cut.byes and (made := _design(people, len(cut.tables), rounds, dice)):
        made = relabelled(made, before, dice)
        starts.append((made, annealing.cost(annealing.meetings(made, before))))
        if starts[0][1] > enough:
            starts.append(annealing.annealed(made, before, dice, steps, enough=enough, hot=WARM))
    if not starts or min(cost for _, cost in starts) > enough:
        loose = [
            _cut(dice.sample([who for who in range(people) if who not in out], sum(cut.tables)), cut)
            for out in map(set, absent)
        ]
        starts.append(annealing.annealed(loose, before, dice, steps, enough=enough))
    best, cost = min(starts, key=lambda each: each[1])
    best = evened(best, before, dice)
    return best, annealing.cost(annealing.meetings(best, before)) if best else cost


def _design(people: int, tables: int, rounds: int, dice: Random) -> Rounds | None:
    """The design that reaches farthest, over and over again if that is not far enough; None if none reaches
    two rounds.
    """
    for most in range(min(rounds, tables + 1), 1, -1):
        if made := designs.transversal(people, tables, most, dice):
            return [[list(table) for table in made[number % most]] for number in range(rounds)]
    return None


def _cut(people: Sequence[int], cut: Sizes) -> list[list[int]]:
    return swiss.cut(people, cut.tables)


def _refuse_people(people: Sequence[int]) -> None:
    for who, times in Counter(people).items():
        if times > 1:
            raise Unseatable("seated-twice", person=who)


def _refuse_meetings(found: Rounds, apart: Collection[tuple[int, int]]) -> None:
    for each in found:
        for table in each:
            for one, other in combinations(table, 2):
                if pair(one, other) in apart:
                    raise Unseatable("apart-impossible", one=one, other=other)


def plan_round(
    people: Sequence[int],
    *,
    least: int = 4,
    most: int = 7,
    wanted: int = 5,
    seed: int | str = 0,
    steps: int = STEPS // 4,
    past: EarlierRounds = NOTHING,
    apart: Collection[tuple[int, int]] = (),
    mates: Collection[tuple[int, int]] = (),
    strength: Mapping[int, float] | None = None,
) -> Plan:
    """One more round: of those who play in it, no matter who they are.

    strength   Swiss: points of everybody (anyone who has none counts as 0); tables of like strength, and to
               meet again is avoided by changes to a near table (`swiss`)

    Otherwise like `plan`; `repeats` are the meetings of this round with earlier ones.
    """
    if strength is None:
        return plan(
            people,
            1,
            least=least,
            most=most,
            wanted=wanted,
            seed=seed,
            steps=steps,
            past=past,
            apart=apart,
            mates=mates,
        )
    _refuse_people(people)
    cut = sizes(len(people), least, most, wanted)
    dice = Random(f"round {seed}")
    line = sorted(dice.sample(sorted(people), len(people)), key=lambda who: -strength.get(who, 0))
    (absent,) = _byes(line, cut, 1, past)
    met = dict(past.met)
    for one, other in {pair(*each) for each in (*apart, *mates)}:
        met[one, other] = met.get((one, other), 0) + APART
    found = swiss.like_strength([who for who in line if who not in absent], cut.tables, strength, met, dice)
    kept_apart = {pair(one, other) for one, other in apart}
    _refuse_meetings([found], kept_apart)
    (tables,) = ordered([found], past, dice)
    repeats = sum(
        past.met.get(pair(one, other), 0)
        for table in found
        for number, one in enumerate(table)
        for other in table[number + 1 :]
    )
    allowed = [count for each, count in _pairs(line, past) if each not in kept_apart]
    return Plan(
        (Round(tuple(tables), tuple(sorted(absent))),),
        repeats,
        bound([cut], allowed),
        *imbalances([tables], past),
    )


def _pairs(people: Collection[int], past: EarlierRounds) -> list[tuple[tuple[int, int], int]]:
    return [((one, other), past.met.get((one, other), 0)) for one, other in combinations(sorted(people), 2)]


def plan_at_once(people: Sequence[int], *, seed: int | str = 0) -> Plan:
    """One round of many tables for 7, 13, 21, 31 or 57 people: each pair meets exactly once, everybody sits
    at several tables at the same time, once in each seat, and has the first crown once.

    Raises `Unseatable` "no-design" (people, known: the numbers there are designs for).
    """
    made = designs.at_once(len(people))
    if made is None:
        raise Unseatable("no-design", people=len(people), known=tuple(designs.DIFFERENCES))
    dice = Random(f"at once {seed}")
    everybody = dice.sample(sorted(people), len(people))
    tables = tuple(Table(tuple(everybody[number] for number in table)) for table in made)
    return Plan((Round(tables),), 0, 0, *imbalances([tables]))
