"""Reading a record."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from ..editions import rulebook
from ..facts import Refusal, SetupError
from ..lists import choice_of
from ..notation import read_order
from ..rulebook import Rulebook
from ..rulings import unknown
from ..setup import Setup
from .chain import Closing, opened
from .lines import FORMAT, HEADER, LIST, PARTS, RESULT, RULING, RULINGS, SCORE, SEED, UNCHAINED, WINNER, label
from .model import Entry, Record, RecordError, Ruled

Numbered = tuple[int, str]
_ROUND = re.compile(r"# round (\d{1,6})")
_SCORE = re.compile(r"(-?\d{1,6}) = " + ", ".join(rf"{part} (-?\d{{1,6}})" for part in PARTS))


def read(text: str) -> Record:
    """The record of a text.

    Raises RecordError, also where its chain breaks; whether the orders are legal is for `replay` to find out.
    """
    return parted(text)[0]


def parted(text: str) -> tuple[Record, Closing | None]:
    """The same, and what stands under it: None for one that was written before records had a chain."""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1)]
    if lines[0][1] not in (FORMAT, UNCHAINED):
        raise RecordError(1, "not a record of a form known here", FORMAT)
    if lines[0][1] == UNCHAINED:
        return _read(lines), None
    body, closing = opened(lines)
    return _read(body), closing


def _read(lines: list[Numbered]) -> Record:
    header, rest = lines[1 : 1 + len(HEADER)], lines[1 + len(HEADER) :]
    values = _header(header, len(lines))
    setup = _setup(values)
    try:
        rules = rulebook(setup)
    except SetupError as error:
        raise RecordError(2, f"no game is set up so: {error.code} {error.facts}") from error
    words = _strings(*values["words"])
    if len(words) not in (0, len(setup.players)):
        raise RecordError(values["words"][0], "words", "one for each player, or none")
    choice = None
    if rest and rest[0][1].startswith(f"{LIST}: "):
        (number, line), *rest = rest
        choice = _choice(number, line.removeprefix(f"{LIST}: "))
    if rest and rest[0][1].startswith(f"{RULINGS}: ["):
        (number, line), *rest = rest
        setup = replace(setup, rulings=_rulings(number, line.removeprefix(f"{RULINGS}: ")))
    return replace(_body(rest, setup, rules, values["seed hash"][1], words), choice=choice)


def _rulings(number: int, text: str) -> tuple[int, ...]:
    value = _value(number, text)
    if any(type(one) is not int for one in value) or value != sorted(set(value)):
        raise RecordError(number, f"rulings: {text!r}", "their numbers, in order")
    return _known(number, tuple(value))


def _known(number: int, rulings: tuple[int, ...]) -> tuple[int, ...]:
    """Raises RecordError for one that this program does not know: it can't tell then what was allowed."""
    for one in unknown(rulings):
        raise RecordError(
            number, f"ruling {one} is not known here", "a newer referee, which can check this record"
        )
    return rulings


def _choice(number: int, text: str) -> dict[str, Any]:
    value = _value(number, text)
    try:
        return choice_of(value).facts()
    except (AttributeError, TypeError) as error:  # no object at all, or with other keys than a choice has
        raise RecordError(number, f"list: {text!r}", '{"named": "…"}') from error


def _header(lines: list[Numbered], last: int) -> dict[str, Numbered]:
    values: dict[str, Numbered] = {}
    for place, field in enumerate(HEADER):
        number, line = lines[place] if place < len(lines) else (last + 1, "")
        name, colon, value = line.partition(": ")
        if name != field or not colon:
            raise RecordError(number, f"{line!r}", f"{field}: …")
        values[field] = (number, value)
    number, digest = values["seed hash"]
    if not re.fullmatch("[0-9a-f]{64}", digest):
        raise RecordError(number, f"seed hash: {digest!r}", "64 hexadecimal digits")
    return values


def _value(number: int, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise RecordError(number, f"{text!r} is not JSON") from error


def _strings(number: int, text: str) -> tuple[str, ...]:
    value = _value(number, text)
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise RecordError(number, f"{text!r}", '["…", "…"]')
    return tuple(value)


def _setup(values: dict[str, Numbered]) -> Setup:
    options, crown = _value(*values["options"]), _value(*values["crown"])
    if not isinstance(options, dict):
        raise RecordError(values["options"][0], f"{options!r}", "{…}")
    if crown is not None and type(crown) is not int:
        raise RecordError(values["crown"][0], f"{crown!r}", "a seat, counted from 0, or null")
    return Setup(
        values["edition"][1],
        _strings(*values["players"]),
        options,
        _strings(*values["cast"]),
        _strings(*values["uniques"]),
        crown,
        (),
    )


def _body(
    lines: list[Numbered], setup: Setup, rules: Rulebook, digest: str, words: tuple[str, ...]
) -> Record:
    entries: list[Entry] = []
    ruled: list[Ruled] = []
    ending: list[Numbered] = []
    current = 1
    for number, line in lines:
        if found := _ROUND.fullmatch(line):
            current = int(found[1])
        elif not line or line.startswith("#"):
            continue
        elif not ending and (came := RULING.fullmatch(line)):
            ruled.append(Ruled(_known(number, (int(came[1]),))[0], int(came[2]), len(entries), number))
        elif ending or line.partition(": ")[0] in (RESULT, SCORE, WINNER, SEED):
            ending.append((number, line))
        else:
            entries.append(_order(number, line, current, setup, rules))
    return _ending(ending, Record(setup, digest, words, tuple(entries), ruled=tuple(ruled)))


def _order(number: int, line: str, current: int, setup: Setup, rules: Rulebook) -> Entry:
    for seat, name in enumerate(setup.players):
        start = label(name) + ": "
        if line.startswith(start):
            try:
                move = read_order(line[len(start) :], setup.players, rules)
            except Refusal as refusal:
                right = " or ".join(refusal.facts.get("expected", []))
                raise RecordError(number, f"{line!r}: {refusal.code} {refusal.facts}", right) from refusal
            return Entry(seat, move, current, number)
    names = ", ".join(label(name) for name in setup.players)
    raise RecordError(number, f"{line!r} begins with no player's name", f"one of {names}, a colon, an order")


def _ending(lines: list[Numbered], record: Record) -> Record:
    seed: bytes | None = None
    reason, first = "", 0
    scores: list[dict[str, Any]] = []
    winners: list[int] = []
    for number, line in lines:
        word, _, rest = line.partition(": ")
        if word == RESULT and not reason:
            reason, first = rest, number
        elif word == SCORE:
            scores.append(_score(number, rest, record.setup))
        elif word == WINNER:
            winners.append(_winner(number, rest, record.setup))
        elif word == SEED and seed is None and re.fullmatch("([0-9a-f]{2})+", rest):
            seed = bytes.fromhex(rest)
        else:
            raise RecordError(number, f"{line!r}", "result:, score:, winner: or seed: with its value")
    result = {"reason": reason, "scores": scores, "winners": winners} if reason else None
    return replace(record, seed=seed, result=result, result_line=first)


def _begins(number: int, text: str, setup: Setup) -> list[tuple[int, str]]:
    """The players whose names the text may begin with, the longest name first, and what follows each.

    "Ana 12" is a player's name, or Ana's with her score.
    """
    fitting = [
        (seat, text[len(label(n)) + 1 :])
        for seat, n in enumerate(setup.players)
        if text == label(n) or text.startswith(label(n) + " ")
    ]
    if not fitting:
        raise RecordError(number, f"{text!r}", "a player's name first")
    return sorted(fitting, key=lambda found: len(found[1]))


def _winner(number: int, text: str, setup: Setup) -> int:
    seat, rest = _begins(number, text, setup)[0]
    if rest:
        raise RecordError(number, f"{text!r}", "a player's name, and nothing behind it")
    return seat


def _score(number: int, text: str, setup: Setup) -> dict[str, Any]:
    for seat, rest in _begins(number, text, setup):
        if found := _SCORE.fullmatch(rest):
            score, *points = map(int, found.groups())
            return {"seat": seat, "points": dict(zip(PARTS, points, strict=True)), "score": score}
    raise RecordError(number, f"{text!r}", "name score = " + ", ".join(f"{part} n" for part in PARTS))
