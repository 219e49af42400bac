"""What letters about leagues are worded from, looked up when their channel is ready."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..compose import Desk

#: kinds of letters whose context is filled here
KINDS = frozenset({"league_news"})


def filled(desk: Desk, kind: str, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a letter of `KINDS` says besides its data; None where there is nothing to say any more."""
    return {}
