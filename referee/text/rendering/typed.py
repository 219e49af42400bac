"""An order as a person of a language would type it: "build Market" is suggested as "construir Mercado".

Orders are printed and stored in English everywhere; only where a letter shows somebody what to write does it
use their own words. What comes out is read back to the same order (tests/text/test_portuguese_orders.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from ..lexicon import Lexicon

#: the language in which orders are printed
_PRINTED = "en"
#: what `clean` puts around a line with a name that is written from right to left
_ISOLATES = "\u2068\u2069"
#: little words between the parts of an order, in the lexicon's table [words]
_BETWEEN = ("gold", "cards", "card", "with", "for", "to", "borrowing", "giving", "discarding", "beautified")


def typed(lex: Lexicon, order: str, names: Sequence[str] = ()) -> str:
    """The order in the words of a language; players' names (`names`) and what it does not know stay as they
    are. The order may be unfinished ("kill …"), and several may be joined by semicolons.
    """
    if lex.language == _PRINTED:
        return order
    plain, called = order.strip(_ISOLATES), _plain(names)
    said = "; ".join(_one(lex, part.strip(), called) for part in plain.split(";"))
    return order.replace(plain, said, 1)


def planned(lex: Lexicon, text: str, names: Sequence[str] = ()) -> str:
    """A line of a plan, its steps or a condition in the words of a language: what its lexicon has in [plan],
    and orders.
    """
    if lex.language == _PRINTED:
        return text
    words = _plan_words(lex)
    called = _plain(names)
    return _plan_pattern(lex, called).sub(
        lambda found: found[0] if found[0] in called else words[found[0]], text
    )


def _plain(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they stand within a line that is isolated as a whole."""
    return tuple(name.strip(_ISOLATES) for name in names)


@lru_cache(maxsize=8)
def _plan_words(lex: Lexicon) -> dict[str, str]:
    return {**_words(lex), **{verb: _verb(lex, verb) for verb in lex.keys("verbs")}, **lex.table("plan")}


@lru_cache(maxsize=256)
def _plan_pattern(lex: Lexicon, names: tuple[str, ...]) -> re.Pattern[str]:
    return _finding(names, _plan_words(lex))


def example(lex: Lexicon, said: str) -> str:
    """An example of something to type, "vote yes" or "league standings": from the lexicon's table [examples],
    or by the names of commands and of the league's acts.
    """
    known = lex.table("examples").get(said)
    if known is not None or lex.language == _PRINTED:
        return str(known or said)
    first, _, rest = said.partition(" ")
    if first not in lex.table("commands"):
        return said
    if first == "league" and rest.split(" ", 1)[0] in lex.table("leagues"):
        act, _, rest = rest.partition(" ")
        rest = f"{lex.name('leagues', act)} {rest}".strip()
    return f"{lex.name('commands', first)} {rest}".strip()


def _one(lex: Lexicon, order: str, names: tuple[str, ...]) -> str:
    verb, _, rest = order.partition(" ")
    words, pattern = _words(lex), _pattern(lex, names)
    said = pattern.sub(lambda found: found[0] if found[0] in names else words.get(found[0], found[0]), rest)
    return f"{_verb(lex, verb)} {said}".strip()


def _verb(lex: Lexicon, verb: str) -> str:
    """What is typed for a verb: its name, else the first of its other words; with a capital letter where it
    had one.
    """
    key = verb.lower()
    entry = lex.entry("verbs", key)
    said = str(entry.get("name") or next(iter(entry.get("aliases", ())), key))
    return said if verb == key else said[:1].upper() + said[1:]


@lru_cache(maxsize=8)
def _words(lex: Lexicon) -> dict[str, str]:
    """What stands in orders for cards, types and little words -> how it is typed."""
    found = {key: next(iter(lex.table("words").get(key, ())), key) for key in _BETWEEN}
    for kind in ("types", "characters", "districts"):
        found.update({key: lex.name(kind, key) for key in lex.keys(kind)})
    return found


@lru_cache(maxsize=256)
def _pattern(lex: Lexicon, names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds players' names first, then the longest thing that has a word of its own."""
    return _finding(names, _words(lex))


def _finding(names: tuple[str, ...], words: Mapping[str, str]) -> re.Pattern[str]:
    several = [*sorted(names, key=len, reverse=True), *sorted(words, key=len, reverse=True)]
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, several)) + r")(?!\w)")


def filter_typed(lex: Lexicon, as_typed: Callable[[Lexicon, str, Sequence[str]], str] = typed) -> Any:
    """The filter `typed` (or `planned`) of templates: it knows the players by the letter's names."""

    @pass_context
    def filter_(context: Context, order: Any) -> str:
        return as_typed(lex, str(order), tuple(context.get("names") or ()))

    return filter_
