"""Throne Room: its owner gains a gold whenever the crown changes hands."""

from __future__ import annotations

from ...acts import gain
from ...declared import Told
from ...facts import Seat
from ...flow.standing import has_name
from ...model import State
from ...seams import District


class ThroneRoom(District):
    name, cost = "Throne Room", 6
    declares = (Told("throne_room", "seat, gold"),)

    def crowned(self, g: State, seat: Seat) -> None:
        for owner in range(len(g.players)):
            if has_name(g, owner, self.name):
                gain(g, owner, 1)
                g.tell("throne_room", seat=owner, gold=1)
                return
