"""What is left of somebody whose account was deleted, taken away a little at a time: their seats in games go
by another name, letters to them and messages from them lose their words, and where others were told of them
their name is replaced.

What is still to be done stands in a bookmark, with the names and addresses that are looked for; it goes with
the last piece. Rows that came later are never touched: somebody who writes from the same address afterwards
is a new person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from referee.ids import GameId, PersonId
from referee.ports import Inbound
from referee.states import ALIVE, InboxState, OutboxState
from referee.store import (
    Address,
    Alert,
    Bookmark,
    Entry,
    Game,
    GameEvent,
    Inbox,
    LeagueProposal,
    LeagueReport,
    Outbox,
    Person,
    Proposal,
    Seat,
    StepComment,
    Tx,
)

from ..core.letters import traits
from ..core.unit_of_work import UnitOfWork, json_text, settings_of
from ..tables import renaming, vacating
from . import other_names
from .other_names import LookedFor

#: whose bookmarks these are
_MARK = "account deletion"
#: this many persons are looked at for one that need not wait
_AT_ONCE = 20
#: rows looked at in one transaction, and changed in it at most: some ten milliseconds
MOST, CHANGED = 1_000, 100


class Erasure(msgspec.Struct):
    """What is still to be done about one person.

    `names` and `addresses` are looked for, `called` takes the place of both; `shared`: those of the names by
    which others go, too, or which are ordinary words, so that only their own tables tell whom they mean.
    `games`: tables whose seats are to be renamed; `related`: all at which they sat. `letters`, `messages`,
    `comments`: the last rows of that time. `stage`, `after`: how far it got.
    """

    person: PersonId
    family: list[PersonId]
    called: str
    names: list[str]
    shared: list[str]
    addresses: list[tuple[str, str]]
    games: list[GameId]
    related: list[GameId]
    letters: int
    messages: int
    comments: int = 0
    stage: str = "games"
    after: int = 0


def noted(uow: UnitOfWork, me: Person, mine: tuple[PersonId, ...], called: str) -> Erasure:
    """What is to be done, written down before anything is gone."""
    tx = uow.tx
    people, seats = tx.all(Person, id=mine), tx.all(Seat, person_id=mine)
    called_so, at_tables = {one.name for one in people}, {one.name for one in seats}
    # a word that everybody says tells nobody: it stays where others said it
    plain = uow.words.ordinary(called_so | at_tables)
    names = sorted(called_so - plain | at_tables, key=len, reverse=True)
    at = tx.all(Address, person_id=mine)
    addresses = [(one.channel, one.address) for one in at]
    addresses += [(one.channel, one.handle) for one in at if one.handle]
    games = {one.game_id for one in seats} | set(tx.column(Game, "id", creator_id=mine))
    return Erasure(
        person=me.id,
        family=list(mine),
        called=called,
        names=names,
        shared=[
            one
            for one in names
            if tx.count(Person, name=one) > sum(p.name == one for p in people) or one in plain
        ],
        addresses=addresses,
        games=sorted(games),
        related=sorted(games),
        letters=0,
        messages=_last(tx, Inbox),
        comments=_last(tx, StepComment),
    )


def begin(uow: UnitOfWork, work: Erasure) -> None:
    """Let it be done from now on; all that was queued until now, the last letter to them too, is theirs."""
    work.letters = _last(uow.tx, Outbox)
    # who never sat anywhere comes last: strangers who come and go all day keep no player waiting
    _keep(uow, work, f"{0 if work.games else 1}.{work.person:09}")


def _keep(uow: UnitOfWork, work: Erasure, name: str) -> None:
    uow.tx.put(Bookmark, channel=_MARK, name=name, value=msgspec.json.encode(work).decode())


def rename_person(uow: UnitOfWork, person_id: PersonId, called: str) -> None:
    """Nothing of a person's row is left but its number, which results and games keep."""
    uow.tx.set(
        Person,
        person_id,
        name=called,
        language=uow.settings.language,
        zone="UTC",
        prefer="",
        admin=0,
        quiet="",
        notify="",
        pictures="",
        hints="",
    )


def erase(uow: UnitOfWork) -> bool:
    """One piece, of the first that has not to wait for a letter that is on its way; whether there may be
    more.
    """
    for found in uow.tx.all(Bookmark, channel=_MARK, order="name", limit=_AT_ONCE):
        work = msgspec.json.decode(found.value, type=Erasure)
        if _STAGES[work.stage](uow, work):
            if work.stage:
                _keep(uow, work, found.name)
            else:
                uow.tx.drop(Bookmark, channel=_MARK, name=found.name)
            return True
    return False


def _last(tx: Tx, table: type[Any]) -> int:
    return int(next(iter(tx.column(table, "id", order="-id", limit=1)), 0))


def _next(work: Erasure) -> bool:
    stages = [*_STAGES, ""]
    work.stage, work.after = stages[stages.index(work.stage) + 1], 0
    return True


def _games(uow: UnitOfWork, work: Erasure) -> bool:
    """One table: the name of the seat, and what happened there."""
    if not work.games:
        return _next(work)
    game = uow.tx.get(Game, work.games[0])
    if game is None:
        work.games.pop(0)
        return True
    game = renaming.in_rows(uow.tx, game)  # packed again by itself
    if not work.after:
        for seat in uow.seats(game.id):
            if seat.name in work.names and (seat.person_id in work.family or _stays(uow, seat)):
                game = renaming.rename_seat(uow, game, seat, work.called)
        table = settings_of(game)
        for one in table.get("looked", ()):
            one["by"] = other_names.in_words(one.get("by", ""), work.names, work.called)
            one["because"] = other_names.in_words(one.get("because", ""), work.names, work.called)
        gone = [seat.no for seat in uow.seats(game.id) if seat.person_id in work.family]
        clocks = game.clocks if game.status in ALIVE else vacating.without_days(game, gone)
        uow.tx.set(Game, game.id, settings=json_text(table), clocks=clocks)
    rows = uow.tx.all(GameEvent, game_id=game.id, after={"no": work.after}, order="no", limit=MOST)
    wanted = _there(uow, work, game.id)
    for row in rows:
        _write(uow, GameEvent, row, {"facts": other_names.in_facts(row.facts, wanted)})
    work.after = rows[-1].no if len(rows) == MOST else 0
    if not work.after:
        work.games.pop(0)
    return True


def _stays(uow: UnitOfWork, seat: Seat) -> bool:
    """Whether a seat has its name from who left it, though somebody else plays there by now."""
    holder = None if seat.person_id is None else uow.tx.get(Person, seat.person_id)
    return vacating.was_left(uow.tx, seat) and not (
        holder is not None and seat.name.startswith(holder.name[:24])
    )


def _there(uow: UnitOfWork, work: Erasure, game_id: GameId) -> LookedFor:
    """What is looked for at a table of theirs: not what another goes by there."""
    others = {one.name for one in uow.seats(game_id) if one.person_id not in work.family}
    return _looked_for(work, [one for one in work.names if one not in others])


def _other_seats(uow: UnitOfWork, work: Erasure) -> bool:
    """Seats that go by their name, though they left them. Of old tables nothing else tells."""
    named = uow.tx.all(Seat, name=tuple(_telling(work)))
    known = {*work.related}  # of theirs no pack is opened
    found = {one.game_id for one in named if one.game_id not in known and vacating.was_left(uow.tx, one)}
    work.games, work.related = sorted({*work.games, *found}), sorted({*work.related, *found})
    return _next(work)


def _at_tables(uow: UnitOfWork, work: Erasure) -> Callable[[GameId], LookedFor | None]:
    """What is looked for at each table, None where they never sat."""
    related, found = set(work.related), dict[GameId, LookedFor]()

    def at(game_id: GameId) -> LookedFor | None:
        if game_id in related and game_id not in found:
            found[game_id] = _there(uow, work, game_id)
        return found.get(game_id)

    return at


def _own_letters(uow: UnitOfWork, work: Erasure) -> bool:
    """Letters to them lose their words and their address; of which tables they told is noted."""
    related = set(work.related)

    def wiped(row: Outbox) -> bool | None:
        if row.person_id not in work.family and (row.channel, row.address) not in work.addresses:
            return False
        if row.state in (OutboxState.QUEUED, OutboxState.SENDING):
            return None
        # who only asked about a table is in nothing that it tells
        concerned = row.seat is not None or traits(row.kind).unasked is not None
        related.update((row.game_id,) if concerned and row.game_id is not None else ())
        uow.tx.set(Outbox, row.id, address="", letter="", data="{}", collapse="", error="")
        return True

    rows = uow.tx.all(Outbox, after={"id": work.after}, order="id", limit=MOST)
    done = _through(work, rows, work.letters, wiped)
    # tables at which they sat before somebody else did, too
    work.games = sorted({*work.games, *related} - {*work.related})
    work.related = sorted(related)
    return done


def _own_messages(uow: UnitOfWork, work: Erasure) -> bool:
    """Messages from them lose their words."""

    def wiped(row: Inbox) -> bool | None:
        if not _wrote(row, work):
            return False
        if row.state == InboxState.NEW:
            return None
        empty = Inbound(row.channel, row.key, "")
        uow.tx.set(Inbox, row.id, body=json_text(empty).encode(), lane="", error="")
        return True

    rows = uow.tx.all(Inbox, after={"id": work.after}, order="id", limit=MOST)
    return _through(work, rows, work.messages, wiped)


def _wrote(row: Inbox, work: Erasure) -> bool:
    try:
        came = msgspec.json.decode(row.body, type=Inbound)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # of another version: by what it says
        return any(address.encode() in row.body for _, address in work.addresses)
    return (came.channel, came.address) in work.addresses or (
        came.channel == "web" and came.address in map(str, work.family)
    )


def _letters(uow: UnitOfWork, work: Erasure) -> bool:
    """Letters to others name them otherwise, but those of tables at which they never sat; those that wait
    are worded later, from what is true then.
    """
    there, elsewhere = _at_tables(uow, work), _looked_for(work, _telling(work))

    def renamed(row: Outbox) -> bool:
        wanted = elsewhere if row.game_id is None else there(row.game_id)
        if wanted is None:
            return False
        data = row.data if row.state == OutboxState.SENDING else other_names.in_facts(row.data, wanted)
        return _write(
            uow, Outbox, row, {"data": data, "letter": other_names.in_facts(row.letter, wanted, worded=True)}
        )

    rows = uow.tx.all(Outbox, after={"id": work.after}, order="id", limit=MOST)
    return _through(work, rows, work.letters, renamed)


def _messages(uow: UnitOfWork, work: Erasure) -> bool:
    """What others wrote names them otherwise."""

    wanted = _looked_for(work, _telling(work))

    def renamed(row: Inbox) -> bool:
        if row.state == InboxState.NEW:
            return False
        text = row.body.decode("utf-8", "surrogateescape")
        body = other_names.in_facts(text, wanted).encode("utf-8", "surrogateescape")
        return _write(
            uow, Inbox, row, {"body": body, "error": other_names.in_facts(row.error, wanted, worded=True)}
        )

    rows = uow.tx.all(Inbox, after={"id": work.after}, order="id", limit=MOST)
    return _through(work, rows, work.messages, renamed)


def _comments(uow: UnitOfWork, work: Erasure) -> bool:
    """What others wrote below positions of their tables names them otherwise; their own comments are gone."""
    there = _at_tables(uow, work)

    def renamed(row: StepComment) -> bool:
        wanted = there(row.game_id)
        return wanted is not None and _write(
            uow, StepComment, row, {"text": other_names.in_words(row.text, wanted.words, wanted.called)}
        )

    rows = uow.tx.all(StepComment, after={"id": work.after}, order="id", limit=MOST)
    return _through(work, rows, work.comments, renamed)


def _rest(uow: UnitOfWork, work: Erasure) -> bool:
    """What is told to admins and decided at tables and in leagues: tables of few rows."""
    wanted = _looked_for(work, _telling(work))
    for table, columns in _FEW:
        for row in uow.tx.all(table, order="id"):
            values = {name: other_names.in_facts(getattr(row, name), wanted) for name in columns}
            _write(uow, table, row, values)
    return _next(work)


_FEW: tuple[tuple[type[Any], tuple[str, ...]], ...] = (
    (Alert, ("facts",)),
    (Proposal, ("facts",)),
    (LeagueProposal, ("args", "by")),
    (LeagueReport, ("text", "answer")),
    (Entry, ("note", "facts")),
)
_STAGES: Mapping[str, Callable[[UnitOfWork, Erasure], bool]] = {
    "games": _games,
    "own letters": _own_letters,
    "other seats": _other_seats,
    "games of others": _games,
    "own messages": _own_messages,
    "letters": _letters,
    "messages": _messages,
    "comments": _comments,
    "rest": _rest,
}


def _through(work: Erasure, rows: list[Any], upto: int, each: Callable[[Any], bool | None]) -> bool:
    """Look at rows in their order up to that number. `each` says whether a row was changed, None where it is
    to be waited for; then this is False.
    """
    changed = 0
    for row in rows:
        if row.id > upto:
            return _next(work)
        done = each(row)
        if done is None:
            return False
        work.after = row.id
        changed += done
        if changed == CHANGED:
            return True
    return True if len(rows) == MOST else _next(work)


def _telling(work: Erasure) -> list[str]:
    """The names that mean nobody else."""
    return [one for one in work.names if one not in work.shared]


def _write(uow: UnitOfWork, table: type[Any], row: Any, values: Mapping[str, Any]) -> bool:
    """Put what differs into a row; whether anything did."""
    changed = {name: value for name, value in values.items() if value != getattr(row, name)}
    return bool(changed) and uow.tx.set(table, row.id, **changed)


def _looked_for(work: Erasure, names: Iterable[str]) -> LookedFor:
    return other_names.looked_for(names, (address for _, address in work.addresses), work.called)
