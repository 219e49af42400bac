"""Words: reading what a person types, and writing what a person reads.

`reading` turns a message into orders of the rules or commands to the referee; `rendering`
turns views and events into letters.  Both speak from one folder of words per language.
Neither ever sees the state of a game.
"""

from .folding import clean, fold, squash
from .lexicon import Lexicon, lexicon
from .lookalikes import BLANK, skeleton
from .reading import (
    DOTS,
    TROUBLES,
    Cards,
    Intent,
    MenuStep,
    NotUnderstood,
    Option,
    Reading,
    as_number,
    commands_elsewhere,
    commands_meant,
    each_order,
    options,
    part,
    read_intent,
    read_order,
    sheet,
    so_far,
    split,
    takes_back,
)
from .rendering import KINDS, LETTERS, Rendered, Words
from .rendering.policies import days_and_nights, policy_line
from .rendering.policies import explain as explain_policy

__all__ = [
    "BLANK",
    "DOTS",
    "KINDS",
    "LETTERS",
    "TROUBLES",
    "Cards",
    "Intent",
    "Lexicon",
    "MenuStep",
    "NotUnderstood",
    "Option",
    "Reading",
    "Rendered",
    "Words",
    "as_number",
    "clean",
    "commands_elsewhere",
    "commands_meant",
    "days_and_nights",
    "each_order",
    "explain_policy",
    "fold",
    "lexicon",
    "options",
    "part",
    "policy_line",
    "read_intent",
    "read_order",
    "sheet",
    "skeleton",
    "so_far",
    "split",
    "squash",
    "takes_back",
]
