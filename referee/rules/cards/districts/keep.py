"""Keep: rank 8 can't touch it."""

from __future__ import annotations

from ...seams import District


class Keep(District):
    name, cost = "Keep", 3
    shielded = True
