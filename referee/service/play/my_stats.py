"""`my stats`: how somebody did at their tables, told to them alone."""

from __future__ import annotations

from referee.ports import Inbound
from referee.store import Game
from referee.text import Intent

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.composing import Draft, LetterContext
from ..core.letters import Facts, letter
from ..core.unit_of_work import UnitOfWork
from ..people.identity import Speaker
from ..people.replies import answer
from . import statistics

#: this many lines of each list go into a letter; the page has more
_LINES = 8


class MyStatsFacts(Facts):
    """How the reader did: looked up when it leaves."""

    kind = "my_stats"


@command("my stats", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.READ)
def my_stats(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`my stats`."""
    if came.place is not None:
        answer(uow, speaker, came, "delete-in-private")
        return
    me = speaker.person.id
    name = f"{MyStatsFacts.kind}:{me}:{speaker.address.channel}"
    outbox.to_person(uow, me, MyStatsFacts(answers=came.message_id), at=speaker.address, collapse=name)


@letter(MyStatsFacts)
def my_stats_letter(ctx: LetterContext) -> Draft | None:
    """Places and points, by edition, by character, against whom."""
    if ctx.person is None:
        return None
    found = statistics.of_person(ctx.tx, ctx.person.id)
    base_url = ctx.settings.base_url
    return Draft(
        {
            "stats": {
                **found,
                "characters": found["characters"][:_LINES],
                "opponents": found["opponents"][:_LINES],
            },
            "page": f"{base_url}/me/stats" if base_url else "",
        }
    )
