"""Which season is to be tried."""

from __future__ import annotations

from typing import Any, NamedTuple

from .trial import Trial, TrialError, trial_of

#: more people make no season that is tried in an afternoon
MOST_PLAYERS = 2000


class LeagueTrial(NamedTuple):
    """`wanted` people at a table, `division`: the most in one (0: all in one), `days` a round (0: as the
    office forecasts), `alternates`
    who stand by, `early`: a round begins as soon as the one before it is over; the rest as in `Trial`.
    `dropouts`: the share of people who vanish for good, some time within the season. The same trial gives the
    same season.
    """

    players: int = 60
    rounds: int = 5
    wanted: int = 5
    division: int = 0
    days: int = 0
    alternates: int = 0
    early: bool = False
    edition: str = "classic"
    people: str = "twice-a-day"
    plans: str = "none"
    policy: str = "daily"
    seed: int = 1
    missed: float = 0.0
    dropouts: float = 0.0
    bot: str = "greedy"

    @property
    def tables(self) -> Trial:
        """What its tables have in common with those of any other trial."""
        return Trial(
            self.wanted,
            self.edition,
            self.people,
            1,
            self.plans,
            self.policy,
            self.seed,
            self.missed,
            self.dropouts,
            self.bot,
        )


def league_trial(language: str = "en", **said: Any) -> LeagueTrial:
    """A season that can be tried, its policy in its shortest words (said in `language`).

    What the office itself refuses (sizes, rounds, points …) it says when it is asked. Raises TrialError for
    the first thing that is wrong.
    """
    trial = LeagueTrial(**said)
    at_a_table = trial_of(language, **trial.tables._asdict())
    for name in ("players", "alternates"):
        if not 0 <= getattr(trial, name) <= MOST_PLAYERS:
            raise TrialError("no-people-number", name=name, said=getattr(trial, name), most=MOST_PLAYERS)
    return trial._replace(policy=at_a_table.policy)
