"""The style sheet by computing: every text has contrast enough, in light and in dark, and no two types of
district look the same to nobody.
"""

from __future__ import annotations

import re

import pytest

from referee.text.folders import shipped

CSS = (shipped() / "web" / "style.css").read_text(encoding="utf-8")
#: what is written on what (the colours' names), and how much contrast WCAG AA asks for: 4.5 for text, 3 for
#: edges and signs that matter
TEXT = [
    ("ink", "ground"),
    ("ink", "paper"),
    ("ink", "tint"),
    ("soft", "ground"),
    ("soft", "paper"),
    ("soft", "tint"),
    ("link", "ground"),
    ("link", "paper"),
    ("link", "tint"),
    ("on-mark", "mark"),
    *(("on-type", kind) for kind in ("noble", "religious", "trade", "military", "unique")),
]
EDGES = [
    ("mark", "paper"),
    ("mark", "ground"),
    ("mark", "tint"),
    ("focus", "ground"),
    ("focus", "paper"),
    ("focus", "tint"),
    ("soft", "paper"),
]


def colours(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6})", css))


LIGHT = colours(CSS.split("@media (prefers-color-scheme: dark)")[0])
DARK = {**LIGHT, **colours(CSS.split("@media (prefers-color-scheme: dark)")[1].split("\n}\n")[0])}


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_formula_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_written_can_be_read(scheme: dict[str, str]) -> None:
    faint = {
        (one, other): round(contrast(scheme[one], scheme[other]), 2)
        for one, other in TEXT
        if contrast(scheme[one], scheme[other]) < 4.5
    }
    faint |= {
        (one, other): round(contrast(scheme[one], scheme[other]), 2)
        for one, other in EDGES
        if contrast(scheme[one], scheme[other]) < 3
    }
    assert not faint


def test_dark_is_another_scheme_and_no_colour_stands_outside() -> None:
    assert set(LIGHT) == set(DARK)
    assert all(LIGHT[name] != DARK[name] for name in ("ground", "paper", "ink", "link", "mark"))
    rest = CSS.split("\n* { box-sizing", 1)[1]
    rules = re.sub(r"@media print \{.*\n\}\n", "", rest, flags=re.DOTALL)
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b", rules)


def test_every_type_has_a_shape_of_its_own() -> None:
    shapes = [
        re.search(rf"\.{kind} \.sign \{{ ([^}}]*?);", CSS)
        for kind in ("noble", "religious", "trade", "military", "unique")
    ]
    assert all(shapes)
    assert len({found[1] for found in shapes if found}) == 5
