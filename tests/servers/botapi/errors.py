"""The refusals of the Bot API, as the real server words them.

Clients tell refusals apart by these descriptions, so the words matter.
"""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """One answer that is not ok: HTTP status `code`, the text `description`, and `parameters`
    (``retry_after``, ``migrate_to_chat_id``).
    """

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def envelope(self) -> dict[str, Any]:
        answer: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            answer["parameters"] = self.parameters
        return answer


def bad(words: str, **parameters: int) -> Refusal:
    return Refusal(400, f"Bad Request: {words}", **parameters)


def forbidden(words: str) -> Refusal:
    return Refusal(403, f"Forbidden: {words}")


def conflict(words: str) -> Refusal:
    return Refusal(409, f"Conflict: {words}")


def flooded(seconds: int) -> Refusal:
    return Refusal(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
