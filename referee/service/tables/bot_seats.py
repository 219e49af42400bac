"""Bots at a table: of which level, in what manner, and what they are called."""

from __future__ import annotations

from random import Random

from referee.rules import Refusal
from referee.search import MANNERS, OFFERED, PLAYERS, USUAL, Adjustable
from referee.states import GATHERING
from referee.store import Game, GameRoom, Person, Room, Seat

from ..core.unit_of_work import UnitOfWork, settings_of
from ..play import hooks
from .seat_names import fold_name, in_game_name


def add_bots(uow: UnitOfWork, game: Game, level: str, count: int) -> list[str]:
    """Fill seats with players made of code; `level`: "" for the usual one.  Their names; raises Refusal."""
    level = level or USUAL
    if level not in PLAYERS:
        raise Refusal("bot-kinds", kind=level, kinds=list(OFFERED))
    hooks.may_change_lobby(game, "league-gathers")
    if game.status not in GATHERING:
        raise Refusal("not-in-lobby", game=game.id)
    seats = uow.seats(game.id)
    free = settings_of(game)["seats"] - len(seats)
    if count > free:
        raise Refusal("few-seats" if free > 0 else "lobby-full", game=game.id, free=free)
    taken = [one.name for one in seats]
    names = _names(uow, game, taken)
    for no, name in enumerate(names[:count], len(seats)):
        uow.tx.add(Seat, game_id=game.id, no=no, bot=_drawn(game, no, level), name=name, ready=1)
    return names[:count]


def _drawn(game: Game, no: int, level: str) -> str:
    """The level, and for one that can play in a manner which, by lot: `strong thrifty`."""
    if not isinstance(PLAYERS[level], Adjustable):
        return level
    return f"{level} {Random(f'manner {game.id} {no}').choice(list(MANNERS))}"


def _names(uow: UnitOfWork, game: Game, taken: list[str]) -> list[str]:
    """What bots may be called that sit down now, in an order of the game's own; unlike everybody there."""
    known = list(uow.words.lexicon(_language(uow, game)).table("language")["bot_names"])
    Random(f"names {game.id}").shuffle(known)
    there = {fold_name(name) for name in taken}
    return [in_game_name(name, taken, game) for name in known if fold_name(name) not in there]


def _language(uow: UnitOfWork, game: Game) -> str:
    """The table's: its room's, else its creator's."""
    for watched in uow.tx.all(GameRoom, game_id=game.id, order="id", limit=1):
        room = uow.tx.get(Room, watched.room_id)
        assert room is not None
        return room.language
    creator = uow.tx.get(Person, game.creator_id)
    return "en" if creator is None else creator.language
