"""Trying targets with inputs: nothing but what is documented may be raised, and nothing may take long.

What is measured is seconds of work of this thread; what seems slow is tried again, and the best counts, in
seconds of one machine: a slow or loaded one changes nothing.
"""

from __future__ import annotations

import re
import signal
import time
import traceback
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

Input = str | bytes
#: what one input may cost, in seconds of work
MOST_S = 0.1
#: what one input is given before it is stopped
_STOPPED_S = 3.0
#: so many inputs make a run of the whole house; `make soak` is many times that
RUN = 20_000


@dataclass(frozen=True)
class Target:
    """Something that reads what comes in.

    `make` is one of `mutating`; `corpus` gives what it begins with. `go` reads one input, and asserts
    whatever must hold of the answer; of exceptions only `refused` may come out, and they say something.
    `share`: how many of `RUN` inputs are for it.
    """

    name: str
    make: Callable[[Random, Sequence[Any]], Any]
    corpus: Callable[[], Sequence[Any]]
    go: Callable[[Any], object]
    share: int
    refused: tuple[type[Exception], ...] = ()


@dataclass(frozen=True)
class Fault:
    """What went wrong with an input; `kind` is the same for what is the same fault."""

    target: str
    kind: str
    said: str
    input: Input


@dataclass
class Count:
    """What a run did: inputs tried, of them refused, the work in seconds, the slowest, and each kind of fault
    once.
    """

    target: str
    tried: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    faults: dict[str, Fault] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.target:<22} {self.tried:>8} inputs  {self.refused:>8} refused  {self.seconds:7.1f} s of "
            f"work  "
            f"slowest {self.slowest * 1000:6.1f} ms  {len(self.faults)} faults"
        )


def run(target: Target, count: int, seed: int, seconds: float = 1e9) -> Count:
    """So many inputs, or as many as so many seconds allow."""
    rng, done, corpus, ends = (
        Random(f"{target.name} {seed}"),
        Count(target.name),
        target.corpus(),
        time.monotonic() + seconds,
    )
    for one in corpus[:40]:  # what is kept between readings is made before anything is measured
        tried(target, one)
    while done.tried < count and time.monotonic() < ends:
        fault, cost, refused = tried(target, target.make(rng, corpus))
        done.tried, done.refused, done.seconds = done.tried + 1, done.refused + refused, done.seconds + cost
        done.slowest = max(done.slowest, cost)
        if fault is not None and fault.kind not in done.faults:
            done.faults[fault.kind] = fault
            if len(done.faults) >= 25:
                break
    return done


def tried(target: Target, said: Input) -> tuple[Fault | None, float, bool]:
    """The fault, if any; what it cost; and whether it was refused."""
    fault, cost, refused = _once(target, said)
    if fault is None and cost > MOST_S:
        cost = min(_at_ease(target, said) for _ in range(3))
        if cost > MOST_S:
            fault = Fault(target.name, "slow", f"{cost * 1000:.0f} ms for {len(said)} signs", said)
    return fault, cost, refused


#: what a piece of work takes on the machine that `MOST_S` was set on, in seconds
_EASE_S = 0.005


def _pace() -> float:
    """How many times as long as there the work takes here and now; it fills memory, as readers do."""
    begun = time.thread_time()
    sum(range(200_000))
    len(" ".join(map(str, range(16_000))).split())
    return max(1.0, (time.thread_time() - begun) / _EASE_S)


def _at_ease(target: Target, said: Input) -> float:
    """What an input costs, as if that machine did nothing else: two cores that share their caches with others
    are slower for all.
    """
    before = _pace()
    cost = _once(target, said)[1]
    return cost / min(before, _pace())


class _Stopped(BaseException):
    pass


@contextmanager
def _bounded() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _Stopped

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _STOPPED_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _once(target: Target, said: Input) -> tuple[Fault | None, float, bool]:
    begun = time.thread_time()
    try:
        with _bounded():
            target.go(said)
    except target.refused as no:
        cost = time.thread_time() - begun
        if not re.search(r"\w", str(no)):
            return Fault(target.name, f"mute {type(no).__name__}", repr(no), said), cost, True
        return None, cost, True
    except _Stopped:
        where = "stopped"
        return (
            Fault(target.name, f"slow {where}", f"stopped after {_STOPPED_S} s of work", said),
            _STOPPED_S,
            False,
        )
    except Exception as broken:
        return (
            Fault(target.name, _kind(broken), "".join(traceback.format_exception(broken, limit=-6)), said),
            time.thread_time() - begun,
            False,
        )
    return None, time.thread_time() - begun, False


def _kind(broken: Exception) -> str:
    """The exception, and the line of ours that it came from."""
    frames = [
        frame
        for frame in traceback.extract_tb(broken.__traceback__)
        if "/referee/" in frame.filename or "/adapters/" in frame.filename or "/fuzz/" in frame.filename
    ]
    last = frames[-1] if frames else None
    return (
        f"{type(broken).__name__} at {last.filename.rpartition('/')[2]}:{last.lineno}"
        if last
        else type(broken).__name__
    )


def smaller(target: Target, fault: Fault, tries: int = 400) -> Input:
    """The input with everything taken out that the fault does not need, as far as so many tries go."""
    said: Any = fault.input
    size, left = max(1, len(said) // 2), tries
    while size and left > 0:
        at, got = 0, False
        while at < len(said) and left > 0:
            less = said[:at] + said[at + size :]
            left -= 1
            other = tried(target, less)[0]
            if other is not None and other.kind == fault.kind:
                said, got = less, True
            else:
                at += size
        size = size if got and size == 1 and len(said) > 1 else size // 2
    return said


def parts(said: Input) -> list[list[Any]]:
    """An input as it is kept: pieces and how often each stands there; bytes as the signs of Latin-1."""
    words = said.decode("latin-1") if isinstance(said, bytes) else said
    out: list[list[Any]] = []
    place = 0
    for found in re.finditer(r"(.{1,24}?)\1{9,}", words, re.DOTALL):
        if found.start() > place:
            out.append([words[place : found.start()], 1])
        out.append([found[1], len(found[0]) // len(found[1])])
        place = found.end()
    return [*out, [words[place:], 1]] if place < len(words) or not out else out


def whole(kept: Sequence[Sequence[Any]], *, raw: bool) -> Input:
    """The input of its pieces."""
    said = "".join(piece * times for piece, times in kept)
    return said.encode("latin-1") if raw else said


def name_of(said: Input) -> str:
    """A short name of an input."""
    return f"{zlib.crc32(said if isinstance(said, bytes) else said.encode('utf-8', 'surrogatepass')):08x}"
