"""Which letters show a picture, and what is on it.

What everybody may read gets a picture made from the public view; what only a seat may read one from that
seat's view, and goes to that seat. A picture is an ornament: whatever goes wrong with it, the letter goes
without.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee import rules
from referee.png import there
from referee.ports import Attachment, Picture
from referee.store import Game, Outbox, Person, Room, Tx
from referee.text.rendering import pictures

from ..tables.lists import course

if TYPE_CHECKING:
    from ..outbound.compose import Desk

log = logging.getLogger(__name__)
#: makes a picture for a theme
Drawing = Callable[[str], pictures.Picture]
#: markups of channels that show pictures
CHANNELS = frozenset({"telegram", "matrix", "mail"})
#: letters with a picture of what everybody sees, and of what a seat sees; a question has one in mail, where a
#: letter is read by itself, and in answer to `status`
PUBLIC, PRIVATE = frozenset({"table", "status", "over", "history"}), frozenset({"hand", "prompt"})
#: what may be said of pictures: shown light (""), shown dark, not shown
WISHES = ("on", "dark", "off")


def wish(tx: Tx, row: Outbox, person: Person | None) -> str:
    """What the reader, or the room, wants of pictures: "" or "on", "dark", "off"."""
    if person is not None and not row.place:
        return person.pictures
    room = tx.one(Room, channel=row.channel, place=row.place) if row.place else None
    return "" if room is None else room.pictures


def depicted(
    desk: Desk,
    row: Outbox,
    kind: str,
    game: Game,
    person: Person | None,
    language: str,
    context: Mapping[str, Any],
) -> Picture | None:
    """The picture of a letter of that kind, SVG; None where it has none."""
    words, markup = desk.words, desk.markup
    if (
        markup not in CHANNELS
        or kind not in PUBLIC | PRIVATE
        or not game.snapshot
        or not asked_for(kind, markup, context)
        or not there()
    ):
        return None
    wanted = wish(desk.tx, row, person)
    if wanted == "off":
        return None
    theme, tag = "dark" if wanted == "dark" else "light", f"#{game.id}"
    try:
        state = desk.states.of(game)
        cast = tuple(rules.rulebook(state).characters)
        if kind in PRIVATE and row.seat is not None and not row.place:
            made = pictures.seat_picture(
                words,
                language,
                theme,
                rules.view(state, row.seat),
                tag,
                context.get("options") or (),
                cast=cast,
            )
        elif kind in PUBLIC:
            view = rules.view(state, None)
            over = game.status == "over" and view.get("result")
            rounds = course(desk, game) if over or kind == "history" else []
            if kind == "history" and len(rounds) < 2:
                return None  # a line needs two ends
            made = (
                pictures.ending_picture(words, language, theme, view, tag, rounds)
                if over and kind != "history"
                else pictures.course_picture(words, language, theme, view["players"], rounds, tag)
                if kind == "history"
                else pictures.table_picture(words, language, theme, view, tag, cast=cast)
            )
        else:
            return None
    except Exception:  # an admin's own template may go wrong in any way
        log.exception("the picture of a letter could not be laid out", extra={"game": game.id, "kind": kind})
        return None
    return Picture(
        f"citadels-{game.id}.svg", "image/svg+xml", made.svg.encode(), made.alt, made.width, made.height
    )


def drawn(
    desk: Desk, row: Outbox, kind: str, person: Person | None, drawings: Sequence[Drawing]
) -> tuple[Picture | None, tuple[Attachment, ...]]:
    """A letter's picture that is not of a table, and in a mail what more there is, as files; a mail that
    can't show them has all as files.
    """
    wanted = "off" if desk.markup not in CHANNELS else wish(desk.tx, row, person)
    shown, files = 1 if there() else 0, len(drawings) if desk.markup == "mail" else 1
    try:
        made = (
            []
            if wanted == "off"
            else [draw("dark" if wanted == "dark" else "light") for draw in drawings[:files]]
        )
    except Exception:  # as above: whatever goes wrong, the letter goes without
        log.exception("the pictures of a letter could not be laid out", extra={"kind": kind})
        return None, ()
    named = [
        Picture(
            f"{kind.replace('_', '-')}-{number}.svg",
            "image/svg+xml",
            one.svg.encode(),
            one.alt,
            one.width,
            one.height,
        )
        for number, one in enumerate(made, 1)
    ]
    more = named[shown:] if desk.markup == "mail" else []
    return next(iter(named[:shown]), None), tuple(
        Attachment(one.name, one.media_type, one.data) for one in more
    )


def asked_for(kind: str, markup: str, context: Mapping[str, Any]) -> bool:
    """Whether a question has a picture: in a mail that asks something, and where it is the answer to
    `status`.
    """
    return (
        kind != "prompt" or bool(context.get("pictured")) or (markup == "mail" and bool(context.get("ask")))
    )
