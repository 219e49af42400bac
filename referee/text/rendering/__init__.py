"""Rendering what a person reads, from views and events only."""

from .contents import LETTERS
from .environments import KINDS
from .words import Rendered, Words

__all__ = ["KINDS", "LETTERS", "Rendered", "Words"]
