"""Pages of other rooms for somebody who is signed in, beside those of their tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from referee.store import Person

from ...core.registry import Registry
from ...core.unit_of_work import UnitOfWork
from ...people.identity import Speaker
from ..site.page_cache import PageContext, Wanted


class OwnPage(NamedTuple):
    """How such a page is filled.

    `takes`: what of its address it heeds. `facts` are what its template is given; None where there is no such
    page for that person. `preview`: what would come of words said on it, None for words that are not said
    there; what it writes is undone at once.
    """

    takes: tuple[str, ...]
    facts: Callable[[PageContext, Person, Wanted], dict[str, Any] | None]
    preview: Callable[[UnitOfWork, Speaker, Wanted, str], dict[str, Any] | None] | None = None


#: a page's name, which is also its template's -> how it is filled
MORE: Registry[OwnPage] = Registry("own page")
