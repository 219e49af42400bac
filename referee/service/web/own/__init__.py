"""Somebody's own pages: their tables, and each as its seat sees it, with a box to write in.

    pages    what the web door asks for          seat     one table from its seat         tables   all of them
    counter  where answers are handed over       replies  what was answered               looks    what was
      read before
    forms    what proves that a form is ours         replaying  a finished game step by step

What is written there goes into the inbox like any letter, and what is answered comes out of the outbox; there
is no other way in or out.
"""

from .page_channel import PageChannel
from .pages import OwnPages

__all__ = ["OwnPages", "PageChannel"]
