"""`my data`: a file with all that is kept about the person who asks, by a letter that can bring one."""

from __future__ import annotations

from referee.ports import Attachment, Inbound
from referee.rules import Refusal
from referee.store import Game
from referee.text import Intent

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.composing import Draft, LetterContext
from ..core.letters import Facts, LetterTraits, letter
from ..core.unit_of_work import UnitOfWork
from ..people.identity import Speaker
from ..people.replies import answer
from . import export


class MyDataFacts(Facts):
    """All that is kept about the reader: looked up when it leaves."""

    kind = "my_data"


@command("my data", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def my_data(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`my data`: where it was asked for, else to one's mail; Raises Refusal where no file gets through."""
    if came.place is not None:
        answer(uow, speaker, came, "delete-in-private")
        return
    me, files = speaker.person.id, uow.settings.files
    if speaker.address.channel in files:
        at = speaker.address
    else:
        found = next((one for one in outbox.addresses(uow, me) if one.channel in files), None)
        if uow.settings.base_url or found is None:
            raise Refusal(
                "my-data-elsewhere", link=uow.settings.base_url and f"{uow.settings.base_url}/me/data"
            )
        at = found
        answer(uow, speaker, came, "my-data-sent", channel=at.channel)
    name = f"{MyDataFacts.kind}:{me}:{at.channel}"
    outbox.to_person(uow, me, MyDataFacts(answers=came.message_id), at=at, collapse=name)


@letter(MyDataFacts, LetterTraits(secret=True, bound=True))
def my_data_letter(ctx: LetterContext) -> Draft | None:
    """The file; nothing for somebody who is not there any more."""
    if ctx.person is None:
        return None
    body = export.document(ctx.tx, ctx.words, ctx.person, ctx.now_ms)
    file = Attachment(export.FILE, "application/json", body)
    return Draft({"bytes": len(body)}, attachments=(file,))
