"""How long games of one kind take, as a process of its own: how many are to be played stands in one line of
JSON on its standard input, what came of them in one on its standard output.

{"edition": "classic", "size": 5, "policy": "30h no restart", "games": 20}
    -> {"none": [26.1, 0.21, 9.0, 20], "draft": […], "full": […]}
"""

from __future__ import annotations

import json
import os
import sys

from referee.league.forecast import PLANS

from .lengths import measured

#: so much less right to the processor than a process that answers players
_NICE = 10


def main() -> None:
    """Play, and tell."""
    os.nice(_NICE)
    asked = json.loads(sys.stdin.readline())
    kind = (str(asked["edition"]), int(asked["size"]))
    found = {
        plans: measured((*kind, "", plans), str(asked["policy"]), int(asked["games"])) for plans in PLANS
    }
    sys.stdout.write(json.dumps(found) + "\n")
