"""`referee record`: game records, checked, shown, and taken out of the store."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.common import BAD, LARGEST_NUMBER, USAGE, ConfigOption, end, looked_up
from referee.cli.foreign import cause
from referee.cli.say import help_, say
from referee.ids import GameId

if TYPE_CHECKING:
    from referee.rules.record import Closing

#: bytes of the longest file that is read; a game's record has some fifty thousand
_LARGEST = 4_000_000
_HEAD = re.compile("[0-9a-f]{64}")
File = Annotated[Path, typer.Argument(help=help_("record.file"), show_default=False)]


def verify(
    file: File,
    house: Annotated[str, typer.Option("--key", help=help_("record.house"))] = "",
    noted: Annotated[str, typer.Option("--head", help=help_("record.noted"))] = "",
) -> None:
    """Play a record again; 0 when it holds (and is of the installation and the head that were given), 1 when
    not."""
    from referee.rules.record import RecordError
    from referee.rules.record import verify as check
    from referee.service.play import signature

    wanted = signature.key_given(house)
    if house and wanted is None:
        end(USAGE, "record.bad-key", key=house)
    if noted and not _HEAD.fullmatch(noted.strip().lower()):
        end(USAGE, "record.bad-head", head=noted)
    try:
        held = check(_text(file))
    except RecordError as error:
        end(BAD, "record.wrong", file=file, line=error.line, wrong=error.wrong, right=error.right or "?")
    code = "record.holds" if held.replayed else "record.sealed"
    typer.echo(
        say(
            code,
            file=file,
            orders=held.orders,
            rounds=held.rounds,
            players=held.record.setup.players,
            finished=say("record.finished" if held.finished else "record.unfinished"),
        )
    )
    _proven(file, held.closing, wanted, noted.strip().lower())


def _proven(file: Path, closing: Closing | None, wanted: str | None, noted: str) -> None:
    """Say what stands under a record that holds; end with 1 where it is not what was asked for."""
    from referee.service.play import signature

    if closing is not None and closing.key and not signature.genuine(closing):
        end(BAD, "record.forged", file=file)
    if noted and closing is None:
        end(BAD, "record.no-head", file=file)
    if noted and closing is not None and closing.head != noted:
        end(BAD, "record.other-head", file=file, head=closing.head)
    if wanted and (closing is None or not closing.key):
        end(BAD, "record.not-signed", file=file)
    if wanted and closing is not None and closing.key != wanted:
        end(BAD, "record.not-theirs", file=file, key=closing.key)
    if closing is None:
        typer.echo(say("record.unchained"))
        return
    typer.echo(say("record.chained", head=closing.head))
    if wanted:
        typer.echo(say("record.genuine"))
    elif closing.key:
        typer.echo(say("record.signed", key=closing.key, fingerprint=signature.fingerprint(closing.key)))
    else:
        typer.echo(say("record.unsigned"))


def key(config: ConfigOption = None) -> None:
    """Print the public key of this house."""
    from referee.service.play import signature

    found = looked_up(config, signature.public_key)
    if not found:
        end(BAD, "record.no-key")
    typer.echo(say("record.key", key=found, fingerprint=signature.fingerprint(found)))


def show(file: File) -> None:
    """What a record tells, in a few lines."""
    from referee.rules.record import RecordError, read

    try:
        told = read(_text(file))
    except RecordError as error:
        end(BAD, "record.wrong", file=file, line=error.line, wrong=error.wrong, right=error.right or "?")
    setup = told.setup
    rounds = told.entries[-1].round if told.entries else 0
    typer.echo(
        say(
            "record.head",
            edition=setup.edition,
            players=setup.players,
            orders=len(told.entries),
            rounds=rounds,
            seed_hash=told.seed_hash,
        )
    )
    if told.result is not None:
        for row in told.result["scores"]:
            typer.echo(
                say(
                    "record.score",
                    name=setup.players[row["seat"]],
                    score=row["score"],
                    points=[f"{part} {points}" for part, points in row["points"].items()],
                )
            )
        typer.echo(say("record.winners", names=[setup.players[seat] for seat in told.result["winners"]]))


def write(
    number: Annotated[int, typer.Argument(help=help_("record.number"), min=1, max=LARGEST_NUMBER)],
    out: Annotated[Path | None, typer.Option("--out", "-o", help=help_("record.out"))] = None,
    deal: Annotated[int, typer.Option("--deal", min=0, max=LARGEST_NUMBER, help=help_("record.deal"))] = 0,
    config: ConfigOption = None,
) -> None:
    """Take a game's record out of the store, or that of a deal which it gave up; its seed is in it only once
    the game is over.
    """
    from referee.service.play.records import deal_text, record_text

    try:
        text = looked_up(
            config,
            lambda tx: deal_text(tx, GameId(number), deal) if deal else record_text(tx, GameId(number)),
        )
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
        with file.open("rb") as opened:
            raw = opened.read(_LARGEST + 1)
        if len(raw) > _LARGEST:
            end(USAGE, "record.too-large", file=file, most=_LARGEST)
        return raw.decode()
    except OSError as error:
        end(USAGE, "record.unreadable", file=file, why=cause(error.strerror))
    except UnicodeDecodeError:
        end(USAGE, "record.not-utf8", file=file)
