"""Writing a plan by taps: from page to page, each tap a word, until its lines are there.

    walk = Walk()                        the first page, nothing written
    entries(walk, ground)                what may be tapped there, each with where it leads
    numbered(walk, ground)               the same, each with the number that it keeps on its page
    onward(walk, words, ground)          the walk after a tap; None for one that is not (or no longer) offered
    filing(walk, stays)                  the lines as they would be typed, for one round or to stay

Nothing is decided here about what a plan may say: the lines go to the same reader as typed ones.
"""

from .lines import filing, so_far
from .model import Entry, Ground, Walk, dumped, ground, loaded
from .pages import PAGES, entries, numbered, onward

__all__ = [
    "PAGES",
    "Entry",
    "Ground",
    "Walk",
    "dumped",
    "entries",
    "filing",
    "ground",
    "loaded",
    "numbered",
    "onward",
    "so_far",
]
