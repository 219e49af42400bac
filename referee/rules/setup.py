"""What is agreed before the first card is dealt, and whether a table can be set so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .facts import Seat, SetupError
from .rulebook import Edition
from .rulings import today


@dataclass(frozen=True)
class Setup:
    """`players` are names in clockwise order; an empty `cast` or `uniques` is the edition's
    own; `crown` the seat that starts with it, None: the seed decides (ruling 25); `rulings` those
    under which it is dealt, beside the first ones (see rulings.py): today's, if not an older game's."""

    edition: str
    players: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    cast: tuple[str, ...] = ()
    uniques: tuple[str, ...] = ()
    crown: Seat | None = None
    rulings: tuple[int, ...] = field(default_factory=today)

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew where it arrives: pickle's own way writes fields, which a compiled one refuses."""
        values = (self.edition, self.players, self.options, self.cast, self.uniques, self.crown, self.rulings)
        return Setup, values


def check(setup: Setup, edition: Edition) -> None:
    """Raise SetupError where this edition can't be played so."""
    count = len(setup.players)
    if not edition.least <= count <= edition.most:
        raise SetupError("player-count", players=count, least=edition.least, most=edition.most)
    for place, name in enumerate(setup.players):
        if not name or name != name.strip() or not name.isprintable() or name in setup.players[:place]:
            raise SetupError("names", name=name)
    for option, value in setup.options.items():
        if option not in edition.options:
            raise SetupError("unknown-option", option=option, known=sorted(edition.options))
        allowed = edition.options[option]
        if type(value) is bool or value not in allowed:
            raise SetupError("option-value", option=option, value=value, allowed=list(allowed))
    if setup.crown is not None and setup.crown not in range(count):
        raise SetupError("crown", crown=setup.crown)
    _check_cast(edition, count, setup.cast or edition.usual_cast(count))
    _check_uniques(edition, setup.uniques)
    edition.check(setup)


@lru_cache(maxsize=1024)
def _check_cast(edition: Edition, players: int, cast: tuple[str, ...]) -> None:
    known = {c.name: c for c in edition.characters}
    taken: dict[int, str] = {}
    for name in cast:
        if name not in known:
            raise SetupError("cast", why="unknown", name=name, edition=edition.name, known=sorted(known))
        rank, least = known[name].rank, known[name].players_from
        if rank in taken:
            why = "twice" if taken[rank] == name else "rank"
            raise SetupError("cast", why=why, name=name, rank=rank, other=taken[rank])
        if players < least:
            choices = [c.name for c in edition.characters if c.rank == rank and players >= c.players_from]
            raise SetupError("cast", why="players", name=name, players=players, least=least, choices=choices)
        taken[rank] = name
    wanted = {"must": range(1, 10), "may": range(1, 9), "never": range(1, 9)}[edition.ninth(players)]
    for rank in wanted:
        if rank not in taken:
            choices = [c.name for c in edition.characters if c.rank == rank and players >= c.players_from]
            why = "ninth-needed" if rank == 9 else "missing"
            raise SetupError("cast", why=why, name="", rank=rank, players=players, choices=choices)
    if 9 in taken and edition.ninth(players) == "never":
        raise SetupError("cast", why="ninth-refused", name=taken[9], players=players)


@lru_cache(maxsize=1024)
def _check_uniques(edition: Edition, uniques: tuple[str, ...]) -> None:
    known = {d.name for d, _ in edition.districts if d.type == "unique"}
    for place, name in enumerate(uniques):
        if name not in known:
            raise SetupError("uniques", why="unknown", name=name, edition=edition.name, known=sorted(known))
        if name in uniques[:place]:
            raise SetupError("uniques", why="twice", name=name)
    count, wanted = len(uniques), edition.uniques_wanted
    if uniques and wanted is not None and count != wanted:
        raise SetupError("uniques", why="size", name="", count=count, wanted=wanted)
