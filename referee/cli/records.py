"""`referee record`: game records, checked, shown, and taken out of the store."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, end, looked_up
from referee.cli.foreign import cause
from referee.cli.say import help_, say

File = Annotated[Path, typer.Argument(help=help_("record.file"), show_default=False)]


def verify(file: File) -> None:
    """Play a record again; 0 when it holds, 1 when not."""
    from referee.rules.record import RecordError
    from referee.rules.record import verify as check

    try:
        held = check(_text(file))
    except RecordError as error:
        end(BAD, "record.wrong", file=file, line=error.line, wrong=error.wrong, right=error.right or "?")
    code = "record.holds" if held.replayed else "record.sealed"
    typer.echo(say(code, file=file, orders=held.orders, rounds=held.rounds,
                   players=held.record.setup.players, finished=say("record.finished" if held.finished else "record.unfinished")))


def show(file: File) -> None:
    """What a record tells, in a few lines."""
    from referee.rules.record import RecordError, read

    try:
        told = read(_text(file))
    except RecordError as error:
        end(BAD, "record.wrong", file=file, line=error.line, wrong=error.wrong, right=error.right or "?")
    setup = told.setup
    rounds = told.entries[-1].round if told.entries else 0
    typer.echo(say("record.head", edition=setup.edition, players=setup.players, orders=len(told.entries), rounds=rounds,
                   seed_hash=told.seed_hash))
    if told.result is not None:
        for row in told.result["scores"]:
            typer.echo(say("record.score", name=setup.players[row["seat"]], score=row["score"],
                           points=[f"{part} {points}" for part, points in row["points"].items()]))
        typer.echo(say("record.winners", names=[setup.players[seat] for seat in told.result["winners"]]))


def write(number: Annotated[int, typer.Argument(help=help_("record.number"))],
          out: Annotated[Path | None, typer.Option("--out", "-o", help=help_("record.out"))] = None,
          deal: Annotated[int, typer.Option("--deal", help=help_("record.deal"))] = 0,
          config: ConfigOption = None) -> None:
    """Take a game's record out of the store, or that of a deal which it gave up; its seed is in it only once the game is over."""
    from referee.service import administration

    try:
        text = looked_up(config, lambda tx: administration.deal_text(tx, number, deal) if deal else administration.record_text(tx, number))
    except LookupError:
        end(BAD, "record.no-game", number=number)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        end(BAD, "record.unwritable", file=out, why=cause(error.strerror))
    typer.echo(say("record.written", file=out))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        end(USAGE, "record.unreadable", file=file, why=cause(error.strerror))
    except UnicodeDecodeError:
        end(USAGE, "record.not-utf8", file=file)
