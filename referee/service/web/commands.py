"""One's own pages on the web, asked for where one writes to the referee.

web        a link by private letter: good for half an hour, and once
web #17    the same, to that table
web off    nobody is signed in as me any more
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game, Seat
from referee.text import Wish

from ..core import outbox
from ..core.commands import About, Need, command
from ..core.letters import Facts
from ..core.unit_of_work import Sitting
from ..people import web_sessions
from ..people.identity import Speaker
from ..people.replies import answer
from . import page_command as page_command


class WebLinkFacts(Facts):
    """The address that signs its reader in, and for how many minutes it is good."""

    kind = "web_link"
    link: str
    minutes: int


@command("web", table=Need.NONE, about=About.WEIGHTY)
def web(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`web`, `web #17`, `web off`."""
    if came.place is not None:
        answer(sitting, speaker, came, "web-in-private")
        return
    me = int(speaker.person.id or 0)
    if wish.args["act"] == "off":
        answer(sitting, speaker, came, "web-off", count=web_sessions.end(sitting.tx, me))
        sitting.wakes.add(f"{web_sessions.SIGNED_OUT}{me}")
        return
    if not sitting.settings.base_url:
        raise Refusal("web-none")
    number = wish.game or 0
    if number and sitting.tx.get(Game, number) is None:
        raise Refusal("no-game", game=number)
    if number and sitting.tx.one(Seat, game_id=number, person_id=me) is None:
        raise Refusal("not-seated", game=number)
    token = web_sessions.link(sitting.tx, me, number, sitting.now_ms)
    outbox.to_person(
        sitting,
        me,
        WebLinkFacts(
            link=f"{sitting.settings.base_url}/me/in/{token}", minutes=web_sessions.LINK_MS // 60_000
        ),
        at=speaker.address,
    )
