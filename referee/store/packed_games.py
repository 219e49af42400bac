"""Games that have been over for a while are packed: what was played and what happened there, some six
hundred rows, becomes one value. Those who ask for it ask here, and need not know.

A packed game is put back into rows before any of it is changed (`unpack`); events that come later stand
beside the pack, and are read after it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, or_, select, text
from sqlmodel import SQLModel

from referee.ids import NO_EVENT, EventNo, GameId, MoveNo, SeatNo
from referee.store.claim_queries import ClaimQueries
from referee.store.packed_rows import Parts, opened, packed
from referee.store.table_layouts import sheet_of
from referee.store.tables import Deal, Game, GameEvent, Journal, PackedGame, Seat, SeatPlan, Undo

#: what is packed; and what is nothing any more once a game is over
PACKED: tuple[type[SQLModel], ...] = (Journal, GameEvent, Deal)
_GONE: tuple[type[SQLModel], ...] = (Undo, SeatPlan)
#: not packed: the game's number, which stands beside the pack, numbers that nobody names, and which message
#: an order came in, as that is forgotten
_WITHOUT = frozenset({"id", "game_id", "inbox_id"})
_FIRST = MoveNo(0)
_event, _game = sheet_of(GameEvent).table, sheet_of(Game).table


def _n(name: str) -> Any:
    return bindparam(name, type_=Integer())


_PUBLIC = (
    select(_event)
    .where(_event.c.game_id == _n("game"), _event.c.no > _n("after"), _event.c.to_seat.is_(None))
    .order_by(_event.c.no)
)
_MINE = (
    select(_event)
    .where(
        _event.c.game_id == _n("game"),
        _event.c.no > _n("after"),
        or_(_event.c.to_seat.is_(None), _event.c.to_seat == _n("seat")),
    )
    .order_by(_event.c.no)
)
_ENDED = (
    select(_game.c.id)
    .where(text("game.ended_ms <> 0 AND game.packed_ms = 0"), _game.c.ended_ms < _n("before"))
    .order_by(_game.c.ended_ms)
    .limit(_n("limit"))
)


class GamePack(NamedTuple):
    """A game as it was read, and what is packed of it."""

    game: Game
    data: bytes


class PackedGames(ClaimQueries):
    """What was played and what happened, whether or not it is packed."""

    def orders_of(self, game: Game, after: MoveNo = _FIRST) -> list[Journal]:
        """Every order behind number `after`, also those that were taken back."""
        return self._past(game, Journal, after)

    def standing_orders(self, game: Game) -> list[Journal]:
        """The orders that were not taken back."""
        return [line for line in self.orders_of(game) if not line.undone]

    def events_of(self, game: Game, after: EventNo = NO_EVENT) -> list[GameEvent]:
        """Every event behind number `after`, no matter who was told."""
        return self._past(game, GameEvent, after)

    def events_since(self, game: Game, after: EventNo, seat: SeatNo | None) -> list[GameEvent]:
        """The same, but only what is public, and what only `seat` may know."""
        if game.packed_ms:
            return [one for one in self.events_of(game, after) if one.to_seat in (None, seat)]
        name, statement, more = ("public", _PUBLIC, ()) if seat is None else ("mine", _MINE, (seat,))
        names = ("game", "after", *("seat" for _ in more))
        rows = self._ask(self._statements.once(name, lambda: (statement, names)), (game.id, after, *more))
        return list(map(sheet_of(GameEvent).make, rows))

    def last_events(self, game: Game, seat: SeatNo | None, most: int) -> list[GameEvent]:
        """The last few that everybody was told (None), or that only `seat` was, in order."""
        if game.packed_ms:
            return [one for one in self.events_of(game) if one.to_seat == seat][-most:]
        return self.all(GameEvent, game_id=game.id, to_seat=seat, order="-no", limit=most)[::-1]

    def deals_of(self, game: Game) -> list[Deal]:
        """The deals that were given up."""
        return self._past(game, Deal, 0)

    def _past(self, game: Game, table: type[Any], after: int) -> list[Any]:
        rows = self.all(table, game_id=game.id, order="no", after={"no": after})
        if game.packed_ms:
            rows = [one for one in self.pack_of(game.id)[table] if one.no > after] + rows
        return rows

    def pack_of(self, game_id: GameId) -> Parts:
        """All rows of a pack; none where there is none.  Raises DamagedPack."""
        row = self.one(PackedGame, game_id=game_id)
        return {table: [] for table in PACKED} if row is None else opened(row.data, PACKED, game_id=game_id)

    def long_ended(self, before_ms: int, limit: int) -> list[GameId]:
        """Games that were over before that moment and are not packed yet, what ended first first."""
        made = self._statements.once("long ended", lambda: (_ENDED, ["before", "limit"]))
        return [number for (number,) in self._ask(made, (before_ms, limit))]

    def packable(self, game_id: GameId) -> GamePack | None:
        """A game and its pack, which gives back exactly what the rows say; None where there is no such game.

        Raises ValueError where it does not.
        """
        game = self.get(Game, game_id)
        if game is None:
            return None
        parts: Parts = {table: self._past(game, table, 0) for table in PACKED}
        data = packed(parts, _WITHOUT)
        back = opened(data, PACKED, game_id=game_id)
        for table, rows in parts.items():
            sheet = sheet_of(table)
            kept = [name for name in sheet.columns if name not in _WITHOUT]
            for one, other in zip(rows, back[table], strict=True):
                if any(getattr(one, name) != getattr(other, name) for name in kept):
                    raise ValueError(f"{sheet.name} of game {game_id} can't be packed")
        return GamePack(game, data)

    def pack(self, made: GamePack, now_ms: int) -> bool:
        """Put the pack in the place of the rows; False where the game has changed since it was read."""
        game = self.get(Game, made.game.id)
        if game != made.game:
            return False
        self.put(PackedGame, game_id=game.id, data=made.data)
        for table in (*PACKED, *_GONE):
            self.drop(table, game_id=game.id)
        self.set(Game, game.id, packed_ms=now_ms)
        self.change(Seat, {"game_id": game.id}, packed=1)
        return True

    def unpack(self, game: Game) -> Game:
        """Put a packed game back into rows, so that it may be changed; the game as it is then."""
        if not game.packed_ms:
            return game
        parts = self.pack_of(game.id)
        for table, rows in parts.items():
            names = [name for name in sheet_of(table).columns if name != "id"]
            self.add_all(table, [{name: getattr(row, name) for name in names} for row in rows])
        self.drop(PackedGame, game_id=game.id)
        self.change(Seat, {"game_id": game.id}, packed=0)
        return self.renew(Game, game, packed_ms=0)
