"""Colours and shapes.

No colour says anything alone: each type of district has a shape and its letter, too; colours are those that
the colour-blind tell apart (Okabe and Ito), darkened or lightened until words on them can be read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

#: what pictures may be drawn for
THEMES = ("light", "dark")


class DistrictStyle(NamedTuple):
    """A type of district: its shape (drawn around 0,0, some 20 wide; the same as on the pages,
    templates/web/style.css), the colour of the shape, of the letter on it, of the card, and of the emblem on
    the card (`deep`; the same as on the pages).
    """

    shape: str
    colour: str
    ink: str
    light: str
    dark: str
    deep_light: str
    deep_dark: str


KINDS: dict[str, DistrictStyle] = {
    "noble": DistrictStyle(
        "M-9.2 -9.5H9.2V3L0 10.5L-9.2 3Z", "#e8a800", "#241a00", "#fdf1cd", "#4a3b10", "#5c4300", "#f8dd84"
    ),
    "religious": DistrictStyle(
        "M0 -11.5L9.8 -2.5V9.5H-9.8V-2.5Z", "#1769aa", "#ffffff", "#dcebf8", "#17344e", "#123f6b", "#b4d8fb"
    ),
    "trade": DistrictStyle(
        "M-9.8 0A9.8 9.8 0 1 0 9.8 0A9.8 9.8 0 1 0 -9.8 0Z",
        "#007a5a",
        "#ffffff",
        "#d6f0e6",
        "#12402f",
        "#0b4a2c",
        "#b0e3b4",
    ),
    "military": DistrictStyle(
        "M-8.8 -8.8H8.8V8.8H-8.8Z", "#b8420b", "#ffffff", "#fbe3d5", "#512611", "#7c2510", "#ffc2b0"
    ),
    "unique": DistrictStyle(
        "M0 -12L12 0L0 12L-12 0Z", "#86438f", "#ffffff", "#f2e1f4", "#41204a", "#54206f", "#e2c8fb"
    ),
}

_LIGHT: dict[str, Any] = {
    "ground": "#f6f1e6",
    "panel": "#fffdf8",
    "edge": "#ded5c2",
    "ink": "#24211c",
    "soft": "#5f594e",
    "accent": "#0b6e99",
    "active": "#e3f2f9",
    "gold": "#f2c230",
    "gold_edge": "#8f6a00",
    "card": "#ffffff",
    "crown": "#e0a800",
    "on": "#ffffff",
    "grid": "#e5dfd0",
    "bar": "#0072b2",
    "left": "#b9b2a4",
    "up": "#00674c",
    "down": "#a34700",
}
_DARK: dict[str, Any] = {
    "ground": "#171613",
    "panel": "#24221e",
    "edge": "#413d35",
    "ink": "#f3eee3",
    "soft": "#b9b1a2",
    "accent": "#62c0ea",
    "active": "#12323f",
    "gold": "#f2c230",
    "gold_edge": "#f8dd84",
    "card": "#3a372f",
    "crown": "#f2c230",
    "on": "#08212c",
    "grid": "#3a372f",
    "bar": "#3f8fc0",
    "left": "#6b655a",
    "up": "#3fc79a",
    "down": "#ff9455",
}

#: a seat's colour in charts
SEATS = {
    "light": ("#0072b2", "#b8420b", "#007a5a", "#86438f", "#8a6500", "#1f7f93", "#a5336b", "#4b4b4b"),
    "dark": ("#5db7ee", "#ff9455", "#3fc79a", "#d69ade", "#f2c230", "#6fd3e6", "#f58fbd", "#c9c9c9"),
}


def colours(theme: str) -> dict[str, Any]:
    """All colours of a theme by what they are for, and `kinds`: type -> {shape, colour, ink, ground,
    deep}."""
    dark = theme == "dark"
    return {
        **(_DARK if dark else _LIGHT),
        "kinds": {
            name: {
                "shape": one.shape,
                "colour": one.colour,
                "ink": one.ink,
                "ground": one.dark if dark else one.light,
                "deep": one.deep_dark if dark else one.deep_light,
            }
            for name, one in KINDS.items()
        },
    }
