"""Reading what a person types.

split(text, names)           several orders in one message, taken apart
read_order(chunk, reading)   one of them, as a move or as NotUnderstood
part(chunk, reading)         one that has several orders without a semicolon: "gold, build market, end"
as_number(chunk, reading)    in digits, where it is nothing but an option's number: "(1)", "one"
read_intent(text, reading)   a whole message: orders, a command, or none of our business
takes_back(text, reading)     whether words begin by taking back what was said before them: "no, cards"
commands_meant(text, reading) the commands that a misspelled word may have been
commands_elsewhere(…)        the other languages in which a message begins like a command
options(ask, view)           the numbered answers, the same for letters, buttons and the reader; those alike
                             as a MenuStep
"""

from .intents import commands_elsewhere, read_intent
from .open_question import Option, each_order, options
from .orders import read_order
from .parting import part
from .remarks import takes_back
from .sheet import DOTS, MenuStep, sheet, so_far
from .splitting import split
from .talk_around import as_number
from .terms import TROUBLES, Cards, Intent, NotUnderstood, Reading
from .typos import commands_meant

__all__ = [
    "DOTS",
    "TROUBLES",
    "Cards",
    "Intent",
    "MenuStep",
    "NotUnderstood",
    "Option",
    "Reading",
    "as_number",
    "commands_elsewhere",
    "commands_meant",
    "each_order",
    "options",
    "part",
    "read_intent",
    "read_order",
    "sheet",
    "so_far",
    "split",
    "takes_back",
]
