"""A season played ahead: one league in a database of its own, from sign-up to the final standings.

Officials found the league and open its sign-up; from then on nobody does anything in office. People sign up,
are ready, play, vanish; alternates take the seats that they are asked to take; the office draws, opens
rounds, rules and closes by its own clock.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import msgspec

from referee.bots import BOTS
from referee.ids import GameId, PersonId
from referee.policy import Policy
from referee.rules import Refusal
from referee.service.league import console, lookup
from referee.service.league.season import expectations
from referee.service.league.terms import read_terms
from referee.states import GameStatus, OfferState, RoundState, SeasonState
from referee.store import Address, OfficeLog, Outbox, Season, SeasonRound, SeasonTable, SeatOffer, Tx

from . import watch
from .account import PlayerAccount
from .behaviour import Behaviour
from .house import CHANNEL, SimulatedReferee
from .league_account import DECIDED, LeagueRow, accounted
from .league_trial import LeagueTrial
from .people import DAY_MS, Person, gathered
from .season import NAMES

#: 4 January 2027, a Monday; sign-up is open for this many days, and the first round begins so much later
_FIRST_MS, _SIGNUP_DAYS, _REST_DAYS = 1_799_020_800_000, 7, 2
#: nobody writes more messages at a sitting
_PATIENCE = 12
#: letters that call somebody who plays at leisure
_CALLS = frozenset({"prompt", "reminder", "muster", "seat_offer"})
_NAME = "Trial"


class LeagueSeason:
    """Plays the season of a trial in a database in that folder.

    `done` is told the round whenever one has closed.
    """

    def __init__(self, trial: LeagueTrial, folder: Path, done: Callable[[int], None]) -> None:
        self._trial, self._done, self._closed = trial, done, 0
        self._start_ms = _FIRST_MS + (_SIGNUP_DAYS + _REST_DAYS) * DAY_MS
        self._people = _people(trial, self._start_ms)
        self._days = trial.days
        self._plays = len(self._people) - trial.alternates
        self._by_address = {one.person.address: number for number, one in enumerate(self._people)}
        self._ids: dict[int, PersonId] = {}
        self._places: dict[tuple[int, GameId], PlayerAccount] = {}
        dice = Random(f"league {trial.seed}")
        self._house = SimulatedReferee(folder, _FIRST_MS, worded=False, seeds=dice.randbytes, told=self._told)
        self._wishes = Behaviour(self._house, BOTS[trial.bot], trial.plans, trial.missed)
        self._watch, self._due = watch.DeadlineWatch(), _FIRST_MS
        self._heap: list[tuple[int, int, int, bool]] = []
        self._n = itertools.count()
        self._typed = self._letters = self._refused = self._season_id = self._acts = 0
        for number in range(len(self._people)):
            self._at(_FIRST_MS + round(dice.random() * 6 * DAY_MS), number)

    async def play(self) -> LeagueRow:
        """To its end.  Raises LawBroken, and Refusal where the office takes no such season."""
        await self._house.open()
        await self._found()
        while (season := await self._look()).state not in (SeasonState.OVER, SeasonState.VOID):
            at = self._heap[0][0] if self._heap else self._due
            if self._due and self._due <= at:
                await self._ring()
            elif self._heap:
                await self._event(*heapq.heappop(self._heap))
            else:
                raise watch.LawBroken("stuck", season=season.state)
        row = await self._house.read(lambda tx: self._account(tx, season))
        await self._house.close()
        return row

    async def _found(self) -> None:
        """What officials do."""
        trial, starts = self._trial, datetime.fromtimestamp(self._start_ms / 1000, UTC)
        closes = datetime.fromtimestamp(self._start_ms / 1000 - _REST_DAYS * DAY_MS / 1000, UTC)
        said = [
            f"set edition {trial.edition}",
            f"set policy {trial.policy}",
            f"set sizes 4-7 wanted {trial.wanted}",
            *([f"set days {trial.days}"] if trial.days else []),
            f"set early {'yes' if trial.early else 'no'}",
            *([f"set divisions {trial.division}"] if trial.division else []),
            f"open rounds {trial.rounds} until {closes:%Y-%m-%d} start {starts:%Y-%m-%d}",
        ]
        for line in (f"new {_NAME}", *said):
            await self._house.read(
                partial(console.carry_out, shell=self._house.office, text=line, by="simulation")
            )
        if await self._house.read(self._expected):
            await self._house.read(
                partial(console.carry_out, shell=self._house.office, text="yes", by="simulation")
            )
        _vanish(self._trial, self._people, self._start_ms, self._days)
        await self._house.send()

    def _expected(self, tx: Tx) -> bool:
        """How long a round will be; whether somebody must say that they want it so."""
        uow, season = self._house.uow(tx), tx.all(Season, limit=1)[0]
        self._days = expectations.of_season(uow, season).days
        return expectations.held(uow, season)

    async def _look(self) -> Season:
        """The season as it is now, and when something rings next.  Raises LawBroken."""
        now = self._house.now_ms

        def look(tx: Tx) -> Season:
            season = tx.all(Season, limit=1)[0]
            if not self._season_id:
                # all of them are what officials did to found it
                self._season_id, self._acts = (
                    season.id,
                    tx.count(OfficeLog),
                )
            self._due = min(
                (
                    at
                    for at in (tx.next_due_ms(), tx.next_outbox_ms(), tx.next_daily_ms(), tx.next_season_ms())
                    if at is not None
                ),
                default=0,
            )
            return season

        season = await self._house.read(look)
        no = lookup.mind(season).get("unseatable")
        if no and season.state == SeasonState.SIGNUP and now >= season.closes_ms:
            raise Refusal(no["code"], **no["facts"])
        if now > self._start_ms + 2 * self._trial.rounds * (self._days + 30) * DAY_MS:
            raise watch.LawBroken("stuck", season=season.state)
        return season

    async def _ring(self) -> None:
        """A deadline or the office's clock is due, or a letter may leave."""
        house = self._house
        house.now_ms = max(house.now_ms, self._due)
        now = house.now_ms
        await house.read(lambda tx: self._watch.before(tx, now))
        await house.ring()

        def after(tx: Tx) -> int:
            self._watch.after(tx, now)
            if tx.seasons_due(now, 1):
                raise watch.LawBroken("forgotten", game=0, kind="season", question=0)
            return tx.count(SeasonRound, season_id=self._season_id, state=RoundState.CLOSED)

        closed = await house.read(after)
        if closed > self._closed:
            self._closed = closed
            self._done(closed)

    async def _event(self, at_ms: int, _: int, number: int, goes_on: bool) -> None:
        """Somebody looks (`goes_on`: is still there)."""
        me, house = self._people[number], self._house
        house.now_ms = max(house.now_ms, at_ms)
        if not me.person.here(at_ms):
            return
        if number not in self._ids:
            await self._signs_up(number)
            return
        if not goes_on:
            me.called, me.wrote = False, 0
            self._at(next(me.looks, 0), number)
        text = "" if me.wrote >= _PATIENCE else await house.read(lambda tx: self._wish(tx, number))
        if text:
            me.wrote += 1
            await self._says(me.person, text)
            self._at(house.now_ms + me.person.writing_ms(), number, goes_on=True)

    async def _says(self, person: Person, text: str) -> None:
        self._typed += 1
        await self._house.say(person.address, person.name, text)

    async def _signs_up(self, number: int) -> None:
        me = self._people[number]
        await self._says(me.person, f"zone {me.person.zone.key}")
        await self._says(me.person, "league join" if number < self._plays else "league alternate")
        self._ids[number] = await self._house.read(
            lambda tx: tx.column(Address, "person_id", channel=CHANNEL, address=me.person.address)[0]
        )
        self._at(next(me.looks, 0), number)

    def _wish(self, tx: Tx, number: int) -> str:
        """The message that somebody writes now, "" for none: the first of their tables at which there is
        something to say.
        """
        who = self._ids[number]
        for offer in tx.all(SeatOffer, person_id=who, state=OfferState.ASKED, order="id", limit=1):
            return f"join #{offer.game_id}"
        for seat, game in tx.seats_of(who, (GameStatus.MUSTERING, GameStatus.RUNNING)):
            if game.status == GameStatus.MUSTERING:
                if not seat.ready:
                    return f"ready #{game.id}"
                continue
            place = self._places.setdefault(
                (number, game.id), PlayerAccount(self._people[number].person, iter(()))
            )
            players = len(self._house.uow(tx).seats(game.id))
            if text := self._wishes.at(tx, game, place, seat.no, self._rule(tx), players):
                return f"#{game.id} {text}"
        return ""

    def _rule(self, tx: Tx) -> Policy:
        return read_terms(tx.all(Season, limit=1)[0]).rule()

    def _told(self, row: Outbox) -> None:
        """A letter left."""
        self._letters += 1
        number = self._by_address.get(row.address)
        if number is None:
            return
        me = self._people[number]
        if row.kind in _CALLS and not me.person.hours and not me.called:
            me.called = True
            self._at(me.person.called(self._house.now_ms), number)
        data = msgspec.json.decode(row.data)
        self._refused += bool(data.get("trouble") or data.get("troubles"))

    def _account(self, tx: Tx, season: Season) -> LeagueRow:
        left = tx.count(SeasonTable, season_id=season.id) - tx.count(
            SeasonTable, season_id=season.id, state=DECIDED
        )
        if left:
            raise watch.LawBroken("undecided", tables=left)
        gone = sum(not one.person.here(season.ended_ms) for one in self._people)
        return accounted(
            self._house.uow(tx),
            season,
            self._acts,
            gone=gone,
            typed=self._typed,
            letters=self._letters,
            refused=self._refused,
            round_days=self._days,
        )

    def _at(self, at_ms: int, number: int, goes_on: bool = False) -> None:
        if at_ms:
            heapq.heappush(self._heap, (at_ms, next(self._n), number, goes_on))


def _people(trial: LeagueTrial, start_ms: int) -> list[PlayerAccount]:
    """Everybody who signs up, alternates last."""
    rng = Random(f"people {trial.seed}")
    names = [_name(number) for number in range(trial.players + trial.alternates)]
    found = gathered(trial.people, names, 0.0, rng, from_ms=start_ms, place="l")
    return [PlayerAccount(one, one.looks(start_ms)) for one in found]


def _vanish(trial: LeagueTrial, people: list[PlayerAccount], start_ms: int, days: int) -> None:
    """Some of those who play vanish, any day of the season as likely as any other; alternates do not."""
    rng = Random(f"vanish {trial.seed}")
    for one in rng.sample(people[: trial.players], round(trial.players * trial.dropouts)):
        one.person.gone_ms = start_ms + 1 + round(rng.random() * trial.rounds * days * DAY_MS)


def _name(number: int) -> str:
    """Names that nobody takes for each other: Ana, Bea …, then Anabo, Beabo …"""
    again, first = divmod(number, len(NAMES))
    syllables = ""
    while again:
        again, place = divmod(again, 20)
        syllables += (
            "bcdfglmnprstvz"[place % 14] + "aeiou"[(place * 7 + again) % 5] + ("n" if place >= 14 else "")
        )
    return NAMES[first] + syllables


def play_league(trial: LeagueTrial, done: Callable[[int], None] = lambda round_no: None) -> LeagueRow:
    """The season of a trial, in a database that is thrown away.

    Raises LawBroken, and Refusal where the office takes no such season.
    """
    with tempfile.TemporaryDirectory(prefix="referee-pace-") as folder:
        return asyncio.run(LeagueSeason(trial, Path(folder), done).play())
