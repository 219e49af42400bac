"""Everything that reads what comes in, each with its share of a run."""

from __future__ import annotations

from tests.fuzz.running import Target

from . import files, pages, reading, stored, syncs, wires

TARGETS: tuple[Target, ...] = (
    *reading.TARGETS,
    *wires.TARGETS,
    *syncs.TARGETS,
    *pages.TARGETS,
    *files.TARGETS,
    *stored.TARGETS,
)
