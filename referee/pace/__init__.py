"""How long games take: simulated people at the real desk, under real clocks, in time that passes when it is told to.

    trial      what is to be tried: players, edition, people, plans, policy …, and what is wrong with that
    people     who sits there: time zones, the hours at which they look, how long they take, when they vanish
    minds      what they say: orders and plans, chosen by a bot from what their seat may see
    house      one referee in a book of its own; its post counts letters instead of wording them
    watch      what must hold while it runs: no deadline twice, none forgotten, every game within its bound
    season     the tables of one book: one heap of instants, looks and deadlines
    shares     seasons over processes
    figures    what came of it: a row for each game, and the summary
    picture    the same as a chart

`referee simulate pace` is made of it, and so is the long test of the clocks.
"""
from .account import GameRow
from .figures import Summary, csv_text, summary
from .picture import PictureError, chart
from .shares import run
from .trial import Trial, TrialError, trial_of
from .watch import Broken

__all__ = ["Broken", "GameRow", "PictureError", "Summary", "Trial", "TrialError", "chart", "csv_text", "run", "summary", "trial_of"]
