"""One's own pages on the web, asked for where one writes to the referee.

web             a link by private letter: good for half an hour, and once
web #17         the same, to that table
web sessions    the browsers in which I am signed in
web off         nobody is signed in as me any more
web off 2       nobody is in the second of those browsers
"""

from __future__ import annotations

import msgspec

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


class Session(msgspec.Struct):
    """A browser in which somebody is signed in: what it calls itself ("": it does not say), since when, when
    it was used last (None: lately), whether this was asked for there.
    """

    browser: str
    since_ms: int
    used_ms: int | None
    here: bool


class WebSessionsFacts(Facts):
    """The browsers in which somebody is signed in, the oldest first."""

    kind = "web_sessions"
    sessions: list[Session]


@command("web", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def web(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`web`, `web #17`, `web sessions`, `web off`, `web off 2`."""
    if came.place is not None:
        answer(uow, speaker, came, "web-in-private")
        return
    me = speaker.person.id
    if intent.args["act"] == "off":
        sign_out(uow, speaker, came, intent.args.get("number"))
        return
    if intent.args["act"] == "sessions":
        facts = WebSessionsFacts(sessions=sessions(uow, speaker, came), answers=came.message_id)
        outbox.to_person(uow, me, facts, at=speaker.address)
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


def sessions(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> list[Session]:
    """The browsers in which the speaker is signed in."""
    return [
        Session(
            browser=one.browser,
            since_ms=one.made_ms,
            used_ms=None if web_sessions.lately_used(one, uow.now_ms) else one.seen_ms,
            here=one.id == came.facts.get("session"),
        )
        for one in web_sessions.sessions_of(uow.tx, speaker.person.id, uow.now_ms)
    ]


def sign_out(uow: UnitOfWork, speaker: Speaker, came: Inbound, number: int | None) -> None:
    """Of one browser, by its number, or of all.  Raises Refusal."""
    me = speaker.person.id
    if number is None:
        answer(uow, speaker, came, "web-off", count=web_sessions.end(uow.tx, me))
    else:
        open_now = web_sessions.sessions_of(uow.tx, me, uow.now_ms)
        if number > len(open_now):
            raise Refusal("web-no-session", number=number, count=len(open_now))
        gone = open_now[number - 1]
        web_sessions.end_one(uow.tx, me, gone.id)
        facts = {"browser": gone.browser, "since_ms": gone.made_ms, "zone": speaker.person.zone}
        answer(uow, speaker, came, "web-off-one", left=len(open_now) - 1, **facts)
    uow.wakes.add(f"{web_sessions.SIGNED_OUT}{me}")
