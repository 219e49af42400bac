"""`referee bots ladder`: which of several players made of code is the stronger, and how sure that is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.common import BAD, USAGE, end, write_csv
from referee.cli.say import help_, say

if TYPE_CHECKING:
    from referee.ladder import Contest, Row

#: seconds between two words about how far it is
_WORD = 5.0
#: half of the 95 % interval of a normal distribution, in deviations
_Z = 1.96


def ladder(
    games: Annotated[int, typer.Option("--games", "-n", help=help_("ladder.games"))] = 400,
    seats: Annotated[str, typer.Option("--seats", help=help_("ladder.seats"))] = "",
    against: Annotated[str, typer.Option("--against", help=help_("ladder.against"))] = "",
    players: Annotated[str, typer.Option("--players", help=help_("ladder.players"))] = "",
    edition: Annotated[str, typer.Option("--edition", "-e", help=help_("ladder.edition"))] = "classic",
    cast: Annotated[str, typer.Option("--cast", help=help_("ladder.cast"))] = "",
    effort: Annotated[float, typer.Option("--effort", help=help_("ladder.effort"))] = 0.05,
    patience: Annotated[float | None, typer.Option("--patience", help=help_("ladder.patience"))] = None,
    seed: Annotated[int, typer.Option("--seed", help=help_("simulate.seed"))] = 1,
    workers: Annotated[int, typer.Option("--workers", "-w", min=1, max=64, help=help_("ladder.workers"))] = 2,
    csv: Annotated[Path | None, typer.Option("--csv", help=help_("ladder.csv"))] = None,
) -> None:
    """Let players made of code play each other; 1 when the contest could not be played to its end."""
    from referee.ladder import LadderError, contest_of, csv_text, run, standings
    from referee.search import PLAYERS

    if csv is not None and not csv.absolute().parent.is_dir():
        end(USAGE, "pace.no-folder", file=csv, folder=csv.absolute().parent)
    named, rivals = _named(seats, against, [*PLAYERS])
    try:
        contest = contest_of(
            named,
            games,
            players=players,
            rivals=rivals,
            edition=edition,
            cast=cast,
            seed=seed,
            effort=effort,
            patience=patience,
        )
        results = run(contest, workers, _told(games))
    except LadderError as no:
        end(BAD if no.code == "crew-died" else USAGE, f"ladder.{no.code}", **no.facts)
    for line in _lines(contest, standings(contest, results), len(results), results[-1].deal + 1):
        typer.echo(line)
    if csv is not None:  # behind what was found: it may have taken hours
        write_csv(csv, csv_text(contest, results))


def _named(seats: str, against: str, levels: Sequence[str]) -> tuple[list[str], bool]:
    """Who plays, and whether the first of them plays against the others alone."""
    if not against:
        return [one.strip() for one in seats.split(",")] if seats else [*levels], False
    if seats:
        end(USAGE, "ladder.both")
    one, equals, others = against.partition("=")
    if not (equals and one.strip() and others.strip()):
        end(USAGE, "ladder.no-against", said=against)
    return [one.strip(), *(rival.strip() for rival in others.split(","))], True


def _told(games: int) -> Callable[[int], None]:
    """Says now and then how far it is."""
    spoken = time.monotonic()

    def told(done: int) -> None:
        nonlocal spoken
        if time.monotonic() - spoken >= _WORD:
            spoken = time.monotonic()
            typer.echo(say("ladder.so-far", done=done, games=max(done, games)), err=True)

    return told


def _lines(contest: Contest, rows: Sequence[Row], games: int, deals: int) -> list[str]:
    """What is printed in the end; all that depends on the machine comes last."""
    wide = max(len(row.who) for row in rows)
    facts = [{**row._asdict(), "wide": wide, "doubt": _Z * row.sigma} for row in rows]
    head = {
        "games": games,
        "deals": deals,
        "players": "/".join(map(str, contest.players)),
        "editions": "/".join(contest.editions),
        "seed": contest.seed,
        "effort": contest.effort,
    }
    return [
        say("ladder.head-any" if contest.cast == "any" else "ladder.head", **head),
        "",
        say("ladder.columns", who="", wide=wide),
        *(say("ladder.one" if row["low"] is None else "ladder.row", **row) for row in facts),
        "",
        *(
            say(
                "ladder.lost",
                **{**dict.fromkeys(("refused", "failed", "slow", "died"), 0), **row["lost"]},
                **row,
            )
            for row in facts
            if row["lost"]
        ),
        say("ladder.times", who="", wide=wide),
        *(say("ladder.time", **row) for row in facts),
    ]
