"""How long games take: simulated people with the real service, under real clocks, in time that passes when it
is told to.

    trial      what is to be tried: players, edition, people, plans, policy …, and what is wrong with that
    people     who sits there: time zones, the hours at which they look, how long they take, when they vanish
    minds      what they say: orders and plans, chosen by a bot from what their seat may see
    house      a referee with its own database; its outbox worker counts letters instead of wording them
    watch      what must hold while it runs: no deadline twice, none forgotten, every game within its bound
    season     the tables of one database: one heap of instants, looks and deadlines
    shares     seasons over processes
    figures    what came of it: a row for each game, and the summary
    picture    the same as a chart
    behaviour  what somebody at a table wants to say
    account    a row for each game
    league     a season of a league, by the office's own clock; league_trial, league_account, league_spread:
      what is tried, what came of it, how even its tables were
    lengths    how long games of each kind take, measured anew; lengths_worker: one kind, in a process

`referee simulate pace` and `referee league simulate` are made of it, and so is the long test of the clocks.
"""

from .account import GameRow
from .figures import Summary, csv_text, summary
from .league import play_league
from .league_account import LeagueRow, league_csv
from .league_trial import LeagueTrial, league_trial
from .picture import PictureError, chart
from .shares import run
from .trial import Trial, TrialError, trial_of
from .watch import LawBroken

__all__ = [
    "GameRow",
    "LawBroken",
    "LeagueRow",
    "LeagueTrial",
    "PictureError",
    "Summary",
    "Trial",
    "TrialError",
    "chart",
    "csv_text",
    "league_csv",
    "league_trial",
    "play_league",
    "run",
    "summary",
    "trial_of",
]
