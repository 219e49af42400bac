"""`referee init`, `referee doctor`, `referee version`: before and beside serving."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, configured, end, fault_sentences
from referee.cli.foreign import cause, causes
from referee.cli.say import help_, say

#: the file of the key with which browsers are told
_KEY = "web__push_key"


def init(
    channel: Annotated[
        list[str] | None, typer.Option("--channel", help=help_("init.channel"), show_default=False)
    ] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help=help_("init.set"))] = None,
    web: Annotated[str, typer.Option("--web", help=help_("init.web"))] = "",
    config: ConfigOption = None,
    out: Annotated[bool, typer.Option("--print", help=help_("init.print"))] = False,
) -> None:
    """Write a commented configuration where none is: asked for at a terminal, else out of the options."""
    from referee.cli import asking
    from referee.config import ConfigError, channels
    from referee.config.places import config_file, secrets_directory

    path = config_file(config, os.environ)
    if path.exists() and not out:
        if not (channel or setting or web) and _completed(path):
            return
        end(BAD, "init.exists", path=path)
    if at_a_terminal() and not (channel or setting or web or out):
        values = asking.from_answers()
    else:
        values = asking.from_options(channel or (), setting or (), web)
        if faults := asking.found_wrong(values, path):
            for sentence in fault_sentences(ConfigError(*faults)):
                typer.echo(sentence, err=True)
            raise typer.Exit(USAGE)
    text = asking.text_of(values)
    if out:
        typer.echo(text)
        return
    secrets = secrets_directory(path, {})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        secrets.mkdir(mode=0o700, exist_ok=True)
        for name, secret in asking.secrets_of(values).items():
            _own(secrets / name, secret + "\n", os.O_TRUNC)
        if not (secrets / _KEY).exists():  # with another key every player has to ask for notices anew
            _own(secrets / _KEY, channels.own("push").new_key() + "\n", os.O_EXCL)
        _own(path, text, os.O_EXCL)
    except FileExistsError:
        end(BAD, "init.exists", path=path)
    except OSError as error:
        end(BAD, "init.failed", path=path, why=cause(error.strerror))
    typer.echo(say("init.done", path=path, secrets=secrets))
    on = [name for name in values if name != "web"]
    typer.echo(say("init.next", url=f"http://{values['web']['listen']}") if on else say("init.turn-on"))


def _completed(path: Path) -> bool:
    """Give a house that was set up before what it lacks by now; False where it lacks nothing."""
    from referee.config import ConfigError, channels, load
    from referee.config.places import secrets_directory

    try:
        if load(path, with_channels=False).web.push_key.get_secret_value():
            return False
    except ConfigError:
        return False
    secrets = secrets_directory(path, os.environ)
    file = secrets / _KEY
    try:
        secrets.mkdir(mode=0o700, exist_ok=True)
        _own(file, channels.own("push").new_key() + "\n", os.O_EXCL)
    except OSError as error:
        end(BAD, "init.failed", path=file, why=cause(error.strerror))
    typer.echo(say("init.completed", path=path, file=file))
    return True


def at_a_terminal() -> bool:
    """Whether somebody is there who can be asked."""
    return sys.stdin.isatty()


def _own(path: Path, text: str, how: int) -> None:
    """Write a file that only its owner may read, also where others could read the one that was there."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600), "w", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(text)


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
    """Print the version, which rules it has, and where it is installed."""
    from importlib.metadata import version as of

    import referee
    from referee.rules import model

    plain = str(model.__file__).endswith(".py")
    rules = say("rules-plain" if plain else "rules-compiled")
    typer.echo(
        say("version", version=of("citadels-referee"), rules=rules, path=Path(referee.__file__).parent)
    )
