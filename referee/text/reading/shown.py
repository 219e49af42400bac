"""What stands on the buttons of a question, read back as the option that it stands for.

Tried last, after the grammar of orders, and by comparing only: whatever a language makes of "1 extra gold" is
understood as soon as it is shown. Case, accents and punctuation don't count; a price in brackets behind a
label and the remark that a letter prints beside it may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ..folding import fold
from ..meter import spend
from .remarks import says_otherwise, without_brackets
from .sheet import Entry
from .terms import Reading

_BRACKETS = re.compile(r" ?\([^()]*\) ?$")
#: what a letter prints between a label and the remark beside it
_REMARK = " \u2013 "


def entries_named(line: str, reading: Reading) -> tuple[Entry, ...]:
    """The entries whose label this is: several where labels are alike, () for none."""
    if reading.shown is None:
        return ()
    labels = [(label, entry) for label, entry in reading.shown()]
    beside, dash, remark = line.partition(_REMARK)
    bare = beside if dash and not says_otherwise(remark, reading, begins=True) else ""
    for said, known in (
        (line, _whole),
        (line, _short),
        (bare, _whole),
        (bare, _short),
        (without_brackets(bare or line, reading), _short),
    ):
        wanted = _whole(said)
        if wanted and (found := dict.fromkeys(_alike(wanted, known, labels))):
            return tuple(found)
    return ()


def _alike(wanted: str, known: Callable[[str], str], labels: Sequence[tuple[str, Entry]]) -> Iterator[Entry]:
    for label, entry in labels:
        spend()
        if known(label) == wanted:
            yield entry


def _whole(said: str) -> str:
    return fold(said).replace(" , ", " ").strip(" ,")


def _short(said: str) -> str:
    return _whole(_BRACKETS.sub("", said.partition(_REMARK)[0]))
