"""What a server's answer means for a letter: one table from SMTP replies to fates.

Until the last dot is on the wire nothing was delivered and the letter may go again.  After it,
only an answer tells; without one the letter's fate is unknown.
"""

from __future__ import annotations

import re
from enum import Enum

from referee.ports import Fate, Receipt

AWAY_MS = 30_000  # nobody answers: soon again
BUSY_MS = 120_000  # 4xx (greylisting waits minutes)
ADMIN_MS = 300_000  # an admin must mend something first
_TAG = re.compile(r"\+[^\s@<>]{0,80}@")
_ENHANCED = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")


class SmtpStep(Enum):
    """Which command a server was answering."""

    CONNECT = "connect"
    LOGIN = "login"
    SENDER = "sender"
    RECIPIENT = "recipient"
    DATA = "data"


#: refusals at these steps are about us, not about the letter: someone must look
OURS = frozenset({SmtpStep.CONNECT, SmtpStep.LOGIN, SmtpStep.SENDER})
#: bad sender's address (RFC 3463 3.2): Postfix keeps that for the answer to the recipient's name; too many
#: letters of ours for now (3.5): Gmail says so once it has the whole letter
_SENDERS = frozenset({"5.1.7", "5.1.8", "5.4.5"})
#: too long, of a kind that is not taken, against a policy (RFC 3463 3.3, 3.4, 3.7, 3.8)
_LETTERS = ("5.2.3", "5.3.4", "5.6.", "5.7.")
#: of these the account is disabled, or somebody else's by now (RFC 5248, 7293)
_ACCOUNTS = frozenset({"5.7.13", "5.7.17"})


def unwanted(status: str) -> bool:
    """Whether an enhanced status code says that the letter or its sender is not taken: nothing is wrong with
    the recipient's address.
    """
    return status in _SENDERS or (status.startswith(_LETTERS) and status not in _ACCOUNTS)


def whole(step: SmtpStep) -> bool | None:
    """Whether trouble at a step is every letter's: before a recipient is named it is; after that one can't
    tell.
    """
    return True if step in OURS else None


def silence(step: SmtpStep, why: str) -> Receipt:
    """The line broke or timed out while `step` was waiting for its answer."""
    if step is SmtpStep.DATA:
        return Receipt(Fate.UNKNOWN, detail=f"{step.value}: {why}")
    return Receipt(Fate.LATER, retry_ms=AWAY_MS, detail=f"{step.value}: {why}", whole=whole(step))


def misfit(step: SmtpStep, why: str) -> Receipt:
    """We and the server can't agree (certificate, no STARTTLS, no login): an admin must look."""
    return Receipt(Fate.LATER, retry_ms=ADMIN_MS, detail=f"{step.value}: {why}", whole=True)


def refusal(step: SmtpStep, code: int, words: str) -> Receipt:
    """The server said `code` and `words` to `step`."""
    # servers quote our sender address, and the token in it is a secret
    first = _TAG.sub("+…@", words.splitlines()[0])[:200] if words else ""
    detail = f"{step.value}: {code} {first}"
    found = _ENHANCED.search(words)
    status = ".".join(found.groups()) if found else ""
    if code < 500:
        return Receipt(Fate.LATER, retry_ms=BUSY_MS, detail=detail, whole=whole(step))
    if (code == 552 and not status.startswith("5.2.2")) or status.startswith(("5.3.4", "5.2.3")):
        return Receipt(Fate.FAILED, reason="too-long", detail=detail)
    if step in OURS or status in _SENDERS:
        return Receipt(Fate.LATER, retry_ms=ADMIN_MS, detail=detail, whole=True)
    if step is SmtpStep.RECIPIENT and (status.startswith("5.1.") or (not status and code in (550, 551, 553))):
        return Receipt(Fate.FAILED, reason="no-such-address", detail=detail)
    return Receipt(Fate.FAILED, reason="rejected", detail=detail)
