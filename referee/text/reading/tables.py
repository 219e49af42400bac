"""`new deluxe cunning agents 5 24h complete 8 with 2 bots`: a table ordered in any order of words.

Which cards it is played with is read in cast.py. Each word must fit somewhere; the first that does not is
named, with what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...rules.editions import EDITIONS
from ..folding import clean, fold
from .cast import Cast
from .naming import nearest_cards, register
from .talking import MODES, mode_of
from .terms import NotUnderstood, Reading

HOURS_MOST = 24 * 30
_TIME = re.compile(r"^(\d{1,5})([a-z]+)$")
SEATS = (2, 8)
CITY = (4, 12)
#: what one word says of the rules: the option of `rules.Setup` and its value, by the key of the word
_RULES: Mapping[str, tuple[str, int | str]] = {
    "endless": ("standstill", "off"),
    "capped": ("max_city", 8),
    "uncapped": ("max_city", "off"),
}
#: this many words of one line are looked at: two lists of cards fit in
_MOST = 160


class _UnexpectedWord(Exception):
    """A word that fits nowhere, or a second answer to the same thing."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.trouble = NotUnderstood(code, facts=facts)


class _TableForm:
    """The page that is filled in while the words are read.  None: not said."""

    def __init__(self, reading: Reading, explained: bool = True) -> None:
        self.reading = reading
        self.explained = explained
        self.cast = Cast(reading)
        self.args: dict[str, Any] = {
            "edition": None,
            "seats": None,
            "hours": None,
            "options": {},
            "entry": None,
            "bots": None,
            "choice": {},
            "menu": False,
        }

    def put(self, place: str, value: Any, word: str) -> None:
        if self.args[place] not in (None, value):
            raise _UnexpectedWord("said-twice", word=word, place=place)
        self.args[place] = value

    def rule(self, option: str, value: int | str, word: str, place: str) -> None:
        """Write down an option of the rules.  Raises _UnexpectedWord where it was said otherwise before."""
        options = self.args["options"]
        if options.get(option, value) != value:
            raise _UnexpectedWord("said-twice", word=word, place=place)
        self.args["options"] = {**options, option: value}

    def said(self, word: str, *keys: str) -> bool:
        lex = self.reading.lexicon
        return any(word in map(fold, lex.words(key, "setup")) for key in keys)

    def number(self, word: str) -> int | None:
        if word.isdecimal():
            return int(word[:6])
        found = self.reading.lexicon.table("setup").get("numbers", {}).get(word)
        return int(found) if found is not None else None

    def one_of(self, kind: str, words: Sequence[str]) -> tuple[str | None, int]:
        """The edition or kind of bot that stands here, written out or begun, and how many words it takes."""
        names = register(self.reading.language, kind, (), self.reading.own)
        for used in (2, 1):
            hits = names.look_up(words[:used]) if len(words) >= used and len(words[0]) > 1 else ()
            if len(hits) == 1:
                return hits[0].value, used
        return None, 0


def read_new(rest: str, reading: Reading, *, explained: bool = True) -> Mapping[str, Any] | NotUnderstood:
    """edition: str | None, seats: int | None, hours: float | None, options: {"complete_city": 8},
    {"standstill": "off", "max_city": 8}, or {}, entry: "open" | "invite" | None, bots: {kind: name or "",
    count} | None, choice: the cards asked for, as `referee.rules.lists.choice_of` takes them, talk: a
    mode of `talking`, where it was said, advice: True, where it was said, menu: whether to ask for what
    was not said (so if nothing was).

    `explained`: for a word that fits nowhere similar cards are looked for, which takes longer than all else.
    """
    form = _TableForm(reading, explained)
    words = fold(rest).split()[:_MOST]
    try:
        place = 0
        while place < len(words):
            place += _take(form, words[place:])
    except _UnexpectedWord as misfit:
        return misfit.trouble
    form.args["choice"] = form.cast.facts()
    form.args["menu"] = form.args["menu"] or not words
    return form.args


def _take(form: _TableForm, words: Sequence[str]) -> int:
    """Read what stands at the front; how many words that was."""
    if words[0] == ",":
        return 1
    for read in _READERS:
        used = read(form, words)
        if used:
            return used
    raise _nowhere(form, words)


# What may stand at the front, each read by a function of its own that says how many words it took: 0 where
# something else stands there.


def _menu(form: _TableForm, words: Sequence[str]) -> int:
    if not form.said(words[0], "menu"):
        return 0
    form.args["menu"] = True
    return 1


def _complete(form: _TableForm, words: Sequence[str]) -> int:
    """`complete 8`, `complete city of 8`: how many districts end the game."""
    if len(words) < 2 or not form.said(words[0], "complete"):
        return 0
    skip = 1
    while skip < len(words) - 1 and form.said(words[skip], "complete", "ignored"):
        skip += 1
    size = form.number(words[skip])
    if size is None:
        return 0
    form.rule("complete_city", _within(size, CITY, words[skip], "complete"), words[skip], "complete")
    return skip + 1


def _house_rule(form: _TableForm, words: Sequence[str]) -> int:
    """`endless`, `capped`, `uncapped`: rules that a table has otherwise than usual."""
    for key, (option, value) in _RULES.items():
        if form.said(words[0], key):
            form.rule(option, value, words[0], "rules")
            return 1
    return 0


def rule_words(options: Mapping[str, int | str]) -> list[str]:
    """What `new` is told for these options."""
    said = [f"complete {options['complete_city']}"] if "complete_city" in options else []
    return said + [key for key, (option, value) in _RULES.items() if options.get(option) == value]


def _talk(form: _TableForm, words: Sequence[str]) -> int:
    """`talk private`: who may say what at the table."""
    if len(words) < 2 or not form.said(words[0], "talk"):
        return 0
    mode = mode_of(words[1], form.reading)
    if not mode:
        raise _UnexpectedWord("unknown-word", word=clean(words[1], 40), place="talk", expected=MODES)
    form.args.setdefault("talk", None)
    form.put("talk", mode, f"talk {words[1]}")
    return 2


def _advice(form: _TableForm, words: Sequence[str]) -> int:
    """`advice`: hints may be asked for."""
    if not form.said(words[0], "advice"):
        return 0
    form.args["advice"] = True
    return 1


def _entry(form: _TableForm, words: Sequence[str]) -> int:
    """`open`, `invite`: who may sit down."""
    for key in ("open", "invite"):
        if form.said(words[0], key):
            form.put("entry", key, words[0])
            return 1
    return 0


def _timed(form: _TableForm, words: Sequence[str]) -> int:
    """`24h`: how long there is to answer."""
    timed = _TIME.match(words[0])
    if not timed or not _unit(form, timed.group(2)):
        return 0
    form.put("hours", _hours(form, int(timed.group(1)), timed.group(2), words[0]), words[0])
    return 1


def _numbered(form: _TableForm, words: Sequence[str]) -> int:
    """A number, and what there are that many of."""
    number = form.number(words[0])
    if number is None:
        return 0
    if len(words) > 1 and form.said(words[1], "characters"):
        if number not in (8, 9):
            raise _UnexpectedWord("out-of-range", word=words[0], place="cast", least=8, most=9)
        form.cast.nine = number == 9
        return 2
    return _counted(form, number, words)


def _one_bot(form: _TableForm, words: Sequence[str]) -> int:
    """`bot`, `strong bot`."""
    if form.said(words[0], "bots"):
        return _bots(form, 1, words, 0)
    kind, used = form.one_of("bots", words)
    if kind and len(words) > used and form.said(words[used], "bots"):
        return _bots(form, 1, words, 0)
    return 0


def _cards(form: _TableForm, words: Sequence[str]) -> int:
    """A list of cards, or what goes into one."""
    used = form.cast.take(words)
    if form.cast.twice:
        raise _UnexpectedWord("said-twice", word=clean(words[0], 40), place="list")
    return used


def _edition(form: _TableForm, words: Sequence[str]) -> int:
    edition, used = form.one_of("editions", words)
    if not edition:
        return 0
    form.put("edition", edition, words[0])
    return used


def _ignored(form: _TableForm, words: Sequence[str]) -> int:
    return 1 if form.said(words[0], "ignored") else 0


def _guessed(form: _TableForm, words: Sequence[str]) -> int:
    """A card that is not quite written as it is called."""
    return form.cast.take(words, guess=True)


#: the first that knows what stands there has it
_READERS: tuple[Callable[[_TableForm, Sequence[str]], int], ...] = (
    _menu,
    _complete,
    _house_rule,
    _talk,
    _advice,
    _entry,
    _timed,
    _numbered,
    _one_bot,
    _cards,
    _edition,
    _ignored,
    _guessed,
)


def _nowhere(form: _TableForm, words: Sequence[str]) -> _UnexpectedWord:
    """Why what stands there fits nowhere."""
    run = words[: words.index(",")] if "," in words else words
    sizes = (3, 2, 1) if form.explained else ()
    near = next((near for size in sizes if (near := nearest_cards("".join(run[:size]), form.reading))), ())
    if form.cast.section or near:
        return _UnexpectedWord(
            "no-such-card",
            word=clean(" ".join(run[:2] if form.cast.section and "," in words else run[:1]), 40),
            near=near,
        )
    return _UnexpectedWord("unknown-word", word=clean(words[0], 40), place="new", expected=_expected(form))


def _counted(form: _TableForm, number: int, words: Sequence[str]) -> int:
    """A number: of bots, of hours, of players; by itself, of players."""
    after = words[1] if len(words) > 1 else ""
    if _unit(form, after) and not form.said(after, "players"):
        form.put("hours", _hours(form, number, after, words[0]), words[0])
        return 2
    kind, used = form.one_of("bots", words[1:]) if after else (None, 0)
    if form.said(after, "bots") or (kind and form.said((words[1 + used :] or [""])[0], "bots")):
        return _bots(form, number, words, 1)
    book = EDITIONS.get(form.args["edition"] or "")
    possible = SEATS if book is None or SEATS[0] <= number <= SEATS[1] else (book.least, book.most)
    form.put("seats", _within(number, possible, words[0], "players"), words[0])
    return 2 if form.said(after, "players") else 1


def _bots(form: _TableForm, count: int, words: Sequence[str], place: int) -> int:
    """`2 strong bots`, `bots`, `gentle bot`; place is where the words after the number begin."""
    kind, used = form.one_of("bots", words[place:])
    place += used
    if place < len(words) and form.said(words[place], "bots"):
        place += 1
        if not kind and place < len(words) and not form.said(words[place], "random"):  # "2 robôs gananciosos"
            kind, used = form.one_of("bots", words[place:])
            place += used
    form.put(
        "bots", {"kind": kind or "", "count": _within(count, (0, SEATS[1] - 1), words[0], "bots")}, words[0]
    )
    return place


def _unit(form: _TableForm, word: str) -> bool:
    return bool(word) and form.said(word, "hours", "days", "weeks", "minutes")


def _hours(form: _TableForm, number: int, unit: str, word: str) -> float:
    units = (("weeks", 168.0), ("days", 24.0), ("minutes", 1 / 60))
    hours = number * next((long for key, long in units if form.said(unit, key)), 1.0)
    if not 1 / 60 <= hours <= HOURS_MOST:
        raise _UnexpectedWord("out-of-range", word=word, place="hours", least=1, most=HOURS_MOST)
    return hours


def _within(number: int, bounds: tuple[int, int], word: str, place: str) -> int:
    if not bounds[0] <= number <= bounds[1]:
        raise _UnexpectedWord(
            "out-of-range", word=clean(word, 40), place=place, least=bounds[0], most=bounds[1]
        )
    return number


def _expected(form: _TableForm) -> tuple[str, ...]:
    lex = form.reading.lexicon
    editions = (lex.name("editions", key) for key in lex.keys("editions"))
    return (
        *editions,
        lex.name("lists", "Cunning Agents"),
        "random",
        "5",
        "24h",
        "open",
        "invite",
        "complete 8",
        "with 2 bots",
    )


def read_bot(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """kind: a level of `referee.search` or "", count: 1 or more (0 removes them all)."""
    form = _TableForm(reading)
    kind: str | None = None
    count: int | None = None
    words = fold(rest).replace(",", " ").split()[:20]
    place = 0
    while place < len(words):
        number = form.number(words[place])
        named, used = form.one_of("bots", words[place:])
        if number is not None and count is None and number <= SEATS[1]:
            count, used = number, 1
        elif named and kind is None:
            kind = named
        elif form.said(words[place], "bots", "ignored"):
            used = 1
        else:
            expected = tuple(reading.lexicon.name("bots", key) for key in reading.lexicon.keys("bots"))
            return NotUnderstood(
                "unknown-word", facts={"word": clean(words[place], 40), "place": "bot", "expected": expected}
            )
        place += used
    return {"kind": kind or "", "count": 1 if count is None else count}
