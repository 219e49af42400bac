"""`referee games`: the tables in the store, and letting one go on that stands still."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, changed, end, looked_up
from referee.cli.say import help_, say
from referee.ids import GameId
from referee.states import GameStatus


def games(
    status: Annotated[str, typer.Option("--status", help=help_("games.status"))] = "",
    thaw: Annotated[int, typer.Option("--thaw", help=help_("games.thaw"))] = 0,
    pause: Annotated[int, typer.Option("--pause", help=help_("games.pause"))] = 0,
    resume: Annotated[int, typer.Option("--resume", help=help_("games.resume"))] = 0,
    config: ConfigOption = None,
) -> None:
    """List tables, let one go on that was frozen, let one pause or go on again."""
    from referee.main import clock_ms
    from referee.service.admin import console

    if status and status not in set(GameStatus):
        end(USAGE, "games.no-status", status=status, known=list(GameStatus))
    if thaw:
        if not changed(config, lambda tx: console.mend(tx, "thaw", thaw, clock_ms())):
            end(BAD, "games.not-frozen", number=thaw)
        typer.echo(say("games.thawed", number=thaw))
        return
    for act, number, done, failed in (
        ("pause", pause, "games.paused", "games.not-paused"),
        ("resume", resume, "games.resumed", "games.not-resumed"),
    ):
        if number:
            if not changed(
                config, partial(console.decide, game_id=GameId(number), act=act, now_ms=clock_ms())
            ):
                end(BAD, failed, number=number)
            typer.echo(say(done, number=number))
            return

    rows = looked_up(config, lambda tx: console.list_games(tx, status))
    for row in rows:
        typer.echo(say("games.row", **row))
    typer.echo(say("games.total", count=len(rows)))
