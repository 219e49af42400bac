"""`referee games`: the tables in the store, and letting one go on that stands still."""
from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.common import BAD, ConfigOption, changed, end, looked_up
from referee.cli.say import help_, say


def games(status: Annotated[str, typer.Option("--status", help=help_("games.status"))] = "",
          thaw: Annotated[int, typer.Option("--thaw", help=help_("games.thaw"))] = 0,
          config: ConfigOption = None) -> None:
    """List tables, or let one go on that was frozen."""
    from referee.main import clock_ms
    from referee.service import office

    if thaw:
        if not changed(config, lambda tx: office.thaw(tx, thaw, clock_ms())):
            end(BAD, "games.not-frozen", number=thaw)
        typer.echo(say("games.thawed", number=thaw))
        return

    rows = looked_up(config, lambda tx: office.games(tx, status))
    for row in rows:
        typer.echo(say("games.row", **row))
    typer.echo(say("games.total", count=len(rows)))
