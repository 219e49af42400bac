"""From an idea to a game: create, join, leave, bots, muster, start (dealing.py), abandon.

A table gathers in the lobby.  When it is full, or its creator says start, everybody
is asked on a private channel to press ready; that proves the channel.  The last ready starts
the game.  The seed's hash is public from the beginning, and each player may mix a word in until then.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee import rules
from referee.ids import GameId
from referee.policy import DAILY, Policy, from_json, scaled, to_json
from referee.rules import Refusal, Setup, SetupError, chance, lists
from referee.states import ALIVE as ALIVE
from referee.states import GATHERING as GATHERING
from referee.states import GameStatus, TablePage
from referee.store import Address, Game, GameRoom, Person, Room, Seat

from ..core import outbox, tokens
from ..core.table_settings import RuleOptions, TableSettings
from ..core.unit_of_work import UnitOfWork, settings_of
from ..deadlines import rows
from ..people import identity, officials
from ..people.letter_facts import MusterFacts, notice
from ..play import hooks
from . import bot_seats, regather, takeover
from .dealing import deal_game
from .letter_facts import LobbyFacts
from .seat_names import in_game_name

#: the longest that a policy lets an answer take, in hours
_LONGEST = 30 * 24
#: an invitation's code (`tokens.link_code`), and the tables at which it may still be good for a seat
_CODE = re.compile("[A-Z2-7]{8}")
_INVITING = (GameStatus.LOBBY, GameStatus.RUNNING)


def create(
    uow: UnitOfWork, person: Person, at: Address | None, room: Room | None, args: Mapping[str, Any]
) -> Game:
    """Make a table.

    `args`: edition, seats, hours, options, entry, bots, choice (all optional). Raises Refusal or SetupError.
    """
    tx = uow.tx
    mine = tx.seats_of(person.id, ALIVE)
    if len(mine) >= uow.settings.games_per_person:
        raise Refusal("too-many-games", most=uow.settings.games_per_person)
    choice = lists.choice_of(args.get("choice") or {})
    edition = args.get("edition") or (lists.edition_of(choice) if choice else "classic")
    bots = args.get("bots") or {}
    crowd = int(bots.get("count") or 0)
    wanted = int(args.get("seats") or (1 + crowd if crowd else 4))
    seed = (uow.settings.testing.seeds or secrets.token_bytes)(32)
    allowed(edition, wanted, args.get("options") or {}, choice, seed)
    policy = _policy(args.get("policy"), float(args.get("hours") or uow.settings.move_hours), person.zone)
    table: TableSettings = {
        "seats": wanted,
        "hours": policy.move_hours,
        "policy": to_json(policy),
        "options": dict(args.get("options") or {}),
        "entry": args.get("entry") or "open",
    }
    if args.get("talk"):
        table["talk"] = args["talk"]
    if args.get("advice"):
        table["advice"] = 1
    if args.get("learn"):  # a guided game (teaching/commands.py): nobody types this
        table["learn"] = 1
    if args.get("season"):  # of a league: nobody types this
        table["season"] = str(args["season"])
    if choice:
        table["choice"] = choice.facts()
    if table["entry"] == "invite":
        table["code"] = tokens.link_code()[0]
    game_id = tx.add(
        Game,
        edition=edition,
        settings=json.dumps(table),
        creator_id=person.id,
        seed=seed.hex(),
        seed_hash=chance.commit(seed),
        page=TablePage.PUBLIC if table["entry"] == "open" else TablePage.WATCHED,
        created_ms=max(uow.now_ms, 0 if at is None else at.joined_ms),
    )
    game = reload(uow, game_id)
    if room is not None:
        tx.add(GameRoom, game_id=game_id, room_id=room.id)
    sit(uow, game, person, at)
    if crowd:
        bot_seats.add_bots(uow, game, str(bots.get("kind") or ""), crowd)
    gathered(uow, reload(uow, game_id))
    return reload(uow, game_id)


def allowed(edition: str, seats: int, options: RuleOptions, choice: lists.Choice, seed: bytes) -> None:
    """Raise SetupError when no such game can be played."""
    drawn = lists.choose(edition, seats, choice, seed)
    players = tuple(f"P{n + 1}" for n in range(seats))
    rules.new_game(
        Setup(edition=edition, players=players, options=options, cast=drawn.cast, uniques=drawn.uniques),
        b"\0" * 32,
    )


def _policy(said: Any, hours: float, zone: str) -> Policy:
    """The policy of a new table: as it was said (a row), else `daily` with so much time for an answer.

    One with days or a snap hour in no zone of its own is meant in its author's.
    """
    policy = from_json(said) if said else scaled(DAILY, min(hours, _LONGEST))
    own = policy.zone == "UTC" and (len(policy.days) < 7 or policy.snap_hour is not None)
    return replace(policy, zone=zone) if own else policy


def reload(uow: UnitOfWork, game_id: GameId) -> Game:
    """The table as it stands in this transaction."""
    game = uow.tx.get(Game, game_id)
    assert game is not None
    return game


def sit(uow: UnitOfWork, game: Game, person: Person, at: Address | None) -> str:
    """Give somebody the next free seat; returns the name they go by at this table."""
    seats = uow.seats(game.id)
    called = in_game_name(person.name, [s.name for s in seats], game)
    identity.seated(uow, person.id)
    uow.tx.add(
        Seat,
        game_id=game.id,
        no=len(seats),
        person_id=person.id,
        name=called,
        channel="" if at is None or not outbox.lasts(at) else at.channel,
    )
    return called


def invited(uow: UnitOfWork, code: str) -> Game:
    """The table that an invitation's code opens, held against others.  Raises Refusal."""
    wanted = code.strip().upper()
    for number in uow.tx.games_set(_INVITING, wanted) if _CODE.fullmatch(wanted) else ():
        game = reload(uow, number)
        if settings_of(game).get("code", "") == wanted:
            return game
    raise Refusal("no-such-invitation", invitation=code)


def join(uow: UnitOfWork, game: Game, person: Person, at: Address | None, code: str = "") -> str:
    """Take a free seat; a table by invitation wants its code.  Returns the in-game name; raises Refusal."""
    seats = uow.seats(game.id)
    if any(s.person_id == person.id for s in seats):
        raise Refusal("already-in", game=game.id)
    if game.status == GameStatus.RUNNING:
        return takeover.take_over(uow, game, person, at, code)
    if game.status != GameStatus.LOBBY:
        raise Refusal("not-in-lobby", game=game.id)
    takeover.not_kicked(uow, game, person)
    table = settings_of(game)
    if table["entry"] == "invite" and code.strip().upper() != table["code"]:
        raise Refusal("invite-only", game=game.id)
    if len(seats) >= table["seats"]:
        raise Refusal("lobby-full", game=game.id)
    # as for a table of one's own, and for a seat that is taken over
    if len(uow.tx.seats_of(person.id, ALIVE)) >= uow.settings.games_per_person:
        raise Refusal("too-many-games", most=uow.settings.games_per_person)
    called = sit(uow, game, person, at)
    gathered(uow, game)
    return called


def leave_lobby(uow: UnitOfWork, game: Game, person: Person) -> None:
    """Give the seat back before the game has begun.  Raises Refusal."""
    seats = uow.seats(game.id)
    mine = next((s for s in seats if s.person_id == person.id), None)
    if mine is None:
        raise Refusal("not-seated", game=game.id)
    if game.status not in GATHERING:
        raise Refusal("no-leaving" if game.status in ALIVE else "game-over", game=game.id)
    hooks.may_change_lobby(game, "league-leave")
    uow.tx.drop(Seat, game_id=game.id, no=mine.no)
    rest = [s for s in seats if s.no != mine.no]
    for no, seat in enumerate(rest):
        if seat.no != no:
            uow.tx.set(Seat, seat.id, no=no)
    people = [s for s in rest if s.person_id is not None]
    if not people:
        finish(uow, game, GameStatus.ABANDONED)
    else:
        table = settings_of(game)
        uow.tx.set(
            Game,
            game.id,
            status=GameStatus.LOBBY,
            settings=json.dumps({**table, "seats": table.get("laid", table["seats"])}),
            creator_id=people[0].person_id
            if officials.same(uow.tx, game.creator_id, person.id)
            else game.creator_id,
        )
    if game.status == GameStatus.MUSTERING:  # the others were told that it is about to begin
        for seat in uow.seats(game.id):
            outbox.to_seat(uow, game, seat, LobbyFacts())
    outbox.to_rooms(uow, game)


def left_out(uow: UnitOfWork, game: Game, person: Person, seat: Seat, *, key: bool = False) -> bool:
    """Let a table that gathers go on without somebody who is not ready: by its creator or an admin (`key`),
    or by anybody there once the person who missed the first round has had their time. Whether the game began
    with that. Raises Refusal.
    """
    mine = uow.tx.one(Seat, game_id=game.id, person_id=person.id)
    hooks.may_change_lobby(game, "league-gathers")
    late = seat.person_id is not None and regather.waited_enough(uow, game, seat)
    if not key and not (late and mine is not None and mine.ready):
        raise Refusal("only-creator", game=game.id)
    if seat.person_id == person.id:
        raise Refusal("kick-self", game=game.id)
    gone = None if seat.person_id is None else uow.tx.get(Person, seat.person_id)
    if gone is None:
        raise Refusal("seat-is-bot", name=seat.name)
    if seat.ready:
        raise Refusal("seat-is-ready", name=seat.name)
    leave_lobby(uow, uow.tx.renew(Game, game, status=GameStatus.LOBBY), gone)
    outbox.to_person(
        uow,
        gone.id,
        notice("left", game=game.id),
        game_id=game.id,
    )
    fresh = reload(uow, game.id)
    host = uow.tx.get(Person, fresh.creator_id)
    if not late or host is None or any(not one.ready for one in uow.seats(game.id)):
        return False
    try:
        return start(uow, fresh, key=True) is None
    except Refusal:  # too few for this edition: the seat is free for somebody else
        return False


def gathered(uow: UnitOfWork, game: Game) -> None:
    """After somebody sat down: renew the table message, and muster when the table is full."""
    outbox.to_rooms(uow, game)
    if len(uow.seats(game.id)) >= settings_of(game)["seats"]:
        muster(uow, game)


def muster(uow: UnitOfWork, game: Game) -> None:
    """Ask everybody on a private channel whether they are ready; where all have said so already, begin."""
    if game.status == GameStatus.LOBBY:
        uow.tx.set(Game, game.id, status=GameStatus.MUSTERING)
    missing = [seat for seat in uow.seats(game.id) if not seat.ready]
    for seat in missing:
        outbox.to_seat(uow, game, seat, MusterFacts())
    if not missing:
        deal_game(uow, reload(uow, game.id))


def ready(uow: UnitOfWork, game: Game, person: Person, at: Address) -> list[str] | None:
    """The player is there, on this channel.

    Returns the names still missing, or None when that started the game.
    """
    seats = uow.seats(game.id)
    mine = next((s for s in seats if s.person_id == person.id), None)
    if mine is None:
        raise Refusal("not-seated", game=game.id)
    if game.status not in GATHERING:
        raise Refusal("not-in-lobby", game=game.id)
    hooks.may_come(uow, game, person)
    uow.tx.set(Seat, mine.id, ready=1, **({"channel": at.channel} if outbox.lasts(at) else {}))
    seats = uow.seats(game.id)
    missing = [s.name for s in seats if not s.ready]
    if game.status == GameStatus.MUSTERING and not missing and len(seats) >= 2:
        deal_game(uow, game)
        return None
    outbox.to_rooms(uow, game)
    return missing


def start(uow: UnitOfWork, game: Game, *, key: bool) -> list[str] | None:
    """The creator (`key`) wants to begin with who is there.

    Returns the names not ready yet, or None when it began. Raises Refusal.
    """
    hooks.may_change_lobby(game, "league-gathers")
    if not key:
        raise Refusal("only-creator", game=game.id)
    if game.status not in GATHERING:
        raise Refusal("not-in-lobby", game=game.id)
    seats = uow.seats(game.id)
    table = settings_of(game)
    try:
        allowed(
            game.edition,
            len(seats),
            table["options"],
            lists.choice_of(table.get("choice", {})),
            bytes.fromhex(game.seed),
        )
    except SetupError as no:
        raise Refusal(no.code, **no.facts) from no
    uow.tx.set(
        Game,
        game.id,
        settings=json.dumps({**table, "seats": len(seats), "laid": table.get("laid", table["seats"])}),
    )
    fresh = reload(uow, game.id)
    missing = [s.name for s in seats if not s.ready]
    if missing:
        muster(uow, fresh)
        outbox.to_rooms(uow, fresh)
        return missing
    deal_game(uow, fresh)
    return None


def word(uow: UnitOfWork, game: Game, person: Person, text: str) -> None:
    """Mix a word of the player's into the seed.  Raises Refusal."""
    mine = uow.tx.one(Seat, game_id=game.id, person_id=person.id)
    if mine is None:
        raise Refusal("not-seated", game=game.id)
    if game.status not in GATHERING:
        raise Refusal("words-closed", game=game.id)
    uow.tx.set(Seat, mine.id, word=" ".join(text.split())[:80])


def abandon(uow: UnitOfWork, game: Game, person: Person, *, key: bool) -> None:
    """The creator or an admin (`key`) gives the table up, before it starts, or later when nobody else is
    human. Raises Refusal.
    """
    hooks.may_change_lobby(game, "league-gathers")
    seats = uow.seats(game.id)
    others = [s for s in seats if s.person_id not in (None, person.id)]
    if not key:
        raise Refusal("only-creator", game=game.id)
    if game.status not in ALIVE:
        raise Refusal("game-over", game=game.id)
    if game.status not in GATHERING and others:
        raise Refusal("not-alone", names=[s.name for s in others])
    finish(uow, game, GameStatus.ABANDONED)
    for seat in others:
        outbox.to_seat(uow, game, seat, notice("abandoned", game=game.id))
    outbox.to_rooms(uow, game)


def finish(uow: UnitOfWork, game: Game, status: str) -> None:
    """End a table that was not played to its end."""
    uow.tx.set(Game, game.id, status=status, ended_ms=uow.now_ms, question=0, asked="")
    rows.stop(uow, game.id)
    hooks.game_over(uow, game)
