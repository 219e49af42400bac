"""Invariants: what holds at every moment of every game.  `audit` is for tests, for the
doctor, and for a game that is suspected."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .flow.completion import is_complete
from .model import State


class AuditError(Exception):
    """Breakage of ours.  `code`: cards | characters | gold | city | frames | crown."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts


def audit(state: State) -> None:
    """Raise AuditError for the first invariant that is broken."""
    _cards(state)
    _characters(state)
    _gold(state)
    _cities(state)
    seats = range(len(state.players))
    if state.crown not in seats:
        raise AuditError("crown", crown=state.crown)
    if (state.phase == "over") != (not state.stack) or (state.result is not None) != (not state.stack):
        raise AuditError("frames", phase=state.phase, stack=[f.code for f in state.stack])
    if state.stack and state.stack[-1].asked(state) not in seats:
        raise AuditError("frames", phase=state.phase, stack=[f.code for f in state.stack])


def _cards(state: State) -> None:
    """Every district card lies in exactly one place."""
    places = Counter(state.deck)
    for player in state.players:
        places.update(player.hand)
        places.update(player.city)
    for frame in state.stack:
        places.update(frame.holds())
    for card in state.rules.on["stores"]:
        places.update(card.stores(state))
    wrong = {
        n: places[n]
        for n in {*places, *range(len(state.cards))}
        if places[n] != 1 or not 0 <= n < len(state.cards)
    }
    if wrong:
        raise AuditError(
            "cards",
            wrong={
                f"{n} {state.cards[n].name}" if n in range(len(state.cards)) else str(n): k
                for n, k in wrong.items()
            },
        )


def _characters(state: State) -> None:
    """Every character card lies in exactly one place, as long as a round lasts."""
    places = Counter([*state.faceup, *state.facedown])
    for player in state.players:
        places.update(player.characters)
        if not set(player.revealed) <= set(player.characters):
            raise AuditError("characters", revealed=player.revealed, held=player.characters)
    for frame in state.stack:
        places.update(frame.holds_characters())
    if places != Counter(state.rules.characters.keys()):
        raise AuditError("characters", places=dict(places))


def _gold(state: State) -> None:
    """What the bank has paid is on the table; nobody owes."""
    purses = [p.gold for p in state.players] + [c.purse(state) for c in state.rules.on["purse"]]
    if sum(purses) + state.bank != 0 or min(purses) < 0:
        raise AuditError("gold", purses=purses, bank=state.bank)


def _cities(state: State) -> None:
    """A complete city has been noted as completed, nobody twice."""
    if len(set(state.completed)) != len(state.completed):
        raise AuditError("city", completed=state.completed)
    for seat in range(len(state.players)):
        if is_complete(state, seat) and seat not in state.completed:
            raise AuditError("city", completed=state.completed, complete=seat)
