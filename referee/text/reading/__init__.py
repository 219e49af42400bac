"""Reading what a person types.

split(text, names)           several orders in one message, taken apart
read_order(chunk, reading)   one of them, as a move or as NotUnderstood
read_intent(text, reading)   a whole message: orders, a command, or none of our business
commands_elsewhere(…)        the other languages in which a message begins like a command
options(ask, view)           the numbered answers, the same for letters, buttons and the reader; those alike
                             as a MenuStep
"""

from .intents import commands_elsewhere, read_intent
from .open_question import Option, options
from .orders import read_order
from .sheet import DOTS, MenuStep, sheet, so_far
from .splitting import split
from .terms import TROUBLES, Cards, Intent, NotUnderstood, Reading

__all__ = [
    "DOTS",
    "TROUBLES",
    "Cards",
    "Intent",
    "MenuStep",
    "NotUnderstood",
    "Option",
    "Reading",
    "commands_elsewhere",
    "options",
    "read_intent",
    "read_order",
    "sheet",
    "so_far",
    "split",
]
