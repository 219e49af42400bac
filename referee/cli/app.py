"""All commands, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from referee.cli import (
    backups,
    bots,
    console,
    health,
    leagues,
    letters,
    messages,
    moving,
    parked,
    playing,
    policies,
    records,
    rules,
    serving,
    setup,
    simulate,
    tables,
    web_link,
)
from referee.cli.foreign import Command, Group
from referee.cli.say import help_


def _version(wanted: bool) -> None:
    if wanted:
        setup.version()
        raise typer.Exit


def _begin(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help=help_("version"))
    ] = False,
) -> None:
    """What can be said before a command."""


app = typer.Typer(
    cls=Group,
    callback=_begin,
    no_args_is_help=True,
    help=help_("referee"),
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich's way of writing help costs 0.15 s
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("init", cls=Command, help=help_("init"))(setup.init)
app.command("doctor", cls=Command, help=help_("doctor"))(setup.doctor)
app.command("serve", cls=Command, help=help_("serve"))(serving.serve)
app.command("health", cls=Command, help=help_("health"))(health.health)
app.command("work", cls=Command, help=help_("work"))(serving.work)
app.command("play", cls=Command, help=help_("play"))(playing.play)
app.command("seat", cls=Command, help=help_("seat"))(playing.seat)
app.command("web", cls=Command, help=help_("web"))(web_link.web)
app.command("backup", cls=Command, help=help_("backup"))(backups.backup)
app.command("restore", cls=Command, help=help_("restore"))(backups.restore)
app.command("rehearse", cls=Command, help=help_("rehearse"))(backups.rehearse)
app.command("games", cls=Command, help=help_("games"))(tables.games)
app.command("admin", cls=Command, help=help_("admin"))(console.admin)
app.command("stats", cls=Command, help=help_("stats"))(console.stats)
app.command("block", cls=Command, help=help_("block"))(console.block)
app.command("unblock", cls=Command, help=help_("unblock"))(console.unblock)
app.command("blocked", cls=Command, help=help_("blocked"))(console.blocked)
app.command("version", cls=Command, help=help_("version"))(setup.version)


def _group(name: str, **commands: object) -> typer.Typer:
    group = typer.Typer(cls=Group, no_args_is_help=True, help=help_(f"{name}.group"), rich_markup_mode=None)
    for command, function in commands.items():
        group.command(command, cls=Command, help=help_(f"{name}.{command}"))(function)  # type: ignore[type-var]  # all are functions
    app.add_typer(group, name=name)
    return group


_group("rules", check=rules.check, list=rules.cards)
_group("record", verify=records.verify, show=records.show, write=records.write, key=records.key)
_group("policy", add=policies.add, list=policies.listed, show=policies.show, remove=policies.remove)
_group(
    "game",
    look=console.look,
    pause=console.pause,
    resume=console.resume,
    extend=console.extend,
    replace=console.replace,
    kick=console.kick,
    rewind=console.rewind,
    process=console.process,
    second=console.second,
    move=console.move,
    archive=console.archive,
    unarchive=console.unarchive,
    thaw=console.thaw,
    abandon=console.abandon,
)
_group(
    "inbox", shunted=messages.shunted, show=messages.show, retry=messages.retry, drop=messages.drop
).add_typer(parked.group(), name="parked")
_group("outbox", list=letters.listed, show=letters.show, retry=letters.retry, drop=letters.drop)
_group("store", copy=moving.copy, audit=backups.audit, compact=moving.compact)
_group("simulate", pace=simulate.pace)
_group("bots", ladder=bots.ladder)
app.add_typer(leagues.group(), name="league")


def narrowed(whole: typer.Typer, named: Sequence[str]) -> None:
    """Only the command or group that is named first, if one is: to make the others out of their functions,
    sixty of them, costs a twentieth of a second and more.
    """
    commands = [one for one in whole.registered_commands if one.name in named]
    groups = [one for one in whole.registered_groups if one.name in named]
    if commands or groups:
        whole.registered_commands[:], whole.registered_groups[:] = commands, groups
