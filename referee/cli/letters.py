"""`referee outbox`: letters that wait, went, or could not go."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.common import BAD, LARGEST_NUMBER, ConfigOption, acted, end, looked_up
from referee.cli.say import help_, say
from referee.cli.when import told
from referee.ids import LetterId
from referee.states import OutboxState

Number = Annotated[int, typer.Argument(help=help_("outbox.number"), min=1, max=LARGEST_NUMBER)]
State = Annotated[str, typer.Option("--state", help=help_("outbox.state"))]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, help=help_("outbox.limit"))]

STATES = (
    OutboxState.QUEUED,
    OutboxState.SENDING,
    OutboxState.SENT,
    OutboxState.FAILED,
    OutboxState.UNKNOWN,
    OutboxState.DROPPED,
)


def listed(state: State = "", limit: Limit = 50, config: ConfigOption = None) -> None:
    """List letters, newest first."""
    from referee.service.admin import console

    if state and state not in STATES:
        end(2, "outbox.no-state", state=state, states=STATES)
    rows = looked_up(config, lambda tx: console.outgoing(tx, state, limit))
    for row in rows:
        typer.echo(
            say(
                "outbox.row",
                **{
                    **row,
                    "game": row["game"] or "-",
                    "created": told(row["created_ms"]),
                    "sent": told(row["sent_ms"]),
                },
            )
        )
    typer.echo(say("outbox.total", count=len(rows)))


def show(number: Number, config: ConfigOption = None) -> None:
    """Show what is known of one letter.  Its words may tell a hand: they are not shown."""
    from referee.service.admin import console
    from referee.store import Outbox

    row = looked_up(config, lambda tx: tx.get(Outbox, LetterId(number)))
    if row is None:
        end(BAD, "outbox.none", number=number)
    facts = console.letter_row(row)
    typer.echo(
        say(
            "outbox.letter",
            **{
                **facts,
                "game": facts["game"] or "-",
                "created": told(facts["created_ms"]),
                "sent": told(facts["sent_ms"]),
            },
        )
    )


def retry(number: Number, config: ConfigOption = None) -> None:
    """Queue a letter again."""
    from referee.service.admin import console

    if not acted(config, lambda tx, here: console.mend(tx, "retry-letter", number, here)):
        end(BAD, "outbox.not-retried", number=number)
    typer.echo(say("outbox.retried", number=number))


def drop(number: Number, config: ConfigOption = None) -> None:
    """Don't send a letter after all."""
    from referee.service.admin import console

    if not acted(config, lambda tx, here: console.mend(tx, "drop-letter", number, here)):
        end(BAD, "outbox.not-dropped", number=number)
    typer.echo(say("outbox.dropped", number=number))
