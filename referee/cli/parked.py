"""`referee inbox parked`: what could not be read, or written down, and what to do about it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.common import BAD, ConfigOption, acted, changed, configured, end
from referee.cli.foreign import Command, Group, cause
from referee.cli.say import help_, say
from referee.cli.when import told

if TYPE_CHECKING:
    from referee.ports import Inbound
    from referee.service.inbound.parking import Parked, Parking

Name = Annotated[str, typer.Argument(help=help_("inbox.parked.name"))]


def group() -> typer.Typer:
    """All of it; alone it lists."""
    made = typer.Typer(
        cls=Group,
        invoke_without_command=True,
        help=help_("inbox.parked.group"),
        callback=listed,
        rich_markup_mode=None,
    )
    for name, command in (("show", show), ("retry", retry), ("drop", drop)):
        made.command(name, cls=Command, help=help_(f"inbox.parked.{name}"))(command)
    return made


def listed(context: typer.Context, config: ConfigOption = None) -> None:
    """List what is parked."""
    if context.invoked_subcommand is not None:
        return
    found = _folder(config).all()
    for one in found:
        typer.echo(
            say(
                "inbox.parked.row",
                id=one.id,
                at=told(one.at_ms),
                channel=one.channel,
                reason=one.reason,
                size=one.size,
                ref=one.ref or "-",
            )
        )
    typer.echo(say("inbox.parked.total", count=len(found)))


def show(name: Name, config: ConfigOption = None) -> None:
    """Show the head of one as it came, with nothing in it that a terminal would act upon."""
    one = _one(config, name)
    typer.echo(
        say(
            "inbox.parked.shown",
            id=one.id,
            channel=one.channel,
            at=told(one.at_ms),
            reason=one.reason,
            size=one.size,
            sha256=one.sha256,
            ref=one.ref or "-",
        )
    )
    head = one.head.decode("utf-8", "replace")
    typer.echo("".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in head.replace("\r\n", "\n")))
    if not one.whole:
        typer.echo(say("inbox.parked.head", bytes=len(one.head)))


def retry(name: Name, config: ConfigOption = None) -> None:
    """Read it again, and put it into the inbox."""
    from referee.main import clock_ms
    from referee.service.admin import console
    from referee.service.inbound import cleaning
    from referee.service.inbound.crashes import pardon
    from referee.service.inbound.parking import message

    one, folder = _one(config, name), _folder(config)
    if one.kind == "row":
        assert folder.folder is not None
        pardon(folder.folder, one.channel, one.key)
        number = int(one.ref.rpartition(" ")[2])
        if not acted(config, lambda tx, here: console.mend(tx, "retry-message", number, here)):
            end(BAD, "inbox.not-shunted", number=number)
    else:
        came = message(one) if one.kind == "message" else _read_again(config, one)
        if came is None:
            end(BAD, "inbox.parked.gone", id=one.id, channel=one.channel, ref=one.ref or "-")
        try:
            clean = cleaning.cleaned(came, clock_ms())
        except ValueError as unfit:
            end(BAD, "inbox.parked.unfit", id=one.id, why=str(unfit))
        if not changed(config, lambda tx: console.bring(tx, clean, clock_ms())):
            end(BAD, "inbox.parked.known", id=one.id)
    folder.drop(one.id)
    typer.echo(say("inbox.parked.retried", id=one.id))


def drop(name: Name, config: ConfigOption = None) -> None:
    """Throw it away."""
    one = _one(config, name)
    _folder(config).drop(one.id)
    typer.echo(say("inbox.parked.dropped", id=one.id))


def _read_again(config: Path | None, one: Parked) -> Inbound | None:
    """By its channel: from its bytes where they are whole, else fetched anew.

    None where it is not to be had.
    """
    from referee import main
    from referee.ports import What

    wire = next((wire for wire in main.adapters(configured(config)) if wire.name == one.channel), None)
    again = getattr(wire, "again", None)
    if again is None:
        end(BAD, "inbox.parked.never", id=one.id, channel=one.channel)
    try:
        came: Inbound | None = asyncio.run(again(one.head if one.whole else None, one.ref))
    except (OSError, ValueError) as trouble:
        end(BAD, "inbox.parked.away", id=one.id, why=cause(trouble))
    if came is not None and came.what is What.UNREAD:
        end(BAD, "inbox.parked.still", id=one.id, why=str(came.facts.get("reason", "")))
    return came


def _one(config: Path | None, name: str) -> Parked:
    found = _folder(config).get(name.strip().lower())
    if found is None:
        end(BAD, "inbox.parked.none", id=name)
    return found


def _folder(config: Path | None) -> Parking:
    from referee.main import parking
    from referee.service.inbound.parking import Parking

    return Parking(parking(configured(config, with_channels=False)))
