"""Commands about one's own time, and what a table says about its: policy, quiet, zone, vacation, here."""

from __future__ import annotations

from dataclasses import replace

from referee.ids import GameId
from referee.policy import (
    DAILY,
    HOUR_MS,
    PolicyError,
    Quiet,
    book_vacation,
    check_quiet,
    due_ms,
    end_vacation,
    ms,
    vacation_left_ms,
)
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game, Person, Seat
from referee.text import Intent, Reading, explain_policy, policy_line
from referee.text.reading.dates import when_at
from referee.text.reading.policy import hour_text
from referee.text.reading.times import VACATION_MOST

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork, json_text, talk_mode
from ..deadlines import clock_state
from ..notices import digest
from ..people import chat_rooms, onlookers, table_roles
from ..people.identity import Speaker
from ..people.letter_facts import NoticeFacts
from ..people.replies import answer
from ..play import clock_news, seat_offers

#: quiet hours may be so long, whatever the table
_QUIET_MOST = 16
#: this many holidays are shown
_OFF_MOST = 4


@command("policy", topic=HelpTopic.TIME, about=CommandTopic.READ)
def policy(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`policy #17`: how much time there is, each part of it in full, and how it is typed."""
    if game is None:
        raise Refusal("no-game", game=None)
    rule = clock_state.policy_of(game)
    mine = uow.tx.one(Seat, game_id=game.id, person_id=speaker.person.id)
    room = chat_rooms.room(uow, came)
    left = clock_state.read_clocks(game).seat(mine.no).bank if mine is not None and room is None else -1
    first = policy_line(uow.words, rule, speaker.person.language, bank_ms=left if left >= 0 else None) + "."
    told = [
        first,
        *explain_policy(uow.words, rule, speaker.person.language),
        uow.words.phrase(f"talk_modes.{talk_mode(game)}", speaker.person.language),
    ]
    off = [start for start, end in clock_state.read_clocks(game).off if uow.now_ms < end][:_OFF_MOST]
    if off:
        told.append(uow.words.phrase("policy.off", speaker.person.language, days=off, zone=rule.zone))
    said = NoticeFacts([Notice("policy-part", {"line": line}) for line in told], answers=came.message_id)
    if room is not None:
        outbox.to_room(uow, room, said, game_id=game.id)
    else:
        outbox.to_person(uow, speaker.person.id, said, at=speaker.address, game_id=game.id)


@command("quiet", topic=HelpTopic.TIME, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def quiet(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`quiet 22-07`: when nothing rings and one's clocks stand still, as far as each table allows."""
    said = intent.args["quiet"]
    if said is not None:
        try:
            check_quiet(replace(DAILY, quiet_most_hours=_QUIET_MOST), *said)
        except PolicyError as no:
            raise Refusal(no.code, **no.facts) from no
        said = list(Quiet(*said))
    uow.tx.set(Person, speaker.person.id, quiet=json_text(said))
    changed(uow, speaker.person)
    answer(
        uow,
        speaker,
        came,
        "quiet-noted",
        hours=None if said is None else f"{hour_text(said[0])}-{hour_text(said[1])}",
    )


@command("zone", topic=HelpTopic.TIME, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def zone(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`zone Europe/Lisbon`: in which hours are shown."""
    wanted = str(intent.args["zone"])
    uow.tx.set(Person, speaker.person.id, zone=wanted)
    changed(uow, speaker.person)
    digest.reschedule_digest(uow, speaker.person.id)
    answer(uow, speaker, came, "zone-noted", zone=wanted)


def changed(uow: UnitOfWork, person: Person) -> None:
    """Somebody's zone or quiet hours are others now (`person` as they were): their open deadlines are
    reckoned anew; but where that would end their time at once, since hours that are past count otherwise
    then, the turn goes on with the hours it began with.
    """
    now = uow.tx.get(Person, person.id)
    for seat, game in uow.tx.seats_of(person.id, (GameStatus.RUNNING,)):
        if str(seat.no) not in game.asked.split(","):
            continue
        table = clock_state.known(uow, game)
        mine, rule = table.seat(seat.no), clock_state.policy_of(game)
        due, before = (due_ms(rule, clock_state.clock_of(rule, table, mine, one)) for one in (now, person))
        if (
            mine.hours is None
            and due is not None
            and due < uow.now_ms + HOUR_MS
            and (before is None or before > due)
        ):
            mine.hours = (person.zone, person.quiet)
            game = uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table))
        clock_state.again(uow, game, (seat.no,))


@command("vacation", topic=HelpTopic.TIME, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def vacation(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`vacation 3 days`, `vacation until 7 Jan`: from now on, in all of one's games, or in the one named.

    Where a table has no such days left, that is said, and nothing is done anywhere.
    """
    end = until = _vacation_end_ms(uow, speaker, intent)
    tables = meant_seats(uow, speaker, came, intent)
    done: list[GameId] = []  # with another one of their season
    for seat, one in tables:
        if one.id in done:
            continue
        table = clock_state.known(uow, one)
        mine, rule = table.seat(seat.no), clock_state.policy_of(one)
        clock = clock_state.clock_of(rule, table, mine, speaker.person)
        try:
            clock_state.keep(mine, book_vacation(rule, clock, uow.now_ms, end, uow.now_ms))
        except PolicyError as no:
            raise Refusal(no.code, **no.facts, game=one.id) from no
        until = max(until, *(end for _, end in mine.vacations))  # a pause of the season adds to it
        clock_news.publish(uow, one, table, "vacation_began", {"seat": seat.no}, (seat.no,))
        done += clock_news.elsewhere(uow, one, seat, mine, "vacation_began")
    answer(
        uow,
        speaker,
        came,
        "vacation-noted",
        until=until,
        zone=speaker.person.zone,
        games=sorted({*done, *(one.id for _, one in tables)}),
    )


def _vacation_end_ms(uow: UnitOfWork, speaker: Speaker, intent: Intent) -> int:
    """When a vacation ends that begins now, UTC ms; a day in the speaker's zone is meant whole.

    Raises Refusal.
    """
    if "hours" in intent.args:
        return uow.now_ms + ms(intent.args["hours"])
    day = str(intent.args["until"])
    reading = Reading(speaker.person.language, own=uow.words.own)
    found = when_at(day.split(), reading, uow.now_ms, speaker.person.zone)
    if not found.used:
        raise Refusal("vacation-until", word=day[:40])
    if found.at_ms > uow.now_ms + VACATION_MOST * HOUR_MS:
        raise Refusal("vacation-range", word=day[:40], days=round(VACATION_MOST / 24))
    return found.at_ms


@command("here", topic=HelpTopic.TIME, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def here(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`here`: back from vacation, and back where nobody waited any more."""
    tables = meant_seats(uow, speaker, came, intent)
    left: list[int] = []
    for seat, row in tables:
        one = uow.tx.get(Game, row.id) or row  # another one of its season may have changed it
        table = clock_state.known(uow, one)
        mine, rule = table.seat(seat.no), clock_state.policy_of(one)
        clock = clock_state.clock_of(rule, table, mine, speaker.person)
        ended = end_vacation(clock, uow.now_ms)
        news = [] if ended == clock else [("vacation_ended", {"seat": seat.no})]
        clock_state.keep(mine, ended)
        left.append(vacation_left_ms(rule, ended) // (24 * HOUR_MS))
        if news:
            clock_news.elsewhere(uow, one, seat, mine, "vacation_ended")
        news += clock_state.returned(rule, seat.no, mine, uow.now_ms)
        uow.tx.set(Seat, seat.id, misses=mine.misses)
        for event, facts in news:
            if event == "back" and not mine.offered:
                seat_offers.withdraw_offers(uow, one, seat.no)
            one = clock_news.publish(uow, one, table, event, facts, (seat.no,))
    answer(uow, speaker, came, "here-noted", days=min(left))


def meant_seats(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent) -> list[tuple[Seat, Game]]:
    """The running games that somebody means: the one they named, else all of theirs.

    Raises Refusal where there is none.
    """
    found = [
        (seat, game)
        for seat, game in uow.tx.seats_of(speaker.person.id, (GameStatus.RUNNING,))
        if intent.game in (None, game.id)
    ]
    if not found:
        raise _nobody_waits(uow, speaker, came, intent.game)
    return found


def _nobody_waits(uow: UnitOfWork, speaker: Speaker, came: Inbound, number: GameId | None) -> Refusal:
    """Why somebody's time counts nowhere: at the table that they named, or (None) at all of theirs."""
    game = None if number is None else uow.tx.get(Game, number)
    if game is None:
        return Refusal("no-game", game=number)
    onlookers.check(uow, speaker, came, game)
    if uow.tx.one(Seat, game_id=game.id, person_id=speaker.person.id) is None:
        return Refusal("not-seated", game=game.id)
    return table_roles.not_running(game)
