"""What is to be tried, and whether it can be."""

from __future__ import annotations

from typing import Any, NamedTuple

from referee import rules
from referee.bots import BOTS
from referee.policy import Policy
from referee.rules import EDITIONS, Setup, SetupError
from referee.text import NotUnderstood, Reading
from referee.text.reading.policy import policy_text, read_policy

from .people import KINDS

#: what people file ahead: nothing, a preference list for each round, or that and scripts for their turns
PLANS = ("none", "draft", "full")
#: more than this is no trial but a mistake
MOST_GAMES = 1_000_000


class TrialError(Exception):
    """A trial that can't be made.

    `code` names the sentence (templates/en/admin.toml, table `pace`), `facts` are what it needs.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts


class Trial(NamedTuple):
    """`people`: a key of `people.KINDS`; `plans`: one of `PLANS`; `policy`: words that the referee reads;
    `missed`: the share of questions that are let pass; `dropouts`: the share of people who vanish for good.
    `words`: letters are worded and not only counted. The same trial gives the same games.
    """

    players: int = 5
    edition: str = "classic"
    people: str = "twice-a-day"
    games: int = 200
    plans: str = "none"
    policy: str = "daily"
    seed: int = 1
    missed: float = 0.0
    dropouts: float = 0.0
    bot: str = "greedy"
    words: bool = False

    @property
    def rule(self) -> Policy:
        """The policy of its tables.  Raises TrialError."""
        return policy_of(self.policy)


def policy_of(text: str, language: str = "en") -> Policy:
    """The policy of these words, of a language (English is read in each).  Raises TrialError."""
    found = read_policy(text, Reading(language=language))
    if isinstance(found, NotUnderstood):
        raise TrialError("policy", policy=text, trouble=found)
    return found


def trial_of(language: str = "en", **said: Any) -> Trial:
    """A trial that can be made, its policy in its shortest words, as every language reads them.

    `language`: in which the policy was said. Raises TrialError for the first thing that is wrong.
    """
    trial = Trial(**said)
    for code, it, known in (
        ("no-people", trial.people, [*KINDS]),
        ("no-plans", trial.plans, [*PLANS]),
        ("no-edition", trial.edition, [*EDITIONS]),
        ("no-bot", trial.bot, [*BOTS]),
    ):
        if it not in known:
            raise TrialError(code, said=it, known=known)
    if not 0 < trial.games <= MOST_GAMES:
        raise TrialError("no-games", said=trial.games, most=MOST_GAMES)
    for name in ("missed", "dropouts"):
        if not 0 <= getattr(trial, name) <= 1:
            raise TrialError("no-share", name=name, said=getattr(trial, name))
    try:
        rules.new_game(Setup(trial.edition, tuple(f"P{n}" for n in range(trial.players))), b"\0" * 32)
    except SetupError as no:
        raise TrialError(
            "no-table", edition=trial.edition, players=trial.players, why=no.code, more=dict(no.facts)
        ) from no
    return trial._replace(policy=policy_text(policy_of(trial.policy, language)))
