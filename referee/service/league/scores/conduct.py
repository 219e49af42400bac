"""How somebody played: which of their questions they answered in time, and how long that took; counted from a
game's journal once it is over.

A turn is one answer, however many orders it takes: it begins when the person who came before had finished.
Time is wall time, nights and quiet hours with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from referee.ids import PersonId
from referee.league.reliability import Counts, Reliability, reliability
from referee.store import Game, Seat, Tx

from ...play.moves import OWN


class Conduct(NamedTuple):
    """`answers` in time, by themselves or by their plans; `misses`: somebody else had to play for them;
    `times`: how long each answer took, seconds.
    """

    answers: int = 0
    misses: int = 0
    times: tuple[int, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The same as the flags of a result keep it."""
        return {"answers": self.answers, "misses": self.misses, "times": list(self.times)}


def of_game(tx: Tx, game: Game, people: Sequence[PersonId]) -> dict[PersonId, Conduct]:
    """How each played who sat there: person -> Conduct.

    `people`: who sat down first, by seat number. A seat that was taken over counts for anyone who had it at
    the time; what those did who had it in between, of three or more, is counted for nobody. Reads the whole
    journal, some hundred rows.
    """
    now = {seat.no: seat.person_id for seat in tx.all(Seat, game_id=game.id)}
    handed: dict[int, list[int]] = {}
    for event in tx.events_of(game):
        if event.name != "taken_over":
            continue
        handed.setdefault(int(json.loads(event.facts)["seat"]), []).append(event.at_ms)
    found: dict[PersonId, list[tuple[bool, int]]] = {}
    since = game.started_ms
    for seat, run in groupby(tx.standing_orders(game), key=lambda row: row.seat):
        last = list(run)[-1]
        asked, since = since, last.at_ms
        moments = handed.get(seat, [])
        who = (
            (people[seat] if seat < len(people) else None)
            if moments and last.at_ms < moments[0]
            else (now.get(seat) if not moments or last.at_ms >= moments[-1] else None)
        )
        if last.by != "bot" and who is not None:
            found.setdefault(who, []).append((last.by in OWN, max(0, last.at_ms - asked)))
    return {
        who: Conduct(
            sum(own for own, _ in each),
            sum(not own for own, _ in each),
            tuple(took // 1000 for own, took in each if own),
        )
        for who, each in found.items()
    }


def summed(flags: Iterable[Mapping[str, Any]]) -> Reliability:
    """The reliability of one person, from the flags of their results (`Conduct.facts`, and `abandoned`)."""
    kept = list(flags)
    left = sum(bool(one.get("abandoned")) for one in kept)
    return reliability(
        Counts(
            sum(int(one.get("answers", 0)) for one in kept),
            sum(int(one.get("misses", 0)) for one in kept),
            len(kept) - left,
            left,
            [1000 * int(took) for one in kept for took in one.get("times", ())],
        )
    )
