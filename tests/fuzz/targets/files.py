"""What is read from files: scenarios and records."""

from __future__ import annotations

from typing import Any

from referee.cli.say import sentences
from referee.cli.yamlfile import YamlFault, parsed
from referee.rules.record import RecordError, read, verify, write
from referee.rules.scenario import ScenarioError, check
from tests.fuzz import corpora, mutating
from tests.fuzz.running import Target


def _told(code: str, facts: Any) -> None:
    """Each language has its own words for why."""
    english, portuguese = (
        sentences(language)[code].format(file="f", **facts) for language in ("en", "pt_BR")
    )
    assert english != portuguese


def _scenario(said: str) -> None:
    """A page is read whatever its size; of what it plays, which takes as long as its orders do, a part is
    played.
    """
    try:
        data = parsed(said)
    except YamlFault as fault:
        _told(f"rules.{fault.code}", fault.facts)
        return
    few = (
        [
            {**one, "play": one["play"][:12]}
            if isinstance(one, dict) and isinstance(one.get("play"), list)
            else one
            for one in data[:3]
        ]
        if isinstance(data, list)
        else data
    )
    for result in check(few, "a file"):
        assert result.ok or result.why


def _record(said: str) -> None:
    record = read(said)
    written = write(record)
    assert write(read(written)) == written


def _verified(said: str) -> None:
    verify(said)


def _small() -> Any:
    return tuple(one for one in corpora.records() if len(one) < 6000)


TARGETS = (
    Target("scenario", mutating.text, corpora.scenarios, _scenario, 1200, (ScenarioError,)),
    Target("record", mutating.text, corpora.records, _record, 600, (RecordError,)),
    Target("record verify", mutating.text, _small, _verified, 700, (RecordError,)),
)
