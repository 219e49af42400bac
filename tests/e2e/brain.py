"""How the people of these tests play: anything legal that the letter offers, with a liking for building.

The choice is made from what stands on the screen alone. How it is said varies: the channel's own way (a
button, a link, a keycap), the number, the words, now and then two orders in one message. A big question is
answered step by step, or at once by an order like the one that the letter gives as an example.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass

from tests.e2e.sight import Shown

#: an entry that opens into more of them, and the way back out of those
DOTS, BACK = "…", "Back"
_PRICE = re.compile(r"\s*\([^)]*\)$")
#: "Also redraw Temple, Market: 2 to 4 of Temple, Market, Manor and Castle."
_CHOICE = re.compile(
    r"Also “(?P<order>[^:;”]+)”: (?P<least>\d+)(?: to (?P<most>\d+))? of (?P<cards>[^.;]+)[.;]"
)
#: after these one's turn is in a state in which it may be ended at once
_THEN_END = re.compile(r"^(take \d gold$|build )", re.IGNORECASE)

#: these can be taken back for a while
_DONE = re.compile(r"Done:\W+(gold|build )")
_REGRET, _TOO_LATE = 0.5, 0.03
#: how often cards are chosen by a whole order where a letter shows how, and how often a step is taken back
_AT_ONCE, _BACK = 0.3, 0.1


@dataclass(frozen=True)
class Answer:
    """`number` is the option chosen; `words` what is typed instead, "" for the channel's own way."""

    number: int
    words: str = ""


class Brain:
    """One person's dice.

    `typing` is how often words are typed where a tap would do; `ways` counts the answers that were a whole
    choice of cards, a step of an order, or the way back.
    """

    def __init__(self, seed: object, typing: float = 0.4) -> None:
        self.dice = random.Random(str(seed))
        self.typing = typing
        self.ways: Counter[str] = Counter()

    def regrets(self, shown: Shown) -> bool:
        """Whether to say `undo` now: often where a letter says that gold was taken or something built, rarely
        where it is too late.
        """
        return self.dice.random() < (_REGRET if _DONE.search(shown.text) else _TOO_LATE)

    def answer(self, shown: Shown) -> Answer:
        """One of the options; one that opens into more of them is answered like any other."""
        whole = list(_CHOICE.finditer(shown.text))
        if whole and self.dice.random() < _AT_ONCE:
            self.ways["whole"] += 1
            return Answer(1, self.chosen(self.dice.choice(whole)))
        offered = shown.options
        back = [n for n, label in offered.items() if label == BACK]
        if back and self.dice.random() < _BACK:
            self.ways["back"] += 1
            return Answer(back[0])
        onward = {n: label for n, label in offered.items() if n not in back} or offered
        builds = [n for n, label in onward.items() if label.lower().startswith("build ")]
        busy = [n for n, label in onward.items() if not label.lower().startswith("end")]
        number = self.dice.choice(builds if builds and self.dice.random() < 0.9 else busy or list(onward))
        self.ways["step"] += DOTS in offered[number]
        how = self.dice.random()
        if how >= self.typing:
            return Answer(number)
        words = said(offered[number])
        if how < self.typing * 0.5 and _THEN_END.match(words) and DOTS not in words and len(words) < 60:
            return Answer(number, f"{words}; end")
        return Answer(number, words if how < self.typing * 0.8 else str(number))

    def chosen(self, example: re.Match[str]) -> str:
        """An order like the example, with cards of one's own choice."""
        cards = re.split(r", | and ", example["cards"])
        least, most = int(example["least"]), int(example["most"] or example["least"])
        order = example["order"]
        begin = next(
            (at for at in range(len(order)) if all(card in cards for card in order[at:].split(", "))), None
        )
        assert begin, example[0]
        return order[:begin] + ", ".join(self.dice.sample(cards, self.dice.randint(max(least, 1), most)))


def said(label: str) -> str:
    """What a person would type for what stands on a button: without the price and the remarks, in small
    letters; the beginning of an order as it stands there.
    """
    plain = _PRICE.sub("", label.partition(" \u2013 ")[0]).strip()
    return plain[:1].lower() + plain[1:] if DOTS in plain else plain.lower()
