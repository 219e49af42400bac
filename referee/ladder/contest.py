"""What is to be played, and the tables of it.

Deals are paired: a deal – edition, cards, the order of the deck, who begins – is played as often as it has
seats, and each time everybody sits one seat further. What is luck of a seat then falls to everybody alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from ..rules import EDITIONS, Setup, SetupError
from ..rules.lists import RANDOM, Choice, choose
from .entrants import entrant
from .faults import LadderError

__all__ = ["Contest", "Deal", "LadderError", "contest_of", "deals"]

#: any edition, any number of players
ANY = "any"
#: the cards of a table: an edition's own, or by chance, as `new … random` draws them
CASTS = ("usual", ANY)
#: more games, or more people, than these are no contest but a mistake
MOST_GAMES, MOST_SEATS = 1_000_000, 64
#: seconds: the longest that may be said, and the least for which an answer is waited where nothing is said
_LONGEST, _PATIENCE = 3600.0, 20.0


class Contest(NamedTuple):
    """`seats`: who plays, as `entrants` reads them; with `rivals` the first of them plays against those
    alone. `players`: the numbers of players of its tables, in turn. `effort`: seconds of processor
    time that a level which searches may think about an answer, None: as long as it does. `patience`: seconds
    by the clock after which an answer is lost. The same contest gives the same results.
    """

    seats: tuple[str, ...]
    games: int
    players: tuple[int, ...] = (4,)
    rivals: bool = False
    editions: tuple[str, ...] = ("classic",)
    cast: str = "usual"
    seed: int = 1
    effort: float | None = None
    patience: float = _PATIENCE


class Deal(NamedTuple):
    """`order`: which of the contest's seats sits where when the deal is played first."""

    number: int
    setup: Setup
    seed: bytes
    order: tuple[int, ...]

    def seated(self, turn: int) -> tuple[int, ...]:
        """Who sits where when it is played for the `turn`-th time, from 0 on."""
        return self.order[turn:] + self.order[:turn]


def contest_of(
    seats: Sequence[str],
    games: int,
    *,
    players: str = "",
    rivals: bool = False,
    edition: str = "classic",
    cast: str = "",
    seed: int = 1,
    effort: float | None = None,
    patience: float | None = None,
) -> Contest:
    """A contest that can be played. `players`: `4`, `2,4,8`, `2-8`, `any`; "" for four, or as many as the
    rivals say. `edition`: a name, or `any`; `cast`: `usual` or `any`, "" for usual, with any edition any.
    `patience`: None for one that is long beside the effort.

    Raises LadderError for the first thing that is wrong; loads every entrant.
    """
    cast = cast or (ANY if edition == ANY else CASTS[0])
    if edition != ANY and edition not in EDITIONS:
        raise LadderError("no-edition", said=edition, known=[*EDITIONS, ANY])
    if cast not in CASTS:
        raise LadderError("no-cast", said=cast, known=CASTS)
    if not 0 < games <= MOST_GAMES:
        raise LadderError("no-games", said=games, most=MOST_GAMES)
    if not 2 <= len(seats) <= MOST_SEATS:
        raise LadderError("no-seats", count=len(seats), most=MOST_SEATS)
    twice = [one for one in seats if seats.count(one) > 1]
    if twice and not rivals:
        raise LadderError("twice", said=twice[0])
    editions = tuple(EDITIONS) if edition == ANY else (edition,)
    counts = _counts(players or str(len(seats) if rivals else 4), editions)
    if rivals and min(counts) < len(seats):
        raise LadderError("few-seats", players=min(counts), count=len(seats))
    for name, seconds in (("effort", effort), ("patience", patience)):
        if seconds is not None and not 0 < seconds <= _LONGEST:
            raise LadderError("no-seconds", name=name, said=seconds, most=_LONGEST)
    for one in dict.fromkeys(seats):
        entrant(one, effort)
    patience = patience or max(_PATIENCE, 10 * (effort or 1))
    return Contest(tuple(seats), games, counts, rivals, editions, cast, seed, effort, patience)


def _counts(said: str, editions: Sequence[str]) -> tuple[int, ...]:
    """`4`, `2,4`, `2-8`, `any`: the numbers of players.  Raises LadderError."""
    least = min(EDITIONS[name].least for name in editions)
    most = max(EDITIONS[name].most for name in editions)
    found: list[int] = []
    for part in said.split(","):
        low, dash, high = part.strip().partition("-")
        if part.strip() == ANY:
            low, dash, high = str(least), "-", str(most)
        if not (low.isdecimal() and (high.isdecimal() or not dash)) or len(low + high) > 4:
            raise LadderError("no-players", said=said, least=least, most=most)
        counts = range(int(low), int(high or low) + 1)
        if not counts:  # "4-2"
            raise LadderError("no-players", said=said, least=least, most=most)
        found += counts
    if min(found) < least or max(found) > most:
        raise LadderError("no-players", said=said, least=least, most=most)
    return tuple(dict.fromkeys(found))


def deals(contest: Contest) -> Iterator[Deal]:
    """The deals of a contest: as many as make its games, each played once for every seat."""
    sat = [0] * len(contest.seats)
    games = number = 0
    while games < contest.games:
        rng = Random(f"{contest.seed}/{number}")
        seed = hashlib.sha256(f"ladder/{contest.seed}/{number}".encode()).digest()
        setup = _setup(contest, contest.players[number % len(contest.players)], rng, seed)
        order = _order(contest, len(setup.players), sat, rng)
        yield Deal(number, setup, seed, order)
        games, number = games + len(order), number + 1


def _setup(contest: Contest, players: int, rng: Random, seed: bytes) -> Setup:
    """A table of that many that may be set so."""
    name = rng.choice(
        [one for one in contest.editions if EDITIONS[one].least <= players <= EDITIONS[one].most]
    )
    book = EDITIONS[name]
    names = tuple(f"P{seat + 1}" for seat in range(players))
    if contest.cast == CASTS[0] or len(book.characters) == len(book.cast):
        return Setup(name, names)
    nine = True if book.ninth(players) == "may" and rng.random() < 0.5 else None
    try:
        drawn = choose(name, players, Choice(named=RANDOM, nine=nine), seed)
    except SetupError as no:
        raise LadderError("no-table", edition=name, players=players, why=no.code) from no
    return Setup(name, names, cast=drawn.cast, uniques=drawn.uniques)


def _order(contest: Contest, players: int, sat: list[int], rng: Random) -> tuple[int, ...]:
    """Who sits at a table, in an order by chance; `sat` counts seats, so that all get as many."""
    everybody = range(len(contest.seats))
    if contest.rivals:
        order = [0, *islice(cycle(everybody[1:]), players - 1)]
    else:
        whole, rest = divmod(players, len(everybody))
        least = sorted(everybody, key=lambda one: (sat[one], rng.random()))
        order = [*everybody] * whole + least[:rest]
    for one in order:
        sat[one] += 1
    rng.shuffle(order)
    return tuple(order)
