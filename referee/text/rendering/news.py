"""What happened, gathered into a few paragraphs: one for each turn, one for each row of picks or empty
calls.
"""

from __future__ import annotations

from collections.abc import Iterable

#: events that begin a paragraph
_BEGINS = frozenset(
    {
        "started",
        "round_began",
        "revealed",
        "standstill",
        "game_over",
        "city_complete",
        "stand_in",
        "undone",
        "proposed",
        "paused",
        "unpaused",
        "extended",
        "seat_offered",
        "kicked",
        "departed",
        "rewound",
        "processed",
        "looked",
        "miss_forgiven",
        "gathers_anew",
        "book_restored",
        "ruling",
        "words_opened",
    }
)
#: events that stand together only with their like
_ALIKE = {
    "called": "called",
    "picked": "picked",
    "chose": "picked",
    "put_away": "picked",
    "put_away_card": "picked",
}


def paragraphs(told: Iterable[tuple[str, str]]) -> list[str]:
    """Sentences of events (name, sentence), those of one turn in one paragraph."""
    out: list[list[str]] = []
    kind = ""
    for name, sentence in told:
        own = _ALIKE.get(name, "")
        if not out or name in _BEGINS or own != kind:
            out.append([])
        out[-1].append(sentence)
        kind = own
    return [" ".join(lines) for lines in out]
