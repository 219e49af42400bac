"""The orders that need no card."""

from __future__ import annotations

from .shapes import Shape

FLOW: tuple[Shape, ...] = tuple(
    map(
        Shape,
        (
            "pick <C>",
            "discard <C>",
            "gold",
            "cards",
            "keep <D>+",
            "build <D>",
            "end",
            "pass",
        ),
    )
)
