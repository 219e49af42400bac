"""`referee init`, `referee doctor`, `referee version`: before and beside serving."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.common import BAD, ConfigOption, configured, end
from referee.cli.foreign import cause, causes
from referee.cli.say import help_, meant, say


def init(
    config: ConfigOption = None,
    out: Annotated[bool, typer.Option("--print", help=help_("init.print"))] = False,
) -> None:
    """Write a commented configuration where none is."""
    from referee.config import sample
    from referee.config.places import config_file, secrets_directory

    text = sample(
        head=say("sample.head"),
        channel=say("sample.channel", name="{name}"),
        required=say("sample.required"),
        secret=say("sample.secret", variable="{variable}", file="{file}"),
        meant=meant,
    )
    if out:
        typer.echo(text)
        return
    path = config_file(config, os.environ)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(text)
        secrets = secrets_directory(path, {})
        secrets.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError:
        end(BAD, "init.exists", path=path)
    except OSError as error:
        end(BAD, "init.failed", path=path, why=cause(error.strerror))
    typer.echo(say("init.done", path=path, secrets=secrets))


def doctor(config: ConfigOption = None) -> None:
    """Check everything; exit code 1 when something is bad."""
    from referee.doctor import examine

    findings = asyncio.run(examine(configured(config)))
    wide = 1 + max(len(say(f"level.{level}")) for level in ("ok", "warn", "bad"))
    for finding in findings:
        typer.echo(
            say(f"level.{finding.level}").ljust(wide) + say(f"doctor.{finding.code}", **causes(finding.facts))
        )
    bad = sum(finding.level == "bad" for finding in findings)
    typer.echo(
        say(
            "doctor.total",
            ok=sum(finding.level == "ok" for finding in findings),
            warn=sum(finding.level == "warn" for finding in findings),
            bad=bad,
        )
    )
    if bad:
        raise typer.Exit(BAD)


def version() -> None:
    """Print the version."""
    from importlib.metadata import version as of

    import referee

    typer.echo(say("version", version=of("citadels-referee"), path=Path(referee.__file__).parent))
