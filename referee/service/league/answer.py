"""What the office answers: a letter's kind and what it is made of."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..people.replies import notices


class Answer(NamedTuple):
    """A letter's kind and data; `private`: nobody else's business."""

    kind: str
    data: dict[str, Any]
    private: bool = False


def notice(code: str, **facts: Any) -> Answer:
    """One sentence."""
    return Answer("notice", notices(code, **facts))
