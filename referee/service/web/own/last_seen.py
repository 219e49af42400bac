"""What somebody has read of a table before, in this browser: a look lasts as long as they keep coming back to
the page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from referee.ids import EventNo, GameId, SessionId
from referee.store import Store, StoreFull, Tx, WebSession

#: anyone who comes back later than that looks anew
LOOK_MS = 10 * 60_000
#: how often it is written down that somebody still looks
_NOTED_MS = 60_000
#: at the first look this many events are told
FIRST = 24
#: this many tables are remembered
_MOST = 40


async def note(store: Store, job: Callable[[Tx], None]) -> None:
    """Write down that somebody looked; where the disk is full they see their page all the same."""
    with suppress(StoreFull):
        await store.write(job)


class LastSeen(NamedTuple):
    """After which event the news begin, and the looks as they are to be written down ("" where nothing has
    changed).
    """

    since: EventNo
    looks: str


def note_look(looks: str, game_id: GameId, event_no: EventNo, now_ms: int) -> LastSeen:
    """Somebody looks at a table now.  `looks` is the column of their session: {game: [since, upto, at]}."""
    known: dict[str, list[int]] = json.loads(looks)
    if str(game_id) not in known:
        since, upto, at_ms = max(0, event_no - FIRST), -1, 0
    else:
        since, upto, at_ms = known.pop(str(game_id))
        if now_ms - at_ms > LOOK_MS:
            since = upto
    shown = EventNo(min(since, event_no))  # a table that began anew
    if upto == event_no and now_ms - at_ms < _NOTED_MS:
        return LastSeen(shown, "")
    fresh = {**known, str(game_id): [shown, event_no, now_ms]}
    for old in list(fresh)[:-_MOST]:
        del fresh[old]
    return LastSeen(shown, json.dumps(fresh))


def keep_look(tx: Tx, session_id: SessionId, game_id: GameId, event_no: EventNo, now_ms: int) -> None:
    """Write such a look down.  What the browser's other tabs looked at meanwhile stays."""
    session = tx.get(WebSession, session_id)
    looks = "" if session is None else note_look(session.looks, game_id, event_no, now_ms).looks
    if looks:
        tx.set(WebSession, session_id, looks=looks)
