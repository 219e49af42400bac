"""What people write around an order: "Ok, I take gold 👍", "hi, gold please", "one" for option 1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ..folding import fold
from ..lexicon import lexicon
from ..meter import unmetered
from .terms import Reading

#: this many phrases before and behind an order may be talk
_MOST = 4
#: several numbers have no more signs than this
_SEVERAL = 40
#: an option has no number of more digits
_DIGITS = 4
#: what ends a question
_ASKING = re.compile(r"[?\uff1f\u061f]")
#: faces made of signs: ";)", ":-D", "xD", "<3"
_FACE = re.compile(r"(?:[:;=][-']?[)(DdPp*/|]{1,5}|[xX]D{1,5}|<3{1,5}|\^_?\^)[.!]{0,3}")
_DOUBTFUL = re.compile(r"[?/\-\u2010-\u2015\u2212]")


def without_talk(line: str, reading: Reading) -> str:
    """The same line without "ok", "hi" or "I want to" before it and a thank-you or emoji behind it; "" where
    there is neither.
    """
    before, wishes, behind = _around(reading.language, reading.own)
    words, begin, wished = line.split(), 0, False
    plain = [fold(word).strip(" ,") for word in words]
    for _ in range(_MOST):
        said = next((one for one in (*wishes, *before) if tuple(plain[begin : begin + len(one)]) == one), ())
        begin, wished = begin + len(said), wished or said in wishes
    end = _ended(words, behind)
    bare = " ".join(words[begin:end]).strip(" ,!") if 0 < end - begin < len(words) else ""
    return "" if wished and as_number(bare, reading).isdecimal() else bare


def without_end(argument: str, reading: Reading) -> str:
    """What follows a command without a thank-you or emoji behind it: "undo 🙈"."""
    if not any(char.isalpha() or unicodedata.category(char) == "So" for char in argument):
        return argument  # "link !!"
    words = argument.split()
    return " ".join(words[: _ended(words, _around(reading.language, reading.own)[-1])]).rstrip(" ,!")


def _ended(words: Sequence[str], behind: Sequence[tuple[str, ...]]) -> int:
    """How many words are left without what is said behind them."""
    plain, end = [fold(word).strip(" ,") for word in words], len(words)
    for _ in range(_MOST):
        said = next((len(one) for one in behind if tuple(plain[max(0, end - len(one)) : end]) == one), 0)
        end -= said or int(end > 0 and _only_signs(words[end - 1]))
    return end


def without_question(line: str, reading: Reading) -> str:
    """What a line asks about, without the question mark at its end; "" where it asks nothing. A please or an
    emoji may stand behind the mark. A name may end in one, too.
    """
    mark = next(reversed(list(_ASKING.finditer(line))), None)
    if mark is None:
        return ""
    around = _around(reading.language, reading.own)[-1]
    behind = {one[0] for one in around if len(one) == 1} | reading.lexicon.fillers
    said = line[: mark.end()].casefold()
    if any(_ASKING.search(name) and said.endswith(name.casefold()) for name in reading.names):
        return ""
    if not all(_only_signs(word) or fold(word).strip(" ,") in behind for word in line[mark.end() :].split()):
        return ""
    return _ASKING.sub("", line[: mark.start()]).strip(" ,([!")


def number_named(word: str, reading: Reading) -> int:
    """The number that a folded word is, 0 for any other, and where somebody at the table is called so."""
    said = _numbers(reading.language, reading.own)
    return 0 if word not in said or word in map(fold, reading.names) else said[word]


def digits_in(line: str, reading: Reading) -> str:
    """The digits of a line with nothing beside them that means anything: "2!", "2 please", a digit on a key;
    "" for any other. What may ask or count backwards ("2?", "-2") is left alone.
    """
    if len(line) > _SEVERAL or _DOUBTFUL.search(line):
        return ""
    words = [word for word in fold(line).split() if word != "," and word not in reading.lexicon.fillers]
    return words[0] if len(words) == 1 and words[0].isdecimal() and len(words[0]) <= _DIGITS else ""


def as_number(line: str, reading: Reading) -> str:
    """A line that is nothing but the number of an option, in digits: "(1)", "1.", "one"; any other as it
    is.
    """
    if digits := digits_in(line, reading):
        return digits
    plain = line.strip().strip("([#").rstrip(".):] ").strip()
    if plain.isdecimal():
        return plain
    number = number_named(fold(plain), reading) if len(plain) < 20 else 0
    return str(number) if number else line


def numbers_in(line: str, reading: Reading) -> tuple[int, ...]:
    """The numbers of several options, "1 and 3", "1, 2"; () for anything else."""
    words = fold(line[:_SEVERAL]).split()
    joins = {",", "+", fold(reading.lexicon.words("and", "language")[-1])}
    said = [int(w) if w.isdecimal() else number_named(w, reading) for w in words if w not in joins]
    return tuple(said) if len(said) > 1 and len(said) < len(words) and all(said) else ()


def is_face(word: str) -> bool:
    """Whether a word is a face made of signs."""
    return _FACE.fullmatch(word) is not None


def _only_signs(word: str) -> bool:
    return is_face(word) or all(
        unicodedata.category(char) in ("So", "Sk", "Cf", "Mn", "Po", "Pd") for char in word
    )


@lru_cache(maxsize=16)
@unmetered
def _around(language: str, own: tuple[Any, ...]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """What may stand before an order, the wishes among it, and what may stand behind it: as folded words,
    the longest first.
    """
    lex = lexicon(language, own)
    places = (("before", "openings"), ("wishes",), ("closings", "polite"))
    said = ({tuple(fold(one).split()) for key in keys for one in lex.courtesies(key)} for keys in places)
    return tuple(tuple(sorted(several - {()}, key=lambda one: (-len(one), one))) for several in said)


@lru_cache(maxsize=16)
@unmetered
def _numbers(language: str, own: tuple[Any, ...]) -> dict[str, int]:
    """Each language lists them from one on; several words for one stand together, parted by a bar."""
    listed = lexicon(language, own).table("language").get("numbers", ())
    return {fold(word): n for n, words in enumerate(listed, 1) for word in str(words).split("|")}
