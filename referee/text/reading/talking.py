"""Table talk: `say …`, `tell Ana …`, `whisper …`, `comment 5: …`, and who wants to hear it: `mute Ana`, `talk
off #17`.

What somebody says is theirs: one line of text, however it reads. No word of it is looked at; an order on a
line below is asked about (referee/service/talk/commands.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..folding import clean, fold
from .terms import NotUnderstood, Reading

Args = Mapping[str, Any]
#: this many signs may be said at once
LONGEST = 500
#: who may say what, from the widest to none: `referee.service.talk.commands` gives each its meaning
MODES = ("anonymous", "open", "public", "off")
#: commands of which everything that follows is speech, to the last line
SPEECH = frozenset({"say", "tell", "whisper", "comment"})

_STEP = re.compile(r"^[\s:,]*(?P<step>[1-9][0-9]{0,5})\b[\s:,]*")
#: the words that are looked at for a name, and those in front of it
_LEADING = 5
#: what ends the name of the person spoken to; commas are told apart by folding
_NAME_ENDS = re.compile(r"[:;!?]|\s[-\u2010-\u2015]+(?=\s)")
_GAME_AT_END = re.compile(r"#\s?(?P<no>\d{1,9})\s*$")


def speech(command: str) -> Callable[[str, Reading], Args | NotUnderstood]:
    """A command that takes what is said."""

    def read(rest: str, reading: Reading) -> Args | NotUnderstood:
        said = clean(rest)
        if not said.strip(" :,"):
            return NotUnderstood(
                "missing",
                facts={
                    "command": command,
                    "usage": reading.lexicon.entry("commands", command).get("usage", command),
                },
            )
        if len(said) > LONGEST:
            return NotUnderstood("talk-long", facts={"count": len(said), "most": LONGEST})
        return {"text": said.lstrip(":, ") if command != "tell" else said}

    return read


def read_comment(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`comment 5: well played`.  step: of a finished game; text: what is said of it."""
    found = _STEP.match(rest)
    if found is None:
        usage = reading.lexicon.entry("commands", "comment").get("usage", "comment")
        return NotUnderstood("missing", facts={"command": "comment", "usage": usage})
    said = speech("comment")(rest[found.end() :], reading)
    return said if isinstance(said, NotUnderstood) else {**said, "step": int(found["step"])}


def read_hide(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`hide 12`.  number: of a comment."""
    said = rest.strip()
    if not (said.isascii() and said.isdigit() and len(said) <= 9):
        usage = reading.lexicon.entry("commands", "hide").get("usage", "hide")
        return NotUnderstood("missing", facts={"command": "hide", "usage": usage})
    return {"number": int(said)}


def read_talk(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`talk #17` asks, `talk off #17` sets.  mode: one of `MODES`, "on", or "" for a question."""
    word, game = _apart(rest)
    if not word:
        return {"mode": "", **game}
    mode = mode_of(fold(word), reading) or ("on" if _is(fold(word), "on", reading) else "")
    if not mode:
        return NotUnderstood(
            "unknown-word", facts={"word": clean(word, 40), "place": "talk", "expected": (*MODES, "on")}
        )
    return {"mode": mode, **game}


def read_mute(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`mute Ana`, `mute talk #17`, `mute whispers #17`; the same for `unmute`. what: person, talk or
    whispers; name: whom.
    """
    word, game = _apart(rest)
    if not word:
        return {"what": "", "name": "", **game}
    what = next((key for key in ("talk", "whispers") if _is(fold(word), key, reading)), "person")
    return {"what": what, "name": clean(word, 40) if what == "person" else "", **game}


def mode_of(word: str, reading: Reading) -> str:
    """The mode that a folded word names, "" for none."""
    return next((mode for mode in MODES if _is(word, mode, reading)), "")


def addressee(text: str, names: Sequence[str]) -> tuple[int | None, str]:
    """Who of these names is spoken to at the beginning of a text (its place among them), and what is said.

    None: nobody, or more than one.  "Ana: Maria lies" is for Ana, although there is an Ana Maria: what is
    said to one must not be heard by another.
    """
    said = text.strip()
    ends = [found.end() for found in re.finditer(r"[^\s:,]+", said)]
    by_name = {fold(name): no for no, name in enumerate(names)}
    for end in reversed(ends[:8]):  # the longest first: "Bea 2" is not "Bea"
        no = by_name.get(fold(said[:end]))
        if no is not None and _ended(said[:end]) <= _ended(names[no]):
            return no, said[end:].lstrip(":, ")
    first = fold(said[: ends[0]]) if ends else ""
    begun = [no for name, no in by_name.items() if first and name.split()[:1] == [first]]
    return (begun[0], said[ends[0] :].lstrip(":, ")) if len(begun) == 1 else (None, said)


def aside(text: str, names: Sequence[str], reading: Reading) -> int | None:
    """To whom alone a text seems to be said that is for everybody: "to Ana: I am the King".  None: nobody."""
    words, lex = text.split(), reading.lexicon
    sure, perhaps = lex.words("to", "talk"), lex.words("to_whom", "talk")
    before = [word.casefold() for word in words[: _before(words, reading)]]
    if not before or before[0] not in (*sure, *perhaps):
        return None
    rest = " ".join(words[len(before) :])
    no, said = addressee(rest, names)
    surely = any(word in sure for word in before)
    return no if surely or ":" in rest.removesuffix(said) else None


def told(text: str, names: Sequence[str], reading: Reading) -> tuple[int | None, str]:
    """To whom something is told, and what: "Ana: hello", with a little word before it, too ("a Ana")."""
    no, said = addressee(text, names)
    words = text.split()
    return (no, said) if no is not None else addressee(" ".join(words[_before(words, reading) :]), names)


def _before(words: Sequence[str], reading: Reading) -> int:
    """How many words in front may lead to a name: "to", "only to", "para a"."""
    lex = reading.lexicon
    little = {*lex.words("to", "talk"), *lex.words("to_whom", "talk"), *lex.fillers}
    place = 0
    while place + 1 < min(len(words), _LEADING) and words[place].casefold() in little:
        place += 1
    return place


def _ended(text: str) -> int:
    """How many signs that end a name stand in it."""
    return len(_NAME_ENDS.findall(text))


def _apart(rest: str) -> tuple[str, dict[str, int]]:
    """The words, and the game behind them."""
    found = _GAME_AT_END.search(rest)
    return (rest[: found.start()].strip(), {"game": int(found["no"])}) if found else (rest.strip(), {})


def _is(word: str, key: str, reading: Reading) -> bool:
    return word in map(fold, reading.lexicon.words(key, "talk"))
