"""Designs: tables at which nobody meets anybody twice, by arithmetic.

*Rounds.* People are (group, index): as many groups as a table has seats, as many indices as there are tables.
In round t table j takes from group i the index j + shift(t, i). Two people of groups i and i' meet in the
rounds in which shift(t, i) - shift(t, i') is the difference of their indices: never twice if that difference
is another one in each round. With shift(t, i) = t·i that is so

    among the whole numbers below the number of tables, if the largest product (rounds - 1)·(seats - 1) stays
      below it,
    in the field of q elements, q a prime or a power of one, as many tables as elements: the lines of the
      affine plane, one direction a round;
    the groups themselves are its last direction.

Otherwise shifts are searched. With fewer people than places some places stay empty that never meet, people of
the last group say: every round has exactly one of them at each table (`thinning`).

*At once.* A perfect difference set: the differences of its numbers are all different, so its translates are
tables at which every pair meets exactly once and everybody has each seat exactly once (13 people at 4, 21 at
5, 31 at 6, 57 at 8: projective planes). They are not rounds: any two of these tables share somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from .annealing import Rounds
from .thinning import thinned

#: people -> the numbers of one table, the others are its translates
DIFFERENCES = {
    7: (0, 1, 3),
    13: (0, 1, 3, 9),
    21: (0, 1, 4, 14, 16),
    31: (0, 1, 3, 8, 12, 18),
    57: (0, 1, 3, 13, 32, 36, 43, 52),
}
#: x to the power of the exponent in the field of this many elements, as digits: the field's rule
_RULES = {
    4: (2, 2, (1, 1)),
    8: (2, 3, (1, 1, 0)),
    16: (2, 4, (1, 1, 0, 0)),
    32: (2, 5, (1, 0, 1, 0, 0)),
    9: (3, 2, (2, 0)),
    27: (3, 3, (2, 1, 0)),
    25: (5, 2, (3, 0)),
    49: (7, 2, (6, 0)),
}
#: this many placements are tried in the search for shifts
TRIES = 20_000

Shifts = list[list[int]]
Add = Callable[[int, int], int]


def prime(number: int) -> bool:
    """Whether it is a prime number."""
    return number > 1 and all(number % each for each in range(2, int(number**0.5) + 1))


def field(size: int) -> tuple[Add, Add] | None:
    """Addition and multiplication of the field of that many elements; None if there is none, or it is not
    known here.
    """
    if prime(size):
        return lambda one, other: (one + other) % size, lambda one, other: one * other % size
    if size not in _RULES:
        return None
    base, length, rule = _RULES[size]

    def digits(number: int) -> list[int]:
        return [number // base**place % base for place in range(length)]

    def number(parts: Sequence[int]) -> int:
        return sum(part % base * base**place for place, part in enumerate(parts))

    def add(one: int, other: int) -> int:
        return number([a + b for a, b in zip(digits(one), digits(other), strict=True)])

    def times(one: int, other: int) -> int:
        left, right = digits(one), digits(other)
        product = [0] * (2 * length - 1)
        for place, a in enumerate(left):
            for step, b in enumerate(right):
                product[place + step] += a * b
        for place in range(2 * length - 2, length - 1, -1):
            high, product[place] = product[place], 0
            for step, part in enumerate(rule):
                product[place - length + step] += high * part
        return number(product[:length])

    return add, times


def shifts(tables: int, seats: int, rounds: int, dice: Random) -> tuple[Shifts, Add] | None:
    """The shift of each round and group, and how they are added; None if none was found."""

    def plain(one: int, other: int) -> int:
        return (one + other) % tables

    if (rounds - 1) * (seats - 1) < tables:
        return [[time * group for group in range(seats)] for time in range(rounds)], plain
    if rounds > tables or seats > tables:
        return None
    if (known := field(tables)) is not None:
        add, times = known
        return [[times(time, group) for group in range(seats)] for time in range(rounds)], add
    found = searched(tables, seats, rounds, dice)
    return (found, plain) if found else None


def searched(tables: int, seats: int, rounds: int, dice: Random) -> Shifts | None:
    """Shifts modulo the number of tables, group by group: each differs from each earlier one by another
    number in each round.
    """
    left = TRIES
    while left > 0:
        columns: list[list[int]] = [[0] * rounds]
        while len(columns) < seats:
            column: list[int] = [0]
            used = [{-each[0] % tables} for each in columns]
            order = [dice.sample(range(tables), tables) for _ in range(rounds)]
            tried = [0] * rounds
            while 0 < len(column) < rounds and left > 0:
                left -= 1
                time = len(column)
                for place in range(tried[time], tables):
                    value = order[time][place]
                    apart = [(value - each[time]) % tables for each in columns]
                    if not any(one in seen for one, seen in zip(apart, used, strict=True)):
                        tried[time] = place + 1
                        column.append(value)
                        for one, seen in zip(apart, used, strict=True):
                            seen.add(one)
                        break
                else:
                    tried[time] = 0
                    value = column.pop()
                    for each, seen in zip(columns, used, strict=True):
                        seen.discard((value - each[len(column)]) % tables)
            if len(column) < rounds:
                break
            columns.append(column)
        else:
            return [list(row) for row in zip(*columns, strict=True)]
    return None


def transversal(people: int, tables: int, rounds: int, dice: Random) -> Rounds | None:
    """Rounds of that many tables at which nobody meets anybody twice, people numbered from 0; None if none
    was found. The tables have one size, or two that differ by one.
    """
    seats = -(-people // tables)
    whole = seats == tables and people == seats * tables
    found = shifts(tables, seats, rounds - 1 if whole and rounds == tables + 1 else rounds, dice)
    if found is None:
        return None
    moves, add = found
    made = [
        [[group * tables + add(table, step) for group, step in enumerate(row)] for table in range(tables)]
        for row in moves
    ]
    if len(made) < rounds:
        made.append([list(range(group * tables, (group + 1) * tables)) for group in range(seats)])
    return thinned(made, people, dice)


def at_once(people: int) -> list[list[int]] | None:
    """Tables, in the order of their seats, at which every pair of that many people meets exactly once; None
    if no such design is known.
    """
    numbers = DIFFERENCES.get(people)
    return [[(table + number) % people for number in numbers] for table in range(people)] if numbers else None
