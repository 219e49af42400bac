"""`referee store`: a database that moves to another database, or gives room back to the disk."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.common import BAD, ConfigOption, configured, end
from referee.cli.foreign import cause
from referee.cli.say import help_, say

From = Annotated[str, typer.Argument(metavar="FROM", help=help_("store.from"))]
To = Annotated[str, typer.Argument(metavar="TO", help=help_("store.to"))]


def copy(source: From, target: To) -> None:
    """Copy a SQLite database into an empty database on PostgreSQL."""
    from referee.store import StoreBusy, StoreFull, WrongDatabase, moved

    if not (source.startswith("sqlite:") and target.startswith("postgresql")):
        end(BAD, "store.copy-one-way")
    try:
        found = moved(source, target)
    except StoreBusy as error:
        end(BAD, "store.not-copied-busy", why=cause(error.strerror))
    except StoreFull as error:
        end(BAD, "store.not-copied", why=cause(error.strerror))
    except (WrongDatabase, OSError, ValueError) as error:
        end(BAD, "store.not-copied", why=cause(error))
    for table, rows in found:
        if rows:
            typer.echo(say("store.copied-table", table=table, rows=rows))
    typer.echo(say("store.copied", rows=sum(rows for _, rows in found), tables=len(found)))


def compact(config: ConfigOption = None) -> None:
    """Write the database anew, without what rows have left."""
    from referee.cli.backups import told
    from referee.store.compacting import compacted

    with told("compact"):
        found = compacted(configured(config, with_channels=False).store.url)
    typer.echo(say("compact.done", before=round(found.before / 1e6, 1), after=round(found.after / 1e6, 1)))
