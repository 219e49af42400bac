"""When letters don't reach somebody: the next of their channels at once, else the clock waits once, and
somebody is told.

An address is gone when its wire says so for good (blocked, no such address, a mail that came back); then the
question that is open goes to the person's next address, with a word about why. Nobody else learns of it.
Anyone who has no address left is waited for, once a game and up to what its policy allows; a private word
from them ends that and brings what they missed.
"""

from __future__ import annotations

from referee.ids import LetterId, PersonId, SeatId, SeatNo
from referee.policy import DAY_MS
from referee.ports import Fate, Inbound, Receipt
from referee.states import GameStatus, OutboxState
from referee.store import Address, Game, Outbox, Seat

from ..core import outbox, tokens
from ..core.alerts import alert_daily
from ..core.letter_rows import Again, Notes, noted, notes
from ..core.letters import traits
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state, rows
from ..people import identity, officials
from ..people.letter_facts import MusterFacts, OverFacts, PromptFacts, notice
from ..people.replies import alert

#: states of an address that nothing is sent to
GONE = ("blocked", "bounced")
#: how often a mail that came back for a while is sent again, and how long after
_SOFT_TRIES = 3
_SOFT_MS = 3_600_000
#: a game that ended longer ago is no news any more
_OLD_NEWS_MS = 30 * DAY_MS


def note_unreachable(uow: UnitOfWork, channel: str, address: str, state: str) -> None:
    """The wire says that nothing can be written to an address any more."""
    found = identity.known(uow, channel, address)
    if found is not None:
        reroute_letters(uow, found[1], state)


def reroute_letters(uow: UnitOfWork, address: Address, state: str) -> None:
    """What waited for an address goes to the person's next one, and so does every question that is open."""
    news = address.state not in GONE
    uow.tx.set(Address, address.id, state=state)
    for row in uow.tx.all(Outbox, channel=address.channel, address=address.address, state=OutboxState.QUEUED):
        requeue_letter(uow, row, address.person_id)
    if not news:
        return
    if outbox.best(uow, address.person_id) is None:
        nowhere(uow, address.person_id)
    elif not asked_again(uow, address.person_id, address.channel):
        outbox.to_person(uow, address.person_id, notice("channel-lost", channel=address.channel))


def requeue_letter(uow: UnitOfWork, row: Outbox, person_id: PersonId, but: tuple[str, ...] = ()) -> bool:
    """Take one letter back from where it can't be delivered, and queue it for the person's next address, none
    of the channels `but`. False where there is none.
    """
    kind = traits(row.kind)
    uow.tx.set(Outbox, row.id, state=OutboxState.FAILED, error=row.error or "address gone")
    if kind.bound:
        return False
    seat = (
        None
        if row.game_id is None or row.seat is None
        else uow.tx.one(Seat, game_id=row.game_id, no=row.seat)
    )
    after = outbox.best(uow, person_id, seat, but)
    if after is None:
        return False
    # leaves when it would have left, and with nothing else (see talk/commands.py)
    nameless = kind.unasked is not None and kind.unasked.speech and not row.collapse
    outbox.queue(
        uow,
        Again(row.kind, noted(row, Notes(tried=list(but)))),
        channel=after.channel,
        address=after.address,
        person_id=person_id,
        game_id=row.game_id,
        seat=row.seat,
        question=row.question,
        delay_ms=max(0, row.not_before_ms - uow.now_ms) if nameless else 0,
        collapse=f"{row.kind}:{row.game_id}:{row.seat}:{after.channel}"
        if row.seat is not None and not nameless
        else "",
    )
    return True


def refused(uow: UnitOfWork, row: Outbox, receipt: Receipt) -> None:
    """A wire did not take a letter to a person, for good."""
    assert row.person_id is not None
    if receipt.reason in ("blocked", "cannot-initiate", "no-such-address"):
        address = uow.tx.one(Address, channel=row.channel, address=row.address)
        if address is not None:
            reroute_letters(uow, address, "bounced" if receipt.reason == "no-such-address" else "blocked")
        requeue_letter(uow, row, row.person_id)
    elif traits(row.kind).must_arrive:  # the address may be right, and this letter is not to its taste
        tried = (*notes(row).tried, row.channel)
        if not requeue_letter(uow, row, row.person_id, tried):
            alert(uow, "letter-failed", letter=row.id)
            _wait_for_reader(uow, row)


def _wait_for_reader(uow: UnitOfWork, row: Outbox) -> None:
    """No channel takes a letter: where it asked what is still open its player is waited for."""
    seat = uow.tx.one(Seat, game_id=row.game_id, no=row.seat, person_id=row.person_id)
    game = uow.tx.get(Game, row.game_id)
    if seat is not None and game is not None and row.question == game.question and is_awaited(seat, game):
        waits(uow, game, seat.no)


def bounced(uow: UnitOfWork, came: Inbound) -> None:
    """A mail came back.

    For good: its address is not used any more until its owner writes again, and what that letter told is told
    anew. Where only that letter was not taken its address is not at fault. For now: it is sent again an hour
    later, three times at most; a delay that its server reports is no reason for either.
    """
    number = returned_letter(tokens.secret(uow.tx), came)
    row = None if number is None else uow.tx.get(Outbox, number)
    if row is None or row.person_id is None or row.state not in (OutboxState.SENT, OutboxState.UNKNOWN):
        return
    reason = f"bounced: {came.facts.get('reason', '')}"[:300]
    if came.facts.get("permanent"):
        uow.tx.set(Outbox, row.id, state=OutboxState.FAILED, error=reason)
        untold(uow, row)
        note_unreachable(uow, row.channel, row.address, "bounced")
        requeue_letter(uow, row, row.person_id)
    elif came.facts.get("failed"):
        uow.tx.set(Outbox, row.id, state=OutboxState.FAILED, error=reason)
        untold(uow, row)
        soft = notes(row).soft + 1
        if came.facts.get("unwanted") or soft > _SOFT_TRIES:
            refused(uow, row, Receipt(Fate.FAILED, reason="bounced"))
        elif traits(row.kind).must_arrive:
            outbox.queue(
                uow,
                Again(row.kind, noted(row, Notes(soft=soft))),
                channel=row.channel,
                address=row.address,
                person_id=row.person_id,
                game_id=row.game_id,
                seat=row.seat,
                question=row.question,
                delay_ms=_SOFT_MS * soft,
            )


def returned_letter(key: bytes, came: Inbound) -> LetterId | None:
    """Which letter of ours came back, as what came with it says; None where that names none."""
    named = tokens.wire_of(key, str(came.facts.get("letter", "")))
    # else its token: mails sent before ids were enciphered
    return tokens.letter_of(key, came.token) if named is None else named


def untold(uow: UnitOfWork, row: Outbox) -> None:
    """What a letter told was not read: it is told again, to nobody but its reader."""
    noted_there = notes(row)
    told = [(uow.tx.get(Seat, SeatId(int(number))), no) for number, no in noted_there.before.items()]
    if row.seat is not None and row.upto and noted_there.since is not None:
        told.append((uow.tx.one(Seat, game_id=row.game_id, no=row.seat), noted_there.since))
    for seat, since in told:
        if seat is not None and seat.person_id == row.person_id and seat.told > since:
            uow.tx.set(Seat, seat.id, told=since)


def is_awaited(seat: Seat, game: Game) -> bool:
    """Whether a table waits for a word of this seat: that it is ready, or an answer."""
    if game.status == GameStatus.MUSTERING:
        return not seat.ready
    return game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(",")


def asked_again(uow: UnitOfWork, person_id: PersonId, lost: str = "") -> int:
    """Send somebody what they should have (ready?  your turn!); `lost`: the channel that they don't read any
    more.  Returns how many letters.
    """
    sent = 0
    for seat, game in uow.tx.seats_of(person_id, (GameStatus.MUSTERING, GameStatus.RUNNING)):
        if not is_awaited(seat, game):
            continue
        if game.status == GameStatus.MUSTERING:
            outbox.to_seat(uow, game, seat, MusterFacts(lost=lost))
            sent += 1
        elif not rows.pending(uow.tx, game, seat.no):
            outbox.to_seat(uow, game, seat, PromptFacts(lost=lost), question=game.question)
            sent += 1
    return sent


def nowhere(uow: UnitOfWork, person_id: PersonId) -> None:
    """Somebody has no address left: their clocks wait, and the person who opened their tables, and the admin,
    are told: once a day, unless their tables are others.
    """
    tables = uow.tx.seats_of(person_id, (GameStatus.MUSTERING, GameStatus.RUNNING))
    for seat, game in tables:
        if game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(","):
            waits(uow, game, seat.no)
    # who shuts and opens their channel again and again must not write to others by that
    if not tables or not alert_daily(
        uow, "out-of-reach", name=tables[0][0].name, games=[game.id for _, game in tables]
    ):
        return
    for seat, game in tables:
        if not officials.same(uow.tx, game.creator_id, person_id):
            outbox.to_person(
                uow,
                game.creator_id,
                notice("out-of-reach", game=game.id, name=seat.name),
                game_id=game.id,
            )


def waits(uow: UnitOfWork, game: Game, no: SeatNo) -> Game:
    """The clock of a seat that is asked and can't be told stands still, once a game.

    Returns the table as it is then.
    """
    table = clock_state.known(uow, game)
    mine = table.seat(no)
    if mine.unreachable or not mine.asked or not clock_state.policy_of(game).unreachable_hours:
        return game
    mine.unreachable = [(uow.now_ms, clock_state.OPEN)]
    fresh = uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table))
    clock_state.again(uow, fresh, (no,))
    outbox.to_rooms(uow, fresh)
    return fresh


def back(uow: UnitOfWork, person_id: PersonId, *, ask: bool = True) -> int:
    """A private word from somebody who was out of reach: their clocks run again, and they get what they
    missed (`ask`: what they are asked, too). Returns how many letters that is.
    """
    for seat, game in uow.tx.seats_of(person_id, (GameStatus.RUNNING,)):
        table = clock_state.read_clocks(game)
        if clock_state.note_reachable(table.seat(seat.no), uow.now_ms):
            clock_state.again(
                uow, uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table)), (seat.no,)
            )
            outbox.to_rooms(uow, game)
    sent = asked_again(uow, person_id) if ask else 0
    for seat, game in uow.tx.seats_of(person_id, (GameStatus.OVER,)):
        if seat.told < game.event_no and uow.now_ms - game.ended_ms < _OLD_NEWS_MS:
            outbox.to_seat(uow, game, seat, OverFacts())
            sent += 1
    return sent
