"""What somebody makes of a record who changes it and reckons its chain anew: only what is played again, or a
signature, can find that out.
"""

from __future__ import annotations

from referee.rules.record import closed


def rechained(text: str) -> str:
    """The text as it was changed, under a chain that fits it."""
    head, links, _ = text.partition("\nlinks: ")
    return closed(head.rstrip("\n").split("\n")) if links else text
