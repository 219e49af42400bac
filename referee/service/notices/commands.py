"""What people say about the letters that they get: notify, unsubscribe, subscribe; and the same by a link in
a mail.

It changes what is written, never a game: anyone who wants to hear nothing is told what the clock then does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import UNSET

from referee.ids import GameId, PersonId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE, GameStatus
from referee.store import DailyLetter, Game, Outbox, Person, Seat, Tx
from referee.text import Intent, policy_line

from ..core import outbox, tokens
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.letters import Notice, Variables
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state
from ..people.identity import Speaker
from ..people.letter_facts import NoticeFacts
from ..people.replies import answer
from . import delivery_rules, digest

#: this many misses never happen: a table made before there were policies
_NEVER = 1000


class NoticeScope(NamedTuple):
    """What is meant: one game of a person (its seat), their daily letter, or all that they are written."""

    person: Person
    seat: Seat | None = None
    daily: bool = False

    @property
    def code(self) -> str:
        """Which it is, for anyone who words it: game, digest, all."""
        return "game" if self.seat is not None else "digest" if self.daily else "all"


@command("notify", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def notify(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`notify`: how one is told; `notify turns`, `notify digest 08:00`, `#17 notify off`: from now on."""
    if private(uow, speaker, came):
        return
    level, minute = intent.args["level"], intent.args["digest"]
    scope = find_scope(uow, speaker.person, intent.game)
    if minute is not None:
        if scope.seat is not None:
            raise Refusal("digest-all-games", game=intent.game)
        digest.set_hour(uow, speaker.person, minute)
    elif level == "off" and scope.seat is None:
        digest.set_hour(uow, speaker.person, -1)
    if level:
        put(uow, scope, "" if level == "usual" else level)
    tell_level(uow, speaker, came, intent.game, level, whole=not level)


@command("unsubscribe", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.PERSON)
def unsubscribe(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`unsubscribe`: nothing unasked any more; of the game whose letter is answered, else of all."""
    if private(uow, speaker, came):
        return
    row = None if intent.game is not None or intent.args.get("everything") else speaker.letter
    scope = (
        find_scope(uow, speaker.person, intent.game)
        if row is None
        else of_letter(uow.tx, row, speaker.person)
    )
    silence(uow, scope)
    tell_level(
        uow,
        speaker,
        came,
        None if scope.seat is None else scope.seat.game_id,
        "" if scope.daily else "off",
        whole=scope.daily,
    )


@command("subscribe", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.PERSON)
def subscribe(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`subscribe`: all letters again."""
    if private(uow, speaker, came):
        return
    row = None if intent.game is not None or intent.args.get("everything") else speaker.letter
    scope = (
        find_scope(uow, speaker.person, intent.game)
        if row is None
        else of_letter(uow.tx, row, speaker.person)._replace(daily=False)
    )
    put(uow, scope, "all" if scope.seat is not None else "")
    tell_level(uow, speaker, came, None if scope.seat is None else scope.seat.game_id, "all")


def private(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> bool:
    """Whether it was said before others, and was declined."""
    if came.place is not None:
        answer(uow, speaker, came, "notify-in-private")
    return came.place is not None


def find_scope(uow: UnitOfWork, person: Person, number: GameId | None) -> NoticeScope:
    """The seat at the game of that number, or everything.  Raises Refusal."""
    if number is None:
        return NoticeScope(person)
    seat = uow.tx.one(Seat, game_id=number, person_id=person.id)
    if seat is None:
        raise Refusal("no-game" if uow.tx.get(Game, number) is None else "not-seated", game=number)
    return NoticeScope(person, seat)


def of_letter(tx: Tx, row: Outbox, person: Person) -> NoticeScope:
    """What somebody no longer wants who sends a letter back: that game, the daily letter, or all."""
    seat = None if row.game_id is None else tx.one(Seat, game_id=row.game_id, person_id=person.id)
    return NoticeScope(person, seat, row.kind == digest.DigestFacts.kind)


def put(uow: UnitOfWork, scope: NoticeScope, level: str) -> None:
    """Note what somebody wants to hear.

    All and nothing are meant of every game; else what was said of single ones stays.
    """
    if scope.seat is not None:
        uow.tx.set(Seat, scope.seat.id, notify=level)
        return
    uow.tx.set(Person, scope.person.id, notify=level)
    if level in ("", "all", "off"):
        uow.tx.change(Seat, {"person_id": scope.person.id}, notify="")


def silence(uow: UnitOfWork, scope: NoticeScope) -> bool:
    """No letters of that any more.  False where there were none already."""
    before = uow.tx.one(DailyLetter, person_id=scope.person.id)
    if scope.code == "digest":
        digest.set_hour(uow, scope.person, -1)
        return before is not None
    if scope.seat is not None:
        put(uow, scope, "off")
        return scope.seat.notify != "off"
    digest.set_hour(uow, scope.person, -1)
    put(uow, scope, "off")
    return scope.person.notify != "off" or before is not None


def tell_level(
    uow: UnitOfWork,
    speaker: Speaker,
    came: Inbound,
    number: GameId | None,
    level: str = "",
    whole: bool = False,
) -> None:
    """Say how somebody is told now; `whole`: in all their games, and how that is changed."""
    tag = "" if number is None else f"#{number} "
    what = NoticeFacts(
        said(uow, speaker.person.id, number, level, whole),
        answers=came.message_id,
        offers=[(f"notify-{one}", f"{tag}notify {one}") for one in delivery_rules.LEVELS] if whole else UNSET,
    )
    outbox.to_person(uow, speaker.person.id, what, at=speaker.address)


def said(
    uow: UnitOfWork, person_id: PersonId, number: GameId | None, level: str, whole: bool
) -> list[Notice]:
    """The sentences of `tell_level`."""
    person = uow.tx.get(Person, person_id)
    assert person is not None
    alive = [(seat, game) for seat, game in uow.tx.seats_of(person_id, ALIVE) if number in (None, game.id)]
    found: list[Notice] = []
    if number is None:
        found.append(Notice("notify-level", {"game": None, "level": person.notify or "all"}))
    told = (
        [seat for seat, _ in alive if seat.notify]
        if number is None
        else uow.tx.all(Seat, game_id=number, person_id=person_id)
    )
    found += [
        Notice("notify-level", {"game": seat.game_id, "level": delivery_rules.level_of(person, seat)})
        for seat in told
    ]
    daily = uow.tx.one(DailyLetter, person_id=person_id)
    if number is None and daily is not None:
        hour = f"{daily.minute // 60:02}:{daily.minute % 60:02}"
        found.append(Notice("notify-digest", {"hour": hour, "zone": person.zone, "due_ms": daily.due_ms}))
    elif number is None and whole:
        found.append(Notice("notify-digest-off"))
    if level == "off":
        running = [game for _, game in alive if game.status == GameStatus.RUNNING]
        found.append(Notice("notify-clock", {"game": number, **clock(uow, person, running)}))
    return [*found, Notice("notify-how")] if whole else found


def clock(uow: UnitOfWork, person: Person, running: list[Game]) -> Variables:
    """What becomes of a game, or several, whose letters nobody wants: the clock's own words."""
    facts: dict[str, Any] = {"pace": "", "probation": 0, "replace": 0, "games": [game.id for game in running]}
    if len(running) == 1:
        rule = clock_state.policy_of(running[0])
        facts["pace"] = policy_line(uow.words, rule, person.language)
        if rule.replace_after < _NEVER:
            facts |= {"probation": rule.probation_after, "replace": rule.replace_after}
    return facts


def unsubscribe_facts(base_url: str, key: bytes, row: Outbox) -> dict[str, str]:
    """The facts of a letter to a person that tell where its unsubscribe link leads; {} where there are no
    pages.
    """
    return (
        {"unsubscribe": f"{base_url}/u/{tokens.unsubscribe(key, row.id)}"}
        if base_url and row.person_id is not None and not row.place
        else {}
    )


def by_token(tx: Tx, token: str) -> NoticeScope | None:
    """What the link of a letter would end (no game, the daily letter, or all); None for a token that is none
    of ours.
    """
    number = tokens.unsubscribing(tokens.secret(tx), token)
    row = None if number is None else tx.get(Outbox, number)
    person = None if row is None or row.person_id is None else tx.get(Person, row.person_id)
    return None if row is None or person is None else of_letter(tx, row, person)


def unsubscribed(uow: UnitOfWork, token: str) -> NoticeScope | None:
    """Somebody pressed unsubscribe on that link: done, and told once, with what the clock does now.

    The second time changes nothing and tells nothing. It moves no game.
    """
    scope = by_token(uow.tx, token)
    if scope is not None and silence(uow, scope):
        number = None if scope.seat is None else scope.seat.game_id
        row = uow.tx.get(Outbox, tokens.unsubscribing(tokens.secret(uow.tx), token))
        outbox.to_person(
            uow,
            scope.person.id,
            NoticeFacts(
                said(uow, scope.person.id, number, "" if scope.daily else "off", scope.daily), reply=True
            ),
            game_id=number,
            at=None
            if row is None
            else next(
                (
                    one
                    for one in outbox.addresses(uow, scope.person.id)
                    if (one.channel, one.address) == (row.channel, row.address)
                ),
                None,
            ),
        )
    return scope
