"""`referee games`: the tables in the store, and letting one go on that stands still."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.common import BAD, LARGEST_NUMBER, USAGE, ConfigOption, acted, end, looked_up
from referee.cli.say import help_, say
from referee.ids import GameId
from referee.states import GameStatus

if TYPE_CHECKING:
    from referee.store import Tx

#: this many tables are listed at once
_PAGE = 50


def games(
    status: Annotated[str, typer.Option("--status", help=help_("games.status"))] = "",
    thaw: Annotated[int, typer.Option("--thaw", min=0, max=LARGEST_NUMBER, help=help_("games.thaw"))] = 0,
    pause: Annotated[int, typer.Option("--pause", min=0, max=LARGEST_NUMBER, help=help_("games.pause"))] = 0,
    resume: Annotated[
        int, typer.Option("--resume", min=0, max=LARGEST_NUMBER, help=help_("games.resume"))
    ] = 0,
    page: Annotated[int, typer.Option("--page", min=1, max=LARGEST_NUMBER, help=help_("games.page"))] = 1,
    every: Annotated[bool, typer.Option("--all", help=help_("games.all"))] = False,
    config: ConfigOption = None,
) -> None:
    """List tables, let one go on that was frozen, let one pause or go on again."""
    if status and status not in set(GameStatus):
        end(USAGE, "games.no-status", status=status, known=list(GameStatus))
    if not (thaw or pause or resume):
        rows, count = looked_up(config, partial(_listed, status=status, page=0 if every else page))
        for row in rows:
            typer.echo(say("games.row", **row))
        typer.echo(say("games.total", count=count))
        if not every and count > page * _PAGE:
            typer.echo(say("games.more", next=page + 1))
        return

    from referee.service.admin import console

    if thaw:
        if not acted(config, lambda tx, here: console.mend(tx, "thaw", thaw, here)):
            end(BAD, "games.not-frozen", number=thaw)
        typer.echo(say("games.thawed", number=thaw))
        return
    act, number, done, failed = (
        ("pause", pause, "games.paused", "games.not-paused")
        if pause
        else ("resume", resume, "games.resumed", "games.not-resumed")
    )
    if not acted(config, lambda tx, here: console.decide(tx, GameId(number), act, here)):
        end(BAD, failed, number=number)
    typer.echo(say(done, number=number))


def _listed(tx: Tx, status: str, page: int) -> tuple[list[dict[str, Any]], int]:
    """The tables that were not put away, in their order: all of them (0), or the last ones and those before;
    and how many there are. Asked here: the service would take half a second to load.
    """
    from referee.store import Game, Seat

    asked: dict[str, Any] = {"archived_ms": 0, **({"status": status} if status else {})}
    numbers = tx.column(Game, "id", order="-id", limit=page * _PAGE, **asked)
    shown = tuple(numbers[(page - 1) * _PAGE :] if page else numbers)[::-1]
    rows = [
        {
            "id": game.id,
            "status": game.status,
            "edition": game.edition,
            "round": game.round,
            "asked": game.asked,
            "players": [seat.name for seat in tx.all(Seat, game_id=game.id, order="no")],
        }
        for game in (tx.get(Game, number) for number in shown)
        if game is not None
    ]
    return rows, tx.count(Game, **asked)
