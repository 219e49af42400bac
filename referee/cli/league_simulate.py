"""`referee league simulate`: a season played ahead, by the office's own clock and among people who are not
there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import policies
from referee.cli.common import BAD, USAGE, end, write_csv
from referee.cli.foreign import cause
from referee.cli.say import help_, language, say
from referee.cli.simulate import share, told

if TYPE_CHECKING:
    from referee.pace import LeagueRow, LeagueTrial

#: this many of a division's standings are printed, unless all are asked for
_TOP = 5


def season(
    players: Annotated[int, typer.Option("--players", "-n", help=help_("season.players"))] = 60,
    rounds: Annotated[int, typer.Option("--rounds", help=help_("season.rounds"))] = 5,
    wanted: Annotated[int, typer.Option("--wanted", help=help_("season.wanted"))] = 5,
    division: Annotated[int, typer.Option("--division", help=help_("season.division"))] = 0,
    days: Annotated[int, typer.Option("--days", help=help_("season.days"))] = 0,
    alternates: Annotated[int, typer.Option("--alternates", help=help_("season.alternates"))] = 0,
    early: Annotated[bool, typer.Option("--early", help=help_("season.early"))] = False,
    edition: Annotated[str, typer.Option("--edition", "-e", help=help_("simulate.edition"))] = "classic",
    people: Annotated[str, typer.Option("--people", help=help_("simulate.people"))] = "twice-a-day",
    plans: Annotated[str, typer.Option("--plans", help=help_("simulate.plans"))] = "none",
    policy: Annotated[str, typer.Option("--policy", help=help_("simulate.policy"))] = "daily",
    seed: Annotated[int, typer.Option("--seed", help=help_("simulate.seed"))] = 1,
    missed: Annotated[str, typer.Option("--missed", help=help_("simulate.missed"))] = "0%",
    dropouts: Annotated[str, typer.Option("--dropouts", help=help_("season.dropouts"))] = "0%",
    bot: Annotated[str, typer.Option("--bot", help=help_("simulate.bot"))] = "greedy",
    csv: Annotated[Path | None, typer.Option("--csv", help=help_("season.csv"))] = None,
    full: Annotated[bool, typer.Option("--standings", help=help_("season.standings"))] = False,
) -> None:
    """Play a season in time that passes when it is told to; 1 when something happened that never may."""
    from referee.pace import league_csv, league_trial, play_league

    begun = time.perf_counter()
    if csv is not None and not csv.absolute().parent.is_dir():
        end(USAGE, "pace.no-folder", file=csv, folder=csv.absolute().parent)
    with _faults_told():
        trial = league_trial(
            language(),
            players=players,
            rounds=rounds,
            wanted=wanted,
            division=division,
            days=days,
            alternates=alternates,
            early=early,
            edition=edition,
            people=people,
            plans=plans,
            policy=policy,
            seed=seed,
            missed=share("missed", missed),
            dropouts=share("dropouts", dropouts),
            bot=bot,
        )
        row = play_league(
            trial, lambda done: typer.echo(say("season.so-far", done=done, rounds=rounds), err=True)
        )
    for line in _lines(trial, row, time.perf_counter() - begun, full):
        typer.echo(line)
    if csv is not None:  # behind what was found: it may have taken hours
        write_csv(csv, league_csv(trial, row))


@contextmanager
def _faults_told() -> Iterator[None]:
    """Around a simulation: what goes wrong ends the command with a sentence."""
    from referee.pace import LawBroken, TrialError
    from referee.rules import Refusal
    from referee.text import Words

    try:
        yield
    except TrialError as no:
        end(USAGE, f"pace.{no.code}", **told(no.facts))
    except Refusal as no:
        typer.echo(Words().phrase(no.code, language(), **no.facts), err=True)
        raise typer.Exit(USAGE) from None
    except OSError as no:  # the season's database
        end(USAGE, "pace.unwritable", file=gettempdir(), why=cause(no.strerror or no))
    except LawBroken as no:
        end(BAD, "pace.broken", code=no.code, facts=[f"{name} {value}" for name, value in no.facts.items()])


def _lines(trial: LeagueTrial, row: LeagueRow, seconds: float, full: bool) -> list[str]:
    """What is printed in the end."""
    from referee.league import shown

    count = row.counted()
    facts = {
        **trial._asdict(),
        **row._asdict(),
        "policy": policies.in_words(trial.policy),
        "missed": f"{trial.missed:.0%}",
        "dropouts": f"{trial.dropouts:.0%}",
        "seconds": round(seconds),
        "tables": len(row.tables),
        "days": round(row.days, 1),
        "over": count["over"],
        "ruled": count["ruled"],
        "void": count["void"],
        "replayed": count["replayed"],
        "took_over": sum(one.took_over for one in row.tables),
        "left": sum(one.left for one in row.tables),
        "empty": sum(one.empty for one in row.tables),
        "penalties": shown(row.penalties),
        "played": f"{count['over'] / max(1, len(row.tables)):.1%}",
        **{f"drawn_{name}": round(value, 1) for name, value in row.spread._asdict().items()},
        **{f"random_{name}": round(value, 1) for name, value in row.random._asdict().items()},
        "each": round(row.typed / max(1, trial.players + trial.alternates)),
        "letters_each": round(row.letters / max(1, trial.players + trial.alternates)),
    }
    told_ = [
        say(f"season.{code}", **facts) for code in ("head", "draw", "spread", "tables", "people", "acts")
    ]
    told_ += [
        say("season.round", round=number, tables=tables, median=round(middle, 1), longest=round(longest, 1))
        for number, tables, middle, longest in row.by_round()
    ]
    told_ += [
        say(
            "season.line-taken" if one.taken else "season.line",
            division=one.division,
            rank=one.rank,
            name=one.name,
            points=shown(one.points),
            wins=one.wins,
            tables=one.tables,
            taken=shown(one.taken),
        )
        for one in row.standings
        if full or one.rank <= _TOP
    ]
    return told_
