"""How the people of these tests play: anything legal that the letter offers, with a liking for building.

The choice is made from what stands on the screen alone.  How it is said varies: the channel's
own way (a button, a link, a keycap), the number, the words, now and then two orders in one message.
"""
from __future__ import annotations

import random
import re
from dataclasses import dataclass

from tests.e2e.sight import Shown

_PRICE = re.compile(r"\s*\([^)]*\)$")
#: after these one's turn is in a state in which it may be ended at once
_THEN_END = re.compile(r"^(take gold|build )", re.IGNORECASE)

#: these can be taken back for a while
_DONE = re.compile(r"Done:\W+(gold|build )")
_REGRET, _TOO_LATE = 0.5, 0.03


@dataclass(frozen=True)
class Answer:
    """`number` is the option chosen; `words` what is typed instead, "" for the channel's own way."""

    number: int
    words: str = ""


class Brain:
    """One person's dice.  `typing` is how often words are typed where a tap would do."""

    def __init__(self, seed: object, typing: float = 0.4) -> None:
        self.dice = random.Random(str(seed))
        self.typing = typing

    def regrets(self, shown: Shown) -> bool:
        """Whether to say `undo` now: often where a letter says that gold was taken or something built, rarely where it is too late."""
        return self.dice.random() < (_REGRET if _DONE.search(shown.text) else _TOO_LATE)

    def answer(self, shown: Shown) -> Answer:
        """One of the options that can be chosen by its number alone."""
        plain = {n: label for n, label in shown.options.items() if "…" not in label and "type " not in label.lower()}
        builds = [n for n, label in plain.items() if label.lower().startswith("build ")]
        busy = [n for n, label in plain.items() if not label.lower().startswith("end")]
        number = self.dice.choice(builds if builds and self.dice.random() < 0.9 else busy or list(plain))
        how = self.dice.random()
        if how >= self.typing:
            return Answer(number)
        words = said(plain[number])
        if how < self.typing * 0.5 and _THEN_END.match(words) and len(words) < 60:
            return Answer(number, f"{words}; end")
        return Answer(number, words if how < self.typing * 0.8 else str(number))


def said(label: str) -> str:
    """What a person would type for what stands on a button: without the price and the remarks, in small letters."""
    return _PRICE.sub("", label.partition(" \u2013 ")[0]).strip().lower()
