"""What was answered to what somebody wrote on their page: the letters that lie on the counter for them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from referee.ids import NO_GAME, GameId, SessionId
from referee.ports import Inbound, Visitor
from referee.states import InboxState, OutboxState
from referee.store import Game, Inbox, Outbox, Tx, WebSession

from ...core import outbox
from ...core.letter_rows import read
from ...core.letters import Notice, traits
from ...people.letter_facts import OrderTrouble, PromptFacts
from ...play import stepwise
from ...play.letter_facts import PlanTrouble
from ...tables.letter_facts import LobbyFacts
from .forms import SubmittedForm
from .page_channel import PageChannel

#: this many answers are shown at once
_MOST = 8


def answers(tx: Tx, visitor: Visitor, sent: SubmittedForm | None, here: GameId = NO_GAME) -> list[Outbox]:
    """The letters laid down for somebody since what they sent there, oldest first: those that answer it, and
    what came later about the table whose page it is (`here`), such as a hint.

    Another tab may have sent something meanwhile; what is answered there is not said here.
    """
    if sent is None:
        return []
    found = tx.all(Outbox, channel=outbox.WEB, wire_id=str(visitor.person), order="-id", limit=_MOST)
    lately, done_ms = (
        [row for row in reversed(found) if row.sent_ms >= sent.at_ms],
        _done_ms(tx, visitor, sent),
    )
    return [row for row in lately if done_ms in (0, row.created_ms) or (here and row.game_id == here)]


def _done_ms(tx: Tx, visitor: Visitor, sent: SubmittedForm) -> int:
    """When what was sent was handled, which is when its answers were written; 0 where it was not."""
    row = tx.one(Inbox, channel=outbox.WEB, key=sent.key(visitor))
    return 0 if row is None or row.state != InboxState.DONE else row.done_ms


def reply_facts(counter: PageChannel, row: Outbox, here: GameId = NO_GAME) -> dict[str, Any] | None:
    """{html, buttons [{label, key, link}], table} as a page shows it; None for one that says nothing but what
    the page shows anyway. `here`: the table whose page it is, 0 for none; `table`: one that asks elsewhere,
    else 0.
    """
    letter = json.loads(row.letter) if row.letter else {}
    html, lately = letter.get("markup", ""), counter.lately(letter.get("id", ""))
    if not html and lately is not None:
        html = lately.markup  # a secret that is not kept
    buttons = [] if traits(row.kind).on_page else [one for line in letter.get("buttons", ()) for one in line]
    table = row.game_id or NO_GAME if row.kind == PromptFacts.kind and row.game_id != here else NO_GAME
    if row.kind == LobbyFacts.kind and row.game_id == here:
        return None
    if not html and not buttons and not table:
        return None
    # made by the letters' own templates, which escape whatever they are given
    return {
        "html": Markup(html),  # noqa: S704  # escaped there
        "buttons": [{"label": one["label"], "key": one["key"], "link": one["link"]} for one in buttons],
        "table": table,
    }  # escaped there


class _Wrong(msgspec.Struct):
    """Of a letter's facts, whatever its kind: what could not be read or done."""

    trouble: OrderTrouble | None = None
    troubles: Sequence[PlanTrouble] = ()
    notices: Sequence[Notice] = ()


def written(tx: Tx, visitor: Visitor, sent: SubmittedForm | None) -> str:
    """What somebody wrote or chose there; "" where nothing is known of it."""
    row = None if sent is None else tx.one(Inbox, channel=outbox.WEB, key=sent.key(visitor))
    return "" if row is None else msgspec.json.decode(row.body, type=Inbound).text


def refused_words(tx: Tx, visitor: Visitor, sent: SubmittedForm | None, rows: list[Outbox]) -> str:
    """What somebody wrote, to be put into the box again, where something of it could not be read or done; ""
    where all was done.
    """
    done_ms = 0 if sent is None else _done_ms(tx, visitor, sent)
    found = [read(one, _Wrong) for one in rows if done_ms in (0, one.created_ms)]
    wrong = any(
        one.trouble or one.troubles or any(said.facts.get("quote") for said in one.notices) for one in found
    )
    return written(tx, visitor, sent) if wrong else ""


def opened(rows: list[Outbox]) -> GameId:
    """The table that was opened by what these letters answer; 0 for none."""
    return next((row.game_id for row in rows if row.kind == LobbyFacts.kind and row.game_id), NO_GAME)


def pending(tx: Tx, session_id: SessionId, now_ms: int) -> bool:
    """Whether an answer is still on its way to the counter, for anyone who is signed in there now."""
    session = tx.get(WebSession, session_id)
    if session is None:
        return False
    at: dict[str, Any] = {"channel": outbox.WEB, "address": str(session.person_id)}
    return bool(tx.count(Outbox, state=OutboxState.SENDING, **at)) or any(
        row.not_before_ms <= now_ms for row in tx.all(Outbox, state=OutboxState.QUEUED, **at)
    )


def step_of(rows: list[Outbox], game: Game) -> tuple[Any, ...]:
    """The place of a big question that was asked for last by writing it."""
    mine = [row for row in rows if row.kind == PromptFacts.kind and row.game_id == game.id]
    return stepwise.path_of(read(mine[-1], PromptFacts), game) if mine else ()
