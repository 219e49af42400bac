"""What a run of words names: a card, a player, a type, a number.

An exact spelling always wins over a shortened one.  Shortened are: beginnings ("cath"),
initials of names of several words ("tp"), and beginnings of their words ("gr wall").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from ...rules.editions import EDITIONS
from ...rules.facts import Move
from ..folding import fold, squash
from ..lexicon import Lexicon, lexicon
from ..meter import spend, unmetered
from .terms import CardNames, Reading

#: how well a run of words fits a name
FULL, ALIAS, SHORT = 0, 1, 2


class NameMatch(NamedTuple):
    """Something that was named: its value (card, seat, number …) and how well it fits."""

    value: Any
    tier: int


class _Name(NamedTuple):
    value: Any
    full: frozenset[str]  # squashed names
    aliases: frozenset[str]  # squashed other spellings
    words: tuple[tuple[str, ...], ...]  # the names' words, for shortened forms


class NameIndex:
    """Everything of one kind that can be named, looked up by words already folded."""

    def __init__(self, names: Iterable[_Name], fillers: frozenset[str]) -> None:
        self._fillers = fillers
        self._names = tuple(names)
        self._longest = max((len(words) for name in self._names for words in name.words), default=0)
        self._exact: dict[str, list[NameMatch]] = {}
        self._by_letter: dict[
            str, list[_Name]
        ] = {}  # by the letters with which anything that shortens a name begins
        #: of "Player A" and "Player O" neither is Player
        shared = Counter(key for name in self._names for key in self._bare(name))
        for name in self._names:
            for letter in {
                said[0][0] for words in name.words for said in (words, _great(words)) if said and said[0]
            }:
                self._by_letter.setdefault(letter, []).append(name)
            bare = {key for key in self._bare(name) if shared[key] == 1}  # "The Fox" is also Fox
            for tier, keys in ((FULL, name.full), (ALIAS, (name.aliases | bare) - name.full)):
                for key in keys:
                    self._exact.setdefault(key, []).append(NameMatch(name.value, tier))

    def _bare(self, name: _Name) -> frozenset[str]:
        """A name without little words."""
        fillers = self._fillers
        return frozenset("".join(w for w in words if w not in fillers) for words in name.words) - {""}

    def spelled(self, words: Sequence[str]) -> Sequence[NameMatch]:
        """What these words name to the letter: "Player A" may end in a little word."""
        return self._exact.get("".join(words), ())

    def look_up(self, words: Sequence[str]) -> tuple[NameMatch, ...]:
        """Whatever these words may name, only the best kind of fit; () if nothing."""
        core = [w for w in words if w not in self._fillers] or list(words)
        keys = dict.fromkeys(("".join(words), "".join(core)))
        if whole := tuple(hit for hit in self.spelled(words) if hit.tier == FULL):
            return whole  # "The Fox" is not Fox, where both sit at the table
        exact = {hit.value: hit for key in keys for hit in self._exact.get(key, ())}
        if exact:
            best = min(hit.tier for hit in exact.values())
            return tuple(hit for hit in exact.values() if hit.tier == best)
        if len(core) > self._longest or all(word in self._fillers for word in core):
            return ()  # "build the" breaks off: it names no Theater
        spend()
        key = "".join(core)
        return tuple(
            NameMatch(n.value, SHORT)
            for n in self._by_letter.get(key[:1], self._names if not key else ())
            if any(_shortens(core, key, w) for w in n.words)
        )


def _shortens(typed: Sequence[str], key: str, name: tuple[str, ...]) -> bool:
    """Whether `typed` is a beginning of `name`, its initials, or beginnings of its words."""
    if "".join(name).startswith(key):
        return True
    if len(name) < 2:
        return False
    if len(typed) == 1:
        return len(key) > 1 and key in (_initials(name), _initials(_great(name)))
    rest = iter(name)
    return name[0].startswith(typed[0]) and all(any(w.startswith(t) for w in rest) for t in typed)


_SMALL = frozenset({"of", "the", "de", "do", "da", "dos", "das"})


def _great(name: tuple[str, ...]) -> tuple[str, ...]:
    """A name without its little words."""
    return tuple(word for word in name if word not in _SMALL)


def _initials(name: Sequence[str]) -> str:
    return "".join(word[0] for word in name)


def _entry(lex: Lexicon, kind: str, key: str) -> _Name:
    names = {key, lex.name(kind, key)}
    spelled = frozenset(map(squash, lex.spellings(kind, key)))
    return _Name(
        key, frozenset(map(squash, names)), spelled, tuple(tuple(fold(n).split()) for n in sorted(names))
    )


@lru_cache(maxsize=64)
@unmetered
def register(language: str, kind: str, only: tuple[str, ...] = (), own: tuple[Any, ...] = ()) -> NameIndex:
    """The names of a lexicon table ("districts", "characters", "types", "channels" …), of all its
    keys or `only` of some (keys the lexicon doesn't have are named by themselves)."""
    lex = lexicon(language, own)
    return NameIndex((_entry(lex, kind, key) for key in only or lex.keys(kind)), lex.fillers)


@lru_cache(maxsize=512)
@unmetered
def players(language: str, names: tuple[str, ...], own: tuple[Any, ...] = ()) -> NameIndex:
    """The players of a game: by name, by name with a possessive s, and as "seat 2"."""
    lex = lexicon(language, own)
    seats = lex.words("seat", "language")
    entries = []
    for seat, name in enumerate(names):
        plain = squash(name)
        aliases = {f"{squash(word)}{seat + 1}" for word in seats}
        if plain:
            aliases.add(plain + "s")
        entries.append(
            _Name(
                seat,
                frozenset({plain} - {""}),
                frozenset(aliases),
                (tuple(fold(name).split()),) if plain else (),
            )
        )
    return NameIndex(entries, lex.fillers)


def another_named(move: Move, line: str, reading: Reading) -> int | None:
    """The seat of a player who is named to the letter in what was read as a shorter name and a word of the
    order: "crown Ana Gold", where Ana and Ana Gold sit, may be Ana with gold as well as Ana Gold.  None:
    nobody.  Orders never write such a word with a capital, and every name has one there
    (service.tables.seat_names).
    """
    seat = move.args[0] if len(move.args) > 1 else None
    if not isinstance(seat, int) or seat >= len(reading.names):
        return None
    said = [word for arg in move.args[1:] if isinstance(arg, str) for word in reading.lexicon.words(arg)]
    words, shorter = set(map(fold, said)), reading.names[seat] + " "
    for other, name in enumerate(reading.names):
        rest = name.removeprefix(shorter)
        if rest != name and fold(rest) in words and rest != rest.lower() and name in line:
            return other
    return None


def cards_of(cards: CardNames, kind: str) -> tuple[str, ...]:
    """The names of one kind that this game is played with, () for all known."""
    return tuple(cards.characters if kind == "characters" else cards.districts)


def rival(character: str, cards: CardNames) -> str:
    """Who has the rank of that character in this game, "" for nobody or where it is no character."""
    here = set(cards.characters)
    for edition in EDITIONS.values():
        ranks = {one.name: one.rank for one in edition.characters}
        if character in ranks and here <= set(ranks):
            return next((name for name in ranks if name in here and ranks[name] == ranks[character]), "")
    return ""


#: the tables of the lexicon that hold cards
_CARDS = ("characters", "districts")


def named_cards(words: Sequence[str], reading: Reading) -> tuple[str, ...]:
    """Every card of every edition that these folded words may name, only the best kind of fit: its whole name
    or another spelling of it; else a shortened name of a card of this game; else one of any card.
    """
    found: dict[str, int] = {}
    for kind in _CARDS:
        here = set(cards_of(reading.cards, kind))
        for hit in register(reading.language, kind, (), reading.own).look_up(words):
            found[str(hit.value)] = hit.tier if hit.tier != SHORT or hit.value in here else SHORT + 1
    return tuple(card for card, tier in found.items() if tier == min(found.values()))


def card_in_full(said: str, reading: Reading) -> str:
    """The one card whose whole name, or another spelling of it, this is; "" where it is none."""
    words = fold(said).split()
    hits = {
        str(hit.value)
        for kind in _CARDS
        for hit in register(reading.language, kind, (), reading.own).look_up(words)
        if words and hit.tier != SHORT
    }
    return hits.pop() if len(hits) == 1 else ""


def nearest_cards(typed: str, reading: Reading) -> tuple[str, ...]:
    """At most three cards, of this game or any, whose names look like what was typed, the nearest first."""
    lex = reading.lexicon
    known = {
        squash(said): card
        for kind in _CARDS
        for card in lex.keys(kind)
        for said in (card, lex.name(kind, card))
    }
    return tuple(dict.fromkeys(known[key] for key in get_close_matches(typed[:60], known, 3, 0.65)))
