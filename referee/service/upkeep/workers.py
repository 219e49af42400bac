"""All live games, shared out over processes: each opens the database for itself, and only looks."""

from __future__ import annotations

import errno
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple, TypeVar

from referee.ids import NO_GAME, GameId
from referee.states import GameStatus
from referee.store import Game, Store, StoreFull, Tx
from referee.text import Words

from ..core.settings import ServiceSettings
from ..core.unit_of_work import StateCache, UnitOfWork
from .audit import LIVE, AuditFlaw, damaged, flaws

#: games that are looked at in one go: one reading transaction
_SHARE = 100
T = TypeVar("T")


class WorkShare(NamedTuple):
    """What one process does at once: these games of that database, at that hour."""

    url: str
    games: Sequence[GameId]
    now_ms: int


class AuditResult(NamedTuple):
    """How many games were looked at, and what was found."""

    games: int
    flaws: list[AuditFlaw]


def cores() -> int:
    """How many processes can work at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def audited(url: str, now_ms: int, workers: int = 0, *, finished: bool = False) -> AuditResult:
    """Look through every live game of a database and the checksum of every packed one; `finished`: play those
    that are over again, too.

    `workers` 0: as many as there are cores. Blocks. Raises a WrongDatabase, StoreFull.
    """
    games = numbers(url, (*LIVE, GameStatus.OVER) if finished else LIVE)
    work = partial(audit_games, finished=finished)
    found = [flaw for part in shared(work, url, games, now_ms, workers) for flaw in part]
    return AuditResult(len(games), found if finished else [*found, *damaged_packs(url)])


def numbers(url: str, statuses: Sequence[GameStatus] = LIVE) -> list[GameId]:
    """The numbers of the games of these statuses."""
    store = Store.open(url, read_only=True)
    try:
        return store.read_now(lambda tx: tx.column(Game, "id", status=tuple(statuses), order="id"))
    finally:
        store.close_now()


def damaged_packs(url: str) -> list[AuditFlaw]:
    """Of all games that are packed, those whose pack is not what was written."""
    store, found, after = Store.open(url, read_only=True), list[AuditFlaw](), NO_GAME
    try:
        while True:
            some, after = store.read_now(partial(damaged, after=after, most=_SHARE))
            found += some
            if not after:
                return found
    finally:
        store.close_now()


def shared(
    work: Callable[[WorkShare], T], url: str, games: Sequence[GameId], now_ms: int, workers: int = 0
) -> Iterator[T]:
    """Do `work` (a function that another process can find by its name) for all of these games, a share at a
    time; in order. Raises StoreFull where one of the processes is killed.
    """
    shares = [WorkShare(url, games[first : first + _SHARE], now_ms) for first in range(0, len(games), _SHARE)]
    workers = min(workers or cores(), len(shares))
    if workers < 2:
        yield from map(work, shares)
        return
    # "spawn": nothing of this process, its threads and its open database goes along
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        try:
            yield from pool.map(work, shares)
        except BrokenProcessPool as error:
            killed = StoreFull(
                errno.ENOMEM,
                "a process that looked through games was killed, as for want of memory: try fewer workers",
            )
            killed.reason = "killed"  # no disk is full
            raise killed from error


def audit_games(share: WorkShare, *, finished: bool = False) -> list[AuditFlaw]:
    """What is wrong with these games."""
    store = Store.open(share.url, read_only=True)
    try:
        return store.read_now(
            lambda tx: [
                flaw
                for number in share.games
                for flaw in flaws(desk(tx, share.now_ms), number, finished=finished)
            ]
        )
    finally:
        store.close_now()


def desk(tx: Tx, now_ms: int) -> UnitOfWork:
    """What looking needs: nothing is said, and no channel is on."""
    return UnitOfWork(tx, now_ms, _WORDS, ServiceSettings(), StateCache(1))


_WORDS = Words(())
