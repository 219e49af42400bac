"""What the office answers: a letter."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core.letters import Facts
from ...people import letter_facts


class LeagueAnswer(NamedTuple):
    """A letter; `private`: nobody else's business."""

    what: Facts
    private: bool = False


def notice(code: str, **facts: Any) -> LeagueAnswer:
    """One sentence."""
    return LeagueAnswer(letter_facts.notice(code, **facts))
