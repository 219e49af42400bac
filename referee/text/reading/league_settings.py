"""The settings of a league, each with its value, and what opens a season: settings and dates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..folding import clean, fold
from ..valuing import canonical
from .dates import LAST, MORNING
from .league_line import Args, LeagueReading, LineToken, missing, moment, value_of
from .policy import policy_text, read_policy
from .terms import NotUnderstood, Reading


def settings(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """One setting or several, each with its value; settings: key -> value."""
    said: dict[str, str] = {}
    place = 0
    while place < len(words):
        used = _setting(words[place:], line, asking, "set", said)
        if isinstance(used, NotUnderstood):
            return used
        place += used
    return {"settings": said} if said else missing("set", asking)


def opening(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`rounds 7 until 2026-12-01 start 2026-12-03`: settings one by one, when sign-up ends, and when the
    first round begins. `again`: with the people of the last season; `like last`: by its settings.
    """
    said: dict[str, Any] = {"closes_ms": 0, "starts_ms": 0, "settings": {}}
    place = 0
    while place < len(words):
        word = words[place]
        if extra := _repeated(words[place:], asking):
            said[extra[0]] = True
            place += extra[1]
            continue
        date = next(
            (
                (name, usual)
                for key, name, usual in (("until", "closes_ms", LAST), ("start", "starts_ms", MORNING))
                if asking.is_(word.text, key)
            ),
            None,
        )
        if date is not None and not word.quoted:
            found = moment(words[place + 1 :], asking, date[1])
            if isinstance(found, NotUnderstood):
                return found
            said[date[0]] = found.at_ms
            place += 1 + found.used
            continue
        used = _setting(words[place:], line, asking, "open", said["settings"])
        if isinstance(used, NotUnderstood):
            return used
        place += used
    return said


def _repeated(words: Sequence[LineToken], asking: LeagueReading) -> tuple[str, int] | None:
    """`again` or `like last`, if it stands here, and how many words it takes."""
    if any(one.quoted for one in words[:2]):
        return None
    for used in (2, 1):
        if len(words) >= used and asking.is_(" ".join(one.text for one in words[:used]), "again"):
            return "again", used
    if len(words) > 1 and asking.is_(words[0].text, "like"):
        skip = 1 + (fold(words[1].text) in map(fold, asking.reading.lexicon.fillers))
        if len(words) > skip and asking.is_(words[skip].text, "last"):
            return "like", skip + 1
    return None


def _setting(
    words: Sequence[LineToken], line: str, asking: LeagueReading, act: str, said: dict[str, str]
) -> int | NotUnderstood:
    """Read the setting that stands here into `said`; how many words it takes.

    Its value ends where another setting (or a date, of `open`) begins; that of a policy, which has words like
    those, is in quotes or goes to the end.
    """
    key, used = setting_at(words, asking)
    if not key:
        return _no_setting(words[0].text, asking, act)
    if key == "questions" and len(words) > used and words[used].quoted:
        return used + _questions(words[used:], said)
    value = [*words[used : used + 1]]
    while value and not value[0].quoted and used + len(value) < len(words):
        rest = words[used + len(value) :]
        if key not in ("policy", "questions") and setting_at(rest, asking)[0]:
            break
        if act == "open" and (
            any(asking.is_(rest[0].text, one) for one in ("until", "start")) or _repeated(rest, asking)
        ):
            break
        value.append(rest[0])
    if not value:
        return missing(act, asking)
    said[key] = _office(key, value_of(value, line), asking.reading)
    return used + len(value)


def _questions(words: Sequence[LineToken], said: dict[str, str]) -> int:
    """Questions one after the other, each in quotes; how many there are."""
    used = next((place for place, one in enumerate(words) if not one.quoted), len(words))
    said["questions"] = " ".join(f'"{clean(one.text, 400)}"' for one in words[:used])
    return used


def _office(key: str, value: str, reading: Reading) -> str:
    """A value in the words of the office; one that can't be read stays as it was typed, and the office says
    what is wrong with it.
    """
    if key != "policy" or reading.language == "en":
        return canonical(reading.lexicon, key, value)
    policy = read_policy(value, reading)
    return value if isinstance(policy, NotUnderstood) else policy_text(policy)


def setting_at(words: Sequence[LineToken], asking: LeagueReading) -> tuple[str, int]:
    """The setting whose name stands here, and how many words it takes."""
    known = asking.reading.lexicon.table("league_settings")
    typed = {fold(word): key for key, others in known.items() for word in (key.replace("_", " "), *others)}
    for used in (3, 2, 1):
        if len(words) >= used and not any(one.quoted for one in words[:used]):
            key = typed.get(fold(" ".join(one.text for one in words[:used]).replace("_", " ")), "")
            if key:
                return key, used
    return "", 0


def _no_setting(word: str, asking: LeagueReading, act: str = "set") -> NotUnderstood:
    from difflib import get_close_matches

    keys = [
        key.replace("_", " ") if asking.reading.language == "en" or not others else str(others[0])
        for key, others in asking.reading.lexicon.table("league_settings").items()
    ]
    near = get_close_matches(fold(word)[:60], keys, 3, 0.6) or keys
    return NotUnderstood(
        "unknown-word", facts={"word": clean(word, 40), "place": act, "expected": tuple(near)}
    )
