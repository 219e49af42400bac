"""Comments on positions of a finished game: `comment 5: why not the Palace?`, and `hide 12` to take one away.

Unlike talk they are kept, for the page of that step; so only those who played there write them, they can be
taken away, and retention forgets them with everything else that was said.
"""

from __future__ import annotations

from referee.ids import EventNo, RowId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game, StepComment
from referee.text import Intent

from ..core.cache import lately
from ..core.commands import CommandTopic, DefaultTable, HelpTopic, TableNeed, command
from ..core.own_numbers import add_numbered
from ..core.unit_of_work import UnitOfWork, talk_mode
from ..people import chat_rooms, onlookers, said_before, table_roles
from ..people.identity import Speaker
from ..people.replies import answer
from ..play.replay import unrolled, whole
from . import mutes
from .commands import AFTER_MS, PUBLIC, WAYS, Line, spread

#: this many comments one game has at most
MOST = 200


@command("comment", topic=HelpTopic.TALK, among=DefaultTable.ENDED)
def comment(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`comment 5: well played`: below that position, for everybody who looks at it; those who played there
    are told as of any talk.
    """
    if game is None:
        raise Refusal("no-game", game=None)
    seats = uow.seats(game.id)
    mine = next((one for one in seats if one.person_id == speaker.person.id), None)
    if mine is None:
        raise Refusal("not-seated", game=game.id)
    if game.status != GameStatus.OVER:
        raise Refusal("comment-early", game=game.id)
    if PUBLIC not in WAYS[talk_mode(game)]:
        raise Refusal("talk-not-here", game=game.id, mode=talk_mode(game))
    if uow.tx.count(StepComment, game_id=game.id) >= MOST:
        raise Refusal("comment-full", game=game.id, most=MOST)
    said_before.must_be_new(uow, came)
    mutes.counted(uow, speaker.person)
    ends, step, text = _ends(uow, game), int(intent.args["step"]), str(intent.args["text"])
    if step > len(ends):
        raise Refusal("comment-where", game=game.id, step=step, last=len(ends))
    add_numbered(
        uow.tx,
        StepComment,
        game_id=game.id,
        event_no=ends[step - 1],
        person_id=speaker.person.id,
        seat=mine.no,
        text=text,
        at_ms=uow.now_ms,
    )
    if uow.now_ms - game.ended_ms <= AFTER_MS:
        said = Line(PUBLIC, mine.name, text, uow.now_ms, step)
        spread(uow, game, seats, said, by=speaker.person, but=(mine.no,), but_room=chat_rooms.room(uow, came))
    answer(uow, speaker, came, "comment-written", game=game.id, step=step)


@command("hide", topic=HelpTopic.TALK, table=TableNeed.NONE, about=CommandTopic.PERSON)
def hide(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`hide 12`: by the person who wrote it, and by anyone who is in charge of that table's talk."""
    number = RowId(int(intent.args["number"]))
    row = uow.tx.get(StepComment, number)
    of = None if row is None else uow.tx.get(Game, row.game_id)
    mine = row is not None and row.person_id == speaker.person.id
    # that there is one tells of its table, like all else that is asked about it by a number
    if row is None or of is None or not (mine or onlookers.may_know(uow, speaker, came, of)):
        raise Refusal("comment-none", number=number)
    if not mine and not table_roles.role(uow, of, speaker, "talk").key:
        raise Refusal("comment-others", number=number)
    uow.tx.drop(StepComment, id=number)
    answer(uow, speaker, came, "comment-hidden", number=number, game=of.id)


def _ends(uow: UnitOfWork, game: Game) -> list[EventNo]:
    """By which events the steps of a finished game end: it is played again once, not for each comment."""
    return lately(
        uow.states,
        uow.now_ms,
        ("ends of steps", game.id, game.event_no),
        lambda: [one.last_no for one in unrolled(whole(uow.tx, game)).steps],
    )
