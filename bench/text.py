"""How fast letters are worded and orders are read.  `python -m bench.text`

Milliseconds of processor time, medians of several rounds.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

from bench._goals import Sheet
from referee import rules
from referee.bots import BOTS
from referee.rules import Setup
from referee.text import KINDS, Reading, Words, read_intent, read_order

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve")
NOW = 1_795_435_200_000
ROUNDS, TIMES = 5, 60
PROMPT_MS = 1.0


def middle_of_a_game() -> tuple[dict[str, Any], list[rules.Event]]:
    """The view of the seat asked in the fifth round, with a full question, and the events so far."""
    rng = random.Random(7)
    outcome = rules.new_game(Setup("classic", NAMES, {}), bytes(32))
    events = list(outcome.events)
    while True:
        seat = rules.asks(outcome.state)[0].seat
        view = rules.view(outcome.state, seat)
        if view["round"] >= 5 and view["ask"]["kind"] == "turn" and len(view["ask"]["moves"]) >= 6:
            return view, events
        outcome = rules.play(outcome.state, seat, BOTS["greedy"].choose(view, rng))
        events += outcome.events


def prompt(words: Words, view: Mapping[str, Any], events: list[rules.Event], language: str) -> dict[str, Any]:
    """The context of that seat's prompt in a language, with the news of one round."""
    seat = view["you"]
    return {
        "language": language,
        "zone": "Europe/Lisbon",
        "now_ms": NOW,
        "me": {"seat": seat, "name": NAMES[seat]},
        "echo": [{"order": "pick King"}],
        "game": {
            "id": 17,
            "ref": "g17",
            "tag": "#17",
            "edition": "classic",
            "status": "running",
            "policy": {"line": "24h a move, first 12h free, your bank 60h"},
        },
        "events": [
            {"name": e.name, "facts": dict(e.facts), "no": n}
            for n, e in enumerate(events)
            if e.to in (None, seat)
        ][-30:],
        "view": view,
        "ask": view["ask"],
        "due_ms": NOW + 3_600_000,
        "options": [{**o, "key": "k"} for o in words.offers(view["ask"], view, language)],
    }


def timed(
    sheet: Sheet, what: str, work: Callable[[], object], times: int = TIMES, *, most: float | None = None
) -> None:
    """Say the median time of one call; `most`: its goal."""
    work()
    found = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - began) / times * 1000)
    sheet.say(what, statistics.median(found), "ms", most=most)


def main() -> None:
    words = Words()
    view, events = middle_of_a_game()
    print(f"text: five players, round {view['round']}, {len(view['ask']['moves'])} moves, both languages")
    with Sheet("text") as sheet:
        for language, said in (
            ("en", ("build the trading post", "buld the tradding post", "gold; build market; end")),
            (
                "pt_BR",
                (
                    "construir o posto de comércio",
                    "contruir o posto comersio",
                    "ouro; construir mercado; encerrar",
                ),
            ),
        ):
            measure(sheet, words, language, view, events, *said)


def measure(
    sheet: Sheet,
    words: Words,
    language: str,
    view: Mapping[str, Any],
    events: list[rules.Event],
    order: str,
    nonsense: str,
    message: str,
) -> None:
    """The figures of one language, with something to read in it."""
    context = prompt(words, view, events, language)
    for kind in KINDS:
        timed(
            sheet,
            f"{language}: prompt, {kind}",
            lambda kind=kind: words.letter("prompt", language, kind, context),
            most=PROMPT_MS,
        )  # type: ignore[misc]  # bound at once
    timed(
        sheet,
        f"{language}: table, telegram",
        lambda: words.letter("table", language, "telegram", {**context, "me": None, "waiting": ["Ana"]}),
    )
    timed(
        sheet, f"{language}: one sentence", lambda: words.phrase("too-poor", language, price=5, gold=2), 2000
    )
    reading = Reading(language, names=NAMES, ask=view["ask"], view=view)
    timed(sheet, f"{language}: read one order", lambda: read_order(order, reading), 300)
    timed(sheet, f"{language}: read one that is nonsense", lambda: read_order(nonsense, reading), 300)
    timed(sheet, f"{language}: read a message", lambda: read_intent(message, reading, private=True), 300)


if __name__ == "__main__":
    main()
