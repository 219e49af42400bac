"""What somebody said about a policy, filled in phrase by phrase: "bank 48h", "days Mo-Fr", "snap 19:00
Lisbon".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.policy import MODES, PRESETS, Quiet

from ..folding import clean, fold
from .policy_terms import WEEK, days_of, hour_of, hours_of, said, share_of, time_at
from .terms import NotUnderstood, Reading
from .zones import zone_at

#: word -> the field of hours that it gives
TIMES: Mapping[str, str] = {
    "move": "move_hours",
    "free": "grace_hours",
    "bank": "bank_hours",
    "credit": "bank_credit_hours",
    "nights": "quiet_most_hours",
    "reserve": "vacation_reserve_hours",
    "alternates": "alternate_hours",
    "unreachable": "unreachable_hours",
    "plans": "plan_delay_hours",
}
#: … of days, and of numbers
DAYS: Mapping[str, str] = {"vacation": "vacation_days", "pause": "pause_days"}
COUNTS: Mapping[str, str] = {
    "excuse": "misses_excused",
    "probation": "probation_after",
    "replace": "replace_after",
}
#: what "no …" makes of a field
NONE: Mapping[str, tuple[str, Any]] = {
    **{word: (name, 0.0) for word, name in TIMES.items() if word != "move"},
    **{word: (name, 0) for word, name in DAYS.items()},
    "excuse": ("misses_excused", 0),
    "snap": ("snap_hour", None),
    "quiet": ("quiet", None),
    "remind": ("remind_at", ()),
    "days": ("days", ()),
    "caretaker": ("caretaker", False),
    "restart": ("first_round_miss", False),
}
#: caretaker and bot, as the stand-in is called
STANDINS: Mapping[str, tuple[bool, bool]] = {
    "caretaker": (True, False),
    "bot": (False, True),
    "either": (True, True),
    "nobody": (False, False),
}
#: an example of each, for anyone who wrote something else
EXAMPLES = ("daily", "24h", "free 12h", "bank 48h", "days Mo-Fr", "snap 19:00 Lisbon", "quiet 22-07")

#: words that mean nothing are passed over, this many between two that belong together
_LITTLE = 5


class UnexpectedWord(Exception):
    """A word that fits nowhere, or a second answer to the same thing."""

    def __init__(self, trouble: NotUnderstood) -> None:
        super().__init__(trouble.code)
        self.trouble = trouble


class PolicyForm:
    """Filled in from the front of a list of words.

    `preset` is the name that was said (a preset's, or one that the installation has given), `fields` what was
    said of single fields. `mixed`: the words are those of a line about more than time; `random`: it speaks of
    cards by chance, and "gentle" is about them.
    """

    def __init__(self, reading: Reading, *, mixed: bool = False, random: bool = False) -> None:
        self.reading = reading
        self.mixed = mixed
        self.random = random
        self.preset = ""
        self.fields: dict[str, Any] = {}

    def take(self, words: Sequence[str]) -> int:
        """Read what stands at the front; how many words that was, 0 where it is none of ours.

        Raises UnexpectedWord.
        """
        hours, used = time_at(self.reading, words)
        if used:
            name, more = self._follower(words[used:])
            return self._put(name, hours, words, used + more)
        if self._said(words[0], "pace") and len(words) > 1 and (name := self._preset(words[1])):
            return self._name(name, words[1]) + 1
        name = self._preset(words[0])
        if name and not (self.mixed and self._of_bots(words[1:])) and not (name == "gentle" and self.random):
            return self._name(name, words[0])
        if self._said(words[0], "no") and len(words) > 1:
            return next((self._put(*NONE[key], words, 2) for key in NONE if self._said(words[1], key)), 0)
        return self._days(words) or self._keyed(words)

    def _follower(self, words: Sequence[str]) -> tuple[str, int]:
        """What a length that stands before its word is of: "12h free", "24h a move"; by itself it is of a
        move.
        """
        at = 0
        while at < min(len(words), _LITTLE) and words[at] != "," and is_little(self.reading, words[at]):
            at += 1
        if at < len(words) and not time_at(self.reading, words[at + 1 :])[1]:
            for key, name in TIMES.items():
                if self._said(words[at], key):
                    return name, at + 1
        return "move_hours", 0

    def _keyed(self, words: Sequence[str]) -> int:
        """A word of ours and what follows it, perhaps after words that mean nothing."""
        little = 1
        while (
            little < min(len(words) - 1, _LITTLE)
            and words[little] != ","
            and is_little(self.reading, words[little])
        ):
            little += 1
        used = self._valued((words[0], *words[little:]))
        return used + little - 1 if used > 1 else used

    def _valued(self, words: Sequence[str]) -> int:
        """A word of ours and its value."""
        rest = words[1:]
        if not rest:
            if self._said(words[0], "days") and not self.mixed:
                return self._put("days", (), words, 1)
            return self._put("first_round_miss", True, words, 1) if self._said(words[0], "restart") else 0
        for key, name in TIMES.items():
            if self._said(words[0], key):
                hours, used = time_at(self.reading, rest)
                return self._put(name, hours, words, used + 1) if used else 0
        for table, times in ((DAYS, True), (COUNTS, False)):
            for key, name in table.items():
                if self._said(words[0], key):
                    return self._number(name, words, times)
        for key, take in (
            ("snap", self._snap),
            ("zone", self._zone),
            ("quiet", self._quiet),
            ("remind", self._remind),
            ("standin", self._standin),
        ):
            if self._said(words[0], key):
                return take(words)
        return self._put("first_round_miss", True, words, 1) if self._said(words[0], "restart") else 0

    def _number(self, name: str, words: Sequence[str], days: bool) -> int:
        hours, used = time_at(self.reading, words[1:])
        if days and used and hours % 24 == 0:
            return self._put(name, round(hours) // 24, words, used + 1)
        if words[1].isascii() and words[1].isdecimal() and not (days and used):
            return self._put(name, int(words[1][:6]), words, 2)
        return 0

    def _days(self, words: Sequence[str]) -> int:
        """`days Mo-Fr`, `days Mo, We`, `Mo-Fr`, `weekdays`."""
        if self._said(words[0], "weekdays"):
            return self._put("days", (0, 1, 2, 3, 4), words, 1)
        if self._said(words[0], "everyday"):
            return self._put("days", tuple(range(7)), words, 1)
        used = 1 if self._said(words[0], "days") else 0
        found: set[int] = set()
        while used < len(words):
            at = used + (words[used] == "," and used + 1 < len(words) and bool(found))
            days = days_of(self.reading, words[at])
            if not days or not (found or self._said(words[0], "days") or len(days) > 1):
                break
            found |= set(days)
            used = at + 1
        return self._put("days", tuple(sorted(found)), words, used) if found else 0

    def _snap(self, words: Sequence[str]) -> int:
        hour, used = hour_of(words[1]), 2
        if hour is None:
            return 0
        rest = [word for word in words[2:5] if word != ","]
        if rest:
            zone, more = zone_at(self.reading, rest)
            if not isinstance(zone, NotUnderstood):
                self._put("zone", zone, words, used + more)
                used += more
        return self._put("snap_hour", hour, words, used)

    def _zone(self, words: Sequence[str]) -> int:
        zone, used = zone_at(self.reading, words[1:])
        if isinstance(zone, NotUnderstood):
            raise UnexpectedWord(zone)
        return self._put("zone", zone, words, used + 1)

    def _quiet(self, words: Sequence[str]) -> int:
        ends = hours_of(words[1])
        if ends is None:
            return 0
        mode = next((mode for mode in MODES if len(words) > 2 and self._said(words[2], mode)), "")
        return self._put("quiet", Quiet(*ends, mode or "hold"), words, 3 if mode else 2)

    def _remind(self, words: Sequence[str]) -> int:
        shares: list[float] = []
        used = 1
        while used < len(words):
            share = share_of(words[used])
            if share is None and words[used] != ",":
                break
            shares += [] if share is None else [share]
            used += 1
        return self._put("remind_at", tuple(sorted(set(shares), reverse=True)), words, used) if shares else 0

    def _standin(self, words: Sequence[str]) -> int:
        for key, (caretaker, bot) in STANDINS.items():
            if self._said(words[1], key):
                self._put("caretaker", caretaker, words, 2)
                return self._put("bot", bot, words, 2)
        return 0

    def _put(self, name: str, value: Any, words: Sequence[str], used: int) -> int:
        if name in self.fields and self.fields[name] != value:
            raise UnexpectedWord(
                NotUnderstood("said-twice", facts={"word": clean(" ".join(words[:used]), 40), "place": name})
            )
        self.fields[name] = value
        return used

    def _name(self, name: str, word: str) -> int:
        if self.preset not in ("", name):
            raise UnexpectedWord(
                NotUnderstood("said-twice", facts={"word": clean(word, 40), "place": "pace"})
            )
        self.preset = name
        return 1

    def _of_bots(self, words: Sequence[str]) -> bool:
        """Whether the word before these says what bots are like: "2 gentle bots"."""
        return bool(words) and self._said(words[0], "setup.bots")

    def _preset(self, word: str) -> str:
        name = next((name for name in PRESETS if self._said(word, name)), "")
        return name or (word.casefold() if word.casefold() in self.reading.policies else "")

    def _said(self, word: str, *keys: str) -> bool:
        return said(self.reading, word, *keys)


def text_of_days(days: Sequence[int]) -> str:
    """Days of the week as they are typed: "Mo-Fr", "Mo,We,Su"."""
    runs: list[list[int]] = []
    for day in days:
        if runs and day == runs[-1][-1] + 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ",".join(WEEK[run[0]] if len(run) == 1 else f"{WEEK[run[0]]}-{WEEK[run[-1]]}" for run in runs)


def is_little(reading: Reading, word: str) -> bool:
    """Whether a word means nothing here: "at", "per", a comma."""
    return word == "," or not fold(word) or said(reading, word, "little")
