"""Wishes by which a table decides: pause, resume, extend, replace, kick, rewind, process, and the votes and
keys for them.
"""

from __future__ import annotations

from typing import Any

from referee.ids import ProposalId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus, ProposalState
from referee.store import Game, Outbox, Proposal
from referee.text import Intent, Reading
from referee.text.reading.acts import meant

from ..core.commands import CommandTopic, DefaultTable, Handler, HelpTopic, TableNeed, answers, command
from ..core.unit_of_work import UnitOfWork
from ..deadlines import hold, open_proposals
from ..people import hooks as people_hooks
from ..people import officials, onlookers, said_before, table_roles
from ..people.identity import Speaker
from ..people.replies import answer
from ..tables import lobby
from . import unseat, votes
from .acts import ACTS


@command("resume", topic=HelpTopic.VOTES, among=DefaultTable.PLAYED, office=True)
def resume(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`resume #17`; `resume all`, by an admin: the clocks of the whole installation go on."""
    if not intent.args.get("all"):
        decide(uow, speaker, came, game, "resume", {})
    elif not table_roles.is_admin(uow, speaker):
        raise Refusal("not-admin")
    else:
        answer(uow, speaker, came, "all-resumed", count=hold.release(uow))


@command("extend", topic=HelpTopic.VOTES, among=DefaultTable.PLAYED, office=True)
def extend(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`extend 24h`: so much more for anyone who is asked now."""
    said_before.must_be_new(uow, came, apart=True)
    decide(uow, speaker, came, game, "extend", {"hours": float(intent.args["hours"])})


def about_seat(act: str) -> Handler:
    """`kick Ana`, `replace Ana`."""

    def handle(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
        if game is None:
            raise Refusal("no-game", game=None)
        seat = unseat.find_seat(uow, game, str(intent.args["player"]))
        if game.status in lobby.GATHERING and act == "kick":
            begun = lobby.left_out(
                uow,
                game,
                speaker.person,
                seat,
                key=table_roles.is_admin(uow, speaker) or table_roles.opened_table(uow, speaker, game),
            )
            answer(uow, speaker, came, "left-out", game=game.id, name=seat.name, begun=begun)
            return
        if seat.person_id == speaker.person.id:
            raise Refusal("kick-self", game=game.id)
        decide(uow, speaker, came, game, act, {"player": seat.no, "person": seat.person_id})

    handle.__doc__ = f"`{act} Ana`"
    return handle


@command("rewind", topic=HelpTopic.VOTES, among=DefaultTable.PLAYED, office=True)
def rewind(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`rewind #17 round 4`."""
    decide(uow, speaker, came, game, "rewind", {"round": int(intent.args["round"])})


@command("process", topic=HelpTopic.VOTES, among=DefaultTable.PLAYED, office=True)
def process(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`process #17` tells the name of the open window, `process q123 #17` closes it: a command that comes
    late closes no other.
    """
    table = table_roles.running(game)
    mine = table_roles.role(uow, table, speaker, "process")
    if not mine.key:
        raise table_roles.keyless(uow, table, mine, "process", "only-creator")
    if not intent.args["window"]:
        asked = [seat.name for seat in uow.seats(table.id) if str(seat.no) in table.asked.split(",")]
        answer(uow, speaker, came, "process-window", game=table.id, window=table.question, names=asked)
        return
    decide(uow, speaker, came, game, "process", {"window": int(intent.args["window"])})


def plain(act: str) -> Handler:
    """An act that needs no more words."""

    def handle(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
        decide(uow, speaker, came, game, act, {})

    handle.__doc__ = f"`{act} #17`"
    return handle


def decide(
    uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game | None, name: str, facts: dict[str, Any]
) -> None:
    """Do it at once where its author may, else put it to the vote.  Raises Refusal."""
    table = table_roles.running(game)
    act, mine = ACTS[name], table_roles.role(uow, table, speaker, name)
    if not mine.key and (mine.seat is None or not act.anybody):
        code = "not-seated" if act.anybody else "only-creator"
        raise table_roles.keyless(uow, table, mine, name, code)
    act.check(uow, table, facts)
    if mine.key and not mine.plays and act.keys == 1:
        open_proposals.done_otherwise(uow, table.id, name, facts)
        act.do(uow, table, facts, table_roles.doer(speaker, mine.seat))
        people_hooks.key_turned(uow, table, name, speaker.person.id)
        answer(uow, speaker, came, "time-noted", game=table.id)
        return
    row = votes.propose(uow, speaker, mine, table, name, facts)
    if row is None:
        answer(uow, speaker, came, "time-noted", game=table.id)
    else:
        answer(
            uow,
            speaker,
            came,
            "vote-begun",
            game=table.id,
            number=row.id,
            rule=act.rule,
            until=row.due_ms,
            zone=speaker.person.zone,
            key=mine.key,
        )


@command("vote", topic=HelpTopic.VOTES, table=TableNeed.NONE)
def vote(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`vote yes 12`, `vote no #17`; who has no seat there takes back what they asked for by a no."""
    row, table = meant_by(uow, speaker, came, intent)
    mine, yes = table_roles.role(uow, table, speaker), bool(intent.args["yes"])
    if mine.seat is not None:
        votes.cast_vote(uow, table, row, mine.seat, yes)
    elif yes or row.seat is not None or not officials.same(uow.tx, row.person_id, speaker.person.id):
        raise Refusal("vote-not-yours", number=row.id, game=table.id)
    else:
        votes.withdraw(uow, table, row, table_roles.doer(speaker, None))
    answer(uow, speaker, came, "vote-noted", number=row.id, yes=yes)


@command("second", topic=HelpTopic.VOTES, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def second(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`second 12`: another key."""
    row, table = meant_by(uow, speaker, came, intent)
    votes.second(uow, table, row, speaker, table_roles.role(uow, table, speaker, row.act))
    answer(uow, speaker, came, "key-noted", number=row.id)


def meant_by(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent) -> tuple[Proposal, Game]:
    """The open proposal that somebody means: by its number, of the letter they answer, of the table they
    name, or the only one that they can mean; and its table. Raises Refusal: a vote at a table of which
    somebody may not be told is no vote to them.
    """
    number = ProposalId(int(intent.args["proposal"])) or proposal_of(speaker.letter)
    if number:
        row = uow.tx.get(Proposal, number)
        of = None if row is None else uow.tx.get(Game, row.game_id)
        hidden = of is None or not onlookers.may_know(uow, speaker, came, of)
        found = [] if row is None or hidden else [row]
    else:
        named = None if intent.game is None else uow.tx.get(Game, intent.game)
        if named is not None:
            onlookers.check(uow, speaker, came, named)
        tables = (
            [intent.game]
            if intent.game is not None
            else [game.id for _, game in uow.tx.seats_of(speaker.person.id, (GameStatus.RUNNING,))]
        )
        found = [
            row
            for one in tables
            for row in uow.tx.all(Proposal, game_id=one, state=ProposalState.OPEN, order="id")
        ]
    if not found:
        raise Refusal("no-vote", number=number or None)
    if len(found) > 1:
        raise Refusal("which-vote", numbers=[row.id for row in found])
    if not number and votes.is_news(uow, found[0], speaker):
        raise Refusal("which-vote", numbers=[found[0].id])
    game = uow.tx.get(Game, found[0].game_id)
    if game is None or game.status != GameStatus.RUNNING or not votes.is_open(uow, found[0]):
        raise Refusal("vote-closed", number=found[0].id)
    return found[0], game


def proposal_of(letter: Outbox | None) -> ProposalId:
    """The number of the proposal that a letter asked about, 0 for none."""
    return (
        votes.asked_about(letter)
        if letter is not None and letter.kind == votes.VoteFacts.kind
        else ProposalId(0)
    )


@answers("vote")
def bare(speaker: Speaker, text: str, reading: Reading) -> str:
    """The words of a message; a plain yes or no in answer to a vote's letter is a vote."""
    number = proposal_of(speaker.letter)
    yes = meant(text.strip(), reading) if number else None
    if yes is None or speaker.letter is None:
        return text
    word = "yes" if yes else "no"
    return f"second {number}" if speaker.letter.seat is None and yes else f"vote {word} {number}"


command("pause", topic=HelpTopic.VOTES, among=DefaultTable.PLAYED, office=True)(plain("pause"))
command("offer", topic=HelpTopic.VOTES, among=DefaultTable.PLAYED, office=True)(about_seat("offer"))
command("kick", topic=HelpTopic.VOTES, office=True)(about_seat("kick"))
