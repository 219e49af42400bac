"""Commands about one's own time, and what a table says about its: policy, quiet, zone, vacation, here."""

from __future__ import annotations

from dataclasses import replace

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
from referee.text import Wish, explain_policy, policy_line
from referee.text.reading.policy import hour_text

from ..core import outbox
from ..core.commands import About, Need, command
from ..core.unit_of_work import Sitting, talk_mode, written
from ..deadlines import clock_state, rows
from ..notices import digest
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.replies import answer
from ..play import clock_news, seat_offers

#: quiet hours may be so long, whatever the table
_QUIET_MOST = 16


@command("policy", about=About.READ)
def policy(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`policy #17`: how much time there is, each part of it in full, and how it is typed."""
    if game is None:
        raise Refusal("no-game", game=None)
    rule = clock_state.policy_of(game)
    mine = sitting.tx.one(Seat, game_id=game.id, person_id=speaker.person.id)
    room = chat_rooms.room(sitting, came)
    left = clock_state.read(game).seat(mine.no).bank if mine is not None and room is None else -1
    first = (
        policy_line(sitting.words, rule, speaker.person.language, bank_ms=left if left >= 0 else None) + "."
    )
    told = [
        first,
        *explain_policy(sitting.words, rule, speaker.person.language),
        sitting.words.phrase(f"talk_modes.{talk_mode(game)}", speaker.person.language),
    ]
    data = {
        "notices": [{"code": "policy-part", "facts": {"line": line}} for line in told],
        "answers": came.message_id,
    }
    if room is not None:
        outbox.to_room(sitting, room, "notice", data=data, game_id=game.id)
    else:
        outbox.to_person(
            sitting, int(speaker.person.id or 0), "notice", at=speaker.address, data=data, game_id=game.id
        )


@command("quiet", table=Need.NONE, about=About.PERSON, numberless=True)
def quiet(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`quiet 22-07`: when nothing rings and one's clocks stand still, as far as each table allows."""
    said = wish.args["quiet"]
    if said is not None:
        try:
            check_quiet(replace(DAILY, quiet_most_hours=_QUIET_MOST), *said)
        except PolicyError as no:
            raise Refusal(no.code, **no.facts) from no
        said = list(Quiet(*said))
    sitting.tx.set(Person, speaker.person.id, quiet=written(said))
    changed(sitting, speaker.person)
    answer(
        sitting,
        speaker,
        came,
        "quiet-noted",
        hours=None if said is None else f"{hour_text(said[0])}-{hour_text(said[1])}",
    )


@command("zone", table=Need.NONE, about=About.PERSON, numberless=True)
def zone(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`zone Europe/Lisbon`: in which hours are shown."""
    wanted = str(wish.args["zone"])
    sitting.tx.set(Person, speaker.person.id, zone=wanted)
    changed(sitting, speaker.person)
    digest.moved(sitting, speaker.person.id)
    answer(sitting, speaker, came, "zone-noted", zone=wanted)


def changed(sitting: Sitting, person: Person) -> None:
    """Somebody's zone or quiet hours are others now (`person` as they were): their open deadlines are
    reckoned anew; but where that would end their time at once, since hours that are past count otherwise
    then, the turn goes on with the hours it began with.
    """
    now = sitting.tx.get(Person, person.id)
    for seat, game in sitting.tx.seats_of(int(person.id or 0), (GameStatus.RUNNING,)):
        if str(seat.no) not in game.asked.split(","):
            continue
        table = rows.known(sitting, game)
        mine, rule = table.seat(seat.no), clock_state.policy_of(game)
        due, before = (due_ms(rule, clock_state.clock_of(rule, table, mine, one)) for one in (now, person))
        if (
            mine.hours is None
            and due is not None
            and due < sitting.now_ms + HOUR_MS
            and (before is None or before > due)
        ):
            mine.hours = (person.zone, person.quiet)
            game = sitting.tx.renew(Game, game, clocks=clock_state.written(table))
        rows.again(sitting, game, (seat.no,))


@command("vacation", table=Need.NONE, about=About.PERSON, numberless=True)
def vacation(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`vacation 3 days`: from now on, in all of one's games, or in the one that is named.

    Where a table has no such days left, that is said, and nothing is done anywhere.
    """
    until = sitting.now_ms + ms(wish.args["hours"])
    tables = seated(sitting, speaker, wish)
    done: list[int] = []  # with another one of their season
    for seat, one in tables:
        if one.id in done:
            continue
        table = rows.known(sitting, one)
        mine, rule = table.seat(seat.no), clock_state.policy_of(one)
        clock = clock_state.clock_of(rule, table, mine, speaker.person)
        try:
            clock_state.keep(mine, book_vacation(rule, clock, sitting.now_ms, until, sitting.now_ms))
        except PolicyError as no:
            raise Refusal(no.code, **no.facts) from no
        clock_news.publish(sitting, one, table, "vacation_began", {"seat": seat.no}, (seat.no,))
        done += clock_news.elsewhere(sitting, one, seat, mine, "vacation_began")
    answer(
        sitting,
        speaker,
        came,
        "vacation-noted",
        until=until,
        zone=speaker.person.zone,
        games=sorted({*done, *(int(one.id or 0) for _, one in tables)}),
    )


@command("here", table=Need.NONE, about=About.PERSON, numberless=True)
def here(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`here`: back from vacation, and back where nobody waited any more."""
    tables = seated(sitting, speaker, wish)
    left: list[int] = []
    for seat, row in tables:
        one = sitting.tx.get(Game, row.id) or row  # another one of its season may have changed it
        table = rows.known(sitting, one)
        mine, rule = table.seat(seat.no), clock_state.policy_of(one)
        clock = clock_state.clock_of(rule, table, mine, speaker.person)
        ended = end_vacation(clock, sitting.now_ms)
        news = [] if ended == clock else [("vacation_ended", {"seat": seat.no})]
        clock_state.keep(mine, ended)
        left.append(vacation_left_ms(rule, ended) // (24 * HOUR_MS))
        if news:
            clock_news.elsewhere(sitting, one, seat, mine, "vacation_ended")
        news += rows.returned(rule, seat.no, mine)
        sitting.tx.set(Seat, seat.id, misses=mine.misses)
        for event, facts in news:
            if event == "back":
                seat_offers.over(sitting, one, seat.no)
            one = clock_news.publish(sitting, one, table, event, facts, (seat.no,))
    answer(sitting, speaker, came, "here-noted", days=min(left))


def seated(sitting: Sitting, speaker: Speaker, wish: Wish) -> list[tuple[Seat, Game]]:
    """The running games that somebody means: the one they named, else all of theirs.

    Raises Refusal where there is none.
    """
    found = [
        (seat, game)
        for seat, game in sitting.tx.seats_of(int(speaker.person.id or 0), (GameStatus.RUNNING,))
        if wish.game in (None, game.id)
    ]
    if not found:
        raise Refusal("no-game", game=wish.game)
    return found
