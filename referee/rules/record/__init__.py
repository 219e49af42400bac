"""The record of a game: a text that a person can read and anybody can check.

    citadels record 2
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
    links: 5f0c 81aa …                        (the chain over all these lines: see `chain`)
    head: 9b44…

A game dealt under later rulings than the first has a line `rulings: [46]` before its orders; one that such a
ruling came to has `ruling: 46 from question 57` among them, 57 being the number of the question that was open
then.

One order a line, canonical notation; questions asked only for secrecy's sake, with one
answer, are not written.  A line that begins with # and a blank line say nothing about the game.
A "citadels record 1" is the same without a chain.
"""

from __future__ import annotations

from .chain import Closing, closed, signed
from .model import Entry, Record, RecordError, Ruled, of_game, replay
from .reading import parted, read
from .verify import Verified, verify
from .writing import write

__all__ = [
    "Closing",
    "Entry",
    "Record",
    "RecordError",
    "Ruled",
    "Verified",
    "closed",
    "of_game",
    "parted",
    "read",
    "replay",
    "signed",
    "verify",
    "write",
]
