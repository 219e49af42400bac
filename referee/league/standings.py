"""Standings of a division: points, then the tie-breaks in the stated order, and which of them decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from hashlib import sha256

from referee.ids import PersonId

from .points import PointsTable, awarded


class By(StrEnum):
    """What puts one person before another."""

    REACHED = "round reached"
    POINTS = "points"
    WINS = "wins"
    SHARE = "score share"
    DUELS = "head to head"
    LOT = "lot"


#: the order as stated to the players
ORDER = (By.POINTS, By.WINS, By.SHARE, By.DUELS, By.LOT)


@dataclass(frozen=True, slots=True)
class Result:
    """How one person did at one table.

    place 1 is the best; those who tie have the same number, and the places behind it are left free score
    points of the game itself void the table does not count, for nobody abandoned they left the game: they get
    `Terms.abandoned` instead of the points of their place, and no win
    """

    person: PersonId
    round: int
    table: int
    place: int
    score: int = 0
    void: bool = False
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """What the league states.

    `bye`: points for a round without a table, None: the mean of one's own counted results; `seed`: the word
    the lots are drawn from; `reached`: how far each came in a knock-out, the more the farther.
    """

    table: PointsTable
    order: Sequence[By] = ORDER
    bye: Fraction | None = None
    abandoned: Fraction = Fraction(0)
    seed: str = ""
    reached: Mapping[PersonId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings.

    rank       1 is the best; equal only where even the lot is not among the tie-breaks
    points     with byes and penalties; `penalty`: what of it was taken away
    played     counted tables; `byes`: rounds without one
    share      mean of the own part of all scores at each table, 0 to 1
    decided    what put them before the next row (None: nothing did, or there is no next)
    """

    rank: int
    person: PersonId
    points: Fraction
    played: int
    wins: int
    share: Fraction
    byes: int
    penalty: Fraction
    abandoned: int
    decided: By | None


@dataclass(slots=True)
class _Account:
    points: Fraction = Fraction(0)
    penalty: Fraction = Fraction(0)
    played: int = 0
    wins: int = 0
    shares: Fraction = Fraction(0)
    byes: int = 0
    abandoned: int = 0


def standings(
    people: Iterable[PersonId],
    results: Iterable[Result],
    terms: Terms,
    *,
    byes: Mapping[PersonId, int] | None = None,
    penalties: Iterable[tuple[PersonId, Fraction]] = (),
) -> tuple[Standing, ...]:
    """Everybody in order.

    `people`: all of the division, also those without a result; `byes`: how many each had; `penalties`: points
    to take from somebody. Results of people who are not in the division count for the places of the others
    and are not shown.

    Raises `PointsFault` "points-too-short" if a table has more places than the points table.
    """
    accounts = {who: _Account() for who in people}
    tables: dict[int, list[Result]] = defaultdict(list)
    for one in results:
        if not one.void:
            tables[one.table].append(one)
    for at in tables.values():
        _count(at, accounts, terms)
    for who, count in (byes or {}).items():
        if who in accounts:
            account = accounts[who]
            own = account.points / account.played if account.played else Fraction(0)
            account.byes = count
            account.points += count * (own if terms.bye is None else terms.bye)
    for who, taken in penalties:
        if who in accounts:
            accounts[who].points -= taken
            accounts[who].penalty += taken
    rows: list[Standing] = []
    for rank, group, decided in _ordered(sorted(accounts), accounts, tables, terms, tuple(terms.order)):
        for number, who in enumerate(group, 1):
            has = accounts[who]
            rows.append(
                Standing(
                    rank,
                    who,
                    has.points,
                    has.played,
                    has.wins,
                    has.shares / has.played if has.played else Fraction(0),
                    has.byes,
                    has.penalty,
                    has.abandoned,
                    decided if number == len(group) else None,
                )
            )
    return tuple(rows)


def _count(at: Sequence[Result], accounts: Mapping[PersonId, _Account], terms: Terms) -> None:
    """Add what everybody at one table won to their accounts."""
    total = sum(max(0, one.score) for one in at)
    for one, worth in zip(at, awarded([one.place for one in at], terms.table), strict=True):
        account = accounts.get(one.person)
        if account is None:
            continue
        account.played += 1
        account.abandoned += one.abandoned
        account.points += terms.abandoned if one.abandoned else worth
        account.wins += one.place == 1 and not one.abandoned
        account.shares += (
            Fraction(0 if one.abandoned else max(0, one.score), total) if total else Fraction(1, len(at))
        )


def _ordered(
    people: Sequence[PersonId],
    accounts: Mapping[PersonId, _Account],
    tables: Mapping[int, list[Result]],
    terms: Terms,
    order: tuple[By, ...],
) -> list[tuple[int, list[PersonId], By | None]]:
    """Groups nobody can tell apart: their rank, who they are, and what put them before the next group."""
    if len(people) < 2 or not order:
        return [(1, list(people), None)] if people else []
    worth = _worth(order[0], people, accounts, tables, terms)
    groups: dict[Fraction, list[PersonId]] = defaultdict(list)
    for who in people:
        groups[worth(who)].append(who)
    found: list[tuple[int, list[PersonId], By | None]] = []
    above = 0
    for value in sorted(groups, reverse=True):
        # duels count anew among those they left together, until they tell nobody apart
        again = order[0] is By.DUELS and len(groups) > 1
        inner = _ordered(groups[value], accounts, tables, terms, order if again else order[1:])
        found += [(above + rank, group, decided) for rank, group, decided in inner[:-1]]
        rank, group, _ = inner[-1]
        above += len(groups[value])
        found.append((above - len(groups[value]) + rank, group, order[0] if above < len(people) else None))
    return found


def _worth(
    by: By,
    people: Sequence[PersonId],
    accounts: Mapping[PersonId, _Account],
    tables: Mapping[int, list[Result]],
    terms: Terms,
) -> Callable[[PersonId], Fraction]:
    if by is By.REACHED:
        return lambda who: Fraction(terms.reached.get(who, 0))
    if by is By.POINTS:
        return lambda who: accounts[who].points
    if by is By.WINS:
        return lambda who: Fraction(accounts[who].wins)
    if by is By.SHARE:
        return lambda who: (
            accounts[who].shares / accounts[who].played if accounts[who].played else Fraction(0)
        )
    if by is By.DUELS:
        won = _duels(people, tables)
        return lambda who: Fraction(won[who])
    return lambda who: Fraction(int.from_bytes(sha256(f"{terms.seed}:{who}".encode()).digest()[:12], "big"))


def _duels(people: Sequence[PersonId], tables: Mapping[int, list[Result]]) -> dict[PersonId, int]:
    """How often each was placed before another of those people, less how often behind."""
    among, won = set(people), dict.fromkeys(people, 0)
    for at in tables.values():
        met = [one for one in at if one.person in among]
        for one in met:
            for other in met:
                if (one.abandoned, one.place) < (other.abandoned, other.place):
                    won[one.person] += 1
                    won[other.person] -= 1
    return won
