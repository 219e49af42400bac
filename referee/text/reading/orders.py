"""Reading one order.

The words are read against the shapes of all orders, in every way they can be.  What is legal now
decides between the ways; an exact name is never bent into another that would be legal.  What
still reads two ways, or none, is Trouble: nothing is ever guessed.  What the grammar does not know may still
be what stands on a button (shown.py), or an order with talk around it ("ok, gold").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ...rules.facts import Move
from ..folding import fold
from ..meter import spend
from .courtesy import is_courtesy, is_pleasantry
from .limits import too_long
from .naming import SHORT, another_named, cards_of, players, rival
from .open_question import OpenQuestion, asked, example, texts
from .parsing import ENOUGH, Parser
from .remarks import without_brackets, without_reason
from .shapes import LOOSE, SHAPES, forms
from .sheet import DOTS, MenuStep
from .shown import entries_named
from .suggesting import MOST, naming, nearest, order
from .talk_around import digits_in, number_named, numbers_in, without_question, without_talk
from .terms import LIKE_NO_ORDER, Cards, NotUnderstood, Reading
from .typos import meant
from .verbs import verbs_at

_NUMBER = re.compile(r"^[#(\[]?\s*(\d{1,4})\s*[.)\]:]?$")
#: words for another table: "#2 gold" is not "2 gold", and "#2." is an option
_ELSEWHERE = re.compile(r"#\s?\d{1,9}(?:[:,]\s*|\s+)\w")
_LISTED = re.compile(r"^(\d{1,3})[.)]\s+(.+)$")


class _OrderReading(NamedTuple):
    """One way to read the line: `args` by place, missing places left out; `tier` 0 canonical .. 2
    shortened.
    """

    verb: str
    args: dict[int, Any]
    size: int
    tier: int


def read_order(chunk: str, reading: Reading) -> Move | NotUnderstood:
    """The move that a line of text means, or why none was understood.

    The move need not be legal: the engine says why it is refused.  Never raises for
    anything that a person may type.
    """
    spend()
    line = " ".join(chunk[:1000].split())[:200]
    if long := too_long(line):
        return long
    if for_another_table(line):
        return NotUnderstood("unreadable", line)
    if asked_about := without_question(line, reading):
        return _question(asked_about, line, reading)
    if is_pleasantry(line, reading):
        return NotUnderstood("courtesy", line)
    now = asked(reading)
    number = _option_number(line, reading)
    if number is not None:
        return _option(number, line, reading, now)
    listed = _LISTED.match(line)
    if listed and reading.numbers and now.options:
        return _agreeing(line, listed, reading, now)
    found = _read(line, reading, now)
    short = (
        "" if isinstance(found, Move) else without_brackets(line, reading) or without_reason(line, reading)
    )
    if short:
        plain = _read(short, reading, now)
        found = plain if isinstance(plain, Move) else found
    if isinstance(found, Move) and DOTS in line and any(isinstance(one, tuple) for one in found.args):
        found = NotUnderstood("unreadable", line, (order(found, reading),))  # more cards are to follow
    if isinstance(found, Move) and now.offers(found):
        return found
    found = _labelled(line, reading, found)
    if isinstance(found, Move) or found.step is not None or DOTS in line:
        return found
    if several := numbers_in(line, reading):
        return _one_of(several, line, reading, now) or found
    return _within_talk(line, found, reading, now)


def for_another_table(line: str) -> bool:
    """Whether a line begins with the number of a table, "#2 gold"; "#2" alone is an option."""
    return _ELSEWHERE.match(line) is not None


def _within_talk(
    line: str, found: NotUnderstood, reading: Reading, now: OpenQuestion
) -> Move | NotUnderstood:
    """The order in a line with talk around it; `found`, where there is none."""
    bare = without_talk(line, reading)
    again = read_order(bare, reading) if bare else found
    if isinstance(again, Move):
        return _said_by_talk(line, again, reading, now) or again
    if found.code == "unreadable" and is_courtesy(line, reading):
        return NotUnderstood("courtesy", line)
    return again if again.code not in LIKE_NO_ORDER else found


def _said_by_talk(line: str, move: Move, reading: Reading, now: OpenQuestion) -> NotUnderstood | None:
    """Where talk before an order is an answer itself, "yes, no": asked back.  "I gold" is no income."""
    word = line.split()[0].strip(",")
    first = _read(word, reading, now) if len(word) > 1 else move
    if not isinstance(first, Move) or first == move or not now.offers(first):
        return None
    both = (order(first, reading), order(move, reading))
    return NotUnderstood("ambiguous", line, both, both, {"candidates": both})


def _question(asked_about: str, line: str, reading: Reading) -> NotUnderstood:
    """“gold?” asks, and must not be played: some orders can't be taken back."""
    found = read_order(asked_about, reading)
    if isinstance(found, Move):
        return NotUnderstood("question", line, (order(found, reading),))
    return replace(found, quote=line)


def _one_of(numbers: Sequence[int], line: str, reading: Reading, now: OpenQuestion) -> NotUnderstood | None:
    """Several options at once: which of them?  None where they are no orders."""
    moves = [_option(number, line, reading, now) for number in dict.fromkeys(numbers)]
    both = tuple(order(move, reading) for move in moves if isinstance(move, Move))[:6]
    if len(both) < 2 or len(both) < len(moves):
        return None
    return NotUnderstood("ambiguous", line, both[:3], both, {"candidates": both})


def _labelled(line: str, reading: Reading, found: Move | NotUnderstood) -> Move | NotUnderstood:
    """What stands on a button, where the grammar found nothing that is legal now."""
    entries = entries_named(line, reading)
    moves = [one for one in entries if isinstance(one, Move)]
    if len(entries) == 1 and isinstance(entries[0], MenuStep):
        return replace(_first_step(entries[0], line, reading), step=entries[0])
    both = tuple(dict.fromkeys(order(move, reading) for move in moves))
    if len(both) > 1:
        return NotUnderstood("ambiguous", line, both[:3], both[:6], {"candidates": both[:6]})
    if not both or (
        isinstance(found, NotUnderstood) and found.candidates and both[0] not in found.candidates
    ):
        return found
    return moves[0]


def _option_number(line: str, reading: Reading) -> int | None:
    plain = _NUMBER.match(line)
    if plain:
        return int(plain.group(1))
    if digits := digits_in(line, reading):
        return int(digits)
    words = fold(line).split()
    if len(words) == 1 and (number := number_named(words[0], reading)):
        return number
    if len(words) > 1 and words[0] in map(fold, reading.lexicon.words("option", "language")):
        words = [word for word in words[1:] if word not in reading.lexicon.fillers] or words[1:]
        if len(words) == 1:
            return int(words[0][:4]) if words[0].isdecimal() else number_named(words[0], reading) or None
    return None


def _option(number: int, line: str, reading: Reading, now: OpenQuestion) -> Move | NotUnderstood:
    if not now.options:
        return NotUnderstood("no-options", line)
    if not reading.numbers:
        return NotUnderstood("number-later", line, facts={"number": number})
    if not 1 <= number <= len(now.entries):
        return NotUnderstood("no-such-option", line, facts={"number": number, "last": len(now.entries)})
    chosen = now.entries[number - 1]
    return _first_step(chosen, line, reading) if isinstance(chosen, MenuStep) else chosen


def _first_step(step: MenuStep, line: str, reading: Reading) -> NotUnderstood:
    """An entry that opens into more of them is no order yet."""
    example = tuple(texts([step.example], reading.names))
    return NotUnderstood("option-needs-cards", line, example, facts={"verb": step.example.verb})


def _agreeing(line: str, listed: re.Match[str], reading: Reading, now: OpenQuestion) -> Move | NotUnderstood:
    """A copied line of the letter, "2. Build Market": number and words must say the same."""
    words = read_order(listed.group(2), reading)
    if isinstance(words, NotUnderstood):
        return words
    number = _option(int(listed.group(1)), line, reading, now)
    if isinstance(number, NotUnderstood) or number == words:
        return words
    both = (order(number, reading), order(words, reading))
    return NotUnderstood("ambiguous", line, candidates=both, facts={"candidates": both})


def _read(line: str, reading: Reading, now: OpenQuestion) -> Move | NotUnderstood:
    words = fold(line).split()
    if not words:
        return NotUnderstood("unreadable", line, nearest(line, reading, now))
    ways = list(_ways(words, reading, now))
    if any(way.tier < SHORT and len(way.args) == way.size for way in ways):
        ways = [
            way for way in ways if way.tier < SHORT
        ]  # what is written out is never bent into something legal
    legal: dict[Move, int] = {}
    for way in ways:
        for move in now.matching(way.verb, way.args, way.size):
            legal[move] = min(way.tier, legal.get(move, way.tier))
    decided = _decide(legal, line, reading)
    if isinstance(decided, Move) and (other := another_named(decided, line, reading)) is not None:
        theirs = [move for move in now.moves if move.verb == decided.verb and move.args[:1] == (other,)]
        both = tuple(order(move, reading) for move in (decided, *theirs))
        return NotUnderstood("ambiguous", line, both[:3], both[:6], {"candidates": both[:6]})
    if decided is not None:
        return decided
    whole = {
        Move(w.verb, tuple(w.args[i] for i in range(w.size))): w.tier
        for w in reversed(ways)
        if len(w.args) == w.size
    }
    decided = _decide(whole, line, reading)
    if isinstance(
        decided, NotUnderstood
    ):  # none of them is legal, so what is suggested must be something else
        return replace(decided, suggestions=nearest(line, reading, now))
    if decided is not None:
        return decided
    return _unread(words, line, reading, now)


def _decide(found: dict[Move, int], line: str, reading: Reading) -> Move | NotUnderstood | None:
    """The one best reading; Trouble if there are several; None if there is none."""
    if not found:
        return None
    best = min(found.values())
    moves = [move for move, tier in found.items() if tier == best]
    if len(moves) == 1:
        return moves[0]
    texts = tuple(dict.fromkeys(order(move, reading) for move in moves))[:6]
    return NotUnderstood("ambiguous", line, texts[:3], texts, {"candidates": texts})


#: verbs whose one letter stands alone: "I don't understand" is no income
_ALONE = frozenset({"income", "end", "gold", "cards"})


def _unread(words: Sequence[str], line: str, reading: Reading, now: OpenQuestion) -> NotUnderstood:
    called = players(reading.language, tuple(reading.names), reading.own).spelled(words[:1])
    verbs = [one for one in verbs_at(words, reading) if one[2] < SHORT or not called]  # Bea is no "beautify"
    if not verbs:
        near = (*_verbless(words, reading, now), *meant(line, reading, now, partial(_bare, reading=reading)))
        return NotUnderstood("unreadable", line, tuple(dict.fromkeys(near))[:MOST])
    verb, used, _ = max(verbs, key=lambda v: v[1])
    if verb in _ALONE and used == 1 and len(words[0]) == 1 and len(words) > 1:
        return NotUnderstood("unreadable", line, nearest(line, reading, now))
    rest = " ".join(words[used:])
    other = now.bare_verb if all(move.verb != verb for move in now.options) else ""
    # "take the King", where a character is to be picked: there is no other answer
    near = nearest(f"{other} {rest}" if other else line, reading, now, other or verb)
    offered = [one if isinstance(one, Move) else example(one) for one in now.options if one.verb == verb]
    facts = {"verb": verb, "forms": forms(verb, offered)}
    if not rest:
        return NotUnderstood("incomplete", line, near, facts=facts)
    absent = _absent(words, reading, now)
    if absent:
        instead = rival(absent, reading.cards)  # what merely looks like the line is no help here
        return NotUnderstood(
            "absent", line, naming(instead, reading, now, verb), facts={"name": absent, "instead": instead}
        )
    return NotUnderstood("unknown-name", line, near, facts={**facts, "word": rest.replace(" , ", ", ")})


def _verbless(words: Sequence[str], reading: Reading, now: OpenQuestion) -> tuple[str, ...]:
    """At most three legal orders of which only the verb is missing: "Ana gold" for "crown Ana gold"."""
    parser, found = Parser(words, reading), dict[str, None]()
    for verb in dict.fromkeys(move.verb for move in now.moves if move.args):
        for parts in SHAPES[verb]:
            for values, tier in parser.fit(parts, 0) if parts else ():
                for move in now.matching(verb, dict(enumerate(values)), len(parts)) if tier < SHORT else ():
                    found[order(move, reading)] = None
    return tuple(found)[:MOST]


def _bare(line: str, reading: Reading) -> Move | NotUnderstood:
    """What a line means whatever is asked."""
    bare = replace(reading, ask=None, view=None, shown=None, numbers=False)
    return _read(line, bare, asked(bare))


def _absent(words: Sequence[str], reading: Reading, now: OpenQuestion) -> str:
    """The one card that is not in this game and without which the words would be an order; "" where there is
    none.
    """
    known = {*cards_of(reading.cards, "characters"), *cards_of(reading.cards, "districts")}
    if not known:
        return ""
    found: set[str] = set()
    for way in _ways(words, replace(reading, cards=Cards()), now):
        if way.tier < SHORT and len(way.args) == way.size:
            names = [
                n
                for arg in way.args.values()
                for n in (arg if isinstance(arg, tuple) else (arg,))
                if isinstance(n, str)
            ]
            found |= {
                n
                for n in names
                if n not in known
                and any(n in reading.lexicon.table(kind) for kind in ("characters", "districts"))
            }
    return found.pop() if len(found) == 1 else ""


def _ways(words: Sequence[str], reading: Reading, now: OpenQuestion) -> Iterator[_OrderReading]:
    """Every way to read the words as an order, at most some dozens."""
    parser = Parser(words, reading)
    count = 0
    called = players(reading.language, tuple(reading.names), reading.own).spelled(words[:1])
    for verb, used, tier in verbs_at(words, reading):
        if called and tier == SHORT:
            continue  # Bea is no "beautify"
        for parts in SHAPES[verb]:
            for values, worst in parser.fit(parts, used):
                yield _OrderReading(verb, dict(enumerate(values)), len(parts), max(tier, worst))
                count += 1
        for loose in LOOSE[verb]:
            for values, worst in parser.fit(loose.parts, used):
                slots = [v for part, v in zip(loose.parts, values, strict=True) if part.startswith("<")]
                args: dict[int, Any] = {**dict(zip(loose.places, slots, strict=True)), **loose.words}
                yield _OrderReading(verb, args, loose.size, max(tier, worst, 1))
                count += 1
        if count > ENOUGH:
            return
    # "King", when the question is which character to pick; but "keep" alone breaks off, and is no Keep
    if not count and now.bare_verb and not _only_verb(words, now.bare_verb, reading):
        for parts in SHAPES[now.bare_verb]:
            for values, worst in parser.fit(parts, 0):
                yield _OrderReading(now.bare_verb, dict(enumerate(values)), len(parts), max(1, worst))


def _only_verb(words: Sequence[str], verb: str, reading: Reading) -> bool:
    """Whether the words are that verb and nothing more."""
    rest = [used for spoken, used, tier in verbs_at(words, reading) if spoken == verb and tier < SHORT]
    return any(all(word in reading.lexicon.fillers for word in words[used:]) for used in rest)
