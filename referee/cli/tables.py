"""`referee games`: the tables in the store."""
from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.common import ConfigOption, looked_up
from referee.cli.say import help_, say


def games(status: Annotated[str, typer.Option("--status", help=help_("games.status"))] = "",
          config: ConfigOption = None) -> None:
    """List tables."""
    from referee.service import office

    rows = looked_up(config, lambda tx: office.games(tx, status))
    for row in rows:
        typer.echo(say("games.row", **row))
    typer.echo(say("games.total", count=len(rows)))
