"""`referee backup`, `referee restore`, `referee store audit`: a database that can be had back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, configured, end
from referee.cli.foreign import cause, causes
from referee.cli.say import help_, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.service.upkeep.audit import AuditFlaw

#: this many findings are told one by one
_TOLD = 20
#: how far behind everybody else on this machine
_NICE = 10

Target = Annotated[
    Path | None, typer.Argument(metavar="TARGET", help=help_("backup.target"), show_default=False)
]
Verify = Annotated[bool, typer.Option("--verify/--no-verify", help=help_("backup.verify"))]
Keep = Annotated[int | None, typer.Option("--keep", min=1, help=help_("backup.keep"), show_default=False)]
Workers = Annotated[int, typer.Option("--workers", min=0, help=help_("backup.workers"), show_default=False)]
File = Annotated[Path, typer.Argument(metavar="FILE", help=help_("restore.file"))]
To = Annotated[str | None, typer.Option("--to", metavar="URL", help=help_("restore.to"), show_default=False)]
Aside = Annotated[bool, typer.Option("--aside", help=help_("restore.aside"))]
Tried = Annotated[
    Path | None, typer.Argument(metavar="BACKUP", help=help_("rehearse.file"), show_default=False)
]
Full = Annotated[bool, typer.Option("--full", help=help_("backup.full"))]
Finished = Annotated[bool, typer.Option("--finished", help=help_("audit.finished"))]
All = Annotated[bool, typer.Option("--all", help=help_("rehearse.all"))]
Games = Annotated[int, typer.Option("--games", min=1, help=help_("rehearse.games"))]
Flawed = Annotated[bool, typer.Option("--flawed", help=help_("restore.flawed"))]


def backup(
    target: Target = None,
    verify: Verify = True,
    keep: Keep = None,
    workers: Workers = 1,
    full: Full = False,
    config: ConfigOption = None,
) -> None:
    """Back up."""
    from referee.main import clock_ms
    from referee.service.upkeep.take_backup import kept

    decided = configured(config, with_channels=False)
    stand_back()
    with told("backup"):
        made = kept(
            decided.store.url,
            target or decided.backup.directory.expanduser(),
            clock_ms,
            keep=keep or decided.backup.keep,
            verify=verify,
            workers=workers,
            full_days=0 if full else decided.backup.full_days,
        )
    typer.echo(
        say(
            "backup.made",
            file=made.path,
            games=made.manifest.live,
            rows=sum(made.manifest.rows.values()),
            mb=round(made.manifest.size / 1e6, 1),
        )
    )
    if made.unable:
        if made.gone:
            typer.echo(say("backup.gone", count=len(made.gone)))
        end(BAD, "backup.no-room", file=made.path, why=cause(made.unable))
    if made.audit is None:
        typer.echo(say("backup.untried", file=made.path))
    else:
        ends_with(made.audit.flaws, "backup.flawed", file=made.path)
        typer.echo(say("backup.proven", games=made.audit.games))
        if not made.noted:
            typer.echo(say("backup.not-noted"), err=True)
    if made.gone:
        typer.echo(say("backup.gone", count=len(made.gone)))


def restore(
    file: File,
    to: To = None,
    aside: Aside = False,
    flawed: Flawed = False,
    workers: Workers = 0,
    config: ConfigOption = None,
) -> None:
    """Restore."""
    from referee.main import clock_ms
    from referee.service import ServiceSettings
    from referee.service.upkeep.restore import restored
    from referee.store import shown

    decided = configured(config)
    url = to or decided.store.url
    with told("restore"):
        done = restored(
            file,
            url,
            clock_ms,
            ServiceSettings(
                admins=decided.referee.admin_addresses(),
                admin_entries=decided.referee.admin_entries(),
                channels=tuple(decided.channels),
            ),
            aside=aside,
            flawed=flawed,
            workers=workers,
        )
    if done.aftermath is None:
        ends_with(done.audit.flaws, "restore.flaws", file=file)
    listed(done.audit.flaws)
    typer.echo(
        say("restore.done", url=shown(url), made=moment(done.manifest.made_ms), games=done.audit.games)
    )
    if done.aside:
        typer.echo(say("restore.moved", aside=done.aside))
    assert done.aftermath is not None
    typer.echo(say("restore.next", tables=done.aftermath.tables, letters=done.aftermath.letters))


def audit(workers: Workers = 0, finished: Finished = False, config: ConfigOption = None) -> None:
    """Look through every live game."""
    from referee.main import clock_ms
    from referee.service.upkeep.workers import audited

    decided = configured(config, with_channels=False)
    with told("audit"):
        found = audited(decided.store.url, clock_ms(), workers, finished=finished)
    ends_with(found.flaws, "audit.flawed", games=found.games)
    typer.echo(say("audit.all-sound" if finished else "audit.sound", games=found.games))


def rehearse(
    file: Tried = None,
    every: All = False,
    games: Games = 1000,
    workers: Workers = 0,
    config: ConfigOption = None,
) -> None:
    """Try an upgrade on a copy."""
    from referee.main import clock_ms, own_templates
    from referee.service.upkeep.try_upgrade import rehearsed

    decided = configured(config, with_channels=False)
    stand_back()
    with told("rehearse"):
        done = rehearsed(
            file,
            decided.store.url,
            decided.backup.directory.expanduser(),
            clock_ms,
            most=0 if every else games,
            templates=own_templates(decided),
            workers=workers,
        )
    tried = done.tried
    typer.echo(
        say(
            "rehearse.copy",
            made=moment(done.manifest.made_ms),
            old=done.manifest.version,
            was=done.manifest.revision,
            now=done.revision,
        )
    )
    typer.echo(
        say(
            "rehearse.tried",
            games=tried.games,
            letters=tried.letters,
            played=tried.played,
            orders=tried.orders,
        )
    )
    ends_with(tried.flaws, "rehearse.flawed", games=tried.games)
    typer.echo(say("rehearse.sound"))


def stand_back() -> None:
    """Anyone who plays comes first: this process, and those that it starts, wait for everybody else."""
    os.setpriority(os.PRIO_PROCESS, 0, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))


@contextmanager
def told(what: str) -> Iterator[None]:
    """What goes wrong ends with one clear line, and exit code 1 (2 for an address that means nothing)."""
    from referee.store import (
        MissingDatabase,
        OccupiedDatabase,
        StoreBusy,
        StoreFull,
        WrongDatabase,
    )
    from referee.store.backups import BadBackup

    try:
        yield
    except BadBackup as bad:
        end(BAD, f"restore.{bad.code}", **causes(bad.facts))
    except OccupiedDatabase as error:
        end(BAD, "restore.occupied", why=cause(error))
    except MissingDatabase as error:
        end(BAD, f"{what}.nothing", why=cause(error))
    except WrongDatabase as error:
        end(BAD, f"{what}.failed", why=cause(error))
    except StoreBusy as error:
        end(BAD, f"{what}.busy", why=cause(error.strerror), where=error.filename)
    except StoreFull as error:
        end(
            BAD,
            f"{what}.{'disk' if error.reason == 'full' else 'failed'}",
            why=cause(error.strerror),
            where=error.filename,
        )
    except ValueError as error:
        end(USAGE, f"{what}.failed", why=cause(error))


def ends_with(flaws: Sequence[AuditFlaw], sentence: str, **facts: object) -> None:
    """Findings, if there are any, and the end."""
    listed(flaws)
    if flaws:
        end(BAD, sentence, count=len(flaws), of=len({one.game for one in flaws}), **facts)


def listed(flaws: Sequence[AuditFlaw]) -> None:
    """A line for each, up to twenty."""
    for one in flaws[:_TOLD]:
        typer.echo(
            say(
                "audit.flaw",
                game=one.game,
                what=say(f"audit.{one.code}"),
                why=f" ({one.why})" if one.why else "",
            ),
            err=True,
        )
    if len(flaws) > _TOLD:
        typer.echo(say("audit.more", count=len(flaws) - _TOLD), err=True)


def moment(at_ms: int) -> str:
    """For an admin to read."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
