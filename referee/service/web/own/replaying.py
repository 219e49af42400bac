"""A finished game step by step, as a seat saw it: its hand, what it was told alone, what it picked from.

For the person who has that seat at the end, also of what somebody else saw there before: the cards came with
the seat. While the game is played nobody has such a page; after it the record is open to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.ids import GameId, PersonId
from referee.states import GameStatus
from referee.store import Game, Person, Seat, Store, Tx
from referee.text.rendering.cards import card

from ...core.unit_of_work import names, talk_mode
from ...play.replay import GameRows, ReplayEvent, ReplayStep, whole
from ..site.comments import comment_facts
from ..site.history import HistoryCache, step_facts
from ..site.page_cache import PageContext
from ..site.table import about
from ..site.visibility import path_of
from .seat import seat_of

#: the pasts of this many seats are kept
KEPT = 16


class SeatReplays:
    """The pasts of the seats that were looked at last."""

    def __init__(self, store: Store) -> None:
        self._store, self._shelf = store, HistoryCache(KEPT)

    async def step(
        self,
        person_id: PersonId,
        game_id: GameId,
        step: int,
        look: Callable[[Tx], PageContext],
        about_them: Callable[[Tx], dict[str, Any]],
    ) -> dict[str, Any] | None:
        """What the page of a step (0: the last one) is filled with; None where somebody has none.

        `about_them`: what every page of theirs has.
        """

        def found(tx: Tx) -> GameRows | dict[str, Any] | None:
            held, person = seat_of(look(tx), person_id, game_id), tx.get(Person, person_id)
            if held is None or person is None or held[0].status != GameStatus.OVER or not held[0].snapshot:
                return None
            called = names(tx.all(Seat, game_id=game_id, order="no"))
            past = self._shelf.known(game_id, held[1].no, called)
            if past is None or past.upto < held[0].event_no:
                return whole(tx, held[0])
            facts = replay_facts(look(tx), past.steps, person, *held, step)
            return None if facts is None else facts | about_them(tx)

        shown = await self._store.read(found, visitor=True)
        if isinstance(shown, GameRows):
            mine = next(row for row in shown.seats if row.person_id == person_id)
            await self._shelf.play_again(shown, mine.no)
            shown = await self._store.read(found, visitor=True)
        return None if isinstance(shown, GameRows) else shown


def replay_facts(
    look: PageContext, steps: Sequence[ReplayStep], person: Person, game: Game, seat: Seat, wanted: int
) -> dict[str, Any] | None:
    """What the page of a step is filled with (0: the last one); None for a step that there is not."""
    step = wanted or len(steps)
    if not 1 <= step <= len(steps):
        return None
    seats = look.tx.all(Seat, game_id=game.id, order="no")
    players = names(seats)

    def worded(told: tuple[ReplayEvent, ...]) -> list[str]:
        lines = [look.words.event(one.name, one.facts, look.language, players, seat.no) for one in told]
        return [line for line in lines if line]

    found = about(look, game, seats, {}) | step_facts(look, game, steps, step, worded)
    view = found["view"] or {}
    return found | {
        "zone": person.zone,
        "me_seat": seat.no,
        "path": look.root + path_of(look.tx, game),
        "hand": [card(name, view["edition"]) for name in view.get("hand", ())],
        "picks": steps[step - 1].picks,
        "talk": talk_mode(game),
        **comment_facts(look.tx, game, steps, step, players, person.id),
    }
