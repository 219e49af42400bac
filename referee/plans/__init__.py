"""Plans: what a player files ahead, and how it answers for them.

    answer(plan, view, filed(plan, view))    an order, a reason to ask the player after all, or nothing
    merge(old, new), live(plan, round)       plans laid over each other; what holds in a round
    foresee(plan, round, cast, edition)      what it may do as each character
    dump(plan), load(json), plan_text(plan)  as JSON, as the lines that read back the same

Pure: a plan sees the view of its seat and nothing else of a game.  Read and worded by `referee.text`.
"""

from .foreseeing import Prospect, foresee, may
from .merging import merge, without
from .model import AskIf, Draft, Fact, Order, Plan, Script, Standing, Step, live, pruned
from .notation import plan_text
from .questions import FREE
from .running import Answer, answer, filed, refiled, taken_back
from .stopping import STOPS, Stop
from .storing import PlanError, dump, load

__all__ = [
    "FREE",
    "STOPS",
    "Answer",
    "AskIf",
    "Draft",
    "Fact",
    "Order",
    "Plan",
    "PlanError",
    "Prospect",
    "Script",
    "Standing",
    "Step",
    "Stop",
    "answer",
    "dump",
    "filed",
    "foresee",
    "live",
    "load",
    "may",
    "merge",
    "plan_text",
    "pruned",
    "refiled",
    "taken_back",
    "without",
]
