"""`referee policy`: policies to which the installation gives a name, for the line that opens a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, changed, end, looked_up
from referee.cli.say import help_, language, say

if TYPE_CHECKING:
    from referee.policy import Policy
    from referee.text import NotUnderstood

Name = Annotated[str, typer.Argument(help=help_("policy.name"))]
Said = Annotated[str, typer.Argument(help=help_("policy.words"))]


def add(name: Name, words: Said, config: ConfigOption = None) -> None:
    """Give a policy a name; nothing is changed where there is one already."""
    from referee.main import clock_ms
    from referee.service.admin import console
    from referee.service.core import named_policies
    from referee.store import Tx
    from referee.text import NotUnderstood, Words

    def job(tx: Tx) -> Policy | NotUnderstood:
        made = named_policies.add(tx, name, words, clock_ms(), language=language())
        if not isinstance(made, NotUnderstood):
            console.log_act(tx, clock_ms(), "policy-add", name=name.strip().casefold(), words=words)
        return made

    try:
        policy = changed(config, job)
    except named_policies.BadPolicyName as no:
        end(USAGE, f"policy.{no.code}", name=no.name)
    if isinstance(policy, NotUnderstood):
        end(USAGE, "policy.wrong", why=Words().phrase(policy.code, language(), **policy.facts))
    typer.echo(say("policy.added", name=name.strip().casefold(), words=in_words(policy)))


def listed(config: ConfigOption = None) -> None:
    """The presets, and the installation's own."""
    from referee.policy import PRESETS
    from referee.service.core import named_policies

    for name, preset in PRESETS.items():
        typer.echo(say("policy.preset", name=name, words=in_words(preset)))
    for name, words in looked_up(config, named_policies.rows):
        typer.echo(say("policy.row", name=name, words=in_words(words)))


def in_words(policy: Policy | str) -> str:
    """A policy as it is typed in the language of the shell."""
    from referee.text import lexicon
    from referee.text.policy_words import policy_words
    from referee.text.reading.policy import policy_text

    return policy_words(lexicon(language()), policy if isinstance(policy, str) else policy_text(policy))


def show(name: Name, config: ConfigOption = None) -> None:
    """A policy, each part of it in a sentence."""
    from referee.service.core import named_policies
    from referee.text import Words, explain_policy

    policy = looked_up(config, lambda tx: named_policies.find(tx, name))
    if policy is None:
        end(BAD, "policy.none", name=name)
    for line in explain_policy(Words(), policy, language()):
        typer.echo(line)


def remove(name: Name, config: ConfigOption = None) -> None:
    """Forget a name."""
    from referee.main import clock_ms
    from referee.policy import PRESETS
    from referee.service.admin import console
    from referee.service.core import named_policies
    from referee.store import Tx

    if name.strip().casefold() in PRESETS:
        end(USAGE, "policy.preset-stays", name=name)

    def job(tx: Tx) -> bool:
        removed = named_policies.remove(tx, name)
        if removed:
            console.log_act(tx, clock_ms(), "policy-remove", name=name.strip().casefold())
        return removed

    if not changed(config, job):
        end(BAD, "policy.none", name=name)
    typer.echo(say("policy.removed", name=name))
