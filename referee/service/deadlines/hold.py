"""When the referee itself is not to be believed: the machine's clock jumped, or nearly everybody seems to
miss.

Then no deadline is acted upon until an admin lets the clocks go on (`resume all`), and that time is given
back to everybody.
"""

from __future__ import annotations

from typing import Any

from referee.store import Meta, Tx

from ..core.alerts import alert
from ..core.due import give_back
from ..core.unit_of_work import UnitOfWork

_NAME = "clocks-held"
#: the channels whose account somebody else uses; whether the clocks are held for that alone; for how long we
#: were not heard before that was clear
_CONTESTED, _BY_ITSELF, _UNHEARD_MS = "accounts-shared", "clocks-held-by-itself", 90_000


def held_since(tx: Tx) -> int:
    """Since when nothing is acted upon; 0: the clocks go."""
    row = tx.get(Meta, _NAME)
    return 0 if row is None else int(row.value)


def hold(uow: UnitOfWork, since_ms: int, code: str, **facts: Any) -> bool:
    """Stop acting upon deadlines, and call an admin; once.

    `since_ms`: from when on we were not to be believed. False where they are held already.
    """
    uow.tx.drop(Meta, name=_BY_ITSELF)  # from now on an admin must look
    if held_since(uow.tx):
        return False
    uow.tx.put(Meta, name=_NAME, value=str(since_ms))
    alert(uow, code, **facts)
    return True


def release(uow: UnitOfWork) -> int:
    """Let the clocks go on; how many deadlines moved by the time that they were held."""
    since = held_since(uow.tx)
    if not since:
        return 0
    uow.tx.drop(Meta, name=_NAME)
    uow.tx.drop(Meta, name=_BY_ITSELF)
    return give_back(uow, min(since, uow.now_ms))  # the clock may have been set back meanwhile


def contested(uow: UnitOfWork, channel: str, *, rivalled: bool) -> None:
    """Somebody else receives with a channel's account, so that we don't hear who answers; or nobody does any
    more. Then the clocks go on by themselves, unless they are held for another reason, too.
    """
    was = uow.tx.get(Meta, _CONTESTED)
    names = set(was.value.split(",") if was is not None and was.value else ())
    if (channel in names) is rivalled:
        return
    names ^= {channel}
    uow.tx.put(Meta, name=_CONTESTED, value=",".join(sorted(names)))
    if rivalled:
        if not held_since(uow.tx):
            uow.tx.put(Meta, name=_NAME, value=str(uow.now_ms - _UNHEARD_MS))
            uow.tx.put(Meta, name=_BY_ITSELF, value="1")
        alert(uow, "account-shared", channel=channel)
        return
    if not names and uow.tx.drop(Meta, name=_BY_ITSELF):
        release(uow)
    alert(uow, "account-alone", channel=channel)
