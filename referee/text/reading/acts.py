"""Commands by which a table decides: `vote yes`, `second 12`, `kick Ana`, `offer Ana`, `rewind round 4`,
`process q123`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .naming import named_cards
from .terms import NotUnderstood, Reading, missing

Args = Mapping[str, Any]
NAME_LONGEST = 40
_GAME = re.compile(r"#\s?(\d{1,9})\b")
_WINDOW = re.compile(r"^q?\s?(\d{1,9})$", re.IGNORECASE)


def read_named(command: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    """Whom: `Ana`, `Ana #17`.  player: the name as it was typed; the table knows whether there is one."""
    game, name = _apart(rest)
    said = clean(name, NAME_LONGEST)
    return {"player": said, **game} if said else missing(command, reading)


def read_rewind(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`round 4`, `to round 4`, `4`.  round: to whose beginning."""
    game, words = _apart(rest)
    number = words.split()[-1] if words.split() else ""
    little = {
        fold(word) for word in (*reading.lexicon.words("round", "deciding"), *reading.lexicon.words("to"))
    }
    if not number:
        return missing("rewind", reading)
    if (
        not number.isdecimal()
        or len(number) > 4
        or any(fold(word) not in little for word in words.split()[:-1])
    ):
        return NotUnderstood(
            "unknown-word",
            facts={"word": clean(words, 40), "place": "rewind", "expected": ("rewind round 4",)},
        )
    return {"round": int(number), **game}


def read_process(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`q123`: the window that is to be closed; nothing: which one that would be. window: its number, 0 for
    none.
    """
    game, words = _apart(rest)
    found = _WINDOW.match(words)
    if words and not found:
        return NotUnderstood(
            "unknown-word",
            facts={"word": clean(words, 40), "place": "process", "expected": ("process q123",)},
        )
    return {"window": int(found[1]) if found else 0, **game}


def read_record(rest: str, reading: Reading) -> Args | NotUnderstood:
    """Nothing, the number of a game (also without its sign), or `deal 1`: one that was given up. deal: its
    number, 0 for the game itself.
    """
    game, words = _apart(rest)
    first, _, number = words.partition(" ")
    if not game and not number and _numbered(first.lstrip("gG")):
        return {"game": int(first.lstrip("gG")), "deal": 0}
    if words and (
        fold(first) not in {fold(word) for word in reading.lexicon.words("deal", "deciding")}
        or not _numbered(number)
    ):
        return NotUnderstood(
            "unknown-word",
            facts={"word": clean(words, 40), "place": "record", "expected": ("#17", "record #17 deal 1")},
        )
    return {"deal": int(number or 0), **game}


def read_vote(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`yes`, `no 12`, `yes #17`.  yes, proposal: its number, 0 where it goes without saying."""
    game, said = _apart(rest)
    word, _, number = said.partition(" ")
    yes = meant(word, reading)
    if not said:
        return missing("vote", reading)
    if yes is None or (number and not _numbered(number)):
        return NotUnderstood(
            "unknown-word",
            facts={"word": clean(said, 40), "place": "vote", "expected": ("vote yes", "vote no")},
        )
    return {"yes": yes, "proposal": int(number or 0), **game}


def read_second(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`12`, or nothing where there is only one.  proposal: its number."""
    game, number = _apart(rest)
    if number and not _numbered(number):
        return NotUnderstood(
            "unknown-word", facts={"word": clean(number, 40), "place": "second", "expected": ("second 12",)}
        )
    return {"proposal": int(number or 0), **game}


def meant(word: str, reading: Reading) -> bool | None:
    """Whether a word says yes or no; None for any other."""
    plain = fold(word).strip(" .!")
    for key, yes in (("yes", True), ("no", False)):
        if plain in {fold(one) for one in reading.lexicon.words(key, "deciding")}:
            return yes
    return None


def shared(line: str, reading: Reading) -> tuple[str, str] | None:
    """A command whose word begins orders, too ("replace Ana", "replace Temple"): it is the order where cards
    are named.
    """
    for command, words in reading.lexicon.table("shared").items():
        for word in words:
            first, _, rest = line.strip().partition(" ")
            if fold(first) == fold(word) and rest.strip() and not _cards(rest, reading):
                return str(command), rest.strip()
    return None


def _cards(rest: str, reading: Reading) -> bool:
    if "#" in rest:  # no order has the number of a game behind it
        return False
    first = re.split(r"[,;]| and ", rest)[0]
    return bool(named_cards(fold(first).split(), reading))


def _apart(rest: str) -> tuple[dict[str, int], str]:
    """The number of a game, taken out of the words."""
    found = _GAME.search(rest)
    if found is None:
        return {}, " ".join(rest.split())
    return {"game": int(found[1])}, " ".join((rest[: found.start()] + " " + rest[found.end() :]).split())


def _numbered(text: str) -> bool:
    return text.isdecimal() and len(text) < 10
