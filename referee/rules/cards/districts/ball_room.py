"""Ball Room: while its owner has the crown, every other player who is called owes thanks.

Here a courtesy that costs no turn: with the option `thanks: remind` the table is reminded.
"""

from __future__ import annotations

from typing import Any

from ...facts import Seat
from ...flow.standing import has_name
from ...model import State
from ...seams import District


class BallRoom(District):
    name, cost = "Ball Room", 6

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        """`thanks`: the seat that the others owe thanks to."""
        if g.setup.options.get("thanks") != "remind" or not has_name(g, g.crown, self.name):
            return {}
        return {"thanks": g.crown}
