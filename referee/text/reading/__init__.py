"""Reading what a person types.

split(text, names) several orders in one message, taken apart read_order(chunk, reading) one of them, as a
move or as Trouble read_wish(text, reading) a whole message: orders, a command, or none of our business
commands_elsewhere(…) the other languages in which a message begins like a command options(ask, view) the
numbered answers, the same for letters, buttons and the reader; those alike as a Step
"""

from .asking import Option, options
from .orders import read_order
from .sheet import DOTS, Step, sheet, so_far
from .splitting import split
from .terms import TROUBLES, Cards, Reading, Trouble, Wish
from .wishes import commands_elsewhere, read_wish

__all__ = [
    "DOTS",
    "TROUBLES",
    "Cards",
    "Option",
    "Reading",
    "Step",
    "Trouble",
    "Wish",
    "commands_elsewhere",
    "options",
    "read_order",
    "read_wish",
    "sheet",
    "so_far",
    "split",
]
