"""Which characters and unique districts a table plays with, out of what its creator asked for.

What is left to chance comes from the table's seed, under a purpose of its own for each rank
("list", "cast", 3), so that it can be shown before the game and checked after it, and so that another
number of players changes only what it must.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from .. import chance
from ..editions import EDITIONS, edition, rulebook
from ..facts import SetupError
from ..rulebook import Edition
from ..rulings import today
from ..seams import Character
from ..setup import Setup
from .presets import FIRST, HARSH, HARSH_DISTRICTS, PRESETS, STAND_INS, Preset

RANDOM = "random"
#: how many bonus characters a table of an edition with bonus cards has at most, and a random one: rank 9 too
_BONUS_CAST = 2
#: bonus districts of a random table, and those for which no card of the edition's own makes room
_BONUS_DISTRICTS = 3
#: from this ruling on no table has more bonus characters
_FEW = 52


@dataclass(frozen=True)
class Choice:
    """What was asked for.  `named`: a list's name, "random", or "" for the edition's own cards.

    `nine`: with (True) or without (False) a ninth character; None: as the number of players wants it. `cast`
    and `uniques` name them all; `also` are single cards that must be in it: a character takes the place of
    the one of its rank, a district that of another.
    """

    named: str = ""
    gentle: bool = False
    nine: bool | None = None
    cast: tuple[str, ...] = ()
    uniques: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != Choice()

    def facts(self) -> dict[str, Any]:
        """JSON values, only of what was said; `choice_of` reads them."""
        said = {key: value for key, value in asdict(self).items() if value != getattr(Choice(), key)}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in said.items()}


def choice_of(facts: Mapping[str, Any]) -> Choice:
    """The choice of `Choice.facts`."""
    said: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()
    }
    return Choice(**said)


class Drawn(NamedTuple):
    """The cards of a table.

    `cast` by rank; an empty tuple is the edition's own. `instead`: the list's character and who stands in for
    it.
    """

    cast: tuple[str, ...]
    uniques: tuple[str, ...]
    instead: tuple[tuple[str, str], ...] = ()


def lists_of(name: str) -> tuple[str, ...]:
    """The names of an edition's lists."""
    return tuple(preset.name for preset in PRESETS.get(name, ()))


def edition_of(choice: Choice) -> str:
    """The edition that a choice speaks of where none was named: the one that has the list, or knows every
    card.
    """
    for name, presets in PRESETS.items():
        if any(preset.name == choice.named for preset in presets):
            return name
    asked = {*choice.cast, *choice.uniques, *choice.also}
    fitting = [name for name in (*PRESETS, *EDITIONS) if asked <= {*_names(EDITIONS[name])}]
    return fitting[0] if fitting else next(iter(PRESETS))


def choose(
    name: str, players: int, choice: Choice, seed: bytes, rulings: tuple[int, ...] | None = None
) -> Drawn:
    """The cast and the unique districts of a table of that many players.  `seed`: the table's secret one;
    `rulings` under which it is dealt, None: today's.

    Raises SetupError for what can't be, whether the choice or the rules say so."""
    book = edition(name)
    few = _FEW in (today() if rulings is None else rulings)
    drawn = _drawn(book, players, choice, seed, few=few) if choice else Drawn((), ())
    if few:
        _check_bonus(book, drawn.cast)
    rulebook(Setup(name, tuple(f"P{n + 1}" for n in range(players)), cast=drawn.cast, uniques=drawn.uniques))
    return drawn


def _check_bonus(book: Edition, cast: tuple[str, ...]) -> None:
    """Bonus characters are made to be used one or two at a time."""
    bonus = [name for name in cast if name not in book.cast] if book.uniques_wanted is None else []
    if len(bonus) > _BONUS_CAST:
        raise SetupError("cast", why="bonus", name="", bonus=bonus, count=len(bonus), wanted=_BONUS_CAST)


def _drawn(book: Edition, players: int, choice: Choice, seed: bytes, *, few: bool) -> Drawn:
    known = {c.name: c for c in book.characters}
    districts = {d.name for d, _ in book.districts if d.type == "unique"}
    for card in choice.also:
        if card not in known and card not in districts:
            raise SetupError("list", why="card", name=card, edition=book.name, known=[])
    people = [known[card] for card in choice.also if card in known]
    preset = _preset(book, choice)
    instead: tuple[tuple[str, str], ...] = ()
    if choice.cast:
        cast = _by_rank(book, (*choice.cast, *(c.name for c in people)))
    else:
        nine = _nine(book, players, choice, any(c.rank == 9 for c in people))
        bonus = _bonus_ranks(book, choice, seed, people, nine=nine, few=few)
        chosen, instead = _seats(book, players, preset, choice, seed, bonus, nine=nine)
        cast, instead = (
            _with(chosen, people),
            tuple((a, b) for a, b in instead if known[b].rank not in {c.rank for c in people}),
        )
    also = [c for c in choice.also if c in districts]
    leaving = book.in_deck(cast, book.uniques) if few else book.uniques
    if few and book.uniques_wanted is None and not {*choice.uniques} & {*book.uniques}:
        # bonus districts alone are added, as if they had been named one by one
        also, choice = [*choice.uniques, *also], replace(choice, uniques=())
    return Drawn(cast, _uniques(book, preset, choice, seed, also, leaving), instead)


def _preset(book: Edition, choice: Choice) -> Preset | None:
    if not choice.named:
        return PRESETS[book.name][0] if book.name in PRESETS else None
    if choice.named == RANDOM and len(book.characters) > len(book.cast):
        return None
    for preset in PRESETS.get(book.name, ()):
        if preset.name == choice.named:
            return preset
    raise SetupError(
        "list", why="list", name=choice.named, edition=book.name, known=list(lists_of(book.name))
    )


def _nine(book: Edition, players: int, choice: Choice, named: bool) -> bool:
    """Whether rank 9 is played with: where it must be, or may be and is asked for."""
    rule = book.ninth(players)
    if rule == "must" and choice.nine is False:
        raise SetupError(
            "cast", why="ninth-needed", name="", rank=9, players=players, choices=_playable(book, 9, players)
        )
    if rule == "never" and (choice.nine or named):
        raise SetupError("cast", why="ninth-refused", name="", players=players)
    return rule == "must" or (rule == "may" and (bool(choice.nine) or named))


def _playable(book: Edition, rank: int, players: int) -> list[str]:
    return [c.name for c in book.characters if c.rank == rank and players >= c.players_from]


def _seats(
    book: Edition,
    players: int,
    preset: Preset | None,
    choice: Choice,
    seed: bytes,
    bonus: set[int],
    *,
    nine: bool,
) -> tuple[dict[int, str], tuple[tuple[str, str], ...]]:
    """Rank -> character, and who stands in for whom.  `bonus`: the ranks at which a random table has one."""
    least = {c.name: c.players_from for c in book.characters}
    cast: dict[int, str] = {}
    instead: list[tuple[str, str]] = []
    for rank in range(1, 10 if nine else 9):
        if preset is not None:
            wanted: Sequence[str] = (preset.cast[rank - 1], *STAND_INS.get(preset.cast[rank - 1], ()))
        elif choice.named == RANDOM:
            wanted = _shuffled(book, rank, choice, seed, bonus)
        else:
            wanted = [
                c.name
                for c in sorted(book.characters, key=lambda c: c.name not in book.cast)
                if c.rank == rank
            ]
        able = [name for name in wanted if players >= least.get(name, 99)]
        if able:
            cast[rank] = able[0]
            if preset not in (None, FIRST) and able[0] != wanted[0]:
                instead.append((wanted[0], able[0]))
    return cast, tuple(instead)


def _bonus_ranks(
    book: Edition, choice: Choice, seed: bytes, people: Sequence[Character], *, nine: bool, few: bool
) -> set[int]:
    """Ranks below 9 at which a random table of an edition with bonus characters has one; none where every
    rank is a free choice.  `few`: two in all, with rank 9 and those among the `people` who were named; a
    gentle table has them where the edition's own are the harshest (before, wherever they are milder).
    """
    if book.uniques_wanted is not None:
        return set()
    ranks = sorted({c.rank for c in book.characters if c.name not in book.cast and c.rank < 9})
    drawn = chance.shuffled(seed, ranks, "list", "bonus")
    if not few:
        return {*ranks} if choice.gentle else {*drawn[:_BONUS_CAST]}
    if choice.gentle:
        own = {c.rank: c.name for c in book.characters if c.name in book.cast}
        drawn.sort(key=lambda rank: HARSH.index(own[rank]) if own[rank] in HARSH else len(HARSH))
    said = {c.rank for c in people if c.name not in book.cast}
    left = max(0, _BONUS_CAST - len({*said, 9} if nine else said))
    taken = {c.rank for c in people}
    return {*[rank for rank in drawn if rank not in taken][:left]}


def _shuffled(book: Edition, rank: int, choice: Choice, seed: bytes, bonus: set[int]) -> Sequence[str]:
    """The characters of a rank in an order decided by chance, those that do not belong here last."""
    names = chance.shuffled(seed, [c.name for c in book.characters if c.rank == rank], "list", "cast", rank)
    few = book.uniques_wanted is None and rank < 9
    if few and rank not in bonus:
        return sorted(names, key=lambda name: name not in book.cast)
    if choice.gentle:
        return sorted(names, key=lambda name: -HARSH.index(name) if name in HARSH else -len(HARSH))
    return sorted(names, key=lambda name: name in book.cast) if few else names


def _with(cast: dict[int, str], people: Iterable[Character]) -> tuple[str, ...]:
    """The cast with these in the places of their ranks."""
    taken: dict[int, str] = {}
    for one in people:
        if one.rank in taken:
            why = "twice" if taken[one.rank] == one.name else "rank"
            raise SetupError("cast", why=why, name=one.name, rank=one.rank, other=taken[one.rank])
        taken[one.rank] = one.name
    both = {**cast, **taken}
    return tuple(both[rank] for rank in sorted(both))


def _by_rank(book: Edition, cast: tuple[str, ...]) -> tuple[str, ...]:
    ranks = {c.name: c.rank for c in book.characters}
    return tuple(sorted(cast, key=lambda name: ranks.get(name, 0)))


def _uniques(
    book: Edition,
    preset: Preset | None,
    choice: Choice,
    seed: bytes,
    also: Sequence[str],
    leaving: Sequence[str],
) -> tuple[str, ...]:
    """`leaving`: those of the edition's own of which some may make room."""
    if choice.uniques:
        return (*choice.uniques, *also)
    wanted = book.uniques_wanted
    if wanted is None:
        return _bonus(book, choice, seed, also, leaving)
    if choice.named == RANDOM:
        base = _varied(book, seed, choice)
    else:
        base = list((preset.uniques if preset else None) or book.uniques)
        if not also:
            return tuple(base)
        base = chance.shuffled(seed, base, "list", "room")
    return tuple(
        sorted(dict.fromkeys((*also, *base)), key=lambda name: name not in also)[: max(wanted, len(also))]
    )


def _bonus(
    book: Edition, choice: Choice, seed: bytes, also: Sequence[str], leaving: Sequence[str]
) -> tuple[str, ...]:
    """Bonus districts, for an edition where a few of them are added to its own.

    For each one beyond those few, one of its own cards makes room, which is in the deck else.
    """
    own = {*book.uniques}
    if choice.named == RANDOM:
        drawn = _cards(
            seed, [d.name for d, _ in book.districts if d.type == "unique" and d.name not in own], choice
        )
        also = tuple(dict.fromkeys((*also, *drawn)))[: max(len(also), _BONUS_DISTRICTS)]
    out = len([name for name in also if name not in own]) - _BONUS_DISTRICTS
    if out <= 0:
        return tuple(name for name in also if name not in own)
    copies = {d.name: n for d, n in book.districts}
    stay = list(book.uniques)
    for name in chance.shuffled(seed, book.uniques, "list", "room"):
        if name in leaving and name not in also and copies[name] <= out:
            stay.remove(name)
            out -= copies[name]
    return (*stay, *(name for name in also if name not in own))


def _cards(seed: bytes, names: Iterable[str], choice: Choice) -> list[str]:
    drawn = chance.shuffled(seed, names, "list", "uniques")
    return [name for name in drawn if not (choice.gentle and name in HARSH_DISTRICTS)]


def _varied(book: Edition, seed: bytes, choice: Choice) -> list[str]:
    """Unique districts by chance, of varying costs: first one of each cost, then whatever comes."""
    cost = {d.name: d.cost for d, _ in book.districts if d.type == "unique"}
    drawn = _cards(seed, cost, choice)
    first = {cost[name]: name for name in reversed(drawn) if cost[name]}
    return sorted(drawn, key=lambda name: first.get(cost[name]) != name)


def _names(book: Edition) -> Iterable[str]:
    return (*(c.name for c in book.characters), *(d.name for d, _ in book.districts))
