"""One's own pages on the web, asked for where one writes to the referee.

web        a link by private letter: good for half an hour, and once
web #17    the same, to that table
web off    nobody is signed in as me any more
"""

from __future__ import annotations

from referee.ids import NO_GAME
from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game, Seat
from referee.text import Intent

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork
from ..people import web_sessions
from ..people.identity import Speaker
from ..people.replies import answer
from . import page_command as page_command


class WebLinkFacts(Facts):
    """The address that signs its reader in, and for how many minutes it is good."""

    kind = "web_link"
    link: str
    minutes: int


@command("web", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def web(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`web`, `web #17`, `web off`."""
    if came.place is not None:
        answer(uow, speaker, came, "web-in-private")
        return
    me = speaker.person.id
    if intent.args["act"] == "off":
        answer(uow, speaker, came, "web-off", count=web_sessions.end(uow.tx, me))
        uow.wakes.add(f"{web_sessions.SIGNED_OUT}{me}")
        return
    if not uow.settings.base_url:
        raise Refusal("web-none")
    number = intent.game or NO_GAME
    if number and uow.tx.get(Game, number) is None:
        raise Refusal("no-game", game=number)
    if number and uow.tx.one(Seat, game_id=number, person_id=me) is None:
        raise Refusal("not-seated", game=number)
    token = web_sessions.new_link(uow.tx, me, number, uow.now_ms)
    outbox.to_person(
        uow,
        me,
        WebLinkFacts(link=f"{uow.settings.base_url}/me/in/{token}", minutes=web_sessions.LINK_MS // 60_000),
        at=speaker.address,
    )
