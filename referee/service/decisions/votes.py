"""Proposals: an act that waits for a vote or for a second key, told to all whom it concerns, until it is
carried, refused or lapses.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from referee.policy import HOUR_MS, Clock, after, ms
from referee.rules import Refusal
from referee.states import DeadlineKind, GameStatus, ProposalState
from referee.store import Deadline, Game, Outbox, Person, Proposal, Seat, Tx

from ..core import outbox
from ..core.letters import Facts
from ..core.unit_of_work import Sitting, tell, written
from ..deadlines import clock_state
from ..deadlines.open_proposals import moot, shut
from ..people import officials, table_roles
from ..people.identity import Speaker
from ..people.replies import notices
from ..people.table_roles import Role, doer, keyholders
from .acts import ACTS, enough_keys, verdict

#: how long a vote lasts in which silence is yes: so much running time, and never more than half of the time
#: for an answer
SILENCE_HOURS = 12
#: how long others wait, by the wall; and how long the same act can't be proposed again by whoever failed with
#: it
OPEN_MS = 24 * HOUR_MS
#: what whoever proposed is told, where it came to nothing
_TOLD = {"refused": "vote-refused", "lapsed": "vote-lapsed"}


class VoteFacts(Facts):
    """Which proposal is told of."""

    kind = "vote"
    proposal: int


def propose(
    sitting: Sitting, speaker: Speaker, mine: Role, game: Game, act: str, facts: dict[str, Any]
) -> Proposal | None:
    """Put an act to the vote.

    Returns the proposal while it waits, None when it was carried at once. Raises Refusal.
    """
    tx = sitting.tx
    same = tx.all(Proposal, game_id=game.id, act=act, order="-id", limit=20)
    waiting = next(
        (one for one in same if one.state == ProposalState.OPEN and one.due_ms > sitting.now_ms), None
    )
    if waiting is not None:
        raise Refusal("vote-open", number=waiting.id, act=act)
    if any(
        one.state in (ProposalState.REFUSED, ProposalState.LAPSED)
        and officials.same(tx, one.person_id, speaker.person.id)
        and sitting.now_ms - one.at_ms < OPEN_MS
        for one in same
    ):
        raise Refusal("vote-again", act=act)
    answers = {} if mine.seat is None else {str(mine.seat.no): 1}
    number = tx.add(
        Proposal,
        game_id=game.id,
        act=act,
        facts=written(facts),
        person_id=speaker.person.id,
        at_ms=sitting.now_ms,
        seat=None if mine.seat is None else mine.seat.no,
        held=written([speaker.person.id] if mine.key else []),
        answers=written(answers),
        due_ms=_due(sitting, game, act),
    )
    row = _row(tx, number)
    tx.add(Deadline, game_id=game.id, seat=-1, question=number, kind=DeadlineKind.VOTE, due_ms=row.due_ms)
    sitting.wakes.add("clock")
    game = public(
        sitting, game, "proposed", {**doer(speaker, mine.seat), "number": number, "act": act, **facts}
    )
    if settle(sitting, game, row):
        return None
    for seat in sitting.seats(int(game.id or 0)):
        if seat.person_id not in (None, speaker.person.id):
            outbox.to_seat(
                sitting, game, seat, VoteFacts(proposal=number), collapse=f"vote:{number}:{seat.no}"
            )
    if mine.key or ACTS[act].keys > 1:
        seated = {seat.person_id for seat in sitting.seats(int(game.id or 0))}
        own = officials.key(sitting, int(speaker.person.id or 0))
        for person in keyholders(sitting, game, act):
            if person not in seated and officials.key(sitting, person) != own:
                outbox.to_person(
                    sitting,
                    person,
                    VoteFacts(proposal=number),
                    game_id=game.id,
                    collapse=f"vote:{number}:{person}:key",
                )
    return row


def vote(sitting: Sitting, game: Game, row: Proposal, seat: Seat, yes: bool) -> None:
    """One player's answer.  Raises Refusal: a second time, or about one's own seat."""
    answers = json.loads(row.answers)
    if str(seat.no) in answers:
        if row.seat == seat.no and not yes:  # whoever proposed it wants it no more
            close(
                sitting,
                public(sitting, game, "withdrawn", {"seat": seat.no, "number": row.id, "act": row.act}),
                row,
                "lapsed",
            )
            return
        raise Refusal("voted-already", number=row.id, yes=bool(answers[str(seat.no)]))
    if json.loads(row.facts).get("player") == seat.no:
        raise Refusal("vote-about-you", number=row.id)
    row = sitting.tx.renew(Proposal, row, answers=written({**answers, str(seat.no): int(yes)}))
    settle(
        sitting,
        public(sitting, game, "voted", {"seat": seat.no, "number": row.id, "yes": yes, "act": row.act}),
        row,
    )


def second(sitting: Sitting, game: Game, row: Proposal, speaker: Speaker, mine: Role) -> None:
    """One more key.

    Raises Refusal for somebody who has none, or whose key is in already, whatever channel it comes by.
    """
    held = json.loads(row.held)
    mine_too = officials.key(sitting, int(speaker.person.id or 0))
    if mine_too in {officials.key(sitting, one) for one in (*held, row.person_id)} and (
        mine.key or speaker.address.home_id
    ):
        raise Refusal("second-own", number=row.id)
    if not mine.key:
        raise Refusal("no-key", game=game.id)
    row = sitting.tx.renew(Proposal, row, held=written([*held, speaker.person.id]))
    settle(
        sitting,
        public(sitting, game, "seconded", {**doer(speaker, mine.seat), "number": row.id, "act": row.act}),
        row,
    )


def settle(sitting: Sitting, game: Game, row: Proposal, *, over: bool = False) -> bool:
    """Do what is carried, close what is refused; whether it is closed."""
    act = ACTS[row.act]
    held = {officials.key(sitting, person) for person in json.loads(row.held)}
    playing = table_roles.playing(sitting, game)
    answers = {int(no): bool(yes) for no, yes in json.loads(row.answers).items()}
    said = enough_keys(act.keys, len(held), sum(person not in playing for person in held)) or verdict(
        act.rule, answers, voters(sitting, game, row), over=over
    )
    if said is None:
        return False
    if not said:
        close(
            sitting,
            public(sitting, game, "lapsed" if over else "refused", {"number": row.id, "act": row.act}),
            row,
            "lapsed" if over else "refused",
        )
        return True
    facts = json.loads(row.facts)
    proposer = sitting.tx.get(Person, row.person_id)
    who = {"seat": row.seat, "by": "" if row.seat is not None or proposer is None else proposer.name}
    try:
        act.check(sitting, game, facts)
    except Refusal:  # the table is no longer as it was when that was asked for
        close(sitting, public(sitting, game, "lapsed", {"number": row.id, "act": row.act}), row, "lapsed")
        return True
    close(sitting, public(sitting, game, "carried", {"number": row.id, "act": row.act}), row, "done")
    act.do(sitting, _game(sitting.tx, game.id), facts, who)
    fresh = _game(sitting.tx, game.id)
    for seat in sitting.seats(int(game.id or 0)):
        is_asked = str(seat.no) in fresh.asked.split(",")
        if fresh.status == GameStatus.RUNNING:
            outbox.to_seat(sitting, fresh, seat, "prompt", question=fresh.question if is_asked else 0)
    return True


def close(sitting: Sitting, game: Game, row: Proposal, state: str) -> None:
    """Nobody can vote on it any more.  Where it came to nothing, whoever proposed it is told."""
    shut(sitting, row, state)
    if state != "done":
        said = notices(_TOLD[state], number=row.id, act=row.act, game=game.id)
        outbox.to_person(sitting, row.person_id, "notice", game_id=game.id, data=said)


def time_over(sitting: Sitting, game: Game, row: Deadline) -> None:
    """The time for a vote is over."""
    found = sitting.tx.get(Proposal, row.question)
    if found is None or found.state != ProposalState.OPEN:
        return
    if game.status != GameStatus.RUNNING:
        moot(sitting, game.id)
        return
    settle(sitting, game, found, over=True)


def voters(sitting: Sitting, game: Game, row: Proposal) -> list[int]:
    """The seats whose votes count: players who are waited for, but not the one whom it is about."""
    table, answers = clock_state.read(game), json.loads(row.answers)
    about = json.loads(row.facts).get("player")
    return [
        seat.no
        for seat in sitting.seats(int(game.id or 0))
        if seat.person_id is not None
        and seat.no != about
        and (str(seat.no) in answers or not table.seat(seat.no).probation)
    ]


def public(sitting: Sitting, game: Game, event: str, facts: dict[str, Any]) -> Game:
    """Something that everybody may know, and that changes no clock."""
    tell(sitting, int(game.id or 0), game.event_no + 1, event, facts)
    fresh = sitting.tx.renew(Game, game, event_no=game.event_no + 1)
    outbox.to_rooms(sitting, fresh)
    return fresh


def shown(tx: Tx, row: Outbox, number: int) -> tuple[dict[str, Any], list[tuple[str, str]]] | None:
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
    proposer = tx.get(Person, found.person_id)
    who = {"seat": found.seat, "by": "" if found.seat is not None or proposer is None else proposer.name}
    facts = {**who, "number": number, "act": found.act, **json.loads(found.facts)}
    return {
        "events": [{"name": "proposed", "facts": facts, "no": 0}],
        "number": number,
        "rule": ACTS[found.act].rule,
        "due_ms": found.due_ms,
        "votes": row.seat is not None,
        "about_you": bool(not offers),
    }, offers


def asked_about(letter: Outbox) -> int:
    """The number of the proposal that a letter tells of."""
    return msgspec.json.decode(letter.data, type=VoteFacts).proposal


def _due(sitting: Sitting, game: Game, act: str) -> int:
    """Until when may be voted: where silence is yes, everybody has had so much time that is not their
    night.
    """
    if ACTS[act].rule != "silence":
        return sitting.now_ms + OPEN_MS
    policy = clock_state.policy_of(game)
    length = min(ms(SILENCE_HOURS), ms(policy.move_hours) // 2)
    ends = [sitting.now_ms + length]
    for seat in sitting.seats(int(game.id or 0)):
        person = None if seat.person_id is None else sitting.tx.get(Person, seat.person_id)
        if person is not None:
            clock = Clock(sitting.now_ms, 0, person.zone, clock_state.own_quiet(person, policy.quiet))
            ends.append(after(policy, clock, sitting.now_ms, length) or 0)
    return max(ends)


def _row(tx: Tx, number: int) -> Proposal:
    found = tx.get(Proposal, number)
    assert found is not None
    return found


def _game(tx: Tx, number: int | None) -> Game:
    found = tx.get(Game, number)
    assert found is not None
    return found
