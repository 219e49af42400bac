"""`rematch`, `rematch #17`: the same people at a new table, with the same edition, cards and policy.

Everybody has their seat there at once and is asked whether they are ready, as at any table that is full: who
does not want to play says `leave`. Nobody is dealt in who has not said so.
"""

from __future__ import annotations

from typing import Any

from referee.ids import NO_GAME, GameId, PersonId
from referee.policy import to_json
from referee.ports import Inbound, What
from referee.rules import Refusal, lists
from referee.states import GameStatus, TablePage
from referee.store import Address, Game, GameRoom, Person, Seat, Tx
from referee.text import Intent

from ..core import outbox
from ..core.commands import DefaultTable, HelpTopic, command
from ..core.composing import LetterContext
from ..core.unit_of_work import UnitOfWork, drawn_for, json_text, settings_of
from ..deadlines import clock_state
from ..people import identity
from ..people.identity import Speaker
from ..people.letter_facts import MusterFacts, Rematch, notice
from ..people.replies import answer
from ..play import hooks, table_league
from . import lobby
from .seat_names import in_game_name

#: settings of a table that hold for its rematch, too
_KEPT = ("options", "entry", "talk", "advice")
#: so often a game's rematch may be asked for: each time everybody gets a letter
_MOST = 3


@command("rematch", topic=HelpTopic.TABLES, among=DefaultTable.ENDED)
def rematch(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Open the new table and ask everybody.  Raises Refusal."""
    assert game is not None
    seats = uow.seats(game.id)
    _check(uow, speaker, game, seats)
    at = speaker.address if came.place is None else None
    fresh = open_again(uow, game, seats, speaker.person, at)
    if fresh.status != GameStatus.RUNNING:  # else it was against bots alone, and its first question says so
        answer(uow, speaker, came, "rematch-opened", game=game.id, fresh=fresh.id)
    elif came.what is What.BUTTON:
        asked = [one.name for one in uow.seats(fresh.id) if str(one.no) in fresh.asked.split(",")]
        answer(uow, speaker, came, "started", game=fresh.id, waiting=asked)
    for seat in uow.seats(fresh.id):
        if seat.person_id in (None, speaker.person.id):
            continue
        if fresh.status == GameStatus.MUSTERING:  # the question whether they are ready says why it comes
            again = MusterFacts(rematch=Rematch(game.id, speaker.person.name))
            outbox.to_seat(uow, fresh, seat, again)
        else:
            told = notice("rematch-offered", game=game.id, fresh=fresh.id, name=speaker.person.name)
            outbox.to_seat(uow, fresh, seat, told)


def _check(uow: UnitOfWork, speaker: Speaker, over: Game, seats: list[Seat]) -> None:
    """Raises Refusal unless the person who speaks may have that table played once more, and it is not yet."""
    if all(seat.person_id != speaker.person.id for seat in seats):
        raise Refusal("not-seated", game=over.id)
    hooks.may_change_lobby(over, "league-rematch")
    if over.status != GameStatus.OVER:
        code = "game-over" if over.status == GameStatus.ABANDONED else "rematch-not-over"
        raise Refusal(code, game=over.id)
    tables = settings_of(over).get("rematches", ())
    last = uow.tx.get(Game, tables[-1]) if tables else None
    if last is not None and last.status != GameStatus.ABANDONED:
        raise Refusal("rematch-is-open", game=over.id, fresh=last.id)
    if len(tables) >= _MOST:
        raise Refusal("rematch-often", game=over.id)


def open_again(uow: UnitOfWork, over: Game, seats: list[Seat], person: Person, at: Address | None) -> Game:
    """The new table, with everybody in the seats that they had; `person` opens it, and has said at address
    `at` (None: in a room) that they are there. Somebody who plays at too many tables already, or can't be
    written to, finds their seat free. Raises Refusal.
    """
    old = settings_of(over)
    drawn = drawn_for(over, len(seats))
    fresh = lobby.create(
        uow,
        person,
        at,
        None,
        {
            "edition": over.edition,
            "seats": len(seats),
            "policy": to_json(clock_state.policy_of(over)),
            "choice": lists.Choice(cast=drawn.cast, uniques=drawn.uniques).facts(),
            **{key: value for key, value in old.items() if key in _KEPT},
        },
    )
    number = fresh.id
    if over.page == TablePage.PRIVATE:  # somebody who plays there did not want to be looked at
        uow.tx.set(Game, number, page=TablePage.PRIVATE)
    uow.tx.set(Game, over.id, settings=json_text({**old, "rematches": [*old.get("rematches", ()), number]}))
    for watch in uow.tx.all(GameRoom, game_id=over.id):
        uow.tx.add(GameRoom, game_id=number, room_id=watch.room_id)
    uow.tx.drop(Seat, game_id=number)
    for seat in seats:
        if seat.bot:
            _seat(uow, number, name=seat.name, bot=seat.bot, ready=1)
        elif seat.person_id == person.id:
            _seat(
                uow,
                number,
                name=_called(uow, fresh, seats, person),
                person_id=person.id,
                channel=seat.channel,
                ready=int(at is not None),
            )
        elif (who := _comes(uow, seat)) is not None:
            called = _called(uow, fresh, seats, who)
            _seat(uow, number, name=called, person_id=who.id, channel=seat.channel)
    lobby.gathered(uow, lobby.reload(uow, number))
    return lobby.reload(uow, number)


def _seat(uow: UnitOfWork, game_id: GameId, **values: Any) -> None:
    """The next seat of the new table."""
    if "person_id" in values:
        identity.seated(uow, values["person_id"])
    uow.tx.add(Seat, game_id=game_id, no=len(uow.seats(game_id)), **values)


def _called(uow: UnitOfWork, fresh: Game, seats: list[Seat], person: Person) -> str:
    """How somebody is called at the new table: their seat may have its name from who had it before."""
    taken = [one.name for one in uow.seats(fresh.id)] + [one.name for one in seats if one.bot]
    return in_game_name(person.name, taken, fresh)


def _comes(uow: UnitOfWork, seat: Seat) -> Person | None:
    """Who can be asked to play once more in that seat; None for nobody."""
    person = uow.tx.get(Person, seat.person_id)
    if person is None:
        return None
    alive = len(uow.tx.seats_of(person.id, lobby.ALIVE))
    free = alive < uow.settings.games_per_person and outbox.best(uow, person.id) is not None
    return person if free else None


@hooks.offered_after.on
def offered(ctx: LetterContext, game: Game) -> list[tuple[str, str]]:
    """The button below the result: not at a table of a league, which lays its tables itself."""
    return [] if table_league.read_league(game) is not None else [("rematch", f"rematch #{game.id}")]


@hooks.played_again.on
def played_again(tx: Tx, game: Game, person_id: PersonId) -> hooks.PlayedAgain:
    """The order while no rematch is open, else the way to its table."""
    tables = settings_of(game).get("rematches", ())
    last = tx.get(Game, tables[-1]) if tables else None
    if last is None or last.status == GameStatus.ABANDONED:
        ours = game.status == GameStatus.OVER and table_league.read_league(game) is None
        return hooks.PlayedAgain(order=f"rematch #{game.id}" if ours and len(tables) < _MOST else "")
    seated = tx.one(Seat, game_id=last.id, person_id=person_id) is not None
    return hooks.PlayedAgain(table=last.id if seated else NO_GAME)
