"""The facts of letters that many rooms send."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from ..core.letters import Facts


class NoticeFacts(Facts):
    """What is said, {code, facts}.

    `ruling`: the number of the one that came to the table (0: none); `offers`: buttons below it, (phrase,
    what it stands for); `start_payload`: of a button that opens the private chat; `answers`: the message that
    this answers; `to`: the name spoken to in a room.
    """

    kind = "notice"
    notices: list[dict[str, Any]]
    ruling: int = 0
    offers: list[tuple[str, str]] | UnsetType = UNSET
    start_payload: str = ""
    answers: str | UnsetType = UNSET
    to: str | UnsetType = UNSET


class PromptFacts(Facts):
    """What goes along with a question.

    `echo`: the orders done {order}, and those taken back {order, undone}; `trouble`: what went wrong (see
    referee.text.Trouble); `step`: the place of a big question that is shown (see play/stepwise.py);
    `pictured`: with a picture, also where questions have none; `revises`: the letter whose place it takes;
    `explain`: what explains the question is told once more; `fresh`: to somebody who has just taken the seat
    over, or whose table has another number for its question; `lost`: a channel that does not reach the reader
    any more; `stopped`: why one's plan does not answer, {code, facts}.
    """

    kind = "prompt"
    echo: list[dict[str, Any]] | UnsetType = UNSET
    trouble: dict[str, Any] | UnsetType | None = UNSET
    step: dict[str, Any] | UnsetType | None = UNSET
    pictured: bool = False
    revises: int = 0
    explain: bool = False
    fresh: bool = False
    lost: str = ""
    stopped: dict[str, Any] | None = None


class MusterFacts(Facts):
    """Whether it is asked once more, a channel that does not reach the reader any more, and of which game
    this is the rematch and who asked for it, {game, name}.
    """

    kind = "muster"
    again: bool = False
    lost: str = ""
    rematch: dict[str, Any] | None = None
