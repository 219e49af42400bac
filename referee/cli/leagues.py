"""`referee league …`: what is said to the league office, in the same words as in chat; and what only a
console can do.

referee league "Winter Cup" open rounds 7      referee league audit --verify      referee league simulate …
"""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from referee.cli import league_simulate
from referee.cli.common import BAD, USAGE, ConfigOption, configured, end, hour, looked_up, opened, shell
from referee.cli.foreign import Command, Group
from referee.cli.say import help_, language, say


class Words(Group):
    """A group whose first word is a command only where it is the name of one: anything else is said to the
    office.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        first = args[0] if args else ""
        if first not in self.commands and first not in ("-h", "--help"):
            args = ["say", *args]
        return super().parse_args(ctx, args)


def office(
    words: Annotated[list[str] | None, typer.Argument(help=help_("league.words"), show_default=False)] = None,
    by: Annotated[str, typer.Option("--by", help=help_("league.by"))] = "",
    zone: Annotated[str, typer.Option("--zone", help=help_("league.zone"))] = "UTC",
    verify: Annotated[bool, typer.Option("--verify", help=help_("league.verify"))] = False,
    config: ConfigOption = None,
) -> None:
    """Say something to the league office; with `audit --verify`, look every log through."""
    from referee.policy import known_zone
    from referee.rules import Refusal, SetupError
    from referee.service.league import console

    line = _line(words or [])
    if verify:
        if line.strip() not in ("audit", ""):
            end(USAGE, "league.verify-alone")
        _verify(config)
        return
    if not known_zone(zone):
        end(USAGE, "league.no-zone", zone=zone)
    explained = console.help_text(line, language())
    if explained is not None:  # needs neither a configuration nor a database
        typer.echo(explained)
        return
    found, speaks = configured(config), by.strip()[:60] or _login()
    here = shell(found)
    try:
        with opened(found.store.url, guest=True) as store:
            here = here._replace(now_ms=hour(store))
            typer.echo(store.write_now(lambda tx: console.carry_out(tx, here, line, speaks, zone)))
    except (Refusal, SetupError) as no:
        typer.echo(here.words.phrase(no.code, language(), **{**no.facts, "zone": zone}), err=True)
        raise typer.Exit(BAD) from None


def _line(words: Sequence[str]) -> str:
    """A command line's words as one line: those with a blank in them stood in quotes, unless that is all
    there is.
    """
    if len(words) == 1:
        return words[0]
    return " ".join(f'"{one}"' if " " in one.strip() and '"' not in one else one for one in words)


def _verify(config: Any) -> None:
    """Exit code 1 where a log was tampered with."""
    from referee.service.league import log
    from referee.service.league.office import log_replay

    found = looked_up(config, log.verdicts)
    differs = looked_up(config, log_replay.all_flaws)
    for one in found:
        code = "league.log-broken" if one.broken else "league.log-whole"
        typer.echo(
            say(code, what=one.name or one.scope, lines=one.lines, broken=one.broken, last=one.last or "-")
        )
    for name, flaw in differs:
        code = "league.log-points" if flaw.what == "points" else "league.log-table"
        typer.echo(say(code, name=name, **flaw._asdict()))
    if differs or any(one.broken for one in found):
        raise typer.Exit(BAD)


def _login() -> str:
    """How the log calls the person who sits at the console and does not say."""
    try:
        return getpass.getuser()[:60]
    except (OSError, KeyError, ImportError):
        return "console"


#: commands beside what is said to the office: name -> function
COMMANDS: dict[str, Any] = {"say": office, "simulate": league_simulate.season}


def group() -> typer.Typer:
    """The group `league`."""
    made = typer.Typer(cls=Words, no_args_is_help=False, help=help_("league.group"), rich_markup_mode=None)
    for name, function in COMMANDS.items():
        made.command(
            name,
            cls=Command,
            help=help_(f"league.{name}"),
            context_settings={"ignore_unknown_options": name == "say"},
        )(function)
    return made
