"""Stables: building them does not count toward the building limit."""

from __future__ import annotations

from ...seams import District


class Stables(District):
    name, cost, counted = "Stables", 2, False
