"""English that is left over: words of the English templates which are none of the Portuguese ones, found in
what somebody was sent.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment

from referee.text.folders import shipped

_JINJA = Environment(autoescape=True)
_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_MARKUP = re.compile(r"<[^>]*>|&\w+;|https?://\S+")
#: in a Portuguese sentence: the shell's commands and what else is quoted as it is typed
_QUOTED = re.compile(r"referee [\w -]+|“[^”]*”|`[^`]*`|\{\w*\}")
#: what somebody said, quoted; a record of a game, and one of its pieces
_BETWEEN, _RECORD = re.compile(r"“([^”]*)”"), re.compile(r"citadels record 2.*", re.DOTALL)
#: codes, keys and hashes; what an admin is shown of the machine: kinds of letters, codes of alerts, what a
#: wire said, the shell's commands
OF_THE_MACHINE = re.compile(
    r"\b[A-Z2-7]{6}(?:[A-Z2-7]{2})?\b|\b[A-Z2-7]{16}\b|\b[A-Z2-7]{4}-[A-Z2-7]{4}\b|"
    r"ed25519 [A-Za-z0-9+/]{43}=|\b[0-9a-f]{64}\b|"
    r"(?:\b[0-9a-f]{4} ){7}[0-9a-f]{4}\b|\d+: \w+, (?=falhou|failed|ḟ)|(?:Árbitro|Ŕéḟéŕéé): [\w-]+|"
    r"rejected|unauthorised|(?:Ĥéĺṗ|Ajuda): admin|referee (?:record verify|doctor)"
)
ADDRESSES = re.compile(
    r"(?:https?://|\b(?:telegram|matrix|mail|terminal):|@|!|\b[\w-]+\.(?:csv|json|txt|ics)\b)[^\s,;”]*|"
    r"\(\w+/\w+\)|\b[A-Z][a-z]+/[A-Z][a-z]+"
)
#: as everybody calls them, in any language; what is called so here; and what Babel writes for September and
#: October
NAMES = frozenset(
    {
        "citadels",
        "csv",
        "json",
        "utc",
        "telegram",
        "matrix",
        "mail",
        "web",
        "hash",
        "sha",
        "winter",
        "spring",
        "cup",
        "english",
        "lisbon",
        "europe",
        "set",
        "out",
    }
)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _strings(one) if key != "fillers" else ()
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, str):
        yield value


def _said(source: str) -> Iterator[tuple[str, str]]:
    """The words of a template, with their kind: "data" stands between its tags, of "string" its tags
    choose.
    """
    for _, kind, value in _JINJA.lex(source):
        if kind in ("data", "string"):
            yield str(kind), _MARKUP.sub(" ", str(value)) if kind == "data" else str(value)[1:-1]


def _words(language: str) -> dict[str, set[str]]:
    """All words of a language's folder, by the kind of their place; "own": those of sentences that are no
    quotation.
    """
    found: dict[str, set[str]] = {"data": set(), "string": set(), "own": set()}
    for path in sorted((shipped() / language).rglob("*")):
        if path.suffix not in (".toml", ".j2") or path.name == "admin.toml":  # the shell's affair
            continue
        text = path.read_text(encoding="utf-8")
        sentences = _strings(tomllib.loads(text)) if path.suffix == ".toml" else iter((text,))
        for kind, part in (each for sentence in sentences for each in _said(sentence)):
            found[kind] |= set(_WORD.findall(part.casefold()))
            found["own"] |= set(_WORD.findall(_QUOTED.sub(" ", part).casefold())) if kind == "data" else set()
    return found


@cache
def words() -> frozenset[str]:
    """English words that no Portuguese text of ours has; what templates of both choose from are keys."""
    english, ours = _words("en"), _words("pt_BR")
    return frozenset(
        word
        for word in english["data"] | english["string"]
        if word not in ours["own"] | (ours["string"] - english["string"]) | NAMES and len(word) > 1
    )


def _any_of(texts: set[str]) -> str:
    """A pattern for any of the texts, the longest that fits. What several begin with stands once: a thousand
    alternatives beside each other are all tried at every word.
    """
    rest: dict[str, set[str]] = defaultdict(set)
    for one in texts - {""}:
        rest[one[0]].add(one)
    ways = []
    for several in rest.values():
        low, high = min(several), max(several)
        same = next((n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
        begin = low[:same]
        ways.append(re.escape(begin) + _any_of({one[len(begin) :] for one in several}))
    return f"(?:{'|'.join(ways)}){'?' if '' in texts else ''}" if ways else ""


class Quoted:
    """What is nobody's words but those of who typed them, and orders as they are printed: it comes back as it
    is.
    """

    def __init__(self, typed: Iterable[str], orders: Iterable[str]) -> None:
        said = set(typed)
        # one text to look in: a quotation has no such sign in it
        self.typed = "\0".join(one.casefold() for one in said)
        self.whole = re.compile(rf"(?<!\w){_any_of({one for one in (*said, *orders) if len(one) > 2})}(?!\w)")

    def without(self, said: str) -> str:
        """A text with none of it."""
        said = self.whole.sub(" ", ADDRESSES.sub(" ", OF_THE_MACHINE.sub(" ", _RECORD.sub(" ", said))))
        return _BETWEEN.sub(lambda found: " " if found[1].casefold() in self.typed else found[0], said)

    def english(self, said: str) -> Iterator[tuple[str, str]]:
        """(word, what stands around it) of each English word in a text."""
        said = self.without(said)
        for found in _WORD.finditer(said):
            if found[0].casefold() in words() and said[found.end() : found.end() + 1] != "…":
                yield found[0].casefold(), said[max(0, found.start() - 50) : found.end() + 50]
