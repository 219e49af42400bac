"""Somebody's own pages: their tables, and each as its seat sees it, with a box to write in.

    pages         what the web door asks for
    tables        all of somebody's tables
    seat          one table from its seat; placing: where on the page an answer stands
    picture       the same as a picture
    final_orders  which orders deserve a second tap
    last_seen     what was read before
    lobby         a table that gathers
    new_table     the form for a new one
    page_channel  where letters for a page lie until it is shown; replies: what was answered
    replaying     a finished game step by step
    my_data       all that is kept about somebody
    other_pages   pages of other rooms, which hooks asks for
    forms         what proves that a form is ours

What is written there goes into the inbox like any letter, and what is answered comes out of the outbox; there
is no other way in or out.
"""

from .page_channel import PageChannel
from .pages import OwnPages

__all__ = ["OwnPages", "PageChannel"]
