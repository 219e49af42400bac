"""Standings of a division: points, then the tie-breaks in the stated order, and which of them decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from referee.ids import PersonId

from .points import Points, awarded


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

    place      1 is the best; those who tie have the same number, and the places behind it are left free
    score      points of the game itself
    size       how many seats the table has; 0: as many as it has results
    played     it was played to its end; what was decided otherwise says nothing of scores
    void       the table does not count, for nobody
    abandoned  they left the game to others: they get `Terms.abandoned` instead of the points of their place,
               which are nobody's then, and no win
    """

    person: PersonId
    round: int
    table: int
    place: int
    score: int = 0
    void: bool = False
    abandoned: bool = False
    size: int = 0
    played: bool = True


@dataclass(frozen=True, slots=True)
class Terms:
    """What the league states.

    table    points for places
    bye      points for a round without a table, None: the mean of one's own counted results
    seed     the word the lots are drawn from
    early    as seasons of the first form are reckoned: the share is that of all scores at a table, whether it
             was played to its end or not, and there are places before the first result
    reached  how far each came in a knock-out, the more the farther
    """

    table: Points
    order: Sequence[By] = ORDER
    bye: Fraction | None = None
    abandoned: Fraction = Fraction(0)
    seed: str = ""
    early: bool = False
    reached: Mapping[PersonId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings.

    rank       1 is the best; equal only where even the lot is not among the tie-breaks; 0: nothing is decided
    points     with byes and penalties; `penalty`: what of it was taken away
    played     counted tables; `byes`: rounds without one
    share      the own score against the mean at each table that was played to its end, 1 where it is the
               mean, a table that was abandoned 0; None: there was no such table
    decided    what put them before the next row (None: nothing did, or there is no next)
    figures    by how much: what both have of that (None: it was a lot, a round, or nothing); the duels are
               those among all who were equal until then
    """

    rank: int
    person: PersonId
    points: Fraction
    played: int
    wins: int
    share: Fraction | None
    byes: int
    penalty: Fraction
    abandoned: int
    decided: By | None
    figures: tuple[Fraction | None, Fraction | None] | None = None


@dataclass(slots=True)
class _Account:
    points: Fraction = Fraction(0)
    penalty: Fraction = Fraction(0)
    played: int = 0
    wins: int = 0
    shares: Fraction = Fraction(0)
    shared: int = 0
    byes: int = 0
    abandoned: int = 0

    @property
    def share(self) -> Fraction | None:
        return self.shares / self.shared if self.shared else None


class _Group(NamedTuple):
    """Whom nobody can tell apart: their rank, and what put them before the next group."""

    rank: int
    people: list[PersonId]
    decided: By | None
    figures: tuple[Fraction | None, Fraction | None] | None


def standings(
    people: Iterable[PersonId],
    results: Iterable[Result],
    terms: Terms,
    *,
    byes: Mapping[PersonId, int] | None = None,
    penalties: Iterable[tuple[PersonId, Fraction]] = (),
) -> tuple[Standing, ...]:
    """Everybody in order; before the first result in the order in which they are named.

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
    if not terms.early and not any(account.played for account in accounts.values()):
        return tuple(_row(_Group(0, [], None, None), who, accounts[who]) for who in accounts)
    rows: list[Standing] = []
    for group in _ordered(sorted(accounts), accounts, tables, terms, tuple(terms.order)):
        *others, last = group.people
        rows += [_row(group._replace(decided=None, figures=None), who, accounts[who]) for who in others]
        rows.append(_row(group, last, accounts[last]))
    return tuple(rows)


def _row(group: _Group, who: PersonId, has: _Account) -> Standing:
    return Standing(
        group.rank,
        who,
        has.points,
        has.played,
        has.wins,
        has.share,
        has.byes,
        has.penalty,
        has.abandoned,
        group.decided,
        group.figures,
    )


def given(at: Sequence[Result], terms: Terms) -> tuple[Fraction, ...]:
    """The points that the results of one table are worth. Together they are what a table of its size gives,
    less the places of those who left it to others.
    """
    worth = awarded([one.place for one in at], terms.table, max((one.size for one in at), default=0))
    return tuple(terms.abandoned if one.abandoned else points for one, points in zip(at, worth, strict=True))


def shares(at: Sequence[Result], terms: Terms) -> tuple[Fraction | None, ...]:
    """The score of each result of one table against the mean there; None: it says nothing."""
    total = sum(max(0, one.score) for one in at)
    if terms.early:
        return tuple(
            Fraction(0 if one.abandoned else max(0, one.score), total) if total else Fraction(1, len(at))
            for one in at
        )
    return tuple(
        Fraction(0)
        if one.abandoned
        else None
        if not one.played
        else Fraction(max(0, one.score) * len(at), total)
        if total
        else Fraction(1)
        for one in at
    )


def _count(at: Sequence[Result], accounts: Mapping[PersonId, _Account], terms: Terms) -> None:
    """Add what everybody at one table won to their accounts."""
    for one, worth, share in zip(at, given(at, terms), shares(at, terms), strict=True):
        account = accounts.get(one.person)
        if account is None:
            continue
        account.played += 1
        account.abandoned += one.abandoned
        account.points += worth
        account.wins += one.place == 1 and not one.abandoned
        if share is not None:
            account.shares += share
            account.shared += 1


def _ordered(
    people: Sequence[PersonId],
    accounts: Mapping[PersonId, _Account],
    tables: Mapping[int, list[Result]],
    terms: Terms,
    order: tuple[By, ...],
) -> list[_Group]:
    """Everybody in groups, the best first."""
    if len(people) < 2 or not order:
        return [_Group(1, list(people), None, None)] if people else []
    worth = _worth(order[0], people, accounts, tables, terms)
    groups: dict[Fraction | None, list[PersonId]] = defaultdict(list)
    for who in people:
        groups[worth(who)].append(who)
    values = sorted(groups, key=lambda value: (value is not None, value or 0), reverse=True)
    found: list[_Group] = []
    above = 0
    for value, following in zip(values, [*values[1:], None], strict=True):
        # duels count anew among those they left together, until they tell nobody apart
        again = order[0] is By.DUELS and len(groups) > 1
        inner = _ordered(groups[value], accounts, tables, terms, order if again else order[1:])
        found += [one._replace(rank=above + one.rank) for one in inner]
        above += len(groups[value])
        if above < len(people):
            figures = None if order[0] in (By.LOT, By.REACHED) else (value, following)
            found[-1] = found[-1]._replace(decided=order[0], figures=figures)
    return found


def _worth(
    by: By,
    people: Sequence[PersonId],
    accounts: Mapping[PersonId, _Account],
    tables: Mapping[int, list[Result]],
    terms: Terms,
) -> Callable[[PersonId], Fraction | None]:
    """What somebody has of it; None: nothing that could be compared, which goes last."""
    if by is By.REACHED:
        return lambda who: Fraction(terms.reached.get(who, 0))
    if by is By.POINTS:
        return lambda who: accounts[who].points
    if by is By.WINS:
        return lambda who: Fraction(accounts[who].wins)
    if by is By.SHARE:
        return lambda who: accounts[who].share or (Fraction(0) if terms.early else accounts[who].share)
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
