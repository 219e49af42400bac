"""`referee inbox`: messages that the referee could not handle, and what to do about them."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.common import BAD, LARGEST_NUMBER, ConfigOption, acted, end, looked_up
from referee.cli.say import help_, say
from referee.cli.when import told
from referee.ids import InboxId

Number = Annotated[int, typer.Argument(help=help_("inbox.number"), min=1, max=LARGEST_NUMBER)]


def shunted(config: ConfigOption = None) -> None:
    """List the messages that were set aside."""
    from referee.service.admin import console

    rows = looked_up(config, console.messages_aside)
    for row in rows:
        typer.echo(say("inbox.row", **{**row, "at": told(row["at_ms"])}))
    typer.echo(say("inbox.total", count=len(rows)))


def show(number: Number, config: ConfigOption = None) -> None:
    """Show one message as it arrived."""
    from referee.service.admin import console

    row = looked_up(config, lambda tx: console.message(tx, InboxId(number)))
    if row is None:
        end(BAD, "inbox.none", number=number)
    typer.echo(say("inbox.message", **{**row, "at": told(row["at_ms"])}))


def retry(number: Number, config: ConfigOption = None) -> None:
    """Put a shunted message back."""
    from referee.service.admin import console

    if not acted(config, lambda tx, here: console.mend(tx, "retry-message", number, here)):
        end(BAD, "inbox.not-shunted", number=number)
    typer.echo(say("inbox.retried", number=number))


def drop(number: Number, config: ConfigOption = None) -> None:
    """Give a shunted message up; its table goes on without it."""
    from referee.service.admin import console

    if not acted(config, lambda tx, here: console.mend(tx, "drop-message", number, here)):
        end(BAD, "inbox.not-shunted", number=number)
    typer.echo(say("inbox.dropped", number=number))
