"""The facts of the letter with a review."""

from __future__ import annotations

from ..core.letters import Facts


class ReviewFacts(Facts):
    """The turns that cost most; `nobody`: nobody had time to judge them."""

    kind = "review"
    nobody: bool = False
