"""Wishes that only ask: status, hand, history, who, games, help, rules; and those about oneself: name, zone,
prefer.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Deal, Game, Person, Seat
from referee.text import Wish

from ..cards import card_help
from ..core import outbox
from ..core.unit_of_work import Sitting
from ..notices import digest
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.replies import again, answer
from ..time import commands


def public(kind: str) -> Callable[[Sitting, Speaker, Inbound, Wish, Game | None], None]:
    """A letter about a table that anybody may read, sent where it was asked for."""

    def reply(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
        room = chat_rooms.room(sitting, came)
        data = {**wish.args, "answers": came.message_id}
        game_id = None if game is None else game.id
        if room is not None:
            outbox.to_room(sitting, room, kind, data=data, game_id=game_id)
        else:
            seats = () if game is None else sitting.seats(int(game.id or 0))
            mine = next((s.no for s in seats if s.person_id == speaker.person.id), None)
            outbox.to_person(
                sitting,
                int(speaker.person.id or 0),
                kind,
                at=speaker.address,
                data=data,
                game_id=game_id,
                seat=mine,
            )

    reply.__doc__ = f"`{kind}`"
    return reply


def status(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`status`: in private one's whole prompt again, in a room the public table; without a table, all of
    one's games.
    """
    if game is None:
        public("games")(sitting, speaker, came, wish, game)
        return
    seat = next((s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id), None)
    if came.place is None and seat is not None and game.status == "running":
        again(sitting, speaker, game, seat, pictured=True)
    elif came.place is None and seat is not None and game.status == "mustering" and not seat.ready:
        outbox.to_seat(sitting, game, seat, "muster", at=speaker.address)
    else:
        public("status")(sitting, speaker, came, wish, game)


def hand(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`hand`: one's own cards, in private only, also when asked for in a room."""
    if game is None:
        raise Refusal("no-game", game=None)
    seat = next((s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    if game.status in ("lobby", "mustering"):
        raise Refusal("not-started", game=game.id)
    if game.status != "running":
        raise Refusal("frozen" if game.status == "frozen" else "game-over", game=game.id)
    outbox.to_seat(sitting, game, seat, "hand", at=speaker.address if came.place is None else None)


def record(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`record #17`: the whole game as a text that anybody can check.

    It holds everybody's orders: not before the end.
    """
    if game is None:
        raise Refusal("no-game", game=None)
    deal = int(wish.args.get("deal") or 0)
    if deal and sitting.tx.one(Deal, game_id=game.id, no=deal) is None:
        raise Refusal("no-such-deal", game=game.id, deal=deal)
    if game.status != "over" and not deal:
        raise Refusal("record-later", game=game.id)
    public("record")(sitting, speaker, came, wish, game)


def name(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`name Ana`: what one is called at tables from now on."""
    wanted = " ".join(str(wish.args["text"]).split())[:40]
    sitting.tx.set(Person, speaker.person.id, name=wanted or speaker.person.name)
    answer(sitting, speaker, came, "name-noted", name=wanted or speaker.person.name)


def zone(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`zone Europe/Lisbon`: in which hours are shown."""
    wanted = str(wish.args["zone"])
    sitting.tx.set(Person, speaker.person.id, zone=wanted)
    commands.changed(sitting, speaker.person)
    digest.moved(sitting, speaker.person.id)
    answer(sitting, speaker, came, "zone-noted", zone=wanted)


def prefer(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`prefer mail`: where prompts go, for all of one's seats."""
    mine = {a.channel for a in outbox.addresses(sitting, int(speaker.person.id or 0))}
    wanted = [str(c) for c in wish.args["channels"]]
    unknown = [c for c in wanted if c not in mine]
    if unknown:
        raise Refusal("prefer-bad", channel=unknown[0], channels=sorted(mine))
    sitting.tx.set(Person, speaker.person.id, prefer=",".join([*wanted, *sorted(mine - set(wanted))]))
    for seat, _ in sitting.tx.seats_of(int(speaker.person.id or 0), chat_rooms.ACTIVE):
        sitting.tx.set(Seat, seat.id, channel=wanted[0])
    answer(sitting, speaker, came, "prefer-noted", channel=wanted[0])


def nothing(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """An empty message changes nothing and is answered with what would be right."""
    answer(sitting, speaker, came, "empty")


WISHES: dict[str, Callable[[Sitting, Speaker, Inbound, Wish, Game | None], None]] = {
    "status": status,
    "hand": hand,
    "history": public("history"),
    "who": public("who"),
    "games": public("games"),
    "record": record,
    "help": public("help"),
    "rules": card_help.card,
    "name": name,
    "zone": zone,
    "prefer": prefer,
    "nothing": nothing,
}
