"""What makes a pattern slow: texts made of its own parts, and how the time grows with them.

A backtracking engine is slow where a part that repeats can be gone through in several ways, or from several
starts, before the text fails to match. So each repeat and each choice of a pattern gives beginnings (what
leads there), pieces to repeat (what it takes) and ends (what does not fit); and so does every pair of signs
that the pattern tells apart.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from re import _constants as codes
from re import _parser as parser
from typing import Any, NamedTuple

#: a text is grown up to so many signs, or until one go costs so many seconds of work
LONGEST, LONG_ENOUGH = 100_000, 0.05
#: shorter times are not measured against each other
MEASURABLE = 0.001
#: doubling the text may make it so many times slower
MOST = 3.0
#: one go is given up after so many seconds of work
GIVEN_UP = 0.6
_SCREENED = (32, 128, 512, 2048, 8192)
_SUSPECT = 6.5
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_COMMON = "a7 \t\n.-_!<>@:,;#=\"'()[]{}&%$+*/\\|~^?é\u00a0"


class Text(NamedTuple):
    """A text that grows in its middle."""

    begin: str
    pump: str
    end: str

    def of(self, size: int) -> str:
        return self.begin + self.pump * max(1, size // len(self.pump)) + self.end


class Slow(NamedTuple):
    """What was found: the time at a size and at twice that size, in seconds of work."""

    text: Text
    way: str
    size: int
    once: float
    twice: float


def slow(pattern: re.Pattern[Any], ways: frozenset[str], seed: int = 1, most: int = 50) -> Slow | None:
    """A text for which twice the length takes more than three times as long, or None where none of those
    tried does (about six times `most`).
    """
    for way in sorted(ways):
        tried = 0
        for text in texts(pattern, Random(seed), most):
            if _screened(pattern, way, text) > _SUSPECT and tried < 40:
                tried += 1
                if found := _grown(pattern, way, text):
                    return found
    return None


def _screened(pattern: re.Pattern[Any], way: str, text: Text) -> float:
    """A short look: how many times longer four times the text took, at the largest size tried; 0 where that
    is too short to say.
    """
    before = 0.0
    for size in _SCREENED:
        cost = _cost(pattern, way, text.of(size), 1)
        if cost == float("inf"):
            return cost
        if cost > 2 * MEASURABLE:
            break
        before, cost = cost, 0.0
    else:
        return 0.0
    return cost / before if before else 0.0


def _grown(pattern: re.Pattern[Any], way: str, text: Text) -> Slow | None:
    size = 16
    while 2 * size <= LONGEST:
        once = _cost(pattern, way, text.of(size), 2)
        if once == float("inf"):
            return Slow(text, way, size, once, once)
        if once >= MEASURABLE:
            twice = _cost(pattern, way, text.of(2 * size), 2)
            if twice == float("inf"):
                return Slow(text, way, size, once, twice)
            if twice > MOST * once:  # again, at leisure: another process may have been in the way
                once, twice = (_cost(pattern, way, text.of(one), 7) for one in (size, 2 * size))
                if (
                    once >= MEASURABLE
                    and twice > MOST * once
                    and (4 * size > LONGEST or _cost(pattern, way, text.of(4 * size), 3) > MOST * twice)
                ):
                    return Slow(
                        text, way, size, once, twice
                    )  # and it goes on so: no end that only a longer text meets
            if twice > LONG_ENOUGH:
                return None
        size *= 2
    return None


class _GivenUp(Exception):
    pass


@contextmanager
def _bounded() -> Iterator[None]:
    """The engine looks at signals every few thousand steps: so one that would not end is stopped."""

    def stop(*_: object) -> None:
        raise _GivenUp

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, GIVEN_UP)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _cost(pattern: re.Pattern[Any], way: str, text: str, times: int) -> float:
    """Seconds of work, the best of some; infinite where it was given up."""
    said: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    go: Callable[[], object] = (
        (lambda: sum(1 for _ in pattern.finditer(said)))
        if way == "finditer"
        else (lambda: getattr(pattern, way)(said))
    )
    best = float("inf")
    for _ in range(times):
        begun = time.thread_time()
        try:
            with _bounded():
                go()
        except _GivenUp:
            return best
        best = min(best, time.thread_time() - begun)
        if best > 4 * LONG_ENOUGH:
            break
    return best


def texts(pattern: re.Pattern[Any], rng: Random, most: int) -> list[Text]:
    """Texts for a pattern, from its own parts."""
    source = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    parsed = list(parser.parse(source, pattern.flags & ~re.DEBUG))
    signs = _signs(parsed, rng)
    begins, pumps, ends = [""], list(signs), ["", "\x00", "!", "\n"]
    surely: list[Text] = []
    aimed: list[Text] = []
    for before, body, after in _repeats(parsed, [], rng):
        begun, taken = _sample(before, rng), [_sample(body, rng) for _ in range(3)]
        going = [
            *taken,
            *(taken[0] + _sample(after[:n], rng) for n in (1, 2)),
            begun + taken[0],
            _sample(before[-1:], rng) + taken[0],
            _sample(before + body + after, rng),
        ]
        failing = ["", "\x00", _sample(after, rng)[:-1]]
        surely += [Text(begun, pump, end) for pump in taken[:2] if pump for end in ("", "\x00")]
        aimed += [
            Text(begin, pump, end)
            for pump in dict.fromkeys(going)
            if pump
            for begin in dict.fromkeys(("", begun))
            for end in dict.fromkeys(failing)
        ]
        begins, pumps, ends = (
            [*begins, begun, begun + taken[0]],
            [*pumps, *going],
            [*ends, *failing[2:], _sample(after, rng) + "\x00"],
        )
    pumps += [one + other for one in signs[:9] for other in signs[:9] if one != other]
    pumps += ["".join(rng.choices(signs, k=rng.randint(3, 6))) for _ in range(16)]
    begins, pumps, ends = (list(dict.fromkeys(each)) for each in (begins, [p for p in pumps if p], ends))
    first = [Text("", pump, end) for pump in pumps for end in ("", "\x00")]
    every = [Text(rng.choice(begins), rng.choice(pumps), rng.choice(ends)) for _ in range(most)]
    few = aimed if len(aimed) <= 2 * most else rng.sample(aimed, 2 * most)
    return list(
        dict.fromkeys([*surely, *few, *(first if len(first) <= most else rng.sample(first, most)), *every])
    )


def _repeats(
    nodes: Sequence[Any], before: list[Any], rng: Random, after: Sequence[Any] = ()
) -> Iterator[tuple[list[Any], list[Any], list[Any]]]:
    """Each part that repeats often, or chooses: what stands before it, the part, and what follows."""
    for place, (code, value) in enumerate(nodes):
        here, rest = [*before, *nodes[:place]], [*nodes[place + 1 :], *after]
        if code in _REPEATS:
            _low, high, body = value
            if high is codes.MAXREPEAT or high > 8:
                yield here, list(body), rest
            yield from _repeats(list(body), here, rng, rest)
        elif code is codes.SUBPATTERN:
            yield from _repeats(list(value[3]), here, rng, rest)
        elif code is codes.ATOMIC_GROUP:
            yield from _repeats(list(value), here, rng, rest)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _repeats(list(value[1]), here, rng, rest)
        elif code is codes.BRANCH:
            several = sorted(
                value[1], key=lambda branch: (all(code is codes.LITERAL for code, _ in branch), rng.random())
            )
            for branch in several[:16]:
                yield from _repeats(list(branch), here, rng, rest)
                yield here, list(branch), rest


def _sample(nodes: Sequence[Any], rng: Random) -> str:
    """A text that these parts would take, as far as it is easily said."""
    out = []
    for code, value in nodes:
        if code is codes.LITERAL:
            out.append(chr(value))
        elif code in (codes.NOT_LITERAL, codes.IN, codes.ANY):
            out.append(rng.choice(_taken(code, value)))
        elif code in _REPEATS:
            low, high, body = value
            out += [_sample(list(body), rng) for _ in range(max(low, min(high, 1 + rng.randrange(2))))]
        elif code is codes.SUBPATTERN:
            out.append(_sample(list(value[3]), rng))
        elif code is codes.ATOMIC_GROUP:
            out.append(_sample(list(value), rng))
        elif code is codes.BRANCH:
            out.append(_sample(list(rng.choice(value[1])), rng))
    return "".join(out)


def _taken(code: Any, value: Any) -> list[str]:
    """Signs that a class takes: one of each kind that it names, or of the common ones."""
    if code is codes.ANY:
        return ["a", " ", "."]
    if code is codes.NOT_LITERAL:
        return [sign for sign in _COMMON if sign != chr(value)][:6]
    source = [(codes.NEGATE, None), *value] if not isinstance(value, list) else value
    takes = parser.SubPattern(parser.State(), [(codes.IN, source)])
    matches = re._compiler.compile(takes, 0)
    named = [chr(one) for each, one in source if each is codes.LITERAL] + [
        chr(end) for each, one in source if each is codes.RANGE for end in one
    ]
    return [sign for sign in dict.fromkeys([*named, *_COMMON]) if matches.match(sign)][:8] or ["a"]


def _signs(nodes: Any, rng: Random) -> list[str]:
    """The signs that a pattern tells apart."""
    found: list[str] = []
    classes: list[str] = []

    def walk(several: Any) -> None:
        for code, value in several:
            if code is codes.LITERAL:
                found.append(chr(value))
            elif code in (codes.IN, codes.NOT_LITERAL, codes.ANY):
                classes.extend(_taken(code, value)[:3])
            elif code in _REPEATS:
                walk(value[2])
            elif code is codes.SUBPATTERN:
                walk(value[3])
            elif code is codes.ATOMIC_GROUP:
                walk(value)
            elif code in (codes.ASSERT, codes.ASSERT_NOT):
                walk(value[1])
            elif code is codes.BRANCH:
                for branch in value[1]:
                    walk(branch)

    walk(nodes)
    literals = list(dict.fromkeys(found))
    few = literals if len(literals) <= 8 else rng.sample(literals, 8)
    return list(dict.fromkeys([*classes[:10], *few, " ", "a", "\n"]))
