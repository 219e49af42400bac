"""`rematch`, `rematch #17`: the same people at a new table, with the same edition, cards and policy.

Everybody has their seat there at once and is asked whether they are ready, as at any table that is full: who
does not want to play says `leave`. Nobody is dealt in who has not said so.
"""

from __future__ import annotations

from typing import Any

from referee.ports import Inbound, What
from referee.rules import Refusal, lists
from referee.states import GameStatus
from referee.store import Address, Game, GameRoom, Person, Seat
from referee.text import Wish

from ..core import league_facts, outbox
from ..core.commands import Among, command
from ..core.composing import Occasion
from ..core.unit_of_work import Sitting, drawn_for, settings_of, written
from ..deadlines import clock_state
from ..people.identity import Speaker
from ..people.letter_facts import MusterFacts
from ..people.replies import answer, notices
from ..play import hooks
from . import lobby

#: settings of a table that hold for its rematch, too
_KEPT = ("options", "entry", "talk")
#: so often a game's rematch may be asked for: each time everybody gets a letter
_MOST = 3


@command("rematch", among=Among.ENDED)
def rematch(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """Open the new table and ask everybody.  Raises Refusal."""
    assert game is not None
    seats = sitting.seats(int(game.id or 0))
    _check(sitting, speaker, game, seats)
    at = speaker.address if came.place is None else None
    fresh = open_again(sitting, game, seats, speaker.person, at)
    if fresh.status != GameStatus.RUNNING:  # else it was against bots alone, and its first question says so
        answer(sitting, speaker, came, "rematch-opened", game=game.id, fresh=fresh.id)
    elif came.what is What.BUTTON:
        asked = [
            one.name for one in sitting.seats(int(fresh.id or 0)) if str(one.no) in fresh.asked.split(",")
        ]
        answer(sitting, speaker, came, "started", game=fresh.id, waiting=asked)
    for seat in sitting.seats(int(fresh.id or 0)):
        if seat.person_id in (None, speaker.person.id):
            continue
        if fresh.status == GameStatus.MUSTERING:  # the question whether they are ready says why it comes
            again = MusterFacts(rematch={"game": game.id, "name": speaker.person.name})
            outbox.to_seat(sitting, fresh, seat, again)
        else:
            told = notices("rematch-offered", game=game.id, fresh=fresh.id, name=speaker.person.name)
            outbox.to_seat(sitting, fresh, seat, "notice", data=told)


def _check(sitting: Sitting, speaker: Speaker, over: Game, seats: list[Seat]) -> None:
    """Raises Refusal unless whoever speaks may have that table played once more, and it is not yet."""
    if all(seat.person_id != speaker.person.id for seat in seats):
        raise Refusal("not-seated", game=over.id)
    hooks.may_change_lobby(over, "league-rematch")
    if over.status != GameStatus.OVER:
        code = "game-over" if over.status == GameStatus.ABANDONED else "rematch-not-over"
        raise Refusal(code, game=over.id)
    tables = settings_of(over).get("rematches", ())
    last = sitting.tx.get(Game, tables[-1]) if tables else None
    if last is not None and last.status != GameStatus.ABANDONED:
        raise Refusal("rematch-is-open", game=over.id, fresh=last.id)
    if len(tables) >= _MOST:
        raise Refusal("rematch-often", game=over.id)


def open_again(sitting: Sitting, over: Game, seats: list[Seat], person: Person, at: Address | None) -> Game:
    """The new table, with everybody in the seats that they had; `person` opens it, and has said at address
    `at` (None: in a room) that they are there. Somebody who plays at too many tables already, or can't be
    written to, finds their seat free. Raises Refusal.
    """
    old = settings_of(over)
    drawn = drawn_for(over, len(seats))
    fresh = lobby.create(
        sitting,
        person,
        at,
        None,
        {
            "edition": over.edition,
            "seats": len(seats),
            "policy": clock_state.row_of(clock_state.policy_of(over)),
            "choice": lists.Choice(cast=drawn.cast, uniques=drawn.uniques).facts(),
            **{key: old[key] for key in _KEPT if key in old},
        },
    )
    number = int(fresh.id or 0)
    sitting.tx.set(Game, over.id, settings=written({**old, "rematches": [*old.get("rematches", ()), number]}))
    for watch in sitting.tx.all(GameRoom, game_id=over.id):
        sitting.tx.add(GameRoom, game_id=number, room_id=watch.room_id)
    sitting.tx.drop(Seat, game_id=number)
    for seat in seats:
        if seat.bot:
            _seat(sitting, number, name=seat.name, bot=seat.bot, ready=1)
        elif seat.person_id == person.id:
            _seat(
                sitting,
                number,
                name=seat.name,
                person_id=person.id,
                channel=seat.channel,
                ready=int(at is not None),
            )
        elif _comes(sitting, seat):
            _seat(sitting, number, name=seat.name, person_id=seat.person_id, channel=seat.channel)
    lobby.gathered(sitting, lobby.reload(sitting, number))
    return lobby.reload(sitting, number)


def _seat(sitting: Sitting, game_id: int, **values: Any) -> None:
    """The next seat of the new table."""
    sitting.tx.add(Seat, game_id=game_id, no=len(sitting.seats(game_id)), **values)


def _comes(sitting: Sitting, seat: Seat) -> bool:
    """Whether somebody can be asked to play once more."""
    if seat.person_id is None:
        return False
    alive = len(sitting.tx.seats_of(seat.person_id, lobby.ALIVE))
    return alive < sitting.settings.games_per_person and outbox.best(sitting, seat.person_id) is not None


@hooks.offered_after.on
def offered(occasion: Occasion, game: Game) -> list[tuple[str, str]]:
    """The button below the result: not at a table of a league, which lays its tables itself."""
    return [] if league_facts.mine(game) is not None else [("rematch", f"rematch #{game.id}")]
