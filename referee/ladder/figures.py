"""What the games of a contest say about who played.

Games of one deal are no trials of their own, as the same cards lie in all of them. So the interval is
reckoned over deals: it is that of a ratio, wins to seats, each deal one trial of it.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from itertools import groupby
from statistics import median
from typing import NamedTuple

from openskill.models import PlackettLuce

from .contest import Contest
from .table import Loss, Result

#: half of the 95 % interval of a normal distribution, in deviations
_Z = 1.959964
COLUMNS = ("deal", "turn", "edition", "players", "seat", "who", "points", "place", "win", "rounds", "lost")


class Row(NamedTuple):
    """Somebody's figures.

    `seats`: how often they sat at a table; `wins`, a shared one in shares; `share` of the seats that won,
    `even` what it would be if all were alike, `low` and `high` the 95 % interval (None from one deal);
    `points`: the mean; `mu` and `sigma`: the rating; milliseconds an answer: `middle`, `p99`, `longest`;
    `lost`: kind -> answers, `why`: what was said of the first.
    """

    who: str
    seats: int
    wins: float
    share: float
    low: float | None
    high: float | None
    even: float
    points: float
    mu: float
    sigma: float
    answers: int
    middle: float
    p99: float
    longest: float
    lost: dict[str, int]
    why: str


def standings(contest: Contest, results: Sequence[Result]) -> list[Row]:
    """A row for each of the contest's seats, the highest rating first; with rivals the first seat first."""
    rated = _ratings(len(contest.seats), results)
    rows = [_row(contest, who, results, rated[who]) for who in range(len(contest.seats))]
    return rows if contest.rivals else sorted(rows, key=lambda row: (-row.mu, row.who))


def _row(contest: Contest, who: int, results: Sequence[Result], rating: tuple[float, float]) -> Row:
    seats = [(one, seat) for one in results for seat, sits in enumerate(one.order) if sits == who]
    trials = [
        (
            sum(one.wins[seat] for one, seat in found),
            len(found),
        )
        for found in (list(part) for _, part in groupby(seats, key=lambda each: each[0].deal))
    ]
    share, half = ratio(trials)
    times = sorted(ms for one, seat in seats for ms in one.times[seat])
    lost: list[Loss] = [loss for one, seat in seats for loss in one.lost if loss.seat == seat]
    kinds = dict.fromkeys(loss.kind for loss in lost)
    return Row(
        contest.seats[who],
        len(seats),
        sum(won for won, _ in trials),
        share,
        None if half is None else max(0.0, share - half),
        None if half is None else min(1.0, share + half),
        sum(1 / len(one.order) for one, _ in seats) / max(1, len(seats)),
        sum(one.points[seat] for one, seat in seats) / max(1, len(seats)),
        *rating,
        len(times),
        median(times or [0.0]),
        times[math.ceil(0.99 * len(times)) - 1] if times else 0.0,
        max(times, default=0.0),
        {kind: sum(loss.kind == kind for loss in lost) for kind in kinds},
        next((loss.why for loss in lost if loss.why), ""),
    )


def ratio(trials: Sequence[tuple[float, int]]) -> tuple[float, float | None]:
    """(what was won / how often, half of its 95 % interval) of trials that each say both; None from one."""
    often = sum(many for _, many in trials)
    if not often:
        return 0.0, None
    share, count = sum(won for won, _ in trials) / often, len(trials)
    if count < 2:
        return share, None
    spread = math.fsum((won - share * many) ** 2 for won, many in trials)
    return share, _student(count - 1) * math.sqrt(spread * count / (count - 1)) / often


def _student(freedom: int) -> float:
    """Half of the 95 % interval of Student's distribution, in deviations: its first terms in 1 / freedom
    (Fisher and Cornish), a hundredth off at most."""
    exact = {1: 12.706, 2: 4.303, 3: 3.182}
    z, n = _Z, freedom
    terms = (z**3 + z) / 4 / n, (5 * z**5 + 16 * z**3 + 3 * z) / 96 / n**2
    more = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / n**3
    return exact.get(n, z + sum(terms) + more)


def _ratings(count: int, results: Sequence[Result]) -> list[tuple[float, float]]:
    """(mu, sigma) of each, by Plackett and Luce. Players made of code don't learn, so their strength is taken
    to stand still (`tau`); one who sits at a table several times is moved by the mean of it.
    """
    model = PlackettLuce(tau=0.0)
    now = [model.rating() for _ in range(count)]
    for game in results:
        if len({*game.order}) < 2:
            continue
        teams = [[now[who]] for who in game.order]
        after = [team[0] for team in model.rate(teams, ranks=[float(place) for place in game.places])]
        for who in {*game.order}:
            own = [rating for rating, sits in zip(after, game.order, strict=True) if sits == who]
            now[who] = model.rating(
                mu=sum(one.mu for one in own) / len(own), sigma=sum(one.sigma for one in own) / len(own)
            )
    return [(one.mu, one.sigma) for one in now]


def csv_text(contest: Contest, results: Sequence[Result]) -> str:
    """A line for each seat of each game, the names of the columns first; without times, so that the same
    contest gives the same text."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(COLUMNS)
    for one in results:
        for seat, who in enumerate(one.order):
            lost = sum(loss.seat == seat for loss in one.lost)
            facts = (one.points[seat], one.places[seat], round(one.wins[seat], 4), one.rounds, lost)
            lines.writerow(
                (one.deal, one.turn, one.edition, len(one.order), seat, contest.seats[who], *facts)
            )
    return written.getvalue()
