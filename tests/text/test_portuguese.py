"""Every letter in Brazilian Portuguese: as it reads today, without a word of English, and with markup that
nests.

The pages are files under tests/text/pages_pt_BR; after a wanted change write them anew with
``REFEREE_WRITE_LETTERS=1 pytest tests/text/test_portuguese.py`` and read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from referee.text import KINDS, Words
from tests.text.letters import contexts
from tests.text.test_letters import TAGS, parsed

WORDS = Words(strict=True)
PAGES = Path(__file__).parent / "pages_pt_BR"
ENGLISH = re.compile(
    r"\b(the|you|your|is|are|was|of|and|with|for|that|this|it|by|to|from|nobody|somebody|game|round|table|"
    r"seat|player|waits|until|rank|"
    r"noble|trade|takes|named|built|not|no|yes)\b",
    re.IGNORECASE,
)
#: Portuguese words that look English
ALIKE = re.compile(r"\b(for|no)\b|mensagem com yes", re.IGNORECASE)
#: what is no word of ours: strangers' words, the shell's, addresses, orders as they are printed
QUOTED = re.compile(
    r"“[^”]*”|It was Dan\.|Who took .*|referee [\w -]+|https?://\S+|^(Feito|Desfeito|"
    r"Também não foi feito): .*|^> .*|\{\{.*\}\}|^[\w ]*: (gold|build Market|prefer|when) ?.*|"
    r"^Merchant: rank 6: what .*|^prefer King.*|jogou por outro canal: .*|^- \d\. Ana: .*",
    re.MULTILINE,
)


def ours(line: str, code: str, **facts: Any) -> tuple[str, str]:
    """A sentence that a sample brings along, and the Portuguese one."""
    return line, WORDS.phrase(code, "pt_BR", **facts)


NAMES = ("Ana", "Bea", "Cy", "Dan")
#: English words that samples bring along -> what the service would have brought
SAID = dict(
    [
        ours("Your plan as the King is done; the turn is still yours.", "plan-ran-out", character="King"),
        ours(
            "Selection: the first of King or Bishop that reaches you; else you are asked (in round 3).",
            "understood-draft",
            condition="",
            characters=["King", "Bishop"],
            dull=False,
            scope=WORDS.phrase("once", "pt_BR", round=3),
        ),
        ours("There is no plan.", "understood-nothing"),
        ours("Nothing of your list reached you: King.", "plan-none-passed", characters=["King"]),
        ours("There is no card called Ghost.", "unknown-card", name="Ghost"),
        ours("Take the seat", "button-take-seat"),
        ours("No, thanks", "button-leave-seat"),
        ours("Plan my round", "menu-top"),
        ours("File it for one round", "menu-file-once"),
        ours("Close", "menu-close"),
        ours("Build", "menu-build"),
        ours("As the King, one thing after the other:", "menu-at-script", character="King"),
        ours("By chance", "button-random"),
        ours("Bea wins with 24 points.", "lines.result", winners=[1], points=24, names=NAMES),
        *(ours(f"Show {tag}", "button-show", tag=tag) for tag in ("#17", "#19", "#21")),
        (
            "Bea named the Thief to be killed.",
            WORDS.event("killed", {"seat": 1, "character": "Thief"}, "pt_BR", NAMES),
        ),
        (
            "You are called as the King.",
            WORDS.event("revealed", {"seat": 0, "character": "King"}, "pt_BR", NAMES, 0),
        ),
        (
            "Cy built the Keep for 3 gold.",
            WORDS.event("built", {"seat": 2, "district": "Keep", "paid": 3}, "pt_BR", NAMES),
        ),
        (
            "Bea completed her city.",
            WORDS.event("city_complete", {"seat": 1, "first": False}, "pt_BR", NAMES),
        ),
        (
            "24h a move, first 12h free, your bank 60h",
            WORDS.phrase(
                "policy.line", "pt_BR", move="24h", grace="12h", bank="60h", days="", hour="", zone="UTC"
            ),
        ),
        ("First Game", "Primeira Partida"),
        ("the eight characters of the classic game", "os oito personagens da edição clássica"),
        (
            "As the King: gold; build dearest; end; forgotten benefits are taken before the end (income).",
            "Rei: ouro; construir mais caro; encerrar.",
        ),
    ]
)


def spoken(value: Any) -> Any:
    """A sample's context with Portuguese in place of the English it brings along."""
    if isinstance(value, str):
        return SAID.get(value, value)
    if isinstance(value, dict):
        return {key: spoken(one) for key, one in value.items()}
    return [spoken(one) for one in value] if isinstance(value, list) else value


#: offices tell their own sentences, which samples have in English
SAMPLES = {name: (kind, spoken(context)) for name, (kind, context) in contexts(WORDS, "pt_BR").items()}
WORDLESS = {
    "league_answers",
    "league_proposals",
    "league_log",
    "league_log-broken",
    "admin-log",
    "admin-look",
    "admin-inbox",
    "admin-letters",
    "admin-blocked",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_page(name: str) -> None:
    kind, context = SAMPLES[name]
    said = WORDS.letter(kind, "pt_BR", "text", context)
    page = f"{said.subject}\n\n{said.text}\n"
    path = PAGES / f"{name}.txt"
    if os.environ.get("REFEREE_WRITE_LETTERS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page
    if name not in WORDLESS:
        plain = ALIKE.sub("", QUOTED.sub("", page))
        assert ENGLISH.findall(plain) == [], plain


@pytest.mark.parametrize("markup", [kind for kind in KINDS if kind != "text"])
def test_the_markup(markup: str) -> None:
    for name, (kind, context) in SAMPLES.items():
        tags = parsed(WORDS.letter(kind, "pt_BR", markup, context).markup)
        assert tags.seen <= TAGS[markup], name


def test_no_page_is_left_over() -> None:
    assert {path.stem for path in PAGES.glob("*.txt")} == set(SAMPLES)
