"""What each reader of a finished game may have read: news, hands, characters, and nothing of anybody else's.

Worked out from the journal and the events, not from the letters: the game is played again and every hand that
a seat ever held is noted; a line of news is allowed if it is how one of the seat's own or of the public
events reads.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache

from referee import rules
from referee.store import GameEvent, Seat, Tx
from referee.text import Words
from tests.e2e.history import positions

#: a line with a bullet, except those that say who sits where, who is in the cast, and what an offered
#: character does
_NEWS = re.compile(r"^\s*[•*-] (?!Seat \d+: |\d [A-Z]|[^:]+, rank \d: )(.+?)\s*$", re.MULTILINE)
_OFFERED = re.compile(r"^\s*[•*-] ([^:]+), rank \d: ", re.MULTILINE)
_HAND = re.compile(r"Your hand: (.*?)\.(?:\s|$)")
_CARD = re.compile(r"^(.*?)(?: \d+)?$")
#: the orders that choose among character cards
_CHOOSING = ("pick", "discard")
_CHARACTERS = re.compile(r"You are: ([^.]*)\.")


@dataclass
class Reader:
    """A seat, or everybody (`seat` None): the news, hands and sets of characters it may have been told of,
    and the characters it was ever asked about.
    """

    seat: int | None
    news: set[str]
    hands: set[tuple[str, ...]] = field(default_factory=set)
    characters: set[tuple[str, ...]] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)


@cache
def _words() -> Words:
    return Words()


def readers(tx: Tx, game_id: int) -> dict[int | None, Reader]:
    """For every seat and for the public."""
    seats = tx.all(Seat, game_id=game_id, order="no")
    names = [seat.name for seat in seats]
    words = _words()
    events = tx.all(GameEvent, game_id=game_id, order="no")
    assert any(event.to_seat is not None for event in events)
    found: dict[int | None, Reader] = {}
    for me in (None, *range(len(names))):
        mine = [e for e in events if e.to_seat is None or e.to_seat == me]
        found[me] = Reader(
            me, {words.event(e.name, json.loads(e.facts), "en", names, me) for e in mine} - {""}
        )
    for state in positions(tx, game_id):
        for no in range(len(names)):
            view = rules.view(state, no)
            found[no].hands.add(tuple(sorted(view["hand"])))
            found[no].characters.add(tuple(sorted(view["characters"])))
            found[no].offered |= {
                str(args[0]) for verb, args in view.get("ask", {"moves": ()})["moves"] if verb in _CHOOSING
            }
    return found


def overheard(reader: Reader, text: str) -> list[str]:
    """What a letter says that its reader may not know."""
    wrong = [line for line in _NEWS.findall(text) if not made_of(line, reader.news)]
    wrong += [
        f"offered {name.removeprefix('Put away ')}"
        for name in _OFFERED.findall(text)
        if name.removeprefix("Put away ") not in reader.offered
    ]
    for said in _HAND.findall(text):
        cards = () if said == "empty" else tuple(sorted(_CARD.sub(r"\1", one) for one in said.split(", ")))
        wrong += [f"hand {said}"] if cards not in reader.hands else []
    for said in _CHARACTERS.findall(text):
        wrong += [f"characters {said}"] if tuple(sorted(said.split(" and "))) not in reader.characters else []
    return wrong


def made_of(line: str, news: set[str]) -> bool:
    """Whether a line is one or several of these sentences, one after the other."""
    starts = {0}
    for at in range(len(line)):
        if at in starts:
            starts |= {at + len(one) + 1 for one in news if line.startswith(one, at)}
    return len(line) + 1 in starts


def hands_told(text: str) -> int:
    """How many hands a letter shows."""
    return len(_HAND.findall(text))


def news_told(text: str) -> int:
    """How many lines of news it has."""
    return len(_NEWS.findall(text))
