"""What comes unasked and is said to nobody here: words of a room among themselves, invitations, what programs
write, and what the gate refuses.

It moves nothing, or next to nothing, and still each is a row in the inbox and a commit. So it is counted by
where it comes from, in memory, and what is too much of it is let go: not written down, only counted.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from referee.ports import Inbound, What

from ..core.token_bucket import TokenBucket

_MINUTE_MS, _HOUR_MS = 60_000, 3_600_000
#: words of one room within a minute and an hour; reports about one room (invited, put out, moved …) within an
#: hour
CHATTER, CHATTER_HOURLY, REPORTS = 120, 3_000, 60
#: within an hour: what programs write to a channel (also of letters that are none of ours), and what is told
#: of one letter of ours
MACHINES, RETURNED = 500, 20
#: rooms within an hour to which one person brings the referee, and all people of a channel together
INVITED, INVITED_ALL = 10, 300
#: how often somebody closes their private channel within an hour, and opens it: that more often, so that it
#: stays open where it was opened last
CLOSED, OPENED = 20, 30
#: refused messages of a channel that are kept within an hour
REFUSED = 1_000
#: this many rooms and people are kept in mind
_ROOM = 10_000


class CountLimit(NamedTuple):
    """Under which name something is counted, and that many within so long."""

    name: tuple[str, ...]
    most: int
    span_ms: int


class UnaddressedLimiter:
    """One for each gate."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[CountLimit, TokenBucket] = OrderedDict()

    def fits(self, one: Inbound, now_ms: int, letter: str = "") -> bool:
        """Whether there is not too much of it yet.  `letter`: which one of ours came back."""
        return self._take(_limits(one, letter), now_ms)

    def keeps(self, channel: str, now_ms: int) -> bool:
        """Whether one more message that was refused is kept."""
        return self._take([CountLimit(("refused", channel), REFUSED, _HOUR_MS)], now_ms)

    def _take(self, limits: list[CountLimit], now_ms: int) -> bool:
        for limit in limits:
            bucket = self._buckets.setdefault(
                limit, TokenBucket(limit.most, limit.span_ms, limit.most, now_ms)
            )
            self._buckets.move_to_end(limit)
            if not bucket.take(now_ms):
                return False
        while len(self._buckets) > _ROOM:
            self._buckets.popitem(last=False)
        return True


def _limits(one: Inbound, letter: str) -> list[CountLimit]:
    place = one.place or ""
    match one.what:
        case What.MESSAGE if place:
            return [
                CountLimit(("said", one.channel, place), CHATTER, _MINUTE_MS),
                CountLimit(("said", one.channel, place), CHATTER_HOURLY, _HOUR_MS),
            ]
        case What.INVITED:
            # of a topic that is open again nobody says who opened it: then its chat is counted
            by = one.address or place.partition("/")[0]
            return [
                CountLimit(("invited", one.channel, by), INVITED, _HOUR_MS),
                CountLimit(("invited", one.channel), INVITED_ALL, _HOUR_MS),
            ]
        case What.EXPELLED | What.MOVED:
            return [CountLimit(("told", one.channel, place), REPORTS, _HOUR_MS)]
        case What.BLOCKED:
            return [CountLimit(("closed", one.channel, one.address), CLOSED, _HOUR_MS)]
        case What.REACHABLE:
            return [CountLimit(("opened", one.channel, one.address), OPENED, _HOUR_MS)]
        case What.BOUNCED if letter:  # forged ones must not keep it out
            return [CountLimit(("returned", one.channel, letter), RETURNED, _HOUR_MS)]
        case What.AUTO_REPLY | What.BOUNCED:
            return [CountLimit(("machines", one.channel), MACHINES, _HOUR_MS)]
        case _:
            return []
