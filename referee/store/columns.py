"""What tables are declared with: ids as columns, and the base that says which id a table has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from referee import ids

K = TypeVar("K", bound=int)

if TYPE_CHECKING:
    from referee.ids import *  # noqa: F403 - all of them, whichever a table needs
else:
    # SQLModel makes a column of a class, and a NewType is none: here each id is the integer that it is
    globals().update(dict.fromkeys(ids.__all__, int))


class Numbered(Generic[K]):
    """A table whose rows have a number of type K, `id`, which the database gives."""

    if TYPE_CHECKING:

        @classmethod
        def numbered(cls, number: K, /) -> K:
            """By this the verbs know K (see `verbs.NumberedTable`)."""
            ...
