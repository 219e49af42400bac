"""The tables of one database, from the first word to the last score: one heap of instants at which somebody
looks, a deadline is due or a letter may leave.

Tables begin a few weeks from each other, and the next of them somewhere else in the year, so that every
season and both changes of the clocks come about. Everything is drawn from the trial's seed and the table's
number: the same table goes the same way, whichever others share its database.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec

from referee import rules
from referee.bots import BOTS
from referee.service.tables import lobby, regather
from referee.states import GameStatus
from referee.store import Game, Outbox, Seat, Tx

from . import watch
from .account import GameRow, PlayerAccount, TableAccount, account
from .behaviour import Behaviour
from .house import SimulatedReferee
from .people import DAY_MS, gathered
from .trial import Trial

NAMES = ("Ana", "Bea", "Cas", "Dan", "Eva", "Fay", "Gus", "Hal")
#: 4 January 2027, a Monday: the first table begins some time in the year after
_FIRST_MS = 1_799_020_800_000
_YEAR_MS = 365 * DAY_MS
#: this many tables begin within four weeks: many clocks run at once in their database
_TOGETHER, _APART_MS = 25, 28 * DAY_MS
_GOLDEN = (math.sqrt(5) - 1) / 2
#: nobody writes more messages at a sitting
_PATIENCE = 12
#: nobody says so much in one game
_MESSAGES = 5_000
#: a table at which somebody still looks, and nobody has had anything to say for so long, is stuck: no policy
#: lets it come to that
_IDLE_MS = 400 * DAY_MS


class Season:
    """Plays tables with these numbers in one database."""

    def __init__(self, trial: Trial, folder: Path, numbers: Sequence[int]) -> None:
        self._trial, self._rule = trial, trial.rule
        self._heap: list[tuple[int, int, TableAccount, PlayerAccount | None, bool]] = []
        self._n = itertools.count()
        self._tables = [self._table(number) for number in numbers]
        self._by_address = {
            place.person.address: (table, place) for table in self._tables for place in table.places
        }
        self._opening: TableAccount | None = None
        self._dice = Random(f"{trial.seed} anew {numbers[0]}")
        self._speaks: PlayerAccount | None = None
        self._watch = watch.DeadlineWatch()
        self._due: int | None = None
        self._house = SimulatedReferee(
            folder,
            self._heap[0][0] if self._heap else 0,
            worded=trial.words,
            seeds=self._seed,
            told=self._told,
        )
        self._wishes = Behaviour(self._house, BOTS[trial.bot], trial.plans, trial.missed)

    async def play(self) -> list[GameRow]:
        """All games to their end.  Raises LawBroken."""
        await self._house.open()
        while self._heap or self._due is not None:
            at = self._heap[0][0] if self._heap else self._due
            if self._due is not None and at is not None and self._due <= at:
                await self._ring(self._due)
            else:
                await self._event(*heapq.heappop(self._heap))
        await self._house.read(self._end)
        await self._house.close()
        return [table.row for table in self._tables if table.row is not None]

    def _end(self, tx: Tx) -> None:
        for table in self._tables:
            if table.row is None:
                self._close(tx, table, at_last=True)

    # -- what happens
    # -------------------------------------------------------------------------------------------------

    async def _ring(self, at_ms: int) -> None:
        """A deadline is due, or a letter may leave."""
        self._house.now_ms = max(self._house.now_ms, at_ms)
        now = self._house.now_ms
        games = await self._house.read(lambda tx: self._watch.before(tx, now))
        await self._house.ring()
        await self._ahead([table for table in self._tables if table.game_id in games], ring=True)

    async def _event(
        self, at_ms: int, _: int, table: TableAccount, place: PlayerAccount | None, goes_on: bool
    ) -> None:
        """Somebody opens a table, or looks (`goes_on`: is still there)."""
        if table.row is not None:
            return
        self._house.now_ms = max(self._house.now_ms, at_ms)
        if place is None:
            await self._open(table)
        elif at_ms - table.moved_ms > _IDLE_MS:
            raise watch.LawBroken("stuck", game=table.game_id, days=_IDLE_MS // DAY_MS)
        elif place.person.here(at_ms):
            if not goes_on:
                place.called, place.wrote = False, 0
                place.looked += 1
                self._at(next(place.looks, 0), table, place)
            await self._sit(table, place)

    async def _open(self, table: TableAccount) -> None:
        """From the idea to the first question; the game begins as the last player is ready."""
        house, trial, self._opening = self._house, self._trial, table
        people = [place.person for place in table.places]
        for one in people:
            await house.say(one.address, one.name, f"zone {one.zone.key}")
        await house.say(
            people[0].address, people[0].name, f"new {trial.edition} {trial.players} seats {trial.policy}"
        )
        self._opening = None
        made = await house.read(lambda tx: tx.column(Game, "id", order="-id", limit=1, seed=table.seed.hex()))
        if not made:
            raise watch.LawBroken("unopened", game=table.number)
        table.game_id = made[0]
        for one in people[1:]:
            await house.say(one.address, one.name, f"join #{table.game_id}")
        for one in people:
            await house.say(one.address, one.name, f"ready #{table.game_id}")
        table.begun_ms = table.moved_ms = house.now_ms
        for place in table.places:
            self._at(next(place.looks, 0), table, place)
        await self._ahead([table])

    async def _sit(self, table: TableAccount, place: PlayerAccount) -> None:
        """Say what there is to say, and look again when it is written."""
        text = (
            ""
            if place.wrote >= _PATIENCE
            else await self._house.read(lambda tx: self._wish(tx, table, place))
        )
        if not text:
            return
        table.moved_ms = self._house.now_ms
        place.visits += not place.wrote
        place.wrote += 1
        place.typed += 1
        if place.typed > _MESSAGES:  # the same refused wish again and again
            raise watch.LawBroken("stuck", game=table.game_id, said=text)
        self._speaks = place
        await self._house.say(place.person.address, place.person.name, text)
        self._speaks = None
        self._at(self._house.now_ms + place.person.writing_ms(), table, place, goes_on=True)
        await self._ahead([table])

    async def _ahead(self, tables: Sequence[TableAccount], *, ring: bool = False) -> None:
        """When something rings next; and whether one of these games is over."""
        now = self._house.now_ms

        def look(tx: Tx) -> int | None:
            if ring:
                self._watch.after(tx, now)
            for one in tables:
                if one.row is None:
                    self._close(tx, one)
            return min(
                (at for at in (tx.next_due_ms(), tx.next_outbox_ms(), tx.next_daily_ms()) if at is not None),
                default=None,
            )

        self._due = await self._house.read(look)

    def _at(
        self, at_ms: int, table: TableAccount, place: PlayerAccount | None, goes_on: bool = False
    ) -> None:
        if at_ms:
            heapq.heappush(self._heap, (at_ms, next(self._n), table, place, goes_on))

    # -- what people say
    # ----------------------------------------------------------------------------------------------

    def _wish(self, tx: Tx, table: TableAccount, place: PlayerAccount) -> str:
        """The message that somebody writes now, "" for none."""
        game = tx.get(Game, table.game_id)
        assert game is not None
        if game.status in lobby.GATHERING:
            return self._gathers(tx, game, place)
        mine = tx.one(Seat, game_id=game.id, name=place.person.name)
        if game.status != GameStatus.RUNNING or mine is None:
            return ""
        return self._wishes.at(tx, game, place, mine.no, self._rule, self._trial.players)

    def _gathers(self, tx: Tx, game: Game, place: PlayerAccount) -> str:
        """At a table that gathers anew: say that one is there, leave out the person who is not, begin."""
        seats = tx.all(Seat, game_id=game.id, order="no")
        mine = next((one for one in seats if one.name == place.person.name), None)
        if mine is None or not mine.ready:
            return "" if mine is None else f"ready #{game.id}"
        late = next((one for one in seats if regather.waited_enough(self._house.uow(tx), game, one)), None)
        if late is not None:
            return f"kick {late.name} #{game.id}"
        everybody = game.status == GameStatus.LOBBY and all(one.ready for one in seats)
        if not everybody or game.creator_id != mine.person_id:
            return ""
        return (
            f"start #{game.id}" if len(seats) >= rules.EDITIONS[game.edition].least else f"abandon #{game.id}"
        )

    # -- what comes of it
    # ---------------------------------------------------------------------------------------------

    def _told(self, row: Outbox) -> None:
        """A letter left."""
        found = self._by_address.get(row.address)
        if found is None:
            return
        table, place = found
        if not table.begun_ms:
            return
        now = self._house.now_ms
        place.letters.append(now)
        if (
            row.kind in ("prompt", "reminder")
            and row.question
            and not place.person.hours
            and not place.called
        ):
            place.called = True
            self._at(place.person.called(now), table, place)
        data = msgspec.json.decode(row.data)
        place.night += place is not self._speaks and place.person.asleep(now)
        if row.kind == "prompt" and row.question and not data.get("echo"):
            table.asked.add(row.question)
        table.stops += bool(data.get("stopped"))
        table.refused += bool(data.get("trouble") or data.get("troubles"))

    def _close(self, tx: Tx, table: TableAccount, at_last: bool = False) -> None:
        """Where a game is over: what came of it.  `at_last`: nothing will happen any more."""
        status = tx.column(Game, "status", id=table.game_id)[0]
        if status in (GameStatus.OVER, GameStatus.ABANDONED) or (at_last and status in lobby.GATHERING):
            table.row = account(tx, table, self._rule, self._trial.players, self._house.now_ms)
        elif at_last:
            raise watch.LawBroken("stuck", game=table.game_id, status=status)

    # -- where it begins
    # ----------------------------------------------------------------------------------------------

    def _table(self, number: int) -> TableAccount:
        trial = self._trial
        rng = Random(f"{trial.seed} {number}")
        start = _FIRST_MS + round(
            _YEAR_MS * (number // _TOGETHER * _GOLDEN % 1) + _APART_MS * (number * _GOLDEN % 1)
        )
        people = gathered(
            trial.people, list(NAMES[: trial.players]), trial.dropouts, rng, from_ms=start, place=f"t{number}"
        )
        seed = hashlib.sha256(f"pace {trial.seed} {number}".encode()).digest()
        table = TableAccount(number, [PlayerAccount(one, one.looks(start)) for one in people], seed)
        self._at(start, table, None)
        return table

    def _seed(self, size: int) -> bytes:
        """The dice of a table: of a deal anew, those of the database, since any table of it may need them."""
        if self._opening is not None:
            return self._opening.seed[:size]
        return self._dice.randbytes(size)
