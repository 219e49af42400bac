"""Why a contest can't be played."""

from __future__ import annotations

from functools import partial
from typing import Any


class LadderError(Exception):
    """`code` names the sentence (templates/en/admin.toml, table `ladder`), `facts` are what it needs."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts

    def __reduce__(self) -> tuple[Any, ...]:
        """On its way from another process."""
        return partial(LadderError, **self.facts), (self.code,)


def told(thing: object, most: int = 200) -> str:
    """What somebody else's object says of itself, in one line that any terminal may show."""
    try:
        said = str(thing)
    except BaseException as no:  # code of a stranger's, too
        said = type(no).__name__
    return "".join(sign if sign.isprintable() else " " for sign in said[:most])
