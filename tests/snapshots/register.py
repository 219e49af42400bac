"""The register of shapes: of what games were made, schema by schema (frames.json).

For each schema its frames with their slots, the fields of a state, a player and a setup, and the last
revision of the book in which it was written ("book"). What is there was in games that somebody may still be
playing, so it is only added to: `python -m tests.snapshots.take` writes the entry of today's schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.rules import Setup, codec, dump, new_game
from referee.rules.catalog import every_card
from referee.rules.model import Frame
from referee.store.migrate import revisions

FILE = Path(__file__).parent / "frames.json"
Shape = Mapping[str, Any]


def today(registry: Mapping[str, type[Frame]] | None = None) -> dict[str, Any]:
    """The shape of what this program writes."""
    kinds = Frame.registry if registry is None else registry
    written = dump(new_game(Setup("classic", ("Ana", "Bea", "Cy", "Dan")), bytes(16)).state)
    return {
        "frames": {
            code: list(kind.held)
            for code, kind in sorted(kinds.items())
            if kind.__module__.startswith("referee.")
        },
        "cards": sorted({card.name for card in every_card()}),
        "book": revisions()[-1],
        "state": sorted(written),
        "player": sorted(written["players"][0]),
        "setup": sorted(written["setup"]),
    }


def known() -> dict[int, dict[str, Any]]:
    """The shapes of all schemas so far."""
    return {int(number): shape for number, shape in json.loads(FILE.read_text(encoding="utf-8")).items()}


def write() -> None:
    """Set today's entry, and leave the others alone."""
    text = {str(number): shape for number, shape in sorted({**known(), codec.SCHEMA: today()}.items())}
    # a list on one line each
    flat = re.sub(
        r"\[[^\[\]{}]*\]",
        lambda found: " ".join(found[0].split()).replace("[ ", "[").replace(" ]", "]"),
        json.dumps(text, indent=1),
    )
    FILE.write_text(flat + "\n", encoding="utf-8")


def of_new_cards(then: Shape) -> frozenset[str]:
    """The frames of cards that the register does not know yet.

    No program without such a card reads a game in which it may be: its name is in the setup.
    """
    cards = {type(card).__module__: card.name for card in every_card()}
    return frozenset(
        code
        for code, kind in Frame.registry.items()
        if kind.__module__ in cards and cards[kind.__module__] not in then["cards"]
    )


def faults(
    then: Shape,
    now: Shape,
    older: Mapping[int, Shape],
    aliases: Mapping[str, str],
    fresh: frozenset[str] = frozenset(),
) -> list[str]:
    """What differs between the shape registered for a schema and what the program has, and what to do about
    it; `fresh` are frames that come with cards of their own, and are entered by `make snapshots`.
    """
    do = (
        "Games that are being played were saved with the former shape: in referee/rules/codec.py raise "
        "SCHEMA by one, write the step "
        "from the old number to the new one into STEPS (a renamed frame: into ALIASES), "
        "then run `make snapshots`; see docs/engineers/changing.md."
    )
    said = []
    for code in sorted({*then["frames"], *now["frames"]}):
        was, is_now = then["frames"].get(code), now["frames"].get(code)
        if was is None and code in fresh:
            continue
        if was is None:
            said.append(
                f"The frame {code!r} is new: a program that does not know it would read its games. {do}"
            )
        elif is_now is None:
            said.append(
                f"The frame {code!r} is gone{' (its alias is there)' if code in aliases else ''}. {do}"
            )
        elif was != is_now:
            said.append(f"The frame {code!r} had the slots {was}, and has {is_now}. {do}")
    for part in ("state", "player", "setup"):
        if then[part] != now[part]:
            said.append(f"What is saved of a {part} was {then[part]}, and is {now[part]}. {do}")
    for number, shape in sorted(older.items()):
        for code in sorted(set(shape["frames"]) - set(now["frames"]) - set(aliases)):
            said.append(
                f"The frame {code!r} of schema {number} has neither a class nor an alias in "
                f"referee/rules/codec.py: "
                "games that stand in it can't be read. Put its code of today into ALIASES, "
                "or let a step take it out."
            )
    return said
