"""The sums of a league, pure: no clock, files, network or database; chance only from a seed that is handed
in.

sizes        how many tables of which size
seating      the rounds of a season, or one more round: opponents, seats, first crowns, byes
  designs      by arithmetic, where the numbers fit
  thinning     with fewer people than places; relabelling: for those who met before
  annealing    by a seeded search
  evening      fewer third meetings, larger tables for everybody
  swiss        tables of like strength
  bound        how few repeats any plan can have
  order        seats and crowns
  shapes       tables, rounds, plans, and what earlier rounds leave behind
points       points for places
standings    points and tie-breaks
moving       up and down between divisions
lots         a season drawn: who plays in which division, and its rounds
mending      a round that was planned, for the people who are there
prospects    what a place at one's table would mean in the standings
forecast     how long tables take; game_lengths: as it was measured
knockout     who goes on, and how many rounds that makes
teams        points of teams
ratings      Plackett-Luce, for seeding
reliability  answers in time, times to answer
faults       what is wrong with what is asked for
"""

from .faults import LeagueFault, PointsFault, Unseatable
from .knockout import going_on, rounds_needed
from .moving import Move, Movement, MoveReason, crossed, moved, movers
from .points import (
    BY_SIZE,
    Points,
    PointsBySize,
    PointsTable,
    awarded,
    points_table,
    reaches,
    read_points,
    shown,
    told,
)
from .ratings import Played, Rated, ladder, ratings
from .reliability import Counts, Reliability, Threshold, reliability, reliable
from .seating import plan, plan_at_once, plan_round
from .shapes import NOTHING, EarlierRounds, Plan, Round, Table, past_of
from .sizes import Sizes, sizes
from .standings import ORDER, By, Result, Standing, Terms, given, shares, standings
from .teams import TeamStanding, kept_apart, team_standings

__all__ = [
    "BY_SIZE",
    "NOTHING",
    "ORDER",
    "By",
    "Counts",
    "EarlierRounds",
    "LeagueFault",
    "Move",
    "MoveReason",
    "Movement",
    "Plan",
    "Played",
    "Points",
    "PointsBySize",
    "PointsFault",
    "PointsTable",
    "Rated",
    "Reliability",
    "Result",
    "Round",
    "Sizes",
    "Standing",
    "Table",
    "TeamStanding",
    "Terms",
    "Threshold",
    "Unseatable",
    "awarded",
    "crossed",
    "given",
    "going_on",
    "kept_apart",
    "ladder",
    "moved",
    "movers",
    "past_of",
    "plan",
    "plan_at_once",
    "plan_round",
    "points_table",
    "ratings",
    "reaches",
    "read_points",
    "reliability",
    "reliable",
    "rounds_needed",
    "shares",
    "shown",
    "sizes",
    "standings",
    "team_standings",
    "told",
]
