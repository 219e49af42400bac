"""Where adapters bring what arrived, and how they bring it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from .inbound import Inbound, What


class Reception(Protocol):
    """Where adapters bring what arrived."""

    async def receive(
        self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        """Write the batch and the adapter's own bookmarks (offset, sync token, UID …) in one transaction.

        Returning means: on disk. A key seen before is dropped silently; what can't be written down is parked.
        Raises OSError when nothing could be written (full disk): don't acknowledge, try again later.
        """

    async def park(self, one: Inbound) -> None:
        """Put aside what could not be read (see `unread`), for an admin to look at; what was put aside before
        is known again. Never fails for what it holds.
        """

    def reading(self, channel: str, ref: str) -> AbstractContextManager[bool]:
        """Around the reading of one thing (`ref`: as in its key) by code that a stranger's bytes could kill:
        False where processes died over it again and again. Then bring it as `unread`.
        """

    async def bookmark(self, channel: str, name: str) -> str | None:
        """A bookmark stored by an earlier `receive`, or None."""

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        """Somebody else receives with the channel's account, and the adapter has stood down; or (not
        `rivalled`) it is alone with it again. Raises OSError when nothing could be written.
        """


def reading(reception: Reception, channel: str, ref: str) -> AbstractContextManager[bool]:
    """`Reception.reading`, or nothing around it where a reception keeps no account of it (tests of one
    adapter alone).
    """
    noted = getattr(reception, "reading", None)
    return nullcontext(True) if noted is None else noted(channel, ref)


async def bring(
    reception: Reception, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
) -> None:
    """Park what is UNREAD, and hand over the rest with the bookmarks, which move on either way.

    Raises OSError as `Reception.receive` does.
    """
    park = getattr(reception, "park", None)  # as above
    for one in batch:
        if one.what is What.UNREAD and park is not None:
            await park(one)
    rest = [one for one in batch if one.what is not What.UNREAD]
    if rest or cursor:
        await reception.receive(rest, channel=channel, cursor=cursor)
