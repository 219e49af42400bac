"""The games shared out over processes, which may die of a stranger's code.

Each process plays a game at a time and notes, in memory that is shared with us, which answer is being thought
about. Where the note stands still too long, or the process ends, that answer is lost: another process plays
the game anew without asking for it. A game depends on nothing but its number, so it comes out the same,
whichever process plays it and however many there are.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any, NamedTuple

from .contest import Contest, Deal, deals
from .entrants import entrant
from .faults import LadderError
from .table import NOBODY, Result, play_game

#: bytes that a process may take
MEMORY = 2 << 30
#: seconds between two looks at the notes, at most
_LOOK = 0.5
#: "spawn": nothing of this process, its threads and its open files goes along
_SPAWNED = multiprocessing.get_context("spawn")


class _Job(NamedTuple):
    """A game that is to be played; `lost`: number of the answer -> kind."""

    deal: Deal
    turn: int
    lost: dict[int, str]


class _Hand:
    """One process of the crew."""

    def __init__(self, contest: Contest, job: _Job) -> None:
        self._contest = contest
        self._begin()
        self.give(job)

    def _begin(self) -> None:
        self._note: Any = RawArray("q", [NOBODY, 0])
        self.line, theirs = _SPAWNED.Pipe()
        self._process = _SPAWNED.Process(target=_serve, args=(self._contest, theirs, self._note), daemon=True)
        self._process.start()
        theirs.close()
        self._seen, self._since = [NOBODY, 0], time.monotonic()

    def give(self, job: _Job | None) -> None:
        """Let it play that game; None: there is none left."""
        self.job = job
        if job is not None:
            with suppress(OSError):  # it has ended: found when it is looked at
                self.line.send(job)

    def taken(self) -> Result | None:
        """What it has played; None where it ended instead, and the answer in hand is lost.

        Raises LadderError where none was in hand.
        """
        try:
            return self.line.recv()  # type: ignore[no-any-return]  # what `_serve` sends
        except (EOFError, OSError):
            self.end()
            if self._note[0] == NOBODY or self.job is None:  # a flaw of ours, or of the machine
                raise LadderError("crew-died", signal=self._process.exitcode) from None
            self._anew(self.job, "died")
            return None

    def look(self) -> None:
        """End it where it thinks about one answer too long."""
        now, noted = time.monotonic(), list(self._note)
        if noted != self._seen or noted[0] == NOBODY:
            self._seen, self._since = noted, now
        elif self.job is not None and now - self._since > self._contest.patience:
            self.end()
            self._anew(self.job, "slow" if list(self._note) == noted else "")

    def _anew(self, job: _Job, why: str) -> None:
        """Another process in its place, which plays the game without the answer in hand."""
        if why:  # else it went on in the moment when it was ended
            job.lost[self._note[0]] = why
        self._begin()
        self.give(job)

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self.line.close()


def run(contest: Contest, workers: int = 1, done: Callable[[int], None] = lambda games: None) -> list[Result]:
    """All games of a contest, in order.  `done` is told after each how many are over.  Raises LadderError."""
    jobs = _jobs(contest)
    found: list[Result] = []
    crew = [_Hand(contest, job) for job in islice(jobs, workers)]
    try:
        while busy := [one for one in crew if one.job is not None]:
            ready = wait([one.line for one in busy], _LOOK)
            for one in busy:
                if one.line not in ready:
                    one.look()
                elif (result := one.taken()) is not None:
                    found.append(result)
                    done(len(found))
                    one.give(next(jobs, None))
    finally:
        for one in crew:
            one.end()
    return sorted(found, key=lambda one: (one.deal, one.turn))


def _jobs(contest: Contest) -> Iterator[_Job]:
    for deal in deals(contest):
        for turn in range(len(deal.order)):
            yield _Job(deal, turn, {})


def _serve(contest: Contest, line: Connection, note: Any) -> None:
    """The life of a process: game after game, until the line is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began us ends us
    os.dup2(2, 1)  # what a stranger prints is no line of the table
    sys.stdout = sys.stderr
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    entrants = [entrant(one, contest.effort) for one in contest.seats]
    with suppress(EOFError, OSError):
        while True:
            job: _Job = line.recv()
            line.send(play_game(job.deal, job.turn, entrants, job.lost, note))
