"""Planting the invented cards into a copy of the house, file by file, as the page says
(docs/engineers/adding-a-card.md).
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.house.files import ROOT

HERE = Path(__file__).parent
EDITION = "referee/rules/editions/deluxe.py"
#: what of the house is copied: all that a card is written into, and the tests that judge it
ROOMS = ("referee", "templates", "tests")


class Row(NamedTuple):
    """A card's line in the manifest: its class, the room of its file, the row after which it stands."""

    card: str
    room: str
    after: str


ROWS: Mapping[str, Row] = {
    "toll_gate": Row("TollGate", "districts", "                WishingWell(),\n"),
    "almoner": Row("Almoner", "characters", "        TaxCollector(),\n"),
}


def copied(root: Path) -> Path:
    """A copy of the house, without what was made by running it."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def plant(root: Path, name: str) -> None:
    """Follow the page: the card, its row, its scenarios, its words in each language."""
    row, own = ROWS[name], HERE / name
    shutil.copy(own / f"{name}.py", root / "referee" / "rules" / "cards" / row.room)
    manifest = root / EDITION
    text = manifest.read_text(encoding="utf-8")
    assert text.count(row.after) == 1
    indent = row.after[: len(row.after) - len(row.after.lstrip())]
    text = text.replace(row.after, f"{row.after}{indent}{row.card}(),\n")
    first = "from ..cards.characters.abbot"
    text = text.replace(first, f"from ..cards.{row.room}.{name} import {row.card}\n{first}", 1)
    manifest.write_text(text, encoding="utf-8")
    shutil.copy(own / f"{name}.yaml", root / "tests" / "rules" / "scenarios" / row.room)
    for words in own.glob("*.toml"):
        with (root / "templates" / words.stem / "lexicon.toml").open("a", encoding="utf-8") as lexicon:
            lexicon.write("\n" + words.read_text(encoding="utf-8"))


def prints(root: Path) -> dict[str, str]:
    """Every file with a hash of what it holds."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for room in ROOMS
        for path in sorted((root / room).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    """The files that are new, gone, or other than they were."""
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}
