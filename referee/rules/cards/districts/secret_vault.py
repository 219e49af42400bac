"""Secret Vault: never built; in the end, three points from the hand."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class SecretVault(District):
    name, cost = "Secret Vault", 0

    def forbidden(self, g: State, seat: Seat) -> bool:
        return True

    def hand_score(self, g: State, seat: Seat) -> int:
        return 3
