"""Which league somebody means, and whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from referee.ids import LeagueId, PersonId
from referee.rules import Refusal
from referee.states import SeasonState
from referee.store import Entry, League, LeagueRole, LeagueRoom, Person, Room, Season, Tx
from referee.text import squash

from ...core.unit_of_work import UnitOfWork
from ...people import officials
from .. import same_names
from ..roles import Official, role_of
from ..scores import season_book


class LeagueNames(Mapping[int, str]):
    """Number -> name of every league, looked up when it is first needed; closed ones come last."""

    def __init__(self, uow: UnitOfWork) -> None:
        self._uow = uow
        self._known: dict[int, str] | None = None

    def _all(self) -> dict[int, str]:
        if self._known is None:
            rows = self._uow.tx.all(League, order="id")
            self._known = {row.id: row.name for row in sorted(rows, key=lambda row: row.closed_ms > 0)}
        return self._known

    def __getitem__(self, key: int) -> str:
        return self._all()[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def league(uow: UnitOfWork, number: LeagueId | None, who: Official, room: Room | None, act: str) -> League:
    """The league that was named, else the one in question: of the room, of the seasons open to sign up where
    that is wanted, of those that somebody runs or plays in, or the only one. Raises Refusal.
    """
    tx = uow.tx
    if number is not None:
        row = tx.get(League, number)
        if row is None:
            raise Refusal("league-unknown", name=str(number), near=[], names=[])
        return row
    alive = tx.all(League, closed_ms=0, order="id")
    if not alive:
        raise Refusal("league-none")
    circles = []
    if room is not None:
        circles.append({row.league_id for row in tx.all(LeagueRoom, room_id=room.id)})
    if act in ("join", "alternate"):
        circles.append(
            {
                row.league_id
                for row in tx.all(Season, state=(SeasonState.SIGNUP, SeasonState.DRAWN, SeasonState.RUNNING))
                if row.league_id in {one.id for one in alive}
            }
        )
    if who.person_id is not None:
        mine = {row.league_id for row in tx.all(LeagueRole, person_id=officials.family(tx, who.person_id))}
        seasons = [tx.get(Season, row.season_id) for row in tx.all(Entry, person_id=who.person_id)]
        circles.append(
            mine
            | {
                row.league_id
                for row in seasons
                if row is not None
                and row.state in (SeasonState.SIGNUP, SeasonState.DRAWN, SeasonState.RUNNING)
            }
        )
    circles.append({one.id for one in alive})
    for circle in circles:
        fits = [one for one in alive if one.id in circle]
        if len(fits) == 1:
            return fits[0]
        if len(fits) > 1:
            raise Refusal("league-which", names=[one.name for one in fits[:6]], act=act)
    raise Refusal("league-none")


def here(uow: UnitOfWork, room: Room | None) -> League | None:
    """The one league whose news are announced in a room; None for a room of none or several."""
    found = [] if room is None else uow.tx.all(LeagueRoom, room_id=room.id)
    return uow.tx.get(League, found[0].league_id) if len(found) == 1 else None


def person(uow: UnitOfWork, league: League, said: str, who: Official) -> Person:
    """Somebody by name: of the league's newest season, of those who run it, else of an earlier season.

    For those who run it also anybody else who is known, and by address: anybody else would learn by it who is
    known here, and whose an address is. Raises Refusal where nobody, or more than one, is called so.
    """
    tx = uow.tx
    runs = bool(role_of(tx, league, who))
    by_address = _addressed(uow, said) if runs else None
    if by_address is not None:
        return by_address
    seasons = tx.all(Season, league_id=league.id, order="-no")
    near = _people(
        tx,
        {row.person_id for row in tx.all(LeagueRole, league_id=league.id)}.union(*_entered(tx, seasons[:1])),
    )
    wanted = squash(said)
    alike = same_names.of_season(tx, seasons[0].id) if seasons else {}
    numbered = next((who for who, name in alike.items() if squash(name) == wanted), None)
    exact = None if numbered is None else tx.get(Person, officials.now(tx, numbered))
    if exact is not None:
        return exact
    for several in (near, None):
        fits = [
            one
            for one in (_others(tx, seasons, everybody=runs) if several is None else several)
            if not one.now_id and squash(one.name) == wanted
        ]
        if len(fits) == 1:
            return fits[0]
        if fits:
            shown = [name for one in fits for who, name in alike.items() if officials.now(tx, who) == one.id]
            raise Refusal("league-two-people", name=said, count=len(fits), names=shown[:12], runs=runs)
    raise Refusal(
        "league-nobody",
        name=said,
        names=sorted(one.name for one in near if squash(one.name)[:1] == wanted[:1])[:6],
        runs=runs,
    )


def _others(tx: Tx, seasons: Iterable[Season], *, everybody: bool) -> list[Person]:
    """All who are known, or those who are or were in one of these seasons."""
    if everybody:
        return tx.all(Person, order="id")
    return _people(tx, set[PersonId]().union(*_entered(tx, seasons)))


def _entered(tx: Tx, seasons: Iterable[Season]) -> list[list[PersonId]]:
    return [tx.column(Entry, "person_id", season_id=one.id) for one in seasons]


def _people(tx: Tx, numbers: Iterable[PersonId]) -> list[Person]:
    """Who they are by now; hundreds are looked up with a few questions."""
    known = _rows(tx, set(numbers))
    known |= _rows(tx, {one.now_id for one in known.values() if one.now_id} - known.keys())
    now = {one.now_id or one.id for one in known.values()}
    return [known[number] for number in sorted(now) if number in known]


def _rows(tx: Tx, numbers: Collection[PersonId]) -> dict[PersonId, Person]:
    return {one.id: one for part in season_book.parts(sorted(numbers)) for one in tx.all(Person, id=part)}


def _addressed(uow: UnitOfWork, said: str) -> Person | None:
    """Somebody by `telegram:123` or `ana@x.test`."""
    channel, colon, address = said.partition(":")
    guesses = [(channel.casefold(), address)] if colon and not said.startswith("@") else []
    guesses += [("mail", said.casefold()), ("mail", said)] if "@" in said else []
    guesses += [("matrix", said)] if said.startswith("@") else []
    found = next((known for known in (uow.tx.whose(*one) for one in guesses) if known is not None), None)
    return None if found is None else found[0]
