"""The facts of the letters about hours."""

from __future__ import annotations

from ..core.letters import Facts


class HoursFacts(Facts):
    """Why a table's hours are told: asked, first (somebody has begun), all (everybody has said), agreed
    (somebody would), met (all would), off (they will not after all), gone (one's own are taken back); `by`:
    whose doing it is, "" for the reader's.
    """

    kind = "hours"
    why: str
    by: str = ""


class MeetingFacts(Facts):
    """That the hour is about to begin: which it is is looked up."""

    kind = "hours_soon"
    at_ms: int
