"""What people say about the letters that they get: notify, unsubscribe, subscribe; and the same by a link in
a mail.

It changes what is written, never a game: whoever wants to hear nothing is told what the clock then does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE, GameStatus
from referee.store import DailyLetter, Game, Outbox, Person, Seat, Tx
from referee.text import Wish, policy_line

from ..core import outbox, tokens
from ..core.commands import About, Need, command
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state
from ..people.identity import Speaker
from ..people.replies import answer
from . import delivery_rules, digest

#: so many misses never happen: a table made before there were policies
_NEVER = 1000


class Scope(NamedTuple):
    """What is meant: one game of a person (its seat), their daily letter, or all that they are written."""

    person: Person
    seat: Seat | None = None
    daily: bool = False

    @property
    def code(self) -> str:
        """Which it is, for whoever words it: game, digest, all."""
        return "game" if self.seat is not None else "digest" if self.daily else "all"


@command("notify", table=Need.NONE, about=About.PERSON, numberless=True)
def notify(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`notify`: how one is told; `notify turns`, `notify digest 08:00`, `#17 notify off`: from now on."""
    if private(sitting, speaker, came):
        return
    level, minute = wish.args["level"], wish.args["digest"]
    scope = meant(sitting, speaker.person, wish.game)
    if minute is not None:
        if scope.seat is not None:
            raise Refusal("digest-all-games", game=wish.game)
        digest.set_hour(sitting, speaker.person, minute)
    elif level == "off" and scope.seat is None:
        digest.set_hour(sitting, speaker.person, -1)
    if level:
        put(sitting, scope, "" if level == "usual" else level)
    tell(sitting, speaker, came, wish.game, level, whole=not level)


@command("unsubscribe", table=Need.NONE, about=About.PERSON)
def unsubscribe(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`unsubscribe`: nothing unasked any more; of the game whose letter is answered, else of all."""
    if private(sitting, speaker, came):
        return
    row = None if wish.game is not None or wish.args.get("everything") else speaker.letter
    scope = (
        meant(sitting, speaker.person, wish.game)
        if row is None
        else of_letter(sitting.tx, row, speaker.person)
    )
    silence(sitting, scope)
    tell(
        sitting,
        speaker,
        came,
        None if scope.seat is None else scope.seat.game_id,
        "" if scope.daily else "off",
        whole=scope.daily,
    )


@command("subscribe", table=Need.NONE, about=About.PERSON)
def subscribe(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`subscribe`: all letters again."""
    if private(sitting, speaker, came):
        return
    row = None if wish.game is not None or wish.args.get("everything") else speaker.letter
    scope = (
        meant(sitting, speaker.person, wish.game)
        if row is None
        else of_letter(sitting.tx, row, speaker.person)._replace(daily=False)
    )
    put(sitting, scope, "all" if scope.seat is not None else "")
    tell(sitting, speaker, came, None if scope.seat is None else scope.seat.game_id, "all")


def private(sitting: Sitting, speaker: Speaker, came: Inbound) -> bool:
    """Whether it was said before others, and was declined."""
    if came.place is not None:
        answer(sitting, speaker, came, "notify-in-private")
    return came.place is not None


def meant(sitting: Sitting, person: Person, number: int | None) -> Scope:
    """The seat at the game of that number, or everything.  Raises Refusal."""
    if number is None:
        return Scope(person)
    seat = sitting.tx.one(Seat, game_id=number, person_id=person.id)
    if seat is None:
        raise Refusal("no-game" if sitting.tx.get(Game, number) is None else "not-seated", game=number)
    return Scope(person, seat)


def of_letter(tx: Tx, row: Outbox, person: Person) -> Scope:
    """What somebody no longer wants who sends a letter back: that game, the daily letter, or all."""
    seat = None if row.game_id is None else tx.one(Seat, game_id=row.game_id, person_id=person.id)
    return Scope(person, seat, row.kind == "digest")


def put(sitting: Sitting, scope: Scope, level: str) -> None:
    """Note what somebody wants to hear.

    All and nothing are meant of every game; else what was said of single ones stays.
    """
    if scope.seat is not None:
        sitting.tx.set(Seat, scope.seat.id, notify=level)
        return
    sitting.tx.set(Person, scope.person.id, notify="" if level == "all" else level)
    if level in ("", "all", "off"):
        sitting.tx.change(Seat, {"person_id": scope.person.id}, notify="")


def silence(sitting: Sitting, scope: Scope) -> bool:
    """No letters of that any more.  False where there were none already."""
    before = sitting.tx.one(DailyLetter, person_id=scope.person.id)
    if scope.code == "digest":
        digest.set_hour(sitting, scope.person, -1)
        return before is not None
    if scope.seat is not None:
        put(sitting, scope, "off")
        return scope.seat.notify != "off"
    digest.set_hour(sitting, scope.person, -1)
    put(sitting, scope, "off")
    return scope.person.notify != "off" or before is not None


def tell(
    sitting: Sitting,
    speaker: Speaker,
    came: Inbound,
    number: int | None,
    level: str = "",
    whole: bool = False,
) -> None:
    """Say how somebody is told now; `whole`: in all their games, and how that is changed."""
    data = {
        "notices": said(sitting, int(speaker.person.id or 0), number, level, whole),
        "answers": came.message_id,
    }
    if whole:
        tag = "" if number is None else f"#{number} "
        data["offers"] = [(f"notify-{one}", f"{tag}notify {one}") for one in delivery_rules.LEVELS]
    outbox.to_person(sitting, int(speaker.person.id or 0), "notice", at=speaker.address, data=data)


def said(
    sitting: Sitting, person_id: int, number: int | None, level: str, whole: bool
) -> list[dict[str, Any]]:
    """The sentences of `tell`, as codes with their facts."""
    person = sitting.tx.get(Person, person_id)
    assert person is not None
    alive = [
        (seat, game) for seat, game in sitting.tx.seats_of(person_id, ALIVE) if number in (None, game.id)
    ]
    found: list[dict[str, Any]] = []
    if number is None:
        found.append({"code": "notify-level", "facts": {"game": None, "level": person.notify or "all"}})
    told = (
        [seat for seat, _ in alive if seat.notify]
        if number is None
        else sitting.tx.all(Seat, game_id=number, person_id=person_id)
    )
    found += [
        {
            "code": "notify-level",
            "facts": {"game": seat.game_id, "level": delivery_rules.level_of(person, seat)},
        }
        for seat in told
    ]
    daily = sitting.tx.one(DailyLetter, person_id=person_id)
    if number is None and daily is not None:
        hour = f"{daily.minute // 60:02}:{daily.minute % 60:02}"
        found.append(
            {"code": "notify-digest", "facts": {"hour": hour, "zone": person.zone, "due_ms": daily.due_ms}}
        )
    elif number is None and whole:
        found.append({"code": "notify-digest-off", "facts": {}})
    if level == "off":
        found.append(
            {
                "code": "notify-clock",
                "facts": {"game": number}
                | clock(sitting, person, [game for _, game in alive if game.status == GameStatus.RUNNING]),
            }
        )
    return [*found, {"code": "notify-how", "facts": {}}] if whole else found


def clock(sitting: Sitting, person: Person, running: list[Game]) -> dict[str, Any]:
    """What becomes of a game, or several, whose letters nobody wants: the clock's own words."""
    facts: dict[str, Any] = {"pace": "", "probation": 0, "replace": 0, "games": [game.id for game in running]}
    if len(running) == 1:
        rule = clock_state.policy_of(running[0])
        facts["pace"] = policy_line(sitting.words, rule, person.language)
        if rule.replace_after < _NEVER:
            facts |= {"probation": rule.probation_after, "replace": rule.replace_after}
    return facts


def link(base_url: str, key: bytes, row: Outbox) -> dict[str, str]:
    """The facts of a letter to a person that tell where its unsubscribe link leads; {} where there are no
    pages.
    """
    return (
        {"unsubscribe": f"{base_url}/u/{tokens.unsubscribe(key, int(row.id or 0))}"}
        if base_url and row.person_id is not None and not row.place
        else {}
    )


def by_token(tx: Tx, token: str) -> Scope | None:
    """What the link of a letter would end (no game, the daily letter, or all); None for a token that is none
    of ours.
    """
    number = tokens.unsubscribing(tokens.secret(tx), token)
    row = None if number is None else tx.get(Outbox, number)
    person = None if row is None or row.person_id is None else tx.get(Person, row.person_id)
    return None if row is None or person is None else of_letter(tx, row, person)


def unsubscribed(sitting: Sitting, token: str) -> Scope | None:
    """Somebody pressed unsubscribe on that link: done, and told once, with what the clock does now.

    The second time changes nothing and tells nothing. It moves no game.
    """
    scope = by_token(sitting.tx, token)
    if scope is not None and silence(sitting, scope):
        number = None if scope.seat is None else scope.seat.game_id
        row = sitting.tx.get(Outbox, int(tokens.unsubscribing(tokens.secret(sitting.tx), token) or 0))
        outbox.to_person(
            sitting,
            int(scope.person.id or 0),
            "notice",
            game_id=number,
            at=None
            if row is None
            else next(
                (
                    one
                    for one in outbox.addresses(sitting, int(scope.person.id or 0))
                    if (one.channel, one.address) == (row.channel, row.address)
                ),
                None,
            ),
            data={
                "reply": True,
                "notices": said(
                    sitting, int(scope.person.id or 0), number, "" if scope.daily else "off", scope.daily
                ),
            },
        )
    return scope
