"""`referee simulate`: how long games would take among such people, under such a policy."""

from __future__ import annotations

import re
import time
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import policies
from referee.cli.common import BAD, USAGE, end, write_csv
from referee.cli.foreign import cause, causes
from referee.cli.say import help_, language, say

if TYPE_CHECKING:
    from referee.pace import Summary, Trial

_CHART = {
    "title": "pace.chart-title",
    "subtitle": "pace.chart-subtitle",
    "days": "pace.chart-days",
    "games": "pace.chart-games",
    "median": "pace.chart-median",
    "p90": "pace.chart-p90",
}
_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*(%?)")


def pace(
    players: Annotated[int, typer.Option("--players", help=help_("simulate.players"))] = 5,
    edition: Annotated[str, typer.Option("--edition", "-e", help=help_("simulate.edition"))] = "classic",
    people: Annotated[str, typer.Option("--people", help=help_("simulate.people"))] = "twice-a-day",
    games: Annotated[int, typer.Option("--games", "-n", help=help_("simulate.games"))] = 200,
    plans: Annotated[str, typer.Option("--plans", help=help_("simulate.plans"))] = "none",
    policy: Annotated[str, typer.Option("--policy", help=help_("simulate.policy"))] = "daily",
    seed: Annotated[int, typer.Option("--seed", help=help_("simulate.seed"))] = 1,
    missed: Annotated[str, typer.Option("--missed", help=help_("simulate.missed"))] = "0%",
    dropouts: Annotated[str, typer.Option("--dropouts", help=help_("simulate.dropouts"))] = "0%",
    bot: Annotated[str, typer.Option("--bot", help=help_("simulate.bot"))] = "greedy",
    csv: Annotated[Path | None, typer.Option("--csv", help=help_("simulate.csv"))] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help=help_("simulate.plot"))] = None,
    workers: Annotated[
        int, typer.Option("--workers", "-w", min=1, max=64, help=help_("simulate.workers"))
    ] = 1,
    words: Annotated[bool, typer.Option("--words", help=help_("simulate.words"))] = False,
) -> None:
    """Play that many games in time that passes when it is told to; 1 when something happened that never
    may."""
    from referee.pace import LawBroken, PictureError, TrialError, csv_text, run, summary, trial_of
    from referee.pace.picture import drawer, write

    begun = time.perf_counter()
    _check_folders(csv, plot)
    try:
        if plot is not None:
            drawer(plot)
        trial = trial_of(
            language(),
            players=players,
            edition=edition,
            people=people,
            games=games,
            plans=plans,
            policy=policy,
            seed=seed,
            missed=share("missed", missed),
            dropouts=share("dropouts", dropouts),
            bot=bot,
            words=words,
        )
        rows = run(
            trial, workers, lambda done: typer.echo(say("pace.so-far", done=done, games=games), err=True)
        )
        for line in _lines(trial, summary(rows), time.perf_counter() - begun):
            typer.echo(line)
        # behind what was found: it may have taken hours
        if csv is not None:
            write_csv(csv, csv_text(trial, rows))
        if plot is not None:
            write(rows, _labels(trial, summary(rows)), plot)
    except TrialError as no:
        end(USAGE, f"pace.{no.code}", **told(no.facts))
    except PictureError as no:
        end(USAGE, f"pace.{no.code}", **causes(no.facts))
    except OSError as no:  # the games' database
        end(USAGE, "pace.unwritable", file=gettempdir(), why=cause(no.strerror or no))
    except LawBroken as no:
        end(BAD, "pace.broken", code=no.code, facts=[f"{name} {value}" for name, value in no.facts.items()])


def _check_folders(*files: Path | None) -> None:
    for file in files:
        if file is not None and not file.absolute().parent.is_dir():
            end(USAGE, "pace.no-folder", file=file, folder=file.absolute().parent)


def share(name: str, text: str) -> float:
    """`10%` and `0.1` are the same.  Raises TrialError."""
    from referee.pace import TrialError

    found = _SHARE.fullmatch(text.strip())
    share = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 <= share <= 1:
        raise TrialError("no-share", name=name, said=text)
    return share


def told(facts: dict[str, object]) -> dict[str, object]:
    """The facts of a sentence; what is wrong with a policy is said by the referee's own words."""
    from referee.text import NotUnderstood, Words

    trouble = facts.pop("trouble", None)
    if isinstance(trouble, NotUnderstood):
        return {**facts, "why": Words().phrase(trouble.code, language(), **trouble.facts)}
    return facts


def _lines(trial: Trial, found: Summary, seconds: float) -> list[str]:
    """What is printed in the end."""
    facts = {
        **trial._asdict(),
        **{name: round(value, 1) for name, value in found._asdict().items()},
        "policy": policies.in_words(trial.policy),
        "seconds": round(seconds),
        **{name: f"{getattr(found, name):.1%}" for name in ("finished", "gone", "night", "of_bound")},
        **{name: f"{getattr(trial, name):.0%}" for name in ("missed", "dropouts")},
        "standins": round(found.stood, 1),
    }
    codes = [
        "pace.head",
        "pace.days",
        "pace.bound",
        "pace.people",
        "pace.letters",
        "pace.questions",
        "pace.misses",
    ]
    return [say(code, **facts) for code in (*codes, *(["pace.refused"] if found.refused else []))]


def _labels(trial: Trial, found: Summary) -> dict[str, str]:
    """What the chart says."""
    facts = {
        **trial._asdict(),
        "policy": policies.in_words(trial.policy),
        "median": round(found.days, 1),
        "p90": round(found.p90, 1),
    }
    return {name: say(code, **facts) for name, code in _CHART.items()}
