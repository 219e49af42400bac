"""Rendering what a person reads, from views and events only."""

from .contents import LETTERS
from .environments import KINDS
from .notices import NOTICES
from .words import Rendered, Words

__all__ = ["KINDS", "LETTERS", "NOTICES", "Rendered", "Words"]
