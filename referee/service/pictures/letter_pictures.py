"""Which letters show a picture, and what is on it.

What everybody may read gets a picture made from the public view; what only a seat may read one from that
seat's view, and goes to that seat. A picture is an ornament: whatever goes wrong with it, the letter goes
without.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from referee import rules
from referee.png import there
from referee.ports import Attachment, Picture
from referee.states import GameStatus
from referee.store import Game, Outbox, Person, Room, Tx
from referee.text.rendering import pictures

from ..core.composing import Drawing, LetterContext
from ..core.letters import traits
from ..play.replay import course

log = logging.getLogger(__name__)
#: markups of channels that show pictures
CHANNELS = frozenset({"telegram", "matrix", "mail"})
#: what may be said of pictures: shown light (""), shown dark, not shown
WISHES = ("on", "dark", "off")


def intent(tx: Tx, row: Outbox, person: Person | None) -> str:
    """What the reader, or the room, wants of pictures: "" or "on", "dark", "off"."""
    if person is not None and not row.place:
        return person.pictures
    room = tx.one(Room, channel=row.channel, place=row.place) if row.place else None
    return "" if room is None else room.pictures


def depicted(ctx: LetterContext, kind: str, game: Game, context: Mapping[str, Any]) -> Picture | None:
    """The picture of a letter of that kind, SVG; None where it has none."""
    shows = traits(kind).picture
    if (
        not shows
        or ctx.markup not in CHANNELS
        or not game.snapshot
        or (shows == "question" and not asked_for(ctx, context))
        or not there()
    ):
        return None
    wanted = intent(ctx.tx, ctx.row, ctx.person)
    if wanted == "off":
        return None
    theme = "dark" if wanted == "dark" else "light"
    try:
        made = (
            _of_seat(ctx, game, theme, context)
            if shows in ("seat", "question")
            else _of_all(ctx, game, theme, course_only=shows == "course")
        )
    except Exception:  # an admin's own template may go wrong in any way
        log.exception("the picture of a letter could not be laid out", extra={"game": game.id, "kind": kind})
        return None
    if made is None:
        return None
    return Picture(
        f"citadels-{game.id}.svg", "image/svg+xml", made.svg.encode(), made.alt, made.width, made.height
    )


def _of_seat(
    ctx: LetterContext, game: Game, theme: str, context: Mapping[str, Any]
) -> pictures.Picture | None:
    """What the seat of a letter sees; none in a room."""
    if ctx.row.seat is None or ctx.row.place:
        return None
    state = ctx.states.of(game)
    view, cast = rules.view(state, ctx.row.seat), tuple(rules.rulebook(state).characters)
    options = context.get("options") or ()
    return pictures.seat_picture(ctx.words, ctx.language, theme, view, f"#{game.id}", options, cast=cast)


def _of_all(ctx: LetterContext, game: Game, theme: str, *, course_only: bool) -> pictures.Picture | None:
    """What everybody sees: the position, or the end; or how the points went."""
    state, tag = ctx.states.of(game), f"#{game.id}"
    view, words, language = rules.view(state, None), ctx.words, ctx.language
    over = game.status == GameStatus.OVER and view.get("result")
    rounds = course(ctx, game) if over or course_only else []
    if course_only:  # a line needs two ends
        return (
            None
            if len(rounds) < 2
            else pictures.course_picture(words, language, theme, view["players"], rounds, tag)
        )
    if over:
        return pictures.ending_picture(words, language, theme, view, tag, rounds)
    cast = tuple(rules.rulebook(state).characters)
    return pictures.table_picture(words, language, theme, view, tag, cast=cast)


def letter_drawings(
    ctx: LetterContext, kind: str, drawings: Sequence[Drawing]
) -> tuple[Picture | None, tuple[Attachment, ...]]:
    """A letter's picture that is not of a table, and in a mail what more there is, as files; a mail that
    can't show them has all as files.
    """
    wanted = "off" if ctx.markup not in CHANNELS else intent(ctx.tx, ctx.row, ctx.person)
    shown, files = 1 if there() else 0, len(drawings) if ctx.markup == "mail" else 1
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
    more = named[shown:] if ctx.markup == "mail" else []
    return next(iter(named[:shown]), None), tuple(
        Attachment(one.name, one.media_type, one.data) for one in more
    )


def asked_for(ctx: LetterContext, context: Mapping[str, Any]) -> bool:
    """Whether a question has a picture: where it is the answer to `status`, and in a mail, which is read by
    itself, that begins a turn. Within a turn little changes, and the letter before shows it.
    """
    if context.get("pictured"):
        return True
    return ctx.markup == "mail" and bool(context.get("ask")) and not context.get("within")
