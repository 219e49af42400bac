"""What every message passes before it is written down: text that can be stored and shown, numbers in their
range, nothing without bound.

All channels bring their messages here, so no adapter has to think of each half character; what can't be made
good (a sender or a room that nobody could write to) is parked.
"""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import replace
from typing import Any

from referee.ports import Inbound, What

#: characters of a message's words: more than the longest plan or the longest talk
WORDS = 100_000
#: characters of the other fields; a field beyond that says nothing that is known to us
_LENGTHS = {
    "payload": 400,
    "place_name": 200,
    "thread": 600,
    "message_id": 600,
    "token": 100,
    "name": 200,
    "language": 100,
}
#: of these a shortened one would be another one
_WHOLE = frozenset({"payload", "thread", "message_id", "token"})
_ADDRESS, _KEY = 400, 300
#: facts: how deep, how many in one place and in all, and characters of one
_DEPTH, _MANY, _ALL, _FACT = 4, 50, 200, 2_000
#: how long ago something may have been written, and how far a sender's clock may be ahead, milliseconds
_PAST_MS, _AHEAD_MS = 400 * 86_400_000, 3_600_000
_INTEGER = 2**53
#: half characters and NULs, which no database takes; control characters and what Unicode will never assign,
#: which nobody can show. A line feed and a tab are words
_ODD = "\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff" + "".join(
    chr(plane * 0x10000 + last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF)
)
_UNFIT = re.compile(f"[{_ODD}]")
#: those, line ends, and what turns the direction of all that follows: in a name they would mislead
_NO_LINE = re.compile(f"[{_ODD}\n\t\u202a-\u202e\u2066-\u2069]")
_BREAK = re.compile("\r\n|[\r\u0085\u2028\u2029]")


class UnusableMessage(ValueError):
    """Nothing can be done with the message; it says why in a word or two."""


def cleaned(one: Inbound, now_ms: int) -> Inbound:
    """The message as it can be written down; itself where nothing was wrong.  Raises UnusableMessage."""
    changed: dict[str, Any] = {}
    if (
        type(one.text) is not str
        or len(one.text) > WORDS
        or not (one.text.isprintable() or _UNFIT.search(one.text) is None)
    ):
        changed["text"] = words(one.text)
    for name, value in (
        ("payload", one.payload),
        ("place_name", one.place_name),
        ("thread", one.thread),
        ("message_id", one.message_id),
        ("token", one.token),
        ("name", one.name),
        ("language", one.language),
    ):
        if value == "":
            continue
        most = _LENGTHS[name]
        if type(value) is not str or len(value) > most or not value.isprintable():
            fit = line(value)
            changed[name] = fit if len(fit) <= most else "" if name in _WHOLE else fit[:most]
    if type(one.key) is not str or not 0 < len(one.key) <= _KEY or not one.key.isprintable():
        changed["key"] = _key(one.key)
    if _unusable(one.address):
        raise UnusableMessage("address")
    if one.place is not None and _unusable(one.place):
        raise UnusableMessage("place")
    if type(one.channel) is not str or not isinstance(one.what, What):
        raise UnusableMessage("kind")
    if type(one.at_ms) is not int or (one.at_ms and not now_ms - _PAST_MS <= one.at_ms <= now_ms + _AHEAD_MS):
        changed["at_ms"] = moment(one.at_ms, now_ms)
    if type(one.vouched) is not bool:
        changed["vouched"] = False
    if one.facts:
        changed["facts"] = clean_facts(one.facts)
    return replace(one, **changed) if changed else one


def _unusable(address: object) -> bool:
    return (
        type(address) is not str
        or len(address) > _ADDRESS
        or not (address.isprintable() or _NO_LINE.search(address) is None)
    )


def words(text: object) -> str:
    """Several lines of text, without what can't be stored or shown."""
    if not isinstance(text, str):
        return ""
    return _UNFIT.sub("\ufffd", _BREAK.sub("\n", text[:WORDS]).replace("\x0b", " ").replace("\x0c", " "))


def line(text: object) -> str:
    """One line of it."""
    return " ".join(_NO_LINE.sub(" ", text[:10_000]).split()) if isinstance(text, str) else ""


def moment(at_ms: object, now_ms: int) -> int:
    """An hour that may have been: what is ahead of us is now, what is too long ago is as long ago as may be;
    0 for what is no hour.
    """
    if isinstance(at_ms, float) and math.isfinite(at_ms):
        at_ms = int(at_ms)
    if not isinstance(at_ms, int) or isinstance(at_ms, bool) or at_ms <= 0:
        return 0
    return now_ms if at_ms > now_ms + _AHEAD_MS else max(at_ms, now_ms - _PAST_MS)


def clean_facts(found: object) -> dict[str, Any]:
    """Facts in bounds: what goes too deep, or is too much, is left out."""
    left = [_ALL]
    kept = _fact(found, _DEPTH, left)
    return kept if isinstance(kept, dict) else {}


def _fact(value: object, depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if left[0] < 0 or depth < 0:
        return None
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return words(value[:_FACT])
    if isinstance(value, int):
        return max(-_INTEGER, min(value, _INTEGER))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {
            line(name)[:100]: _fact(one, depth - 1, left)
            for name, one in list(value.items())[:_MANY]
            if isinstance(name, str)
        }
    if isinstance(value, list | tuple):
        return [_fact(one, depth - 1, left) for one in value[:_MANY]]
    return None


def _key(key: object) -> str:
    """A key that can be written down, and is another one for every other key."""
    raw = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else repr(type(key)).encode()
    return f"{line(key)[:200]}#{hashlib.sha256(raw).hexdigest()[:40]}"
