"""Scenario files: a position is put on the table, orders are played, something must hold.

Takes what a YAML reader gives (lists and mappings) and plays it through the same engine as
every game.  `check` is all that is needed from outside.
"""

from __future__ import annotations

from .check import Result, check
from .fields import ScenarioError

__all__ = ["Result", "ScenarioError", "check"]
