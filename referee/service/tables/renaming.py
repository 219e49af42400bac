"""A seat goes by another name, also in all that was played there: journal, positions, records that were given
out of a deal that began anew.

The rules know players by their seats, so that nothing changes but the words: a record made afterwards plays
the same game, and verifies.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import msgspec

from referee import rules
from referee.ids import EventNo
from referee.rules import Refusal, SetupError, record
from referee.rules.notation import order_text, read_order
from referee.rules.record import Record, RecordError
from referee.store import DamagedPack, Deal, Game, Journal, Seat, Tx, Undo

from ..core.unit_of_work import UnitOfWork, names, setup_of, write_event
from ..play import signature
from .seat_names import in_game_name

log = logging.getLogger(__name__)


def rename_seat(uow: UnitOfWork, game: Game, seat: Seat, wanted: str) -> Game:
    """Give a seat that name, or one like it where it is taken there; the table as it is then."""
    tx, seats = uow.tx, uow.seats(game.id)
    game = in_rows(tx, game)
    called = in_game_name(wanted, [one.name for one in seats if one.id != seat.id], game)
    old, new = names(seats), [called if one.id == seat.id else one.name for one in seats]
    tx.set(Seat, seat.id, name=called)
    if not game.snapshot:
        return game
    _journal(uow, game, seats, old, new)
    for before in tx.all(Undo, game_id=game.id):
        tx.set(Undo, before.id, snapshot=_position(before.snapshot, new))
    for deal in tx.all(Deal, game_id=game.id):
        tx.set(Deal, deal.id, record=_record(uow, deal.record, seat.name, called))
    number = EventNo(game.event_no + 1)
    write_event(uow, game.id, number, "renamed", {"seat": seat.no})  # what was made of it is made anew
    return tx.renew(Game, game, event_no=number, snapshot=_position(game.snapshot, new))


def in_rows(tx: Tx, game: Game) -> Game:
    """A game that may be changed. A damaged pack stays as it is: nobody can read what is in it."""
    try:
        return tx.unpack(game)
    except DamagedPack:
        log.exception("what was played in game %s stays as it is", game.id)
        return game


def other_words(text: str, old: str, new: str) -> str:
    """A text in which a name stands for another, as a word of its own."""
    parts, at = [""], 0
    while old and (found := text.find(old, at)) >= 0:
        end = found + len(old)
        inside = _in_a_word(text[found - 1 : found]) or _in_a_word(text[end : end + 1])
        parts += [text[at:found], old if inside else new]
        at = end
    return "".join([*parts, text[at:]])


def _in_a_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _journal(uow: UnitOfWork, game: Game, seats: list[Seat], old: list[str], new: list[str]) -> None:
    changed = next(((a, b) for a, b in zip(old, new, strict=True) if a != b), None)
    if changed is None:
        return
    try:
        book = rules.rulebook(setup_of(game, seats))
    except SetupError:  # cards that this version does not know any more
        book = None
    for line in uow.tx.all(Journal, game_id=game.id, order="no"):
        if changed[0] not in line.order:
            continue
        try:
            order = "" if book is None else order_text(read_order(line.order, old, book), new)
        except Refusal:  # of a deal with other cards that was given up
            order = ""
        uow.tx.set(Journal, line.id, order=order or other_words(line.order, *changed))


def _position(snapshot: bytes, players: list[str]) -> bytes:
    state = json.loads(snapshot)
    state["setup"]["players"] = players
    return msgspec.json.encode(state)


def _record(uow: UnitOfWork, text: str, old: str, new: str) -> str:
    """A record of a deal with the other name, its chain and its signature made anew."""
    try:
        held: Record = record.read(text)
    except RecordError:  # of a form that this version does not know: as words
        return other_words(text, old, new)
    players = tuple(new if one == old else one for one in held.setup.players)
    remarks = [
        other_words(line[2:], old, new)
        for line in text.splitlines()
        if line.startswith("# ") and not line.startswith("# round ")
    ]
    renamed = replace(held, setup=replace(held.setup, players=players))
    return signature.signed(uow.tx, record.write(renamed, remarks))
