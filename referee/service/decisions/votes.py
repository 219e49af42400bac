"""Proposals: an act that waits for a vote or for a second key, told to all whom it concerns, until it is
carried, refused or lapses.
"""

from __future__ import annotations

import json
from typing import Any

from referee.ids import NO_QUESTION, EventNo, GameId, ProposalId, SeatNo
from referee.policy import HOUR_MS, Clock, after, ms
from referee.rules import Refusal
from referee.states import DeadlineKind, GameStatus, ProposalState
from referee.store import Deadline, Game, Outbox, Person, Proposal, Seat, Tx

from ..core import outbox
from ..core.letter_rows import read
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork, json_text, write_event
from ..deadlines import clock_state, hold, season_pauses
from ..deadlines.open_proposals import moot, shut
from ..people import hooks as people_hooks
from ..people import officials, table_roles
from ..people.identity import Speaker
from ..people.letter_facts import PromptFacts, notice
from ..people.table_roles import TableRole, doer, keyholders
from ..play.late_answers import perhaps_read
from .acts import ACTS, enough_keys, verdict

#: how long a vote lasts in which silence is yes: so much running time, and never more than half of the time
#: for an answer
SILENCE_HOURS = 12
#: how long others wait, by the wall; and how long the same act can't be proposed again by the person who
#: failed with it
OPEN_MS = 24 * HOUR_MS
#: among this many letters about votes is looked
_LETTERS = 20
#: what the person who proposed is told, where it came to nothing
_TOLD = {
    ProposalState.REFUSED: "vote-refused",
    ProposalState.LAPSED: "vote-lapsed",
    ProposalState.MOOT: "vote-lapsed",
}


class VoteFacts(Facts):
    """Which proposal is told of."""

    kind = "vote"
    proposal: ProposalId


def propose(
    uow: UnitOfWork, speaker: Speaker, mine: TableRole, game: Game, act: str, facts: dict[str, Any]
) -> Proposal | None:
    """Put an act to the vote.

    Returns the proposal while it waits, None when it was carried at once. Raises Refusal.
    """
    tx = uow.tx
    same = tx.all(Proposal, game_id=game.id, act=act, order="-id", limit=20)
    waiting = next((one for one in same if is_open(uow, one)), None)
    if waiting is not None and _possible(uow, game, waiting):
        raise Refusal("vote-open", number=waiting.id, act=act)
    if any(
        one.state in (ProposalState.REFUSED, ProposalState.LAPSED)
        and officials.same(tx, one.person_id, speaker.person.id)
        and uow.now_ms - one.at_ms < OPEN_MS
        for one in same
    ):
        raise Refusal("vote-again", act=act)
    if waiting is not None:
        game = write_public_event(uow, game, "lapsed", {"number": waiting.id, "act": act})
        shut(uow, waiting, ProposalState.MOOT)
    answers = {} if mine.seat is None else {str(mine.seat.no): 1}
    number = tx.add(
        Proposal,
        game_id=game.id,
        act=act,
        facts=json_text(facts),
        person_id=speaker.person.id,
        at_ms=uow.now_ms,
        seat=None if mine.seat is None else mine.seat.no,
        held=json_text([speaker.person.id] if mine.key else []),
        answers=json_text(answers),
        due_ms=_due(uow, game, act),
    )
    row = _row(tx, number)
    tx.add(Deadline, game_id=game.id, seat=-1, question=number, kind=DeadlineKind.VOTE, due_ms=row.due_ms)
    uow.wakes.add("clock")
    game = write_public_event(
        uow, game, "proposed", {**doer(speaker, mine.seat), "number": number, "act": act, **facts}
    )
    if settle(uow, game, row):
        return None
    for seat in uow.seats(game.id):
        if seat.person_id not in (None, speaker.person.id):
            outbox.to_seat(uow, game, seat, VoteFacts(proposal=number), collapse=f"vote:{number}:{seat.no}")
    if mine.key or ACTS[act].keys > 1:
        seated = {seat.person_id for seat in uow.seats(game.id)}
        own = officials.key(uow, speaker.person.id)
        for person in keyholders(uow, game, act):
            if person not in seated and officials.key(uow, person) != own:
                outbox.to_person(
                    uow,
                    person,
                    VoteFacts(proposal=number),
                    game_id=game.id,
                    collapse=f"vote:{number}:{person}:key",
                )
    return row


def is_open(uow: UnitOfWork, row: Proposal) -> bool:
    """Whether one can still vote on it: its hour does not come while all clocks are held."""
    return row.state == ProposalState.OPEN and (row.due_ms > uow.now_ms or hold.held_since(uow.tx) > 0)


def cast_vote(uow: UnitOfWork, game: Game, row: Proposal, seat: Seat, yes: bool) -> None:
    """One player's answer.  Raises Refusal: a second time, or about one's own seat."""
    answers = json.loads(row.answers)
    if str(seat.no) in answers:
        mine = row.seat == seat.no and officials.same(uow.tx, row.person_id, seat.person_id)
        if mine and not yes:
            withdraw(uow, game, row, {"seat": seat.no})
            return
        raise Refusal("voted-already", number=row.id, yes=bool(answers[str(seat.no)]))
    if json.loads(row.facts).get("player") == seat.no:
        raise Refusal("vote-about-you", number=row.id)
    row = uow.tx.renew(Proposal, row, answers=json_text({**answers, str(seat.no): int(yes)}))
    settle(
        uow,
        write_public_event(
            uow, game, "voted", {"seat": seat.no, "number": row.id, "yes": yes, "act": row.act}
        ),
        row,
    )


def withdraw(uow: UnitOfWork, game: Game, row: Proposal, who: dict[str, Any]) -> None:
    """Its proposer wants it no more."""
    told = {**who, "number": row.id, "act": row.act}
    close(uow, write_public_event(uow, game, "withdrawn", told), row, ProposalState.LAPSED)


def anew(uow: UnitOfWork, game: Game, seat: Seat) -> None:
    """Somebody else sits there now: what was said from that seat is not their word, and they are asked; not
    about the seat itself, from which nobody need be taken any more.
    """
    for row in uow.tx.all(Proposal, game_id=game.id, state=ProposalState.OPEN, order="id"):
        if json.loads(row.facts).get("player") == seat.no:
            continue
        answers = json.loads(row.answers)
        if answers.pop(str(seat.no), None) is not None:
            uow.tx.set(Proposal, row.id, answers=json_text(answers))
        outbox.to_seat(uow, game, seat, VoteFacts(proposal=row.id), collapse=f"vote:{row.id}:{seat.no}")


def second(uow: UnitOfWork, game: Game, row: Proposal, speaker: Speaker, mine: TableRole) -> None:
    """One more key.

    Raises Refusal for somebody who has none, or whose key is in already, whatever channel it comes by.
    """
    held = json.loads(row.held)
    mine_too = officials.key(uow, speaker.person.id)
    if mine_too in {officials.key(uow, one) for one in (*held, row.person_id)} and (
        mine.key or speaker.address.home_id
    ):
        raise Refusal("second-own", number=row.id)
    if not mine.key:
        raise table_roles.keyless(uow, game, mine, row.act, "no-key")
    row = uow.tx.renew(Proposal, row, held=json_text([*held, speaker.person.id]))
    settle(
        uow,
        write_public_event(
            uow, game, "seconded", {**doer(speaker, mine.seat), "number": row.id, "act": row.act}
        ),
        row,
    )


def settle(uow: UnitOfWork, game: Game, row: Proposal, *, over: bool = False) -> bool:
    """Do what is carried, close what is refused, or what can't be done any more; whether it is closed."""
    act = ACTS[row.act]
    if not _possible(uow, game, row):
        lapsed = write_public_event(uow, game, "lapsed", {"number": row.id, "act": row.act})
        close(uow, lapsed, row, ProposalState.MOOT)
        return True
    # somebody may have taken a seat since; who is gone from the table has no key of a player there any more
    gone = {officials.now(uow.tx, one) for one in clock_state.read_clocks(game).kicked}
    counted = [
        one
        for one in json.loads(row.held)
        if officials.now(uow.tx, one) not in gone and not people_hooks.recused(uow, game, row.act, one)
    ]
    held = {officials.key(uow, person) for person in counted}
    playing = table_roles.playing(uow, game)
    answers = {int(no): bool(yes) for no, yes in json.loads(row.answers).items()}
    said = enough_keys(act.keys, len(held), sum(person not in playing for person in held)) or verdict(
        act.rule, answers, voters(uow, game, row), over=over
    )
    if said is None:
        return False
    if not said:
        became = ProposalState.LAPSED if over else ProposalState.REFUSED
        close(
            uow, write_public_event(uow, game, became.value, {"number": row.id, "act": row.act}), row, became
        )
        return True
    facts = json.loads(row.facts)
    who = _proposer(uow.tx, row)
    carried = write_public_event(uow, game, "carried", {"number": row.id, "act": row.act})
    close(uow, carried, row, ProposalState.DONE)
    act.do(uow, _game(uow.tx, game.id), facts, who)
    for person in counted:
        people_hooks.key_turned(uow, game, row.act, person)
    fresh = _game(uow.tx, game.id)
    for seat in uow.seats(game.id):
        is_asked = str(seat.no) in fresh.asked.split(",")
        if fresh.status == GameStatus.RUNNING:
            outbox.to_seat(
                uow, fresh, seat, PromptFacts(), question=fresh.question if is_asked else NO_QUESTION
            )
    return True


def settle_open(uow: UnitOfWork, game: Game) -> None:
    """Other people vote than before: do what is carried by them, close what is refused."""
    for number in uow.tx.column(Proposal, "id", game_id=game.id, state=ProposalState.OPEN, order="id"):
        table, row = _game(uow.tx, game.id), _row(uow.tx, number)  # one that is carried may end the next
        if table.status == GameStatus.RUNNING and row.state == ProposalState.OPEN:
            settle(uow, table, row)


def _possible(uow: UnitOfWork, game: Game, row: Proposal) -> bool:
    """Whether it can still be done: the table may be another than when that was asked for."""
    try:
        ACTS[row.act].check(uow, game, json.loads(row.facts))
    except Refusal:
        return False
    return True


def close(uow: UnitOfWork, game: Game, row: Proposal, state: ProposalState) -> None:
    """Nobody can vote on it any more.  Where it came to nothing, the person who proposed it is told."""
    shut(uow, row, state)
    if state != ProposalState.DONE:
        said = notice(_TOLD[state], number=row.id, act=row.act, game=game.id)
        outbox.to_person(uow, row.person_id, said, game_id=game.id)


def time_over(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """The time for a vote is over."""
    found = uow.tx.get(Proposal, ProposalId(row.question))
    if found is None or found.state != ProposalState.OPEN:
        return
    if game.status != GameStatus.RUNNING:
        moot(uow, game.id)
        return
    settle(uow, game, found, over=True)


def voters(uow: UnitOfWork, game: Game, row: Proposal) -> list[SeatNo]:
    """The seats whose votes count: players who are waited for, but not the one whom it is about."""
    table, answers = clock_state.read_clocks(game), json.loads(row.answers)
    about = json.loads(row.facts).get("player")
    found = [
        seat.no
        for seat in uow.seats(game.id)
        if seat.person_id is not None
        and seat.no != about
        and (str(seat.no) in answers or not table.seat(seat.no).probation)
    ]
    # one alone agrees with nobody: the person who opened a table for two would be rid of the other by a word
    return [] if about is not None and len(found) < 2 else found


def write_public_event(uow: UnitOfWork, game: Game, event: str, facts: dict[str, Any]) -> Game:
    """Something that everybody may know, and that changes no clock."""
    write_event(uow, game.id, EventNo(game.event_no + 1), event, facts)
    fresh = uow.tx.renew(Game, game, event_no=game.event_no + 1)
    outbox.to_rooms(uow, fresh)
    return fresh


def proposal_facts(
    tx: Tx, row: Outbox, number: ProposalId
) -> tuple[dict[str, Any], list[tuple[str, str]]] | None:
    """What a letter tells of an open proposal, and its buttons (phrase, what it stands for); None when it is
    closed.
    """
    found = tx.get(Proposal, number)
    if found is None or found.state != ProposalState.OPEN:
        return None
    offers = (
        [("yes", f"vote yes {number}"), ("no", f"vote no {number}")]
        if row.seat is not None and json.loads(found.facts).get("player") != row.seat
        else []
    )
    if row.seat is None:
        offers = [("second", f"second {number}")]
    facts = {**_proposer(tx, found), "number": number, "act": found.act, **json.loads(found.facts)}
    return {
        "events": [{"name": "proposed", "facts": facts, "no": 0}],
        "number": number,
        "rule": ACTS[found.act].rule,
        "due_ms": found.due_ms,
        "votes": row.seat is not None,
        "about_you": bool(not offers),
    }, offers


def _proposer(tx: Tx, row: Proposal) -> dict[str, Any]:
    """Who asks for it, as events tell it: by name where they have no seat, or somebody else has it by now."""
    person = tx.get(Person, row.person_id)
    seat = None if row.seat is None else tx.one(Seat, game_id=row.game_id, no=row.seat)
    if person is None or (seat is not None and officials.same(tx, person.id, seat.person_id)):
        return {"seat": row.seat, "by": ""}
    return {"seat": None, "by": person.name}


def asked_about(letter: Outbox) -> ProposalId:
    """The number of the proposal that a letter tells of."""
    return read(letter, VoteFacts).proposal


def is_news(uow: UnitOfWork, row: Proposal, speaker: Speaker) -> bool:
    """Whether a player was asked about an earlier vote of that table, and not about this one yet: who says
    no number means the one that they read. Pages and terminals show what is open.
    """
    me = speaker.person.id
    if speaker.address.channel in outbox.UNCOUNTED or officials.same(uow.tx, row.person_id, me):
        return False
    letters = uow.tx.all(
        Outbox, game_id=row.game_id, person_id=me, kind=VoteFacts.kind, order="-id", limit=_LETTERS
    )
    read = {asked_about(one) for one in letters if perhaps_read(one)}
    return bool(read) and row.id not in read


def _due(uow: UnitOfWork, game: Game, act: str) -> int:
    """Until when may be voted: where silence is yes, everybody has had so much time that is not their
    night; time in which the whole season pauses does not count.
    """
    clocks = clock_state.read_clocks(game)
    if ACTS[act].rule != "silence":
        return season_pauses.passed(clocks, uow.now_ms, OPEN_MS)
    policy = clock_state.policy_of(game)
    length = min(ms(SILENCE_HOURS), ms(policy.move_hours) // 2)
    ends = [uow.now_ms + length]
    for seat in uow.seats(game.id):
        person = None if seat.person_id is None else uow.tx.get(Person, seat.person_id)
        if person is not None:
            clock = Clock(uow.now_ms, 0, person.zone, clock_state.quiet_hours(person.quiet, policy.quiet))
            ends.append(after(policy, clock, uow.now_ms, length) or 0)
    return season_pauses.passed(clocks, uow.now_ms, max(ends) - uow.now_ms)


def _row(tx: Tx, number: ProposalId) -> Proposal:
    found = tx.get(Proposal, number)
    assert found is not None
    return found


def _game(tx: Tx, number: GameId | None) -> Game:
    found = tx.get(Game, number)
    assert found is not None
    return found
