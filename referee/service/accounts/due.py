"""What is left of a deleted account goes a little at every sweep."""

from __future__ import annotations

from ..core.due import CHORES, PeriodicTask
from . import erasure

CHORES.add("deleted accounts", PeriodicTask(lambda settings: True, erasure.erase), __name__)
