"""The ladder: which of several players made of code is the stronger, and how sure that is.

contest   what is to be played, and the tables of it: each deal once for every seat
entrants  who plays: a level by its name, or a class of somebody else's by its path
table     one game; an answer that is no answer is lost, and the game goes on
crew      the games shared out over processes, which may die of a stranger's code
figures   wins with their interval, points, rating, time
faults    why a contest can't be played

contest = contest_of(("greedy", "steady", "bot.py:Mine"), games=400)
rows = standings(contest, run(contest, workers=2))
"""

from __future__ import annotations

from .contest import Contest, LadderError, contest_of
from .crew import run
from .figures import Row, csv_text, standings
from .table import Result

__all__ = ["Contest", "LadderError", "Result", "Row", "contest_of", "csv_text", "run", "standings"]
