"""Wishes by which a table decides: pause, resume, extend, replace, kick, rewind, process, and the votes and
keys for them.
"""

from __future__ import annotations

from typing import Any

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus, ProposalState
from referee.store import Game, Outbox, Proposal
from referee.text import Reading, Wish
from referee.text.reading.acts import meant

from ..core.commands import About, Handler, Need, answers, command
from ..core.unit_of_work import Sitting
from ..deadlines import hold, open_proposals
from ..people import table_roles
from ..people.identity import Speaker
from ..people.replies import answer
from ..tables import lobby
from . import unseat, votes
from .acts import ACTS


@command("resume", office=True)
def resume(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`resume #17`; `resume all`, by an admin: the clocks of the whole house go on."""
    if not wish.args.get("all"):
        decide(sitting, speaker, came, game, "resume", {})
    elif not table_roles.is_admin(sitting, speaker):
        raise Refusal("not-admin")
    else:
        answer(sitting, speaker, came, "all-resumed", count=hold.release(sitting))


@command("extend", office=True)
def extend(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`extend 24h`: so much more for whoever is asked now."""
    decide(sitting, speaker, came, game, "extend", {"hours": float(wish.args["hours"])})


def about_seat(act: str) -> Handler:
    """`kick Ana`, `replace Ana`."""

    def handle(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
        if game is None:
            raise Refusal("no-game", game=None)
        seat = unseat.named(sitting, game, str(wish.args["player"]))
        if game.status in lobby.GATHERING and act == "kick":
            begun = lobby.left_out(
                sitting,
                game,
                speaker.person,
                seat,
                key=table_roles.is_admin(sitting, speaker) or table_roles.opened(sitting, speaker, game),
            )
            answer(sitting, speaker, came, "left-out", game=game.id, name=seat.name, begun=begun)
            return
        if seat.person_id == speaker.person.id:
            raise Refusal("kick-self", game=game.id)
        decide(sitting, speaker, came, game, act, {"player": seat.no, "person": seat.person_id})

    handle.__doc__ = f"`{act} Ana`"
    return handle


@command("rewind", office=True)
def rewind(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`rewind #17 round 4`."""
    decide(sitting, speaker, came, game, "rewind", {"round": int(wish.args["round"])})


@command("process", office=True)
def process(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`process #17` tells the name of the open window, `process q123 #17` closes it: a command that comes
    late closes no other.
    """
    table = table_roles.running(game)
    if not table_roles.role(sitting, table, speaker, "process").key:
        raise Refusal("only-creator", game=table.id)
    if not wish.args["window"]:
        asked = [
            seat.name for seat in sitting.seats(int(table.id or 0)) if str(seat.no) in table.asked.split(",")
        ]
        answer(sitting, speaker, came, "process-window", game=table.id, window=table.question, names=asked)
        return
    decide(sitting, speaker, came, game, "process", {"window": int(wish.args["window"])})


def plain(act: str) -> Handler:
    """An act that needs no more words."""

    def handle(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
        decide(sitting, speaker, came, game, act, {})

    handle.__doc__ = f"`{act} #17`"
    return handle


def decide(
    sitting: Sitting, speaker: Speaker, came: Inbound, game: Game | None, name: str, facts: dict[str, Any]
) -> None:
    """Do it at once where its author may, else put it to the vote.  Raises Refusal."""
    table = table_roles.running(game)
    act, mine = ACTS[name], table_roles.role(sitting, table, speaker, name)
    if not mine.key and (mine.seat is None or not act.anybody):
        raise Refusal("not-seated" if act.anybody else "only-creator", game=table.id)
    act.check(sitting, table, facts)
    if mine.key and not mine.plays and act.keys == 1:
        open_proposals.moot(sitting, table.id, name)
        act.do(sitting, table, facts, table_roles.doer(speaker, mine.seat))
        answer(sitting, speaker, came, "time-noted", game=table.id)
        return
    row = votes.propose(sitting, speaker, mine, table, name, facts)
    if row is None:
        answer(sitting, speaker, came, "time-noted", game=table.id)
    else:
        answer(
            sitting,
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


@command("vote", table=Need.NONE)
def vote(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`vote yes 12`, `vote no #17`."""
    row, table = meant_by(sitting, speaker, wish)
    mine = table_roles.role(sitting, table, speaker)
    if mine.seat is None:
        raise Refusal("vote-not-yours", number=row.id, game=table.id)
    votes.vote(sitting, table, row, mine.seat, bool(wish.args["yes"]))
    answer(sitting, speaker, came, "vote-noted", number=row.id, yes=bool(wish.args["yes"]))


@command("second", table=Need.NONE, about=About.WEIGHTY)
def second(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`second 12`: another key."""
    row, table = meant_by(sitting, speaker, wish)
    votes.second(sitting, table, row, speaker, table_roles.role(sitting, table, speaker, row.act))
    answer(sitting, speaker, came, "key-noted", number=row.id)


def meant_by(sitting: Sitting, speaker: Speaker, wish: Wish) -> tuple[Proposal, Game]:
    """The open proposal that somebody means: by its number, of the letter they answer, of the table they
    name, or the only one that they can mean; and its table. Raises Refusal.
    """
    number = int(wish.args["proposal"]) or proposal_of(speaker.letter)
    if number:
        row = sitting.tx.get(Proposal, number)
        found = [] if row is None else [row]
    else:
        tables = (
            [wish.game]
            if wish.game is not None
            else [
                game.id for _, game in sitting.tx.seats_of(int(speaker.person.id or 0), (GameStatus.RUNNING,))
            ]
        )
        found = [
            row
            for one in tables
            for row in sitting.tx.all(Proposal, game_id=one, state=ProposalState.OPEN, order="id")
        ]
    if not found:
        raise Refusal("no-vote", number=number or None)
    if len(found) > 1:
        raise Refusal("which-vote", numbers=[row.id for row in found])
    game = sitting.tx.get(Game, found[0].game_id)
    if (
        game is None
        or game.status != GameStatus.RUNNING
        or found[0].state != ProposalState.OPEN
        or found[0].due_ms <= sitting.now_ms
    ):
        raise Refusal("vote-closed", number=found[0].id)
    return found[0], game


def proposal_of(letter: Outbox | None) -> int:
    """The number of the proposal that a letter asked about, 0 for none."""
    return votes.asked_about(letter) if letter is not None and letter.kind == "vote" else 0


@answers("vote")
def bare(speaker: Speaker, text: str, reading: Reading) -> str:
    """The words of a message; a plain yes or no in answer to a vote's letter is a vote."""
    number = proposal_of(speaker.letter)
    yes = meant(text.strip(), reading) if number else None
    if yes is None or speaker.letter is None:
        return text
    word = "yes" if yes else "no"
    return f"second {number}" if speaker.letter.seat is None and yes else f"vote {word} {number}"


command("pause", office=True)(plain("pause"))
command("offer", office=True)(about_seat("offer"))
command("kick", office=True)(about_seat("kick"))
