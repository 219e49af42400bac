"""A name that is looked for and another that takes its place, in plain text and in facts as they are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..core.unit_of_work import json_text
from ..tables import renaming

#: keys of facts whose values are people's own words, whatever they look like
_SPOKEN = frozenset({"name", "names", "by", "to", "called", "said", "speech", "text", "because", "why"})
#: keys of facts whose values are addresses, which may look like a word of the program
_WHERE = frozenset({"address", "handle"})
_PROGRAM_WORD = re.compile(r"[a-z0-9_-]{1,12}")


class LookedFor(NamedTuple):
    """Words that are looked for, as they stand in a text and in JSON that keeps to ASCII; what takes their
    place.
    """

    words: list[str]
    forms: tuple[str, ...]
    called: str
    addresses: frozenset[str] = frozenset()


def looked_for(names: Iterable[str], addresses: Iterable[str], called: str) -> LookedFor:
    """These names and addresses, and what takes their place."""
    at = [*addresses]
    words = [*names, *at]
    forms = {*words, *(json.dumps(one)[1:-1] for one in words)}
    return LookedFor(words, tuple(forms), called, frozenset(at))


def in_facts(text: str, wanted: LookedFor, *, worded: bool = False) -> str:
    """Facts as JSON, or plain words, in which the name stands no more.

    `worded`: all of it was written for people.
    """
    if not any(one in text for one in wanted.forms):
        return text
    try:
        held = json.loads(text)
    except ValueError:
        return in_words(text, wanted.words, wanted.called)
    return json_text(_value(held, wanted, spoken=worded))


def _value(value: Any, wanted: LookedFor, *, spoken: bool) -> Any:
    """A JSON value with other words in it. Keys stay, and so does what the program says in one word."""
    if isinstance(value, str):
        own = not spoken and _PROGRAM_WORD.fullmatch(value)
        return value if own else in_words(value, wanted.words, wanted.called)
    if isinstance(value, list):
        return [_value(one, wanted, spoken=spoken) for one in value]
    if isinstance(value, dict):
        return {
            name: wanted.called
            if name in _WHERE and isinstance(one, str) and one in wanted.addresses
            else _value(one, wanted, spoken=spoken or name in _SPOKEN)
            for name, one in value.items()
        }
    return value


def in_words(text: str, wanted: Iterable[str], called: str) -> str:
    for one in wanted:
        if one in text:
            text = renaming.other_words(text, one, called)
    return text
