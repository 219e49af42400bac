"""The record of a game: a text that a person can read and anybody can check.

    citadels record 1
    edition: classic
    options: {"complete_city": 8}
    cast: []                                  (the edition's own)
    uniques: []
    players: ["Ana", "Bea", "Cy", "Dan"]
    crown: null                               (null: the seed decided)
    seed hash: 5f0c…                          (published before the game)
    words: ["rain", "", "", ""]               (the players', stirred into the seed)

    # round 1
    Ana: pick King
    …
    result: city
    score: Ana 27 = districts 20, all_types 3, first_complete 4
    winner: Ana
    seed: 9f31…                               (shown when the game is over)

A game dealt under later rulings than the first has a line `rulings: [46]` before its orders; one that such a ruling
came to has `ruling: 46 from question 57` among them, 57 being the number of the question that was open then.

One order a line, canonical notation; questions asked only for secrecy's sake, with one
answer, are not written.  A line that begins with # and a blank line say nothing.
"""
from __future__ import annotations

from .model import Entry, Record, RecordError, Ruled, of_game, replay
from .reading import read
from .verify import Verified, verify
from .writing import write

__all__ = ["Entry", "Record", "RecordError", "Ruled", "Verified", "of_game", "read", "replay", "verify", "write"]
